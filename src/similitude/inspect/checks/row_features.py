"""Features of a row's position, and their correlation with gold.

The null hypothesis is that the rows of a file are in random order. All p-values are analytic and hold under this
hypothesis for any distribution of scores, with or without ties.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.inspect.checks.association import Association, Numbers, rank_correlation
from similitude.stats.p_values import kruskal_wallis_p_value
from similitude.stats.ranks import average_ranks

__all__ = ["FEATURES", "GROUP_KEY", "MODULI", "TESTS", "RowNumbers"]

MODULI = (2, 3, 4, 5)
CLEARLY_BETTER = 0.02

GROUP_KEY = (
    pl.when(pl.col("group").is_not_null()).then(pl.col("group").hash()).otherwise(pl.struct("left", "right").hash())
)
"""The same for rows of one group: a hash of the group's name or, if it has none, of the pair."""


@dataclass(frozen=True, kw_only=True)
class RowNumbers:
    """The rows of a file or split that have gold, in order.

    Attributes:
        places: the number of each row, from 0; rows without gold are counted too.
        scores: the score of each row.
        runs: the number of the run of consecutive rows with the same group (or the same pair) that each row is in.
    """

    places: NDArray[np.intp]
    scores: Numbers
    runs: NDArray[np.intp]

    @classmethod
    def of(cls, frame: pl.DataFrame) -> RowNumbers:
        """The rows of a table with the columns score and group_key (see `GROUP_KEY`)."""
        numbered = frame.select("score", runs=pl.col("group_key").rle_id()).with_row_index("place")
        known = numbered.filter(pl.col("score").is_finite())
        return cls(
            places=known["place"].to_numpy().astype(np.intp),
            scores=known["score"].to_numpy(),
            runs=known["runs"].to_numpy().astype(np.intp),
        )

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def ranks(self) -> Numbers:
        """The rank of each score; ties have their average rank."""
        return average_ranks(self.scores)

    @cached_property
    def halves(self) -> tuple[RowNumbers, RowNumbers]:
        """The first and the second half."""
        middle = len(self) // 2
        first, second = (
            RowNumbers(places=self.places[part], scores=self.scores[part], runs=self.runs[part])
            for part in (slice(None, middle), slice(middle, None))
        )
        return first, second


def modulus(rows: RowNumbers) -> Association:
    """The row number modulo 2 (parity), 3, 4 or 5, whichever predicts best.

    Each residue class predicts its mean score in the other half of the file, so that rho is not inflated by fitting; p
    is that of Kruskal and Wallis. A larger modulus must be better by 0.02, because modulo 4 includes parity.
    """
    best = _modulus(rows, MODULI[0])
    for size in MODULI[1:]:
        other = _modulus(rows, size)
        best = other if other.rho > best.rho + CLEARLY_BETTER else best
    return best


def position(rows: RowNumbers) -> Association:
    """The row number, which predicts gold in files that are sorted by score or drift."""
    return Association.of_ranks("the row number", np.arange(len(rows), dtype=np.float64), rows.ranks)


def previous(rows: RowNumbers) -> Association:
    """The score of the row before, which predicts gold in files with blocks of similar scores."""
    next_to = np.diff(rows.places) == 1
    before, ranks = rows.ranks[:-1][next_to], rows.ranks[1:][next_to]
    return Association.of_ranks("the score of the row before", before, ranks)


def place_in_group(rows: RowNumbers) -> Association:
    """The place of a row in its group of consecutive rows, minus the group's mean place.

    Rows are compared within groups only, so that large groups may have other scores than small ones. p is that of
    permutations within groups (normal approximation). Groups of one row do not count.
    """
    inside = np.bincount(rows.runs)[rows.runs] > 1
    scores, runs = rows.scores[inside], rows.runs[inside]
    places = _less_group_mean(rows.places[inside].astype(np.float64), runs)
    score_ranks = average_ranks(scores)
    rho = rank_correlation(average_ranks(places), score_ranks)
    return Association("the place inside its group", rho, _within_groups_p(places, score_ranks, runs), len(scores))


FEATURES: tuple[Callable[[RowNumbers], Association], ...] = (modulus, place_in_group, position, previous)

TESTS = len(FEATURES) - 1 + len(MODULI)
"""The number of hypotheses that the features test, for the Bonferroni correction."""


def _modulus(rows: RowNumbers, size: int) -> Association:
    first, second = rows.halves
    rho = (_held_out_rho(first, second, size) + _held_out_rho(second, first, size)) / 2
    feature = "row parity" if size == 2 else f"the row number modulo {size}"
    return Association(feature, rho, kruskal_wallis_p_value(rows.places % size, rows.ranks), len(rows))


def _held_out_rho(fit: RowNumbers, held_out: RowNumbers, size: int) -> float:
    classes = fit.places % size
    counts = np.bincount(classes, minlength=size)
    sums = np.bincount(classes, weights=fit.scores, minlength=size)
    means = np.where(counts > 0, sums / np.maximum(counts, 1), fit.scores.mean())
    return rank_correlation(_class_ranks(means, held_out.places % size), held_out.ranks)


def _class_ranks(means: Numbers, classes: NDArray[np.intp]) -> Numbers:
    """The average rank of each row if rows are ranked by the mean of their class."""
    _, level = np.unique(means, return_inverse=True)
    counts = np.bincount(level[classes], minlength=len(means))
    average = np.cumsum(counts) - (counts - 1) / 2
    return np.asarray(average[level][classes])


def _less_group_mean(values: Numbers, groups: NDArray[np.intp]) -> Numbers:
    means = np.bincount(groups, weights=values) / np.maximum(np.bincount(groups), 1)
    return np.asarray(values - means[groups])


def _within_groups_p(places: Numbers, ranked: Numbers, groups: NDArray[np.intp]) -> float:
    """p-value of the sum of place times rank, from its exact mean (0) and variance over permutations within groups."""
    within = _less_group_mean(ranked, groups)
    squares = np.bincount(groups, weights=places**2) * np.bincount(groups, weights=within**2)
    variance = float((squares / np.maximum(np.bincount(groups) - 1, 1)).sum())
    return math.erfc(abs(float(places @ within)) / math.sqrt(2 * variance)) if variance > 0 else 1.0
