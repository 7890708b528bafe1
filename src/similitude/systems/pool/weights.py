"""Weights of systems, as users write them: ``2,1``."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from similitude.errors import ArgumentError

__all__ = ["read_weights", "write_weights"]


def read_weights(written: str | Sequence[float], systems: int) -> tuple[float, ...]:
    """One weight a system, 0 or more; only their ratios count.

    Args:
        written: numbers with commas between them, or the numbers.
        systems: how many there are.

    Raises:
        ArgumentError: no numbers, another count, a weight under 0, or none over it.

    >>> read_weights("2, 1", 2)
    (2.0, 1.0)
    """
    shown = written if isinstance(written, str) else ",".join(map(str, written))
    remedy = 'write one number for each system, as in weights="2,1"'
    try:
        weights = tuple(float(part) for part in (written.split(",") if isinstance(written, str) else written))
    except ValueError:
        raise ArgumentError(f"cannot read '{shown}' as weights", remedy=remedy) from None
    if len(weights) != systems:
        raise ArgumentError(f"weights '{shown}' are {len(weights)} for {systems} systems", remedy=remedy)
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights):
        raise ArgumentError(f"weights '{shown}' are not all 0 or more", remedy=remedy)
    if not any(weights):
        raise ArgumentError(f"weights '{shown}' are all 0", remedy="give a weight over 0 to one system at least")
    return weights


def write_weights(weights: Sequence[float]) -> str:
    """What `read_weights` reads as the same numbers.

    >>> write_weights((2.0, 0.5))
    '2,0.5'
    """
    return ",".join(np.format_float_positional(weight, trim="-") for weight in weights)
