"""Gold: what a benchmark asserts of its items."""

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

``raters`` and ``rounds`` run parallel to ``ratings``, and the three columns of a mixture to each other. A null score
means: no gold (hidden).
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """What is asserted of one item; a view of one row.

    Attributes:
        score: the score on the scale, or None where it is hidden.
        scale: the scale.
        sigma: standard deviation (population) of people's opinions, where known.
        ratings: every rater's own rating, where kept.
        raters: who gave each rating.
        rounds: the round in which each was given.
        standard_error: how sure the score itself is, where the aggregation says it.
        mixture_weights: where opinions fall into camps, the share of each.
        mixture_means: the mean opinion of each camp.
        mixture_sigmas: the standard deviation within each.
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
    """Gold as arrays, for measures. ``scores`` is nan where gold is hidden."""

    def __init__(self, frame: pl.DataFrame, scale: Scale | None) -> None:
        self._frame = frame
        self.scale = scale

    @classmethod
    def from_scores(cls, scores: NDArray[np.float64], scale: Scale | None = None) -> GoldColumns:
        """Gold that has a score for each item and nothing else."""
        return cls(pl.DataFrame({"score": np.asarray(scores, dtype=np.float64)}), scale)

    def __len__(self) -> int:
        return self._frame.height

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """One score an item."""
        return self._column("score")

    @cached_property
    def sigmas(self) -> NDArray[np.float64] | None:
        """One standard deviation an item (nan where unknown), or None where no item has one."""
        if "sigma" not in self._frame.columns or self._frame["sigma"].null_count() == len(self):
            return None
        return self._column("sigma")

    @cached_property
    def ratings(self) -> tuple[NDArray[np.float64], NDArray[np.intp]] | None:
        """All ratings in one array with the position of the item of each, or None where none were kept."""
        if "ratings" not in self._frame.columns or self._frame["ratings"].null_count() == len(self):
            return None
        long = self._frame.select("ratings").with_row_index("position").explode("ratings").drop_nulls("ratings")
        return long["ratings"].to_numpy(), long["position"].to_numpy().astype(np.intp)

    def take(self, positions: NDArray[np.intp]) -> GoldColumns:
        """Gold of the items at these positions, in this order."""
        return GoldColumns(self._frame[positions], self.scale)

    def _column(self, name: str) -> NDArray[np.float64]:
        return self._frame[name].cast(pl.Float64).fill_null(float("nan")).to_numpy()
