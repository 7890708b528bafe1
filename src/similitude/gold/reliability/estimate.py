"""What every reliability function hands back: a figure with its interval, or the reason why there is none."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Estimate", "undefined"]

_NAN = float("nan")


class Estimate(NamedTuple):
    """A figure with its interval; nan with one sentence why where it is undefined.

    Attributes:
        value: the figure.
        low: the lower end of its interval; nan where there is none.
        high: the upper end.
        reason: why the figure or its interval is undefined, or what has to be known of it; else None.
    """

    value: float
    low: float = _NAN
    high: float = _NAN
    reason: str | None = None

    @property
    def is_defined(self) -> bool:
        """Whether there is a figure.

        >>> Estimate(0.5).is_defined, undefined("there is one rater only").is_defined
        (True, False)
        """
        return self.value == self.value


def undefined(reason: str) -> Estimate:
    """No figure, and why.

    >>> undefined("there is one rater only")
    Estimate(value=nan, low=nan, high=nan, reason='there is one rater only')
    """
    return Estimate(_NAN, reason=reason)
