"""The figures of a run's page, with captions."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from similitude.drawing import (
    Curve,
    Figure,
    Panel,
    Whisker,
    bump_chart,
    curve_plot,
    histogram,
    interval_plot,
    scatter,
)
from similitude.drawing.axes import Frame, Span
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.diagnostics import system_ranks
from similitude.report.notation import (
    best_first,
    comparable_measures,
    figure_text,
    how_sure,
    interval_text,
    measure_head,
)
from similitude.report.tables.ceiling import ceiling_rows
from similitude.report.tables.table import caption
from similitude.stats import Interval
from similitude.stats.arrays import Array
from similitude.study.runs import Run

__all__ = [
    "distributions",
    "interval_figure",
    "precision_recall_figure",
    "rank_figure",
    "scatters",
    "threshold_figure",
]


MOST_DOTS = 1500
"""Above this many items, predictions are binned into squares, which keeps the page small."""

MOST_DOTS_IN_ALL = 15_000
MOST_TITLES = 2000
"""Up to this many dots on a page have tooltips."""

BINS = 20
TALLEST = 3
"""Bars are cut off at this many times the tallest bar of gold, so one odd system does not flatten the others."""
COARSE = 11
"""Gold with at most this many values is discrete, such as a Likert scale."""

GOLDEN = 0.6180339887
"""Multiples of it, modulo 1, spread evenly."""


def interval_figure(run: Run, column: int = 0) -> Figure:
    """Dot and whisker of every system on one measure, and of the human ceiling."""
    confidence, head = run.confidence, measure_head(run.measures[column])
    whiskers = []
    for row in best_first(run, column):
        value = run.figures[row][column].value
        interval = None if confidence is None else confidence.intervals[row][column]
        letters = "" if confidence is None or math.isnan(value) else confidence.ranks[row][column].letters
        words = " ".join(filter(None, (figure_text(value), interval_text(interval), letters)))
        ends = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
        whiskers.append(Whisker(run.systems[row].label, words, value, *ends))
    people = list(_people(run, column))
    whiskers += people
    label = f"{run.measures[column]} of each system: " + "; ".join(f"{one.name} {one.words}" for one in whiskers)
    words = f"{head}, best first."
    if confidence is not None:
        words += f" The line is the {how_sure(confidence)}; letters as in the table."
    if people:
        words += " Below the systems the human ceiling."
    return Figure((Panel("", "", interval_plot(label, whiskers)),), caption(run, words))


def _people(run: Run, column: int) -> Iterator[Whisker]:
    """The human ceiling on one measure."""
    for name, estimates in ceiling_rows(run):
        one = estimates[column]
        if one is not None and one.is_defined:
            words = f"{figure_text(one.value)} {interval_text(Interval(one.low, one.high))}".strip()
            yield Whisker(name, words, one.value, one.low, one.high)


def scatters(run: Run, comparison: Comparison) -> Figure:
    """Predictions against gold, one panel per system."""
    most = min(MOST_DOTS, MOST_DOTS_IN_ALL // len(run.systems))
    is_binned = run.data.items > most
    panels = tuple(_scatter(run, comparison, row, is_binned=is_binned) for row in best_first(run))
    words = "Gold from left to right, prediction from bottom to top"
    words += "; on the dashed line they agree." if comparison.is_on_scale.any() else "."
    if not is_binned and _is_coarse(comparison.gold):
        words += " Gold takes few values, so dots are spread slightly to both sides."
    if is_binned:
        words += f" Above {most:,} items, squares hold items: darker squares hold more, on a logarithmic scale."
    outside = _outside(comparison)
    return Figure(panels, caption(run, f"{words}{outside}"), layout="panels")


def _scatter(run: Run, comparison: Comparison, row: int, *, is_binned: bool) -> Panel:
    name, on_scale = run.systems[row].label, bool(comparison.is_on_scale[row])
    gold = comparison.gold if is_binned else _spread(comparison.gold)
    x = _gold_span(comparison)
    frame = Frame(x=Span(min(x.low, gold.min()), max(x.high, gold.max())), y=_span(comparison, row))
    has_titles = run.data.items * len(run.systems) <= MOST_TITLES
    titles = list(_titles(run, comparison, row)) if has_titles and not is_binned else []
    words = f"{run.measures[0]} {figure_text(run.figures[row][0].value)}" + ("" if on_scale else "; own units")
    svg = scatter(
        f"{name}: predictions against gold, {run.data.items} items, {words}",
        frame,
        gold,
        comparison.predicted[row],
        titles=titles,
        is_binned=is_binned,
        has_diagonal=on_scale,
    )
    return Panel(name, words, svg)


def _is_coarse(gold: Array) -> bool:
    """Whether many items share few gold scores, so that their dots would hide each other."""
    return len(np.unique(gold)) <= min(COARSE, len(gold) // 4)


def _spread(gold: Array) -> Array:
    """Gold scores with a small deterministic jitter if they would overlap."""
    if not _is_coarse(gold) or len(np.unique(gold)) < 2:
        return gold
    step = float(np.diff(np.unique(gold)).min())
    return np.asarray(gold + step * 0.5 * (np.arange(len(gold)) * GOLDEN % 1 - 0.5))


def _titles(run: Run, comparison: Comparison, row: int) -> Iterator[str]:
    for name, gold, predicted in zip(run.benchmark.items.ids, comparison.gold, comparison.predicted[row], strict=True):
        yield f"{name}: gold {gold:.2f}, predicted {predicted:.2f}"


def _gold_span(comparison: Comparison) -> Span:
    scale = comparison.scale
    if scale is None:
        return Span(float(comparison.gold.min()), float(comparison.gold.max()))
    return Span(scale.low, scale.high)


def _span(comparison: Comparison, row: int) -> Span:
    """The gold scale, or the system's own units if it has no known scale."""
    if comparison.is_on_scale[row]:
        return _gold_span(comparison)
    return Span(float(comparison.predicted[row].min()), float(comparison.predicted[row].max()))


