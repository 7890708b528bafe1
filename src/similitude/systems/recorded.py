"""Predictions that were made elsewhere, as a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np

from similitude.data.item import Items
from similitude.data.prediction import Prediction, Predictions
from similitude.data.reading.predictions import read_predictions
from similitude.data.scale import Scale
from similitude.registry import Spec

__all__ = ["Recorded", "read_recorded"]


@dataclass(frozen=True, kw_only=True)
class Recorded:
    """Predictions read from a file, by item id.

    Attributes:
        predictions: the prediction for each item id.
    """

    file: str
    range: Scale | None = field(repr=False)
    predictions: Mapping[str, Prediction] = field(repr=False)

    summary: ClassVar[str] = "predictions made elsewhere, read from a file"

    @property
    def reads(self) -> frozenset[str]:
        """Context and condition, since whatever made the file may have read both."""
        return frozenset({"context", "condition"})

    @property
    def identity(self) -> Spec:
        """The name of the file."""
        return Spec(self.file)

    def score(self, items: Items) -> Predictions:
        """The predictions for these items."""
        found = [self.predictions[name] for name in items.ids]
        sigmas = np.array([np.nan if one.sigma is None else one.sigma for one in found])
        return Predictions(np.array([one.score for one in found]), None if np.isnan(sigmas).all() else sigmas)


def read_recorded(path: str | Path, items: Items, *, range: Scale | None, encoding: str = "utf-8") -> Recorded:
    """Read a file of predictions for these items as a system.

    Args:
        path: see `similitude.data.reading.predictions.read_predictions`.
        items: the items of the gold file, in order.
        range: the range of the scores.
        encoding: the encoding of text files.
    """
    predictions = read_predictions(path, items.ids, encoding)
    by_id = {name: predictions[position] for position, name in enumerate(items.ids)}
    return Recorded(file=Path(path).name, range=range, predictions=by_id)
