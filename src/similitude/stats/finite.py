"""Undefined figures in records: JSON has no nan and no infinity."""

from __future__ import annotations

import math

__all__ = ["finite_or_none"]


def finite_or_none(value: float) -> float | None:
    """The value, or None if it is nan or infinite.

    >>> finite_or_none(0.5), finite_or_none(float("nan"))
    (0.5, None)
    """
    return value if math.isfinite(value) else None
