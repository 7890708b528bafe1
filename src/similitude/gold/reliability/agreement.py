"""One figure of agreement, ready to be shown: its name, its interval, and how to read it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from similitude.gold.reliability.estimate import Estimate

__all__ = ["Agreement", "Draws", "Step"]


class Agreement(NamedTuple):
    """One figure, ready to be shown.

    Attributes:
        name: what it is called; no two figures of one list share a name.
        estimate: the figure with its interval, or why there is none.
        what: one line on how to read it.
        n_units: how many items or tuples it rests on.
        n_raters: how many annotators gave the answers; None where they have no names.
    """

    name: str
    estimate: Estimate
    what: str
    n_units: int
    n_raters: int | None


class Draws(NamedTuple):
    """How intervals are drawn: the arguments that every figure takes."""

    resamples: int
    level: float
    rng: np.random.Generator


Step = Callable[[Draws], list[Agreement]]
"""Part of the work: a few figures that are computed together."""
