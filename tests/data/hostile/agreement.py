"""Agreement computed from its definition, apart from our own code."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import permutations

import numpy as np

__all__ = ["interval_alpha", "nominal_alpha"]

Units = Sequence[Sequence[Hashable]]
"""The answers that each item got."""


def nominal_alpha(units: Units) -> float:
    """Krippendorff's alpha: 1 - observed / expected disagreement, over all ordered pairs of values."""
    return _alpha(units, lambda one, other: float(one != other))


def interval_alpha(units: Units) -> float:
    """The same with squared differences."""
    return _alpha(units, lambda one, other: float(one - other) ** 2)


def _alpha(units: Units, distance) -> float:  # type: ignore[no-untyped-def]
    paired = [unit for unit in units if len(unit) > 1]
    values = [value for unit in paired for value in unit]
    within = [sum(distance(*pair) for pair in permutations(unit, 2)) / (len(unit) - 1) for unit in paired]
    between = sum(distance(*pair) for pair in permutations(values, 2)) / (len(values) * (len(values) - 1))
    return float(1 - np.sum(within) / len(values) / between)
