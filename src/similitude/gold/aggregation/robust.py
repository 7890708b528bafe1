"""Median and trimmed mean of ratings, which resist a few careless raters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from similitude.data.judgements import Judgements, Kind
from similitude.errors import ArgumentError
from similitude.gold.aggregation.aggregation import AGGREGATIONS, Aggregated, Aggregation
from similitude.gold.aggregation.rated_items import RatedItems, rated_items
from similitude.stats.arrays import Array
from similitude.stats.location import Location, median, trimmed_mean

__all__ = ["Median", "TrimmedMean"]


@AGGREGATIONS.register("median")
@dataclass(frozen=True, repr=False)
class Median(Aggregation):
    """The median of the ratings; the mean of the middle two where their number is even.

    ``standard_error`` follows Maritz and Jarrett (1978) and assumes no particular distribution.
    """

    name: ClassVar[str] = "median"
    summary: ClassVar[str] = "median of the ratings"
    kind: ClassVar[Kind] = "rating"

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One median per item."""
        self.require_kind(judgements)
        return _located(rated_items(judgements), median, f"{self}: median of the ratings")


@AGGREGATIONS.register("trimmed-mean")
@dataclass(frozen=True, repr=False)
class TrimmedMean(Aggregation):
    """The mean without the highest and the lowest ratings.

    Of n ratings, floor(share * n) are dropped at each end; with the default, none if there are fewer than ten.
    ``standard_error`` is that of Tukey and McLaughlin (1963), from the winsorised ratings.

    Attributes:
        share: fraction of the ratings to drop at each end, from 0 to below 0.5.
    """

    share: float = 0.1

    name: ClassVar[str] = "trimmed-mean"
    summary: ClassVar[str] = "mean of the ratings without the highest and the lowest"
    kind: ClassVar[Kind] = "rating"

    def __post_init__(self) -> None:
        if not 0 <= self.share < 0.5:
            raise ArgumentError(f"cannot leave out {self.share:g} at each end", remedy="0 <= share < 0.5")

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One trimmed mean per item."""
        self.require_kind(judgements)
        how = f"{self}: mean of the ratings without the highest and the lowest {self.share:.3g}"
        return _located(rated_items(judgements), lambda values: trimmed_mean(values, self.share), how)


def _located(rated: RatedItems, locate: Callable[[Array], Location], how: str) -> Aggregated:
    scores, errors = (np.full(rated.frame.height, np.nan) for _ in range(2))
    for places, values in rated.by_number():
        scores[places], errors[places] = locate(values)
    frame = rated.frame.select("id", score=scores, standard_error=errors, answers="answers").fill_nan(None)
    return Aggregated(frame=frame, scale=rated.scale, how=how, notes=rated.notes)
