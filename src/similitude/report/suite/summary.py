"""The main result of a suite in one sentence."""

from __future__ import annotations

import math

from similitude.report.notation import figure_text, interval_text
from similitude.study.suite import SuiteRun

__all__ = ["suite_sentence"]


def suite_sentence(suite: SuiteRun) -> str:
    """Who leads on the mean, with its interval, and how many systems lack figures."""
    mean, order = suite.mean, suite.order
    if mean.undefined_because is not None:
        return f"There is no mean over the benchmarks: {mean.undefined_because}."
    first = order[0]
    if math.isnan(mean.values[first]):
        return "No system has a figure on every benchmark, so there are no averages."
    written = f"{figure_text(float(mean.values[first]))} {interval_text(mean.intervals[first])}".strip()
    lacking = sum(math.isnan(value) for value in mean.values.tolist())
    rest = f"; {lacking} of {len(order)} systems lack figures and have no averages" if lacking else ""
    over = f"mean {mean.measure} over {len(suite.benchmarks)} benchmarks"
    return f"{suite.systems[first]} has the best {over}: {written}{rest}."
