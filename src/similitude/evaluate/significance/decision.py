"""Decisions on one measure: which systems are not significantly worse than the best, and which beat a baseline."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from similitude import stats
from similitude.evaluate.measures.measure import Measure
from similitude.evaluate.significance.contrast import Contrast, contrasts
from similitude.evaluate.significance.evidence import Evidence
from similitude.evaluate.significance.needed_units import more_units
from similitude.stats.arrays import Array
from similitude.stats.finite import finite_or_none

__all__ = ["Decision", "decision_on"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Decision:
    """What can be said of systems on one measure at a level.

    Attributes:
        level: the confidence level.
        may_be_best: the system with the best figure, and those that are not significantly worse, best figure first: the
            systems that share a letter with the best.
        more_units: how many more items or groups would show that the best differs from the others of these, with a
            chance of 80 % and if differences are as seen; None if none are needed, or if no number would do.
        baseline: the system that others are compared with; None if there is none.
        contrasts: the others against the baseline.
        margin: what counts as equivalent, in units of the measure; None if nothing does.
        near_best: without a baseline, the systems that are not worse than the best by more than the margin.
        near_best_p_values: of each system, of being worse than the best by the margin or more.
    """

    level: float
    may_be_best: tuple[int, ...]
    more_units: int | None
    baseline: int | None = None
    contrasts: tuple[Contrast, ...] = ()
    margin: float | None = None
    near_best: tuple[int, ...] = ()
    near_best_p_values: tuple[float, ...] = ()

    def record(self, names: Sequence[str]) -> dict[str, Any]:
        """Everything, with the names of the systems, ready for JSON."""
        return {
            "level": self.level,
            "may_be_best": [names[row] for row in self.may_be_best],
            "more_units": self.more_units,
            "against": None if self.baseline is None else names[self.baseline],
            "margin": self.margin,
            "contrasts": [{"system": names[one.system], **one.record(self.level)} for one in self.contrasts],
            "near_best": [names[row] for row in self.near_best],
            "near_best_p_values": [finite_or_none(p) for p in self.near_best_p_values],
        }


def decision_on(
    evidence: Evidence,
    *,
    measure: Measure | None = None,
    baseline: int | None = None,
    margin: float | None = None,
    never_best: Collection[int] = (),
) -> Decision:
    """Decide on one measure.

    Args:
        evidence: figures and their uncertainty.
        measure: for effect sizes.
        baseline: the system to compare the others with.
        margin: what counts as equivalent, in units of the measure: to the baseline, or without one to the best.
        never_best: systems that are not to be called best.
    """
    contending = [row for row in evidence.best_first if row not in never_best]
    best = [row for row in contending if not evidence.are_different(contending[0], row)]
    near = None if margin is None or baseline is not None else _of_all(evidence, _near_best(evidence, margin))
    return Decision(
        level=evidence.level,
        may_be_best=tuple(best),
        more_units=more_units(evidence, best[0], best[1:]) if best else None,
        baseline=baseline,
        contrasts=() if baseline is None else contrasts(evidence, baseline, measure=measure, margin=margin),
        margin=margin,
        near_best=() if near is None else tuple(row for row in evidence.known if near[row] <= 1 - evidence.level),
        near_best_p_values=() if near is None else tuple(near.tolist()),
    )


def _near_best(evidence: Evidence, margin: float) -> Array:
    """Known systems: the p-value of being worse than the best by the margin or more.

    Whichever system is the best, the comparison with it must be sure, so the largest p-value counts. Comparisons with
    one system are corrected for all systems that are compared with it.

    Reference: Hsu (1984), Constrained simultaneous confidence intervals for multiple comparisons with the best.
    """
    statistics, systems = evidence.not_worse(margin), len(evidence.known)
    found = np.zeros(systems)
    for best in range(systems):
        at_most = (systems - 1) * stats.t_tail(statistics[:, best], evidence.freedom)
        at_most[best] = 0.0
        if (np.minimum(at_most, 1.0) > found).any():
            p_values = stats.many_to_one_p_values(statistics[:, best], best, evidence.reference)
            found = np.fmax(found, p_values)
    return found


def _of_all(evidence: Evidence, of_known: Array) -> Array:
    found = np.full(evidence.values.size, np.nan)
    found[evidence.known] = of_known
    return found
