"""Predictions that were made elsewhere, as a system."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.listeners import OptionalListener
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener
from similitude.data.provenance import Provenance
from similitude.data.reading.predictions import PredictionTable
from similitude.data.scale import Scale
from similitude.errors import PredictionError
from similitude.registry import Spec

__all__ = ["Recorded", "recorded_system"]


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """Predictions read from a file, by item id.

    Attributes:
        ids: the items that the file was read for.
        predictions: one for each of them.
        provenance: how the file was understood.
        listener: is told the notes of the reader.
    """

    file: str
    range: Scale | None = field(repr=False)
    ids: pl.Series = field(repr=False)
    predictions: Predictions = field(repr=False)
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

    def model_fingerprint(self) -> str:
        """Hash of the predictions, so that those of a file that changed are not taken for its own."""
        digest = hashlib.sha256("\n".join(self.ids.to_list()).encode("utf-8", "surrogatepass"))
        columns = (self.predictions.scores, self.predictions.sigmas, self.predictions.samples, self.predictions.invalid)
        for column in columns:
            digest.update(b"none" if column is None else np.ascontiguousarray(column).tobytes())
        return digest.hexdigest()

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
        positions = self.positions_of(items.frame["id"])
        missing = items.frame["id"].filter(positions.is_null())
        if missing.len():
            what = f"no prediction for {missing.len():,} of {len(items):,} items ('{missing[0]}', ...)"
            raise PredictionError(what, where=self.file, remedy="score the items that the file was read for")
        found = self.predictions.take(positions.to_numpy().astype(np.intp))
        sigmas = None if found.sigmas is None or np.isnan(found.sigmas).all() else found.sigmas
        return Predictions(found.scores, sigmas, provenance=self.provenance)

    def positions_of(self, ids: pl.Series) -> pl.Series:
        """The position of each id among the predictions; null where there is none."""
        here = pl.DataFrame({"id": self.ids}).with_row_index("position")
        return pl.DataFrame({"id": ids}).join(here, on="id", how="left", maintain_order="left")["position"]


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
    told = [items.conditions] if any(items.conditions) else []
    texts = list(zip(items.lefts, items.rights, *told, strict=True))
    predictions = table.for_items(items.ids, range=range, texts=texts, gold=gold)
    return Recorded(
        file=table.table.file,
        range=range,
        ids=items.frame["id"],
        predictions=predictions,
        provenance=predictions.provenance or Provenance(),
    )
