"""Ranges of whole numbers, written ``20..100``, ``5..`` or ``..200``."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from similitude.errors import ArgumentError

__all__ = ["NumberRange"]

WRITTEN = re.compile(r"\s*(\d*)\s*\.\.\s*(\d*)\s*")


@dataclass(frozen=True, slots=True)
class NumberRange:
    """A range; both ends belong to it.

    Attributes:
        low: the lower end, or None.
        high: the upper end, or None.
    """

    low: int | None
    high: int | None

    @classmethod
    def parse(cls, written: str, name: str) -> NumberRange:
        """The range that a user wrote.

        >>> NumberRange.parse("20..100", "characters"), NumberRange.parse("5..", "words")
        (NumberRange(low=20, high=100), NumberRange(low=5, high=None))

        Raises:
            ArgumentError: it is no range, or nothing lies in it.
        """
        match = WRITTEN.fullmatch(written) if isinstance(written, str) else None
        if match is None or not any(match.groups()):
            raise ArgumentError(f"{name}={written!r} is no range", remedy=f'write {name}="20..100", "20.." or "..100"')
        low, high = (int(end) if end else None for end in match.groups())
        if low is not None and high is not None and low > high:
            raise ArgumentError(f"{name}={written!r} holds no number", remedy="write the lower end first")
        return cls(low, high)

    def below(self, values: pl.Series) -> pl.Series:
        """True for values under the lower end."""
        return values < (0 if self.low is None else self.low)

    def above(self, values: pl.Series) -> pl.Series:
        """True for values over the upper end."""
        return pl.Series([False]).new_from_index(0, len(values)) if self.high is None else values > self.high
