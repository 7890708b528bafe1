"""Border examples: the pairs that came closest to a border, kept or dropped; the same however pairs are cut."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.features import DescribedPairs, Feature
from similitude.collect.candidates.filters.condition import Comparison
from similitude.collect.candidates.steps import BorderExample
from similitude.data.texts import Texts

__all__ = ["EXAMPLES", "BorderPair", "closest", "nearest_pairs"]

EXAMPLES = 5
"""As many pairs are shown on each side of each border."""


class BorderPair(NamedTuple):
    """A pair near a border; pairs sort by their margin, and by a hash of their rows among equals.

    Attributes:
        margin: the distance from the border, as a share of the range.
        tie: a hash of both rows, so that of many pairs at the same distance any may be shown.
        left: the row of the first text.
        right: the row of the second text.
        value: what was compared with the border.
    """

    margin: float
    tie: int
    left: int
    right: int
    value: float | str

    def example(self, texts: Texts, *, is_kept: bool, border: str = "") -> BorderExample:
        """The pair with its texts."""
        left, right = (texts.frame["text"][row] for row in (self.left, self.right))
        return BorderExample(left=left, right=right, value=self.value, is_kept=is_kept, border=border)


def closest(pairs: Iterable[BorderPair]) -> tuple[BorderPair, ...]:
    """The closest pairs."""
    return tuple(sorted(pairs, key=lambda pair: pair[:4])[:EXAMPLES])


def nearest_pairs(
    pairs: DescribedPairs, comparison: Comparison, margins: NDArray[np.float64], positions: NDArray[np.intp]
) -> tuple[BorderPair, ...]:
    """The closest of some pairs of a block.

    Args:
        pairs: the block.
        comparison: whose border it is.
        margins: of each pair of the block.
        positions: of the pairs that this comparison kept, or dropped.
    """
    near = margins[positions]
    if len(near) > EXAMPLES:
        positions = positions[near <= np.partition(near, EXAMPLES - 1)[EXAMPLES - 1]]
    left, right = pairs.block.left[positions], pairs.block.right[positions]
    ties = _hashes(left, right)
    chosen = np.lexsort((right, left, ties, margins[positions]))[:EXAMPLES]
    shown = _shown(pairs, comparison, positions[chosen])
    found = zip(margins[positions[chosen]], ties[chosen], left[chosen], right[chosen], shown, strict=True)
    return closest(BorderPair(float(a), int(b), int(c), int(d), value) for a, b, c, d, value in found)


def _hashes(left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]:
    """A hash of two rows (splitmix64), of which 53 bits pass through JSON unchanged."""
    mixed = left.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + right.astype(np.uint64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return (mixed >> np.uint64(11)).astype(np.int64)


def _shown(pairs: DescribedPairs, comparison: Comparison, positions: NDArray[np.intp]) -> list[float | str]:
    """The value of the feature; of two features both."""
    values = _values(pairs, comparison.feature, positions)
    if not isinstance(comparison.border, Feature):
        return values
    return [
        f"{one} and {other}" for one, other in zip(values, _values(pairs, comparison.border, positions), strict=True)
    ]


def _values(pairs: DescribedPairs, feature: Feature, positions: NDArray[np.intp]) -> list[Any]:
    values = pairs.value_of(feature)
    return values.gather(positions).to_list() if isinstance(values, pl.Series) else values[positions].tolist()
