"""The one procedure behind letters, ranks, sentences, p-values and intervals of differences: all pairs together.

The test of a pair, whichever it is, is put on the scale of Student's t. The step-down test of `similitude.stats` says
which pairs differ. The interval of a difference reaches as many standard errors as the difference has to exceed at its
step, so that it holds 0 exactly if the pair is not decided. Each such interval is at least as wide as that of the pair
alone, and so covers at least as often; the chance that any of them leaves out a true difference of 0 is 1 - level.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from similitude import stats
from similitude.stats import Interval
from similitude.stats.arrays import Array

__all__ = ["PairTests", "all_pairs", "known_systems", "standard_errors", "tested_together"]

ROUNDING = 1e-9
DifferenceAt = Callable[[int, int, float], Interval]
"""The interval of the difference of two systems at a level, as if they were the only ones."""


class PairTests(NamedTuple):
    """What is known of all pairs, systems x systems.

    Attributes:
        p_values: corrected; nan where untested.
        criticals: how many standard errors the intervals reach, of Student's t; nan where untested.
        differences: the intervals of the first minus the second.
    """

    p_values: Array
    criticals: Array
    differences: tuple[tuple[Interval, ...], ...]


def all_pairs(
    values: Array, covariance: Array, freedoms: Array, single: Array, level: float, difference: DifferenceAt
) -> PairTests:
    """Test all pairs of systems together.

    Args:
        values: the figures, one per system; nan where undefined.
        covariance: of the figures.
        freedoms: their degrees of freedom.
        single: two-sided p-values, each as if its pair were the only one; nan where undefined.
        level: 1 - the chance to find a difference that is none.
        difference: the interval of a pair as if it were the only one, by the method that goes with the p-values.
    """
    systems, known = len(values), known_systems(values, covariance)
    freedom = float(np.median(freedoms[known])) if known else np.inf
    p_values, criticals = tested_together(values, covariance, freedom, single, level)

    def interval(one: int, other: int) -> Interval:
        critical, lead = float(criticals[one, other]), float(values[one] - values[other])
        if np.isnan(critical):
            found = difference(one, other, level)
            return Interval(np.nan, np.nan, found.reason or "the difference could not be tested")
        found = difference(one, other, min(1 - 2 * float(stats.t_tail(critical, freedom)), 1 - ROUNDING))
        alone = float(stats.t_point(single[one, other] / 2, freedom))
        return _agreeing(found, lead, alone, critical, is_decided=bool(p_values[one, other] <= 1 - level))

    made = [[Interval(np.nan, np.nan, "one of the two has no figure")] * systems for _ in range(systems)]
    defined = np.flatnonzero(np.isfinite(values)).tolist()
    for place, one in enumerate(defined):
        made[one][one] = Interval(0.0, 0.0, "a system and itself")
        for other in defined[place + 1 :]:
            found = made[one][other] = interval(one, other)
            made[other][one] = Interval(-found.high, -found.low, found.reason)
    return PairTests(p_values, criticals, tuple(tuple(row) for row in made))


def tested_together(
    values: Array, covariance: Array, freedom: float, single: Array, level: float
) -> tuple[Array, Array]:
    """The p-values and critical values of `PairTests`; ``freedom`` is that of all systems."""
    p_values, criticals = np.full((2, *single.shape), np.nan)
    pairs = np.ix_(*[known_systems(values, covariance)] * 2)
    if pairs[0].size > 1:
        leads = (values[:, None] - values)[pairs]
        reference = stats.MaxT(covariance[pairs], freedom)
        steps = stats.step_down(standard_errors(leads, single[pairs], freedom), reference, level)
        p_values[pairs], criticals[pairs] = np.fmax(steps.p_values, single[pairs]), steps.criticals
    return p_values, criticals


def known_systems(values: Array, covariance: Array) -> list[int]:
    """The systems with a figure and a variance."""
    return np.flatnonzero(np.isfinite(values) & np.isfinite(np.diag(covariance))).tolist()


def standard_errors(leads: Array, single: Array, freedom: float) -> Array:
    """How many standard errors the leads are, by p-values of whichever test; nan where there is none."""
    return np.asarray(np.where(leads == 0, 0.0 * single, np.sign(leads) * stats.t_point(single / 2, freedom)))


def _agreeing(found: Interval, difference: float, alone: float, critical: float, *, is_decided: bool) -> Interval:
    """The interval, with the end towards 0 from the p-value if the two do not agree on whether 0 is in it.

    A test that is not made of the interval (permutation, Williams' test, the bootstrap that is shifted to 0) may
    disagree with it near the border. A pair that is not decided gets 0 into its interval. For one that is, the p-value
    says how many standard errors the difference is, and so how large one is (Altman and Bland, 2011, How to obtain the
    confidence interval from a P value).

    >>> round(_agreeing(Interval(-0.01, 0.4), 0.2, 2.5, 2.0, is_decided=True).low, 3)
    0.04
    >>> _agreeing(Interval(0.01, 0.4), 0.2, 1.6, 2.0, is_decided=False).low
    0.0
    """
    if np.isnan(found.low) or is_decided == (found.low > 0 or found.high < 0):
        return found
    near = difference * max(1 - critical / alone, ROUNDING) if is_decided else 0.0
    if difference > 0 or found.low > 0:
        return found._replace(low=near)
    return found._replace(high=near)
