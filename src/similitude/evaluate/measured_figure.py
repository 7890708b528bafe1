"""One figure of one system on one measure: a number that knows its interval."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from similitude.stats.finite import finite_or_none

if TYPE_CHECKING:
    from similitude.evaluate.measures.measure import Figure
    from similitude.stats import Interval

__all__ = ["MeasuredFigure"]


class MeasuredFigure(float):
    """A figure with its confidence interval. It is a float, and arithmetic with it gives plain floats.

    >>> figure = MeasuredFigure(0.691, low=0.487, high=0.824)
    >>> figure, figure.low, figure + 1
    (0.691 [0.49, 0.82], 0.487, 1.691)
    >>> f"{figure:.2f}", figure > 0.5
    ('0.69', True)
    >>> MeasuredFigure(float("nan"), reason="all predictions are equal")
    undefined (all predictions are equal)

    Attributes:
        low: the lower end of the interval; None without an interval.
        high: the upper end; None without an interval.
        level: of the interval.
        reason: why the figure is undefined (nan), why it has no interval, or what is odd about it; else None.
    """

    __slots__ = ("high", "level", "low", "reason")

    low: float | None
    high: float | None
    level: float
    reason: str | None

    def __new__(
        cls,
        value: float,
        *,
        low: float | None = None,
        high: float | None = None,
        level: float = 0.95,
        reason: str | None = None,
    ) -> MeasuredFigure:
        """A figure; ends that are nan or infinite count as missing, and an interval has both or neither."""
        made = super().__new__(cls, value)
        ends = [None if end is None else finite_or_none(end) for end in (low, high)]
        made.low, made.high = (None, None) if None in ends else ends
        made.level, made.reason = level, reason
        return made

    @classmethod
    def of(cls, figure: Figure, interval: Interval | None, level: float = 0.95) -> MeasuredFigure:
        """A figure of a measure with its interval, if there is one."""
        if interval is None:
            return cls(figure.value, level=level, reason=figure.reason)
        low, high, why = interval
        return cls(figure.value, low=low, high=high, level=level, reason=figure.reason or why)

    @property
    def value(self) -> float:
        """The figure as a plain float; nan if it is undefined."""
        return float.__float__(self)

    def __repr__(self) -> str:
        if math.isnan(self):
            return f"undefined ({self.reason})" if self.reason else "undefined"
        interval = "" if self.low is None or self.high is None else f" [{self.low:z.2f}, {self.high:z.2f}]"
        return f"{self.value:z.3f}{interval}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.value, self.low, self.high, self.level, self.reason)

    def __copy__(self) -> MeasuredFigure:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> MeasuredFigure:
        return self

    def record(self) -> dict[str, Any]:
        """Value, interval, level and reason as JSON types."""
        ends = {"low": self.low, "high": self.high}
        return {"value": finite_or_none(self.value), **ends, "level": self.level, "reason": self.reason}


def _again(value: float, low: float | None, high: float | None, level: float, reason: str | None) -> MeasuredFigure:
    return MeasuredFigure(value, low=low, high=high, level=level, reason=reason)
