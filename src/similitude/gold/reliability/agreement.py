"""A named figure of reliability, and the steps that compute a list of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from similitude.data.protocols import Listener
from similitude.gold.reliability.bootstrap import Resampling
from similitude.gold.reliability.estimate import Estimate

__all__ = ["Agreement", "Step", "run_steps"]


class Agreement(NamedTuple):
    """A named figure, with one line on how to read it.

    Attributes:
        name: unique within one list of figures.
        estimate: the figure with its interval, or the reason why it is undefined.
        what: one line on how to read it.
        n_units: number of items or tuples that it is computed from.
        n_raters: number of annotators who answered; None where they are unnamed.
        standard_error: of the figure, where a formula gives it; else nan.
        chance: the value that random answers would give, where it is known; else nan.
    """

    name: str
    estimate: Estimate
    what: str
    n_units: int
    n_raters: int | None
    standard_error: float = math.nan
    chance: float = math.nan


Step = Callable[[Resampling], list[Agreement]]
"""Computes a few figures together."""


def run_steps(
    steps: Sequence[Step], resampling: Resampling, *, listener: Listener | None, stage: str
) -> list[Agreement]:
    """The figures of all steps. Each step has a random generator of its own, so no figure depends on the others.

    Args:
        steps: what to compute, in order.
        resampling: how the intervals are drawn.
        listener: is told the progress.
        stage: what the progress report calls this work.
    """
    found: list[Agreement] = []
    for done, (step, own) in enumerate(zip(steps, resampling.spawn(len(steps)), strict=True), start=1):
        found += step(own)
        if listener is not None:
            listener.progress(stage, done, len(steps))
    return found
