"""Predictions that were made elsewhere, as a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.listeners import OptionalListener
from similitude.data.prediction import Prediction, Predictions
from similitude.data.protocols import Listener
from similitude.data.provenance import Provenance
from similitude.data.reading.predictions import PredictionTable, open_predictions
from similitude.data.scale import Scale
from similitude.errors import PredictionError
from similitude.registry import Spec

__all__ = ["Recorded", "read_recorded", "recorded_system"]


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """Predictions read from a file, by item id.

    Attributes:
        predictions: the prediction for each item id.
        provenance: how the file was understood.
        listener: is told the notes of the reader.
    """

    file: str
    range: Scale | None = field(repr=False)
    predictions: Mapping[str, Prediction] = field(repr=False)
    provenance: Provenance = field(repr=False, default_factory=Provenance)
    listener: Listener = field(repr=False, default_factory=OptionalListener)

    summary: ClassVar[str] = "predictions made elsewhere, read from a file"

    @property
    def reads(self) -> frozenset[str]:
        """Context and condition, since whatever made the file may have read both."""
        return frozenset({"context", "condition"})

    @property
    def identity(self) -> Spec:
        """The name of the file."""
        return Spec(self.file)

    def with_listener(self, listener: Listener) -> Recorded:
        """A copy that tells this listener how the file was understood."""
        return replace(self, listener=listener)

    def score(self, items: Items) -> Predictions:
        """The predictions for these items.

        Raises:
            PredictionError: the file has no prediction for an item.
        """
        for text in (*self.provenance.notes, *self.provenance.warnings):
            self.listener.note(text)
        missing = [name for name in items.ids if name not in self.predictions]
        if missing:
            what = f"no prediction for {len(missing):,} of {len(items):,} items ('{missing[0]}', ...)"
            raise PredictionError(what, where=self.file, remedy="score the items that the file was read for")
        found = [self.predictions[name] for name in items.ids]
        sigmas = np.array([np.nan if one.sigma is None else one.sigma for one in found])
        scores = np.array([one.score for one in found], dtype=np.float64)
        return Predictions(scores, None if np.isnan(sigmas).all() else sigmas, provenance=self.provenance)


def recorded_system(
    table: PredictionTable, items: Items, *, range: Scale | None, gold: NDArray[np.float64] | None = None
) -> Recorded:
    """The predictions of a table for these items, as a system.

    Args:
        table: the predictions.
        items: the items.
        range: the range of the scores.
        gold: the scores of the items, which show whether gold in the table comes in another order.

    Raises:
        InputError: the predictions do not fit the items.
    """
    texts = list(zip(items.lefts, items.rights, strict=True))
    predictions = table.for_items(items.ids, range=range, texts=texts, gold=gold)
    by_id = {name: predictions[position] for position, name in enumerate(items.ids)}
    return Recorded(
        file=table.table.file, range=range, predictions=by_id, provenance=predictions.provenance or Provenance()
    )


def read_recorded(path: str | Path, items: Items, *, range: Scale | None, **options: Any) -> Recorded:
    """Read a file of predictions for these items as a system.

    Args:
        path: see `similitude.data.reading.predictions.read_predictions`.
        items: the items of the gold file, in order.
        range: the range of the scores.
        options: how the file is read; see `similitude.data.reading.predictions.open_predictions`.
    """
    return recorded_system(open_predictions(path, **options), items, range=range)
