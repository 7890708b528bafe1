"""Gold: scores of items, the spread of opinions, and the ratings behind them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.scale import Scale

__all__ = ["GOLD_SCHEMA", "Gold", "GoldColumns"]

GOLD_SCHEMA = pl.Schema(
    {
        "score": pl.Float64(),
        "sigma": pl.Float64(),
        "ratings": pl.List(pl.Float64()),
        "raters": pl.List(pl.String()),
        "rounds": pl.List(pl.String()),
        "standard_error": pl.Float64(),
        "mixture_weights": pl.List(pl.Float64()),
        "mixture_means": pl.List(pl.Float64()),
        "mixture_sigmas": pl.List(pl.Float64()),
    }
)
"""The columns of gold.

``raters`` and ``rounds`` have one entry for each of ``ratings``; the three columns of a mixture have one entry for each
component. A null score means that gold is hidden.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """The gold of one item; a view of one row.

    Attributes:
        score: the score on the scale; None if it is hidden.
        scale: the scale of the score.
        sigma: population standard deviation of people's opinions, if known.
        ratings: all ratings, if they were kept.
        raters: the rater of each rating.
        rounds: the round of each rating.
        standard_error: standard error of the score, if the aggregation gives one.
        mixture_weights: the weight of each component of a Gaussian mixture of opinions, if one was fitted.
        mixture_means: the mean of each component.
        mixture_sigmas: the standard deviation of each component.
    """

    score: float | None
    scale: Scale | None
    sigma: float | None = None
    ratings: tuple[float, ...] = ()
    raters: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()
    standard_error: float | None = None
    mixture_weights: tuple[float, ...] = ()
    mixture_means: tuple[float, ...] = ()
    mixture_sigmas: tuple[float, ...] = ()


class GoldColumns:
    """Gold as arrays, for measures."""

    def __init__(self, frame: pl.DataFrame, scale: Scale | None) -> None:
        self._frame = frame
        self.scale = scale

    def __len__(self) -> int:
        return self._frame.height

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """One score per item; nan where gold is hidden."""
        return self._column("score")

    @cached_property
    def sigmas(self) -> NDArray[np.float64] | None:
        """One standard deviation per item, nan where unknown; None if no item has one."""
        if "sigma" not in self._frame.columns or self._frame["sigma"].null_count() == len(self):
            return None
        return self._column("sigma")

    @cached_property
    def ratings(self) -> tuple[NDArray[np.float64], NDArray[np.intp]] | None:
        """All ratings in one array, and the position of each rating's item; None if no ratings were kept."""
        if "ratings" not in self._frame.columns or self._frame["ratings"].null_count() == len(self):
            return None
        long = self._frame.select("ratings").with_row_index("position").explode("ratings").drop_nulls("ratings")
        return long["ratings"].to_numpy(), long["position"].to_numpy().astype(np.intp)

    def take(self, positions: NDArray[np.intp]) -> GoldColumns:
        """The gold of the items at these positions, in this order."""
        return GoldColumns(self._frame[positions], self.scale)

    def _column(self, name: str) -> NDArray[np.float64]:
        return self._frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()
