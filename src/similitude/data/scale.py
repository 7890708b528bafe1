"""Scale: the two ends of the scores, and where they come from."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ScaleError

__all__ = ["USUAL_SCALES", "Scale"]

USUAL_SCALES = ((0.0, 1.0), (-1.0, 1.0), (1.0, 5.0), (0.0, 5.0), (1.0, 7.0), (0.0, 10.0), (0.0, 100.0))
"""The scales that `Scale.infer` chooses from, narrowest first."""

ENOUGH = 5
"""With as many scores, a highest score of exactly 4 means that the scale ends there."""

_WRITTEN = re.compile(r"^\s*(-?[\d.]*\d)\s*(?:\.\.|-|:|,|to)\s*(-?[\d.]*\d)\s*(\(inferred\))?\s*$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A scale of scores.

    Attributes:
        low: the score of two texts that have nothing in common.
        high: the score of two texts that mean the same.
        origin: "declared" by the user, fixed by the "format", or "inferred" from the scores.

    >>> Scale(low=0, high=5), Scale.parse("1..7").width
    (Scale(low=0, high=5, origin='declared'), 6.0)
    """

    low: float
    high: float
    origin: str = "declared"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ScaleError(f"{self.low:g}..{self.high:g} is not a scale", remedy="give the lower end first: 0..5")

    def __str__(self) -> str:
        return f"{self.low:g}..{self.high:g}"

    @property
    def written(self) -> str:
        """Both ends with all their digits and, for an inferred scale, the word: what files of ours state.

        >>> Scale(low=0, high=4, origin="inferred").written
        '0..4 (inferred)'
        """
        low, high = (np.format_float_positional(end, trim="-") for end in (self.low, self.high))
        return f"{low}..{high}" + (" (inferred)" if self.origin == "inferred" else "")

    @property
    def width(self) -> float:
        """High end minus low end."""
        return self.high - self.low

    def at(self, fraction: float) -> float:
        """The score at this fraction of the way from low to high.

        >>> Scale(low=1, high=5).at(0.25)
        2.0
        """
        return self.low + fraction * self.width

    def holds(self, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which scores lie on the scale, ends included, with a tolerance for rounding."""
        room = 1e-9 * self.width
        return np.asarray((scores >= self.low - room) & (scores <= self.high + room))

    def same_ends(self, other: Scale) -> bool:
        """Whether both scales have the same ends."""
        return (self.low, self.high) == (other.low, other.high)

    @classmethod
    def parse(cls, written: str) -> Scale:
        """The scale written as ``0..5``, ``0-5`` or ``0:5``; ``0..5 (inferred)`` was inferred by us before.

        >>> str(Scale.parse("-1..1"))
        '-1..1'
        """
        match = _WRITTEN.match(written) if isinstance(written, str) else None
        try:
            ends = (float(match[1]), float(match[2])) if match else None
        except ValueError:
            ends = None
        if ends is None:
            raise ScaleError(f"cannot read '{written}' as a scale", remedy="write both ends, as in 0..5")
        inferred = match is not None and match[3] is not None
        return cls(low=ends[0], high=ends[1], origin="inferred" if inferred else "declared")

    @classmethod
    def infer(cls, scores: Sequence[float] | NDArray[np.float64]) -> Scale:
        """A scale that holds all scores; a guess, so every output that uses it says that the scale was inferred.

        With `ENOUGH` scores from 0 or 1 up to a whole number of at most 10, the scale ends there. Otherwise it is the
        narrowest usual scale that holds all scores, or their own range if none does.

        >>> str(Scale.infer([1, 2, 2, 3, 4, 4, 1, 2, 3, 1])), str(Scale.infer([4, 2.5]))
        ('1..4', '1..5')
        """
        values = np.asarray(scores, dtype=np.float64)
        values = values[np.isfinite(values)]
        if values.size == 0:
            raise ScaleError("no scores to infer a scale from", remedy="declare it: --scale 0..5")
        low, high = float(values.min()), float(values.max())
        if values.size >= ENOUGH and low >= 0 and 2 <= high <= 10 and high.is_integer():
            return cls(low=1.0 if low >= 1 else 0.0, high=high, origin="inferred")
        for usual_low, usual_high in USUAL_SCALES:
            if usual_low <= low and high <= usual_high:
                return cls(low=usual_low, high=usual_high, origin="inferred")
        return cls(low=low, high=high if high > low else low + 1.0, origin="inferred")
