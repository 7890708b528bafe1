"""Inducing points: the few rows through which a sparse Gaussian process sees all others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude.errors import EstimationError
from similitude.systems.uncertain.gaussian_process.posterior import squared_distances

__all__ = ["FEWEST_ITEMS", "choose_inducing", "usable_inducing"]

Array = NDArray[np.float64]

FEWEST_ITEMS = 20
"""Distinct items without which a Gaussian process is not worth the name."""
_ROUNDS = 10
_ROWS_AT_A_TIME = 4096


def usable_inducing(rows: Array, wanted: int) -> int:
    """As many points as were asked for, or as there are distinct rows if these are fewer.

    Raises:
        EstimationError: there are fewer than 20 distinct rows.
    """
    distinct = len(np.unique(rows, axis=0)) if len(rows) <= 2 * wanted else len(rows)
    if distinct < FEWEST_ITEMS:
        raise EstimationError(
            f"{distinct:,} different items are too few for a Gaussian process",
            remedy=f"give {FEWEST_ITEMS} or more to learn from",
        )
    return min(wanted, distinct)


def choose_inducing(rows: Array, count: int, rng: np.random.Generator) -> Array:
    """Centres of so many clusters of rows: dense regions get more points than empty ones.

    k-means from rows drawn by chance, ten rounds, which leaves little to gain. A cluster that loses all its rows takes
    the row that is farthest from its centre. Where there are as many distinct rows as points, these are the points.

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
    """For each row the nearest centre, and its squared distance."""
    places, apart = [], []
    for start in range(0, len(rows), _ROWS_AT_A_TIME):
        distances = squared_distances(rows[start : start + _ROWS_AT_A_TIME], centres)
        places.append(distances.argmin(axis=1))
        apart.append(distances.min(axis=1))
    return np.concatenate(places), np.concatenate(apart)
