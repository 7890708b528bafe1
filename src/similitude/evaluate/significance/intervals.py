"""An interval for every figure, or the reason why there is none."""

from __future__ import annotations

from typing import Literal

import numpy as np

from similitude import stats
from similitude.evaluate.significance.pairs import UNDEFINED_LIMIT
from similitude.evaluate.significance.tested_measure import TestedMeasure
from similitude.stats.arrays import Array

__all__ = ["Method", "intervals_of"]

Method = Literal["bca", "percentile"]


def intervals_of(
    subject: TestedMeasure, distribution: Array, jackknife: Array | None, level: float
) -> list[stats.Interval]:
    """One for each system of the whole comparison; BCa where there is a jackknife, else percentile."""
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
