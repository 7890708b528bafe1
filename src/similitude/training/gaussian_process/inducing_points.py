"""The choice of inducing points, the few rows that represent all others in a sparse Gaussian process."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude.errors import EstimationError
from similitude.systems.uncertain.gaussian_process.posterior import squared_distances

__all__ = ["FEWEST_ITEMS", "choose_inducing", "usable_inducing"]

Array = NDArray[np.float64]

FEWEST_ITEMS = 20
"""The fewest distinct items that a Gaussian process is fitted to."""
_ROUNDS = 10
_ROWS_AT_A_TIME = 4096


def usable_inducing(rows: Array, wanted: int) -> int:
    """The number of points: as requested, or the number of distinct rows if that is smaller.

    Raises:
        EstimationError: there are fewer than 20 distinct rows.
    """
    distinct = len(np.unique(rows, axis=0)) if len(rows) <= 2 * wanted else len(rows)
    if distinct < FEWEST_ITEMS:
        what = f"{distinct:,} distinct items are too few for a Gaussian process"
        raise EstimationError(what, remedy=f"give {FEWEST_ITEMS} or more to learn from")
    return min(wanted, distinct)


def choose_inducing(rows: Array, count: int, rng: np.random.Generator) -> Array:
    """The centres of clusters of rows, so that dense regions get more points than sparse ones.

    Runs ten rounds of k-means from rows drawn at random; more rounds gain little. A cluster that loses all its rows is
    moved to the row farthest from its centre. If there are no more distinct rows than points, the rows are the points.

    >>> rows = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> sorted(choose_inducing(rows, 2, np.random.default_rng(0)).ravel().round(2).tolist())
    [0.05, 5.05]
    """
    distinct = np.unique(rows, axis=0)
    if len(distinct) <= count:
        return distinct
    centres = distinct[rng.permutation(len(distinct))[:count]]
    for _ in range(_ROUNDS):
        nearest, apart = _nearest(distinct, centres)
        sizes = np.bincount(nearest, minlength=count)
        sums = np.zeros_like(centres)
        np.add.at(sums, nearest, distinct)
        empty = np.flatnonzero(sizes == 0)
        centres = sums / np.maximum(sizes, 1)[:, None]
        centres[empty] = distinct[np.argsort(-apart, kind="stable")[: len(empty)]]
    return centres


def _nearest(rows: Array, centres: Array) -> tuple[NDArray[np.intp], Array]:
    """The nearest centre of each row, and the squared distance to it."""
    places, apart = [], []
    for start in range(0, len(rows), _ROWS_AT_A_TIME):
        distances = squared_distances(rows[start : start + _ROWS_AT_A_TIME], centres)
        places.append(distances.argmin(axis=1))
        apart.append(distances.min(axis=1))
    return np.concatenate(places), np.concatenate(apart)
