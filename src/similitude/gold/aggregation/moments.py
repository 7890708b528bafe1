"""Mean and spread of ratings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl

from similitude.data.judgements import Judgements, Kind
from similitude.gold.aggregation.aggregation import AGGREGATIONS, Aggregated, Aggregation
from similitude.gold.aggregation.rated_items import RatedItems, rated_items

__all__ = ["Gaussian", "Mean"]

_RATINGS = pl.col("ratings")
_SEVERAL = pl.col("answers") > 1


@AGGREGATIONS.register("mean")
@dataclass(frozen=True, repr=False)
class Mean(Aggregation):
    """The mean of the ratings.

    ``standard_error`` is the sample standard deviation (ddof 1) over the root of the number of ratings; null for a
    single one.
    """

    name: ClassVar[str] = "mean"
    summary: ClassVar[str] = "mean of the ratings"
    kind: ClassVar[Kind] = "rating"

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One mean per item."""
        self.require_kind(judgements)
        return _means(rated_items(judgements), f"{self}: mean of the ratings")


@AGGREGATIONS.register("gaussian", "normal")
@dataclass(frozen=True, repr=False)
class Gaussian(Aggregation):
    """One Gaussian per item: the mean of the ratings and their population standard deviation (ddof 0), as in USTS.

    ``sigma`` is the spread of opinions, ``standard_error`` the uncertainty of their mean. Both are null for a single
    rating.
    """

    name: ClassVar[str] = "gaussian"
    summary: ClassVar[str] = "mean and population standard deviation of the ratings"
    kind: ClassVar[Kind] = "rating"

    def aggregate(self, judgements: Judgements, rng: np.random.Generator) -> Aggregated:
        """One mean and one sigma per item."""
        self.require_kind(judgements)
        how = f"{self}: mean and population standard deviation of the ratings"
        return _means(rated_items(judgements), how, sigma=sigma())


def _means(rated: RatedItems, how: str, **columns: pl.Expr) -> Aggregated:
    frame = rated.frame.select(
        "id", score=_RATINGS.list.mean(), **columns, standard_error=standard_error(), answers="answers"
    )
    return Aggregated(frame=frame, scale=rated.scale, how=how, notes=rated.notes)


def sigma() -> pl.Expr:
    """Population standard deviation of the column ``ratings``; null where there are fewer than two."""
    return pl.when(_SEVERAL).then(_RATINGS.list.std(ddof=0))


def standard_error() -> pl.Expr:
    """Standard error of the mean of the column ``ratings``; null where there are fewer than two."""
    return pl.when(_SEVERAL).then(_RATINGS.list.std() / pl.col("answers").sqrt())