def _outside(comparison: Comparison) -> str:
    span = _gold_span(comparison)
    usable = comparison.predicted[comparison.is_on_scale]
    beyond = int(((usable < span.low - 1e-9) | (usable > span.high + 1e-9)).sum())
    if not beyond:
        return ""
    return (
        f" {beyond:,} predictions beyond the ends of the scale are drawn at the edge."
        if beyond > 1
        else (" One prediction beyond the end of the scale is drawn at the edge.")
    )


def distributions(run: Run, comparison: Comparison) -> Figure:
    """Distributions of gold and of every system's scores."""
    span = _gold_span(comparison)
    gold = _shares(comparison.gold, span)
    rows = best_first(run)
    bars = {row: _shares(comparison.predicted[row], _span(comparison, row)) for row in rows}
    highest = max(max(shares) for shares in (gold, *bars.values()))
    top = min(1.05 * highest, TALLEST * max(gold))
    frame = Frame(x=span, y=Span(0, top), left=6, height=84)
    panels = [Panel("gold", "", histogram("Distribution of gold scores", frame, gold, kind="gold"))]
    for row in rows:
        on_scale = bool(comparison.is_on_scale[row])
        own = Frame(x=_span(comparison, row), y=frame.y, left=frame.left, height=frame.height)
        name = run.systems[row].label
        svg = histogram(f"Distribution of the scores of {name}", own, bars[row], gold if on_scale else ())
        panels.append(Panel(name, "" if on_scale else "own units", svg))
    words = f"Share of items in {BINS} equal steps of the scale. All panels have the same vertical scale."
    if comparison.is_on_scale.any():
        words += " Bars: the system's predictions, mapped to the gold scale; line: gold."
    if top < highest:
        words += " Bars that fill their frame are cut off at its top."
    return Figure(tuple(panels), caption(run, words), layout="panels")


def _shares(values: Array, span: Span) -> list[float]:
    inside = np.clip(values, span.low, span.high)
    counts, _ = np.histogram(inside, bins=BINS, range=(span.low, span.high) if span.high > span.low else None)
    return [float(count) / len(values) for count in counts]


def rank_figure(run: Run) -> Figure | None:
    """The rank of every system from measure to measure; None with fewer than two measures."""
    compared, order = comparable_measures(run), best_first(run)
    if len(compared) < 2:
        return None
    ranks = system_ranks(run.figures, run.measures, ties="lowest")[np.ix_(order, compared)]
    names, heads = [run.systems[row].label for row in order], [str(run.measures[column]) for column in compared]
    label = "Rank of each system under each measure: " + "; ".join(
        f"{name} {', '.join('none' if math.isnan(rank) else f'{rank:.0f}' for rank in row)}"
        for name, row in zip(names, ranks, strict=True)
    )
    words = "The rank of each system under each measure, 1 = best. Systems with equal figures share a number."
    panel = Panel("Ranks from measure to measure", "", bump_chart(label, names, heads, ranks.tolist()))
    return Figure((panel,), caption(run, words), layout="scroll")


def precision_recall_figure(run: Run) -> Figure:
    """Precision against recall of every system, over all thresholds."""
    curves = []
    for row in best_first(run):
        points = [point for point in run.thresholds[row].curve if not math.isnan(point.precision)]
        recall, precision = ([getattr(point, name) for point in points] for name in ("recall", "precision"))
        curves.append(Curve(name=run.systems[row].label, x=recall, y=precision))
    svg = curve_plot("Precision against recall of each system, over all thresholds", curves, x_name="recall")
    words = "Precision (upwards) against recall of the positive label at every threshold, on all items."
    return Figure((Panel("Precision and recall", "", svg),), caption(run, words))


def threshold_figure(run: Run) -> Figure:
    """The figures of every measure that learns a threshold, along the thresholds of each system."""
    panels = []
    for row in best_first(run):
        found, name = run.thresholds[row], run.systems[row].label
        finite = [place for place, point in enumerate(found.curve) if math.isfinite(point.threshold)]
        thresholds = [found.curve[place].threshold for place in reversed(finite)]
        curves = [
            Curve(name=each.measure, x=thresholds, y=[figures[place] for place in reversed(finite)])
            for each, figures in zip(found.thresholds, found.figures, strict=True)
        ]
        best = ", ".join(f"{each.measure} {each.point.threshold:.4g}" for each in found.thresholds)
        svg = curve_plot(f"{name}: figures at each threshold; best: {best}", curves, x_name="threshold", width=300)
        panels.append(Panel(name, "", svg))
    words = "The figures on all items at each threshold, in each system's own units."
    return Figure(tuple(panels), caption(run, words), layout="panels")
