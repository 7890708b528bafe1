"""What a system gives to others that learn from it: not one score of a pair but all that it sees."""

from __future__ import annotations

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items

__all__ = ["Compares", "Comparisons"]


class Comparisons(NamedTuple):
    """Several numbers a pair.

    Attributes:
        names: of the numbers.
        values: items x names.
    """

    names: tuple[str, ...]
    values: NDArray[np.float32]


@runtime_checkable
class Compares(Protocol):
    """A system that compares a pair in several ways at once."""

    def comparisons(self, items: Items) -> Comparisons:
        """The numbers of each item, in order; the same for either order of an item's texts."""
        ...
