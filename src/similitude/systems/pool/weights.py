"""Weights of systems, as users write them: ``2,1``."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from similitude.errors import ArgumentError

__all__ = ["read_weights", "write_weights"]


def read_weights(written: str | Sequence[float], systems: int) -> tuple[float, ...]:
    """One weight per system, 0 or more; only their ratios matter.

    Args:
        written: numbers separated by commas, or a sequence of numbers.
        systems: the number of systems.

    Raises:
        ArgumentError: they are not numbers, their count is wrong, one is negative, or all are 0.

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
        raise ArgumentError(f"{len(weights)} weights '{shown}' for {systems} systems", remedy=remedy)
    if not all(math.isfinite(weight) and weight >= 0 for weight in weights):
        raise ArgumentError(f"weights '{shown}' include one that is negative or not finite", remedy=remedy)
    if not any(weights):
        raise ArgumentError(f"weights '{shown}' are all 0", remedy="give at least one system a positive weight")
    return weights


def write_weights(weights: Sequence[float]) -> str:
    """The weights as text that `read_weights` reads back.

    >>> write_weights((2.0, 0.5))
    '2,0.5'
    """
    return ",".join(np.format_float_positional(weight, trim="-") for weight in weights)
