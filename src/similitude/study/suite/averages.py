"""Averages over the benchmarks of a suite: as MTEB has them, as SemEval has them, Borda counts and mean ranks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from similitude import stats
from similitude.stats import Interval
from similitude.stats.arrays import Array
from similitude.stats.finite import finite_or_none
from similitude.study.suite.figure_grid import FigureGrid

__all__ = ["Average", "AverageName", "RankAverages", "average_of", "rank_averages"]

AverageName = Literal["mean", "by pairs"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Average:
    """A weighted mean over benchmarks.

    Attributes:
        name: "mean" over benchmarks (MTEB's mean over tasks, unless the suite has weights), or "by pairs": over all
            sources of all benchmarks, weighted by their numbers of pairs (SemEval's mean).
        measure: its name; several, if benchmarks have measures of their own.
        weights: of the benchmarks; they sum to 1.
        values: of each system; nan if a figure of the system is missing.
        intervals: of each system; nan without confidence. Items are resampled within benchmarks.
        covariance: systems x systems.
        freedoms: of each system.
        higher_is_better: whether systems with a higher value are better.
        undefined_because: why it is undefined for all systems.
    """

    name: AverageName
    measure: str
    weights: Array
    values: Array
    intervals: tuple[Interval, ...]
    covariance: Array
    freedoms: Array
    higher_is_better: bool
    undefined_because: str | None = None

    @property
    def order(self) -> list[int]:
        """Positions of the systems, best first, those without a value last."""
        sign = -1 if self.higher_is_better else 1
        return sorted(range(self.values.size), key=lambda row: (np.isnan(self.values[row]), sign * self.values[row]))

    def record(self, systems: Sequence[str]) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "name": self.name,
            "measure": self.measure,
            "higher_is_better": self.higher_is_better,
            "undefined_because": self.undefined_because,
            "weights": self.weights.tolist(),
            "systems": [
                {
                    "system": system,
                    "value": finite_or_none(float(self.values[row])),
                    "low": finite_or_none(self.intervals[row].low),
                    "high": finite_or_none(self.intervals[row].high),
                }
                for row, system in enumerate(systems)
            ],
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class RankAverages:
    """Votes of the benchmarks on the systems that have a figure on all of them; nan for other systems.

    Attributes:
        borda: on each benchmark a system gets a point for each system below it, and one half for each that is level
            with it; the sum over benchmarks, as on MTEB's leaderboard.
        borda_rank: 1 for the most points; systems with equal points share the lowest rank.
        mean_rank: the mean of the ranks; 1 is best, ties share the average rank.
    """

    borda: Array
    borda_rank: Array
    mean_rank: Array


def average_of(name: AverageName, grid: FigureGrid, weights: Array, scales: Sequence[str | None]) -> Average:
    """A weighted mean over benchmarks, with intervals from those of the benchmarks, which are independent.

    Undefined if lower is better on some benchmarks only, or if an error on different scales would be averaged.

    Args:
        name: of the average.
        grid: the figures.
        weights: of the benchmarks; need not sum to 1.
        scales: of the benchmarks.
    """
    shares, reason = weights / weights.sum(), _why_undefined(grid, scales)
    squares = shares[:, None] ** 2
    variances = squares * np.diagonal(grid.covariances, axis1=1, axis2=2)
    ends = stats.combined_ends(shares, grid.values, grid.ends)
    values = shares @ grid.values
    names = dict.fromkeys(str(measure) for measure in grid.measures if measure is not None)
    return Average(
        name=name,
        measure=" and ".join(names),
        weights=shares,
        values=values if reason is None else np.full(values.shape, np.nan),
        intervals=tuple(
            Interval(low, high) if reason is None else Interval(math.nan, math.nan)
            for low, high in zip(ends.low.tolist(), ends.high.tolist(), strict=True)
        ),
        covariance=(squares[:, :, None] * grid.covariances).sum(axis=0),
        freedoms=stats.combined_freedom(variances, grid.freedoms),
        higher_is_better=all(measure.higher_is_better for measure in grid.measures if measure is not None),
        undefined_because=reason,
    )


def rank_averages(grid: FigureGrid) -> RankAverages:
    """Borda counts and mean ranks of the systems that have all figures."""
    systems = grid.values.shape[1]
    complete = np.flatnonzero(np.isfinite(grid.values).all(axis=0))
    votes = stats.rank_votes(grid.merits[:, complete]) if complete.size else stats.RankVotes(np.empty(0), np.empty(0))
    found = RankAverages(
        borda=np.full(systems, np.nan), borda_rank=np.full(systems, np.nan), mean_rank=np.full(systems, np.nan)
    )
    found.borda[complete], found.mean_rank[complete] = votes
    found.borda_rank[complete] = 1 + (votes.borda[:, None] < votes.borda).sum(axis=1)
    return found


def _why_undefined(grid: FigureGrid, scales: Iterable[str | None]) -> str | None:
    there = [measure for measure in grid.measures if measure is not None]
    if len({measure.higher_is_better for measure in there}) > 1:
        return "lower is better on some benchmarks, higher on others"
    unbounded = next((measure for measure in there if not math.isfinite(measure.high - measure.low)), None)
    if unbounded is not None and len(set(scales)) > 1:
        return f"{unbounded} depends on the scale, and the benchmarks have different scales"
    return None
