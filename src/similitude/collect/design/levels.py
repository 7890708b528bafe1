"""How often pairs should meet, and the least imbalance that the arithmetic allows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

__all__ = ["MeetingLevels"]


@dataclass(frozen=True, kw_only=True)
class MeetingLevels:
    """The balance that a number of tuples of a number of items can reach.

    >>> fano = MeetingLevels(items=7, size=3, tuples=7)
    >>> fano.ideal, fano.floor, fano.ceiling, fano.unavoidable
    (1.0, 1, 1, 0)
    """

    items: int
    size: int
    tuples: int

    @property
    def ideal(self) -> float:
        """Meetings per pair if all pairs met equally often: tuples x C(size, 2) / C(items, 2)."""
        return self.tuples * comb(self.size, 2) / self._pairs

    @property
    def floor(self) -> int:
        """The ideal, rounded down."""
        return self.tuples * comb(self.size, 2) // self._pairs

    @property
    def ceiling(self) -> int:
        """The ideal, rounded up. No design can keep all pairs below it."""
        return -(-self.tuples * comb(self.size, 2) // self._pairs)

    @cached_property
    def unavoidable(self) -> int:
        """Meetings above the ceiling or missing below the floor in any design with balanced appearances.

        An item in r tuples has r (size - 1) meetings with items - 1 others. Meetings beyond the ceiling or short of
        the floor are unavoidable. Each concerns two items, so the total is halved.

        >>> MeetingLevels(items=6, size=3, tuples=5).unavoidable  # 3 items have 6 meetings, 3 items have 4
        4
        """
        often, more = divmod(self.tuples * self.size, self.items)
        meetings = np.array([often + 1, often]) * (self.size - 1)
        here = np.array([more, self.items - more])
        above = here @ np.maximum(meetings - self.ceiling * (self.items - 1), 0)
        below = here @ np.maximum(self.floor * (self.items - 1) - meetings, 0)
        return int(-(-above // 2) - (-below // 2))

    def unevenness(self, meetings: NDArray[np.int64]) -> int:
        """The number of meetings above the ceiling and missing below the floor, over these pairs."""
        above = np.maximum(meetings - self.ceiling, 0).sum()
        return int(above + np.maximum(self.floor - meetings, 0).sum())

    @property
    def _pairs(self) -> int:
        return max(comb(self.items, 2), 1)
