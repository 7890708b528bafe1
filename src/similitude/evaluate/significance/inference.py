"""Inference on one measure: an interval for every system, and a p-value for every pair of systems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from similitude import stats
from similitude.evaluate.significance.resampler import Permuted
from similitude.evaluate.significance.tested_measure import TestedMeasure
from similitude.stats.arrays import Array, Integers

__all__ = ["Method", "corrected_p_values", "intervals_of", "p_values_of_bootstrap", "p_values_of_permutations"]

Method = Literal["bca", "percentile"]

UNDEFINED_LIMIT = 0.1
"""If a figure is undefined in a larger share of the resamples, it gets no interval and no p-value."""


def intervals_of(
    subject: TestedMeasure, distribution: Array, jackknife: Array | None, level: float
) -> list[stats.Interval]:
    """One interval per system of the whole comparison: BCa with a jackknife, else percentile."""
    found = [stats.Interval(np.nan, np.nan, figure.reason) for figure in subject.figures]
    for row, system in enumerate(subject.defined):
        left_out = None if jackknife is None else jackknife[row]
        found[system] = _interval(distribution[row], subject.figures[system].value, left_out, level)
    return found


def _interval(distribution: Array, figure: float, jackknife: Array | None, level: float) -> stats.Interval:
    known = distribution[np.isfinite(distribution)]
    unknown = distribution.size - known.size
    if unknown > UNDEFINED_LIMIT * distribution.size:
        reason = f"the measure is undefined in {unknown:,} of {distribution.size:,} resamples"
        return stats.Interval(np.nan, np.nan, reason)
    if jackknife is None:
        interval = stats.percentile_interval(known, level)
    else:
        interval = stats.bca_interval(known, figure, jackknife[np.isfinite(jackknife)], level)
    return interval if unknown == 0 else _with_note(interval, unknown, distribution.size)


def _with_note(interval: stats.Interval, unknown: int, resamples: int) -> stats.Interval:
    note = f"left out {unknown:,} of {resamples:,} resamples in which the measure is undefined"
    return interval._replace(reason=note if interval.reason is None else f"{interval.reason}; {note}")


def p_values_of_bootstrap(subject: TestedMeasure, distribution: Array) -> Array:
    """p-values of the paired bootstrap; see `bootstrap_p_value`."""
    values, p_values = subject.values, _unknown(subject)
    room = stats.rounding_of(float(np.abs(values).max(initial=0.0)))
    for one, other in _pairs(values.size):
        differences = distribution[one] - distribution[other]
        known = differences[np.isfinite(differences)]
        if known.size >= (1 - UNDEFINED_LIMIT) * differences.size:
            p_values[one, other] = stats.bootstrap_p_value(known, values[one] - values[other], room)
    return p_values


def p_values_of_permutations(subject: TestedMeasure, permuted: Permuted, permutations: int) -> Array:
    """p-values of the permutation test: (1 + permutations that reach the observed difference) / (1 + permutations)."""
    p_values = _unknown(subject)
    for one, other in _pairs(len(p_values)):
        defined = int(permuted.defined[one, other])
        if defined >= (1 - UNDEFINED_LIMIT) * permutations:
            p_values[one, other] = stats.resampled_p_value(int(permuted.exceeding[one, other]), defined)
    return p_values


def corrected_p_values(p_values: Array, defined: Integers, systems: int) -> Array:
    """Holm-corrected p-values of all pairs, systems x systems, symmetric; nan for systems without a figure."""
    corrected = np.full((systems, systems), np.nan)
    above = np.triu_indices(len(p_values), 1)
    rows, columns = defined[above[0]], defined[above[1]]
    corrected[rows, columns] = corrected[columns, rows] = stats.holm(p_values[above])
    return corrected


def _unknown(subject: TestedMeasure) -> Array:
    return np.full((subject.defined.size, subject.defined.size), np.nan)


def _pairs(systems: int) -> Iterator[tuple[int, int]]:
    return ((one, other) for one in range(systems) for other in range(one + 1, systems))
