"""Bands: a range of numbers cut into pieces, each with a name."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bands"]

TAIL = 0.005
"""The share of values beyond the outermost edges at either end, if edges are found from the values: a few extreme
values would otherwise decide where all edges are."""


@dataclass(frozen=True, slots=True)
class Bands:
    """Bands between edges, the last of which is closed.

    Attributes:
        edges: ascending, one more than there are bands.
        is_open: whether the first and the last band hold all values beyond their edge; otherwise these are in no band.
    """

    edges: tuple[float, ...]
    is_open: bool = True

    @classmethod
    def of(cls, bins: int | Sequence[float], values: NDArray[np.float64]) -> Bands:
        """Bands with given edges, or a number of bands of equal width that hold the values.

        Args:
            bins: the number of bands, or their edges; a value beyond given edges is in no band.
            values: finite, one at least.

        >>> Bands.of(2, np.linspace(0, 1, 1001)).edges
        (0.005, 0.5, 0.995)
        """
        if not isinstance(bins, int):
            return cls(tuple(float(edge) for edge in bins), is_open=False)
        low, high = np.quantile(values, (TAIL, 1 - TAIL))
        if low == high:
            low, high = values.min(), values.max()
        if low == high:
            low, high = low - 0.5, high + 0.5
        decimals = 2 - math.floor(math.log10((high - low) / bins))
        return cls(tuple(round(float(edge), decimals) for edge in np.linspace(low, high, bins + 1)))

    def __len__(self) -> int:
        return len(self.edges) - 1

    def positions(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """The band of each value; -1 for a value that is in none or is not a number.

        >>> Bands((0.0, 0.5, 1.0), is_open=False).positions(np.array([0.0, 0.5, 1.0, 1.1, np.nan]))
        array([ 0,  1,  1, -1, -1])
        """
        found = np.searchsorted(np.asarray(self.edges[1:-1]), values, side="right").astype(np.int64)
        outside = np.isnan(values)
        if not self.is_open:
            outside |= (values < self.edges[0]) | (values > self.edges[-1])
        found[outside] = -1
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each band: its edges.

        >>> Bands((0.0, 0.5, 1.0)).names
        ('below 0.5', '0.5 and more')
        """
        shown = [f"{edge:.6g}" for edge in self.edges]
        names = [f"{low} to {high}" for low, high in pairwise(shown)]
        if self.is_open and len(names) > 1:
            names[0], names[-1] = f"below {shown[1]}", f"{shown[-2]} and more"
        return tuple(names)
