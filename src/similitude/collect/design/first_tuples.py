"""A first draft of tuples in which items appear equally often, give or take one; exchanges then remove its faults."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.collect.design.parts import can_connect

__all__ = ["TupleDraft", "draw"]


class TupleDraft(NamedTuple):
    """Tuples of item numbers, which may still repeat items, pairs or whole tuples.

    Attributes:
        tuples: item numbers, one row per tuple.
        fixed: places that must keep their item, because they connect the tuples.
    """

    tuples: NDArray[np.intp]
    fixed: NDArray[np.bool_]


def draw(items: int, size: int, tuples: int, rng: np.random.Generator) -> TupleDraft:
    """Join random permutations of the items and cut them into tuples.

    If most items appear only once, random tuples would rarely be connected. All tuples then form a chain in which
    neighbours share an item, and that item stays where it is.
    """
    if items <= tuples * size < 2 * items and tuples > 1 and can_connect(items, size, tuples):
        return _draw_chain(items, size, tuples, rng)
    rounds = -(-tuples * size // items)
    drawn = np.concatenate([rng.permutation(items) for _ in range(rounds)])[: tuples * size].reshape(tuples, size)
    return TupleDraft(drawn, np.zeros(drawn.shape, dtype=np.bool_))


def _draw_chain(items: int, size: int, tuples: int, rng: np.random.Generator) -> TupleDraft:
    """Make tuples that each end with the first item of the next one; the other places are filled at random."""
    order = rng.permutation(items)
    links, others = order[: tuples - 1], order[tuples - 1 :]
    drawn = np.empty((tuples, size), dtype=np.intp)
    fixed = np.zeros(drawn.shape, dtype=np.bool_)
    drawn[:-1, -1] = drawn[1:, 0] = links
    fixed[:-1, -1] = fixed[1:, 0] = True
    twice = rng.permutation(others)[: tuples * size - items - len(links)]
    drawn[~fixed] = rng.permutation(np.concatenate([others, twice]))
    return TupleDraft(drawn, fixed)
