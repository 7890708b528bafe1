"""The baseline that ignores content: the lengths of the two texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import PairwiseSystem, TextPairs, settle_empty
from similitude.systems.strings.arguments import UNITS, Unit, check_choice
from similitude.systems.strings.tokens import fold, words

__all__ = ["LengthRatio"]


@SYSTEMS.register("length-ratio")
@dataclass(frozen=True)
class LengthRatio(PairwiseSystem):
    """Length of the shorter text / length of the longer; every system should beat this baseline.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0.

    Args:
        unit: the unit of length, "character" or "word".

    >>> LengthRatio(unit="word").similarities(["a short one"], ["this one has six words here"])  # 3 / 6
    array([0.5])
    """

    name: ClassVar[str] = "length-ratio"
    summary: ClassVar[str] = "length of the shorter text / length of the longer; a baseline that ignores content"

    unit: Unit = "character"

    def __post_init__(self) -> None:
        check_choice(self.name, "unit", self.unit, UNITS)

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        pairs = TextPairs.of(lefts, rights)
        parts = words if self.unit == "word" else fold
        lengths = np.fromiter((len(parts(text)) for text in pairs.texts), np.int64, len(pairs.texts))
        left, right = lengths[pairs.left], lengths[pairs.right]
        return settle_empty(np.minimum(left, right) / np.maximum(np.maximum(left, right), 1), left, right)
