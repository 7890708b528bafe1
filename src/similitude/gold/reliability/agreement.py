"""A named figure of reliability, and the steps that compute a list of them."""

from __future__ import annotations

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
        by_chance: the value that random answers would give; None where it is not known.
        standard_error: of the figure; None where no formula gives it.
    """

    name: str
    estimate: Estimate
    what: str
    n_units: int
    n_raters: int | None
    by_chance: float | None = None
    standard_error: float | None = None


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
