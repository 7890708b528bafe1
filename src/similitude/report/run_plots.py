"""Plots of a run, by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from similitude.data.plot import Plot
from similitude.drawing import Figure
from similitude.errors import ArgumentError, UnknownNameError
from similitude.report.page.figures import (
    distributions,
    interval_figure,
    precision_recall_figure,
    rank_figure,
    scatters,
    threshold_figure,
)
from similitude.study.runs import Run

__all__ = ["KINDS", "plot_of_run"]


def plot_of_run(run: Run, kind: str, column: int = 0) -> Plot:
    """A plot of a run.

    Args:
        run: the run.
        kind: of the plot.
        column: the measure of "intervals".

    Raises:
        UnknownNameError: there is no such kind.
        ArgumentError: it does not apply to this run.
    """
    if kind not in KINDS:
        raise UnknownNameError("kind of plot", str(kind), KINDS)
    return Plot(kind, KINDS[kind](run, column))


def _scatter(run: Run, _: int) -> Figure:
    return scatters(run, run.comparison.for_errors)


def _distributions(run: Run, _: int) -> Figure:
    return distributions(run, run.comparison.for_errors)


def _ranks(run: Run, _: int) -> Figure:
    found = rank_figure(run)
    if found is None:
        what = "ranks change from measure to measure, but here fewer than two measures rank two systems"
        raise ArgumentError(what, remedy='run at least two systems and two measures, or plot "intervals"')
    return found


def _curves(run: Run, _: int) -> Figure:
    return threshold_figure(_with_thresholds(run))


def _precision_recall(run: Run, _: int) -> Figure:
    return precision_recall_figure(_with_thresholds(run))


def _with_thresholds(run: Run) -> Run:
    if not run.thresholds:
        what = "curves over thresholds need gold with two labels and a measure that learns one, such as f1 or mcc"
        raise ArgumentError(what, remedy='run such a measure, or plot "scatter"')
    return run


KINDS: Mapping[str, Callable[[Run, int], Figure]] = {
    "scatter": _scatter,
    "intervals": interval_figure,
    "ranks": _ranks,
    "distributions": _distributions,
    "curves": _curves,
    "precision-recall": _precision_recall,
}
