"""The similarity of two values of an attribute, and random partners of a given similarity.

Every attribute has four kinds of values. The kind of a partner is the kind of the value, exclusive-or a number from 0
to 3. Which numbers lead to near and which to far kinds depends on the order of the kinds::

    tree  {0 1} {2 3}   near: 1      far: 2, 3
    line  0 < 1 < 2 < 3 near: 1      far: 2
    ring  0 1 2 3 (0)   near: 1, 3   far: 2

An exclusive-or is its own inverse and maps the kinds one to one. So if the first value is uniform, the second is
uniform too, for every similarity: one sentence and the condition tell nothing about the label.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

__all__ = ["LEVELS", "likeness", "partners"]

Indices = NDArray[np.int64]

LEVELS = (1, 2, 4, 5)
"""5: the same value in other words; 4: another value of the same kind; 2: a near kind; 1: a far kind."""

_NEAR: Mapping[str, tuple[int, ...]] = {"tree": (1, 1), "line": (1, 1), "ring": (1, 3)}
_FAR: Mapping[str, tuple[int, ...]] = {"tree": (2, 3), "line": (2, 2), "ring": (2, 2)}


def likeness(order: str, one: tuple[int, int], other: tuple[int, int]) -> int:
    """The similarity of two values, each given as (kind, place in the kind), from 1 to 5.

    >>> likeness("line", (0, 0), (0, 0)), likeness("line", (0, 0), (0, 1))
    (5, 4)
    >>> likeness("line", (0, 0), (1, 0)), likeness("line", (1, 0), (2, 0)), likeness("line", (0, 0), (3, 0))
    (2, 2, 1)
    """
    if one[0] == other[0]:
        return 5 if one == other else 4
    gap = abs(one[0] - other[0])
    near = {"tree": one[0] ^ other[0] == 1, "line": gap == 1, "ring": gap in (1, 3)}
    return 2 if near[order] else 1


def partners(
    rng: np.random.Generator, *, orders: list[str], sizes: Indices, kinds: Indices, places: Indices, levels: Indices
) -> tuple[Indices, Indices]:
    """A random partner with the given similarity for each value, uniform among all such values.

    Args:
        rng: source of randomness.
        orders: the order of the kinds of each value's attribute.
        sizes: the number of values in each kind.
        kinds: the kind of each value.
        places: the place of each value in its kind.
        levels: the similarity of each partner, one of `LEVELS`.

    Returns:
        The kinds and the places of the partners.

    >>> rng = np.random.default_rng(1)
    >>> two, level = np.array([2, 2]), np.array([5, 1])
    >>> kinds, places = partners(rng, orders=["line", "line"], sizes=two, kinds=two, places=two - 1, levels=level)
    >>> kinds.tolist(), places[0]
    ([2, 0], np.int64(1))
    """
    ways = rng.integers(0, 2, len(kinds))
    near, far = (np.array([way[order] for order in orders])[np.arange(len(kinds)), ways] for way in (_NEAR, _FAR))
    steps = np.select([levels >= 4, levels == 2], [0, near], far)
    others = (places + rng.integers(1, sizes)) % sizes
    anywhere = rng.integers(0, sizes)
    return kinds ^ steps, np.select([levels == 5, levels == 4], [places, others], anywhere)
