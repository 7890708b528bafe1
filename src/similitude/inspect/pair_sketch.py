"""A sketch of the pairs that a model learned from, by which it can be told later that data holds some of them.

It keeps the smallest hashes of all pairs, so that it is the same however the pairs are ordered. A pair of other data
that is among the learned ones is in the sketch with a probability of its size over the number of learned pairs: data
that was learned as a whole is always told, and a few shared pairs may be missed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.inspect.checks.text_keys import normalised

__all__ = ["SIZE", "pair_sketch", "sketched_pairs"]

SIZE = 256


def pair_sketch(data: Iterable[Benchmark]) -> list[str]:
    """The smallest hashes of the pairs of several benchmarks."""
    return sorted({key for part in data for key in _keys(part)})[:SIZE]


def sketched_pairs(sketch: Iterable[str], data: Benchmark | Items) -> int:
    """How many pairs of a sketch are in other data.

    >>> import similitude as sim
    >>> learned = sim.read([("a cat", "one cat", 4), ("a dog", "rain", 0)], scale="0..5")
    >>> other = sim.read([("One  cat", "A cat", 3), ("a cow", "snow", 0)], scale="0..5")
    >>> sketched_pairs(pair_sketch([learned]), other)
    1
    """
    return len(set(sketch) & {*_keys(data)})


def _keys(data: Benchmark | Items) -> Iterator[str]:
    """A hash of each pair of texts, normalised, in either order and under any condition."""
    sides = (normalised(data.frame[side]).to_list() for side in ("left", "right"))
    for pair in zip(*sides, strict=True):
        yield hashlib.sha256("\x1e".join(sorted(pair)).encode()).hexdigest()[:16]
