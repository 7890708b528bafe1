"""Takes the first pairs of each cell in an order: at random, or the most contentious first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.selection.pool import Pool

__all__ = ["preference", "take_in_order"]


def preference(values: NDArray[np.float64] | None, pairs: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """The place of each pair in the order: the largest value first, at random among equals or if there are no values.

    Values are compared to six decimals; pairs without a value come last.
    """
    draws = rng.random(pairs)
    order = (
        np.argsort(draws) if values is None else np.lexsort((draws, np.nan_to_num(-np.round(values, 6), nan=np.inf)))
    )
    places = np.empty(pairs, np.int64)
    places[order] = np.arange(pairs)
    return places


def take_in_order(pool: Pool, places: NDArray[np.int64]) -> None:
    """Fill the quotas of the pool.

    In each round every cell offers as many pairs as it is still to give, the first ones in order. Where offers compete
    for a text, the cell that has fewer pairs to choose from comes first. The others stay for the next round, unless
    the text is used up.
    """
    waiting = pool.candidates()
    waiting = waiting[np.lexsort((places[waiting], pool.of[waiting]))]
    while len(waiting):
        cells = pool.of[waiting]
        firsts = np.searchsorted(cells, cells)
        offers = waiting[np.arange(len(waiting)) - firsts < pool.quotas[cells]]
        choice = np.bincount(cells, minlength=len(pool.quotas)) / np.maximum(pool.quotas, 1)
        offers = offers[np.lexsort((places[offers], choice[pool.of[offers]]))]
        pool.take(pool.without_conflict(offers))
        pool.drop_used_up()
        waiting = waiting[pool.can_be_taken[waiting] & (pool.quotas > 0)[pool.of[waiting]]]
