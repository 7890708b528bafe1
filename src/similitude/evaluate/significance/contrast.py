"""Systems against a baseline: which are better, which are worse, and which are equivalent within a margin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from similitude import stats
from similitude.evaluate.measures.measure import Measure
from similitude.evaluate.significance.effect import Effect, effect_of
from similitude.evaluate.significance.evidence import Evidence
from similitude.evaluate.significance.needed_units import more_units
from similitude.stats import Interval
from similitude.stats.arrays import Array
from similitude.stats.finite import finite_or_none

__all__ = ["Contrast", "Verdict", "contrasts"]

Verdict = Literal["better", "worse", "undecided"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """One system against the baseline.

    Attributes:
        system: its number.
        difference: its figure minus that of the baseline.
        interval: of the difference, as everywhere; see `all_pairs`.
        p_value: two-sided, corrected for all pairs of systems.
        is_floor: whether so many resamples can give no smaller p-value.
        verdict: whether it is better or worse than the baseline.
        effect: the standardised difference; None where there is none.
        more_units: how many more items or groups would decide with a chance of 80 %, if the difference is as seen; None
            if it is decided, or if no number would do.
        not_worse_p_value: one-sided, corrected, of being worse by the margin or more; None without a margin.
        equivalent_p_value: of differing by the margin or more in either direction, corrected; None without a margin.
    """

    system: int
    difference: float
    interval: Interval
    p_value: float
    is_floor: bool
    verdict: Verdict
    effect: Effect | None = None
    more_units: int | None = None
    not_worse_p_value: float | None = None
    equivalent_p_value: float | None = None

    def record(self, level: float) -> dict[str, Any]:
        """Everything but the system, ready for JSON."""
        names = ("difference", "p_value", "not_worse_p_value", "equivalent_p_value")
        numbers = {name: getattr(self, name) for name in names} | {"low": self.interval.low, "high": self.interval.high}
        return {
            **{name: None if value is None else finite_or_none(value) for name, value in numbers.items()},
            "is_floor": self.is_floor,
            "verdict": self.verdict,
            "is_not_worse": self.is_not_worse(level),
            "is_equivalent": self.is_equivalent(level),
            "effect": None if self.effect is None else {"name": self.effect.name, "value": float(self.effect.value)},
            "more_units": self.more_units,
        }

    def is_not_worse(self, level: float) -> bool | None:
        """Whether it is not worse than the baseline by more than the margin; None without a margin."""
        return None if self.not_worse_p_value is None else self.not_worse_p_value <= 1 - level

    def is_equivalent(self, level: float) -> bool | None:
        """Whether it is neither worse nor better by more than the margin; None without a margin."""
        return None if self.equivalent_p_value is None else self.equivalent_p_value <= 1 - level


def contrasts(
    evidence: Evidence, baseline: int, *, measure: Measure | None = None, margin: float | None = None
) -> tuple[Contrast, ...]:
    """Every other system that has a figure against the baseline; empty if the baseline has none.

    Args:
        evidence: on one measure.
        baseline: its number.
        measure: for the effect size.
        margin: for non-inferiority and equivalence, in units of the measure.
    """
    if baseline not in evidence.known or len(evidence.known) < 2:
        return ()
    place = evidence.known.index(baseline)
    others = [row for row in range(len(evidence.known)) if row != place]
    not_worse, equivalent = (None, None) if margin is None else _within(evidence, place, margin)
    return tuple(
        _contrast(
            evidence,
            evidence.known[row],
            baseline,
            statistic=float(evidence.statistics[row, place]),
            effect=None if measure is None else effect_of(measure, evidence, evidence.known[row], baseline),
            not_worse_p_value=None if not_worse is None else float(not_worse[row]),
            equivalent_p_value=None if equivalent is None else float(equivalent[row]),
        )
        for row in others
    )


def _contrast(
    evidence: Evidence,
    system: int,
    baseline: int,
    *,
    statistic: float,
    **further: Any,
) -> Contrast:
    is_decided = evidence.are_different(system, baseline)
    verdict: Verdict = "undecided" if not is_decided else "better" if statistic > 0 else "worse"
    return Contrast(
        system=system,
        difference=float(evidence.values[system] - evidence.values[baseline]),
        interval=Interval(float(evidence.lows[system, baseline]), float(evidence.highs[system, baseline])),
        p_value=float(evidence.p_values[system, baseline]),
        is_floor=bool(evidence.is_floor[system, baseline]),
        verdict=verdict,
        more_units=more_units(evidence, system, [baseline]) if verdict == "undecided" else None,
        **further,
    )


def _within(evidence: Evidence, baseline: int, margin: float) -> tuple[Array, Array]:
    """Corrected p-values of being worse than the baseline by the margin, and of differing by it in any direction.

    The first by Dunnett's one-sided step-down test. The second is the larger of two one-sided p-values (Schuirmann,
    1987), with Holm's correction, because systems may differ in either direction.
    """
    statistics = evidence.not_worse(margin)
    lower, upper = statistics[:, baseline], statistics[baseline]
    not_worse = stats.many_to_one_p_values(lower, baseline, evidence.reference)
    both = np.maximum(*(stats.t_tail(side, evidence.freedom) for side in (lower, upper)))
    both[baseline] = np.nan
    return not_worse, stats.holm(both)
