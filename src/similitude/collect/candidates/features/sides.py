"""A number of each text as one number of a pair: of which of the two texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.features.described_pairs import DescribedPairs
from similitude.collect.candidates.features.feature import Feature, Numbers
from similitude.collect.candidates.features.text_properties import TextProperty

__all__ = ["OneNumber", "Side"]

Side = Literal["least", "most", "mean", "sum", "difference", "left", "right"]
"""Of the two numbers: the smaller, the larger, mean, sum, larger minus smaller, that of the first or second text."""

_SIDES: Mapping[Side, Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]] = {
    "least": np.minimum,
    "most": np.maximum,
    "mean": lambda left, right: (left + right) / 2,
    "sum": np.add,
    "difference": lambda left, right: np.abs(left - right),
    "left": lambda left, right: left,
    "right": lambda left, right: right,
}


@dataclass(frozen=True, repr=False)
class OneNumber(Feature):
    """Base of features that are a number of each text.

    Attributes:
        of: which text's: "least" is the smaller of the two numbers, so that ``words >= 5`` holds if both texts have
            five words; "difference" is the larger minus the smaller.
    """

    of: Side = "least"

    of_text: ClassVar[TextProperty]
    low: ClassVar[float] = 0.0

    @property
    def properties(self) -> tuple[TextProperty, ...]:
        """The number of each text."""
        return (self.of_text,)

    def values(self, pairs: DescribedPairs) -> Numbers:
        """The number of the side that ``of`` names."""
        left, right = (side.astype(np.float64) for side in pairs.numbers_of(self.of_text))
        return _SIDES[self.of](left, right)
