"""How often pairs should meet, and how far from level the arithmetic forces them to be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
from numpy.typing import NDArray

__all__ = ["MeetingLevels"]


@dataclass(frozen=True, kw_only=True)
class MeetingLevels:
    """What so many tuples of so many items can reach.

    >>> fano = MeetingLevels(items=7, size=3, tuples=7)
    >>> fano.ideal, fano.floor, fano.ceiling, fano.unavoidable
    (1.0, 1, 1, 0)
    """

    items: int
    size: int
    tuples: int

    @property
    def ideal(self) -> float:
        """Meetings of a pair, were they shared out evenly: tuples x C(size, 2) / C(items, 2)."""
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
        """Meetings above the ceiling or lacking below the floor that no design with level appearances can avoid.

        An item in r tuples has r (size - 1) meetings with items - 1 others. What of that is more than the ceiling
        allows, or less than the floor wants, is lost; a meeting is lost to two items at once.

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
        """Meetings above the ceiling and lacking below the floor, over these pairs."""
        above = np.maximum(meetings - self.ceiling, 0).sum()
        return int(above + np.maximum(self.floor - meetings, 0).sum())

    @property
    def _pairs(self) -> int:
        return max(comb(self.items, 2), 1)
