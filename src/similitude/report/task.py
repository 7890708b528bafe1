"""Systems in one task: the ranking, further figures, and the thresholds to deploy."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich.console import RenderableType

from similitude.drawing import Curve, Figure, Panel, Whisker, curve_plot, interval_plot
from similitude.evaluate.operating_points import DeployedThreshold
from similitude.report.notation import DASH, figure_text, interval_text, rank_text
from similitude.report.page.sheet import Section, Sheet
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.tables.thresholds import threshold_text
from similitude.report.terminal import terminal_view
from similitude.study.conclusion_sentence import others_in_words
from similitude.study.task_run import TaskRun

__all__ = ["task_finding", "task_notes", "task_sheet", "task_table", "task_view"]


def task_view(run: TaskRun) -> RenderableType:
    """The task for the terminal: the finding, the table, notes."""
    return terminal_view(task_finding(run), [task_table(run)], notes=task_notes(run))


def task_finding(run: TaskRun) -> str:
    """Which system does best, whether by more than chance, and the threshold to deploy it with."""
    result, order = run.result, run.best_first
    best = order[0]
    interval = "" if result.intervals is None else f" {interval_text(result.intervals[best])}"
    first = f"{result.name}: {_name(run, best)} does best ({result.outcome.figure} {_value(run, best)}{interval})"
    return " ".join((f"{first}{_tested_words(run)}.", *_deployment(run, best)))


def task_table(run: TaskRun) -> Table:
    """Systems, best first, with the figure, its interval, further figures and the threshold."""
    result = run.result
    others, has_thresholds = tuple(result.outcome.others), bool(result.thresholds)
    heads = (result.outcome.figure, *(("threshold",) if has_thresholds else ()), *others)
    columns = (
        TableColumn(head="rank"),
        TableColumn(head="system", is_number=False, is_header=True),
        *(TableColumn(head=head) for head in heads),
    )
    rows = tuple(tuple(_row(run, row, others)) for row in run.best_first)
    return Table(name="task", caption=_caption(run), columns=columns, rows=rows, is_sortable=True)


def task_sheet(run: TaskRun) -> Sheet:
    """The task as a page."""
    result = run.result
    sections = [
        Section(name="ranking", title="Ranking", tables=(task_table(run),), figures=(_interval_figure(run),)),
        *([Section(name="thresholds", title="Thresholds", figures=tuple(_curves(run)))] if result.thresholds else []),
        Section(name="provenance", title="Provenance", facts=tuple(_facts(run))),
    ]
    return Sheet(
        kind="task",
        name=result.name,
        about=f"{result.kind}, {result.outcome.units:,} units",
        summary=task_finding(run),
        sections=tuple(sections),
    )


def _row(run: TaskRun, row: int, others: tuple[str, ...]) -> Iterator[TableCell]:
    result, rank = run.result, None if run.ranks is None else run.ranks[row]
    yield TableCell(text=f"{run.best_first.index(row) + 1}" if rank is None else rank_text(rank))
    yield TableCell(text=_name(run, row), is_code=True)
    values = result.outcome.values
    yield TableCell(
        text=figure_text(float(values[row])),
        value=float(values[row]),
        interval="" if result.intervals is None else interval_text(result.intervals[row]),
        letters="" if rank is None else rank.letters,
        is_best=bool(values[row] == values.max()),
    )
    if result.thresholds:
        yield _threshold(result.thresholds[row].thresholds[0])
    for name in others:
        value = float(result.outcome.others[name][row])
        yield TableCell(text=DASH if math.isnan(value) else figure_text(value), value=value)


def _threshold(deployed: DeployedThreshold) -> TableCell:
    interval, value = deployed.interval, deployed.point.threshold
    ends = "" if interval is None else f"[{threshold_text(interval.low)}, {threshold_text(interval.high)}]"
    return TableCell(text=threshold_text(value), value=value if math.isfinite(value) else math.nan, interval=ends)


def _tested_words(run: TaskRun) -> str:
    best, *others = run.best_first
    if not others:
        return ""
    if run.ranks is None:
        return "; whether the difference is more than chance was not tested"
    letters = [set(rank.letters) for rank in run.ranks]
    alike = [_name(run, row) for row in others if letters[row] & letters[best]]
    if alike:
        return f", not significantly better than {', '.join(alike)}"
    return f", significantly better than {others_in_words([_name(run, row) for row in others])}"


def _deployment(run: TaskRun, row: int) -> Iterator[str]:
    if not run.result.thresholds:
        return
    deployed = run.result.thresholds[row].thresholds[0]
    if math.isinf(deployed.point.threshold):
        yield f"Its best threshold is {threshold_text(deployed.point.threshold)}, which needs no system."
        return
    interval = deployed.interval
    ends = "" if interval is None else f" [{threshold_text(interval.low)}, {threshold_text(interval.high)}]"
    yield f"Deploy it with a threshold of {threshold_text(deployed.point.threshold)}{ends}: yes to scores above."


def _caption(run: TaskRun) -> str:
    result = run.result
    words = f"{result.name} ({result.kind}), {result.outcome.units:,} units; best first."
    if run.ranks is not None:
        words += (
            f" In brackets {100 * run.level:g} % intervals over {run.resamples:,} resamples of the units. Systems that "
            "share a letter are not significantly different (paired bootstrap, all pairs together)."
        )
    if result.thresholds:
        words += (
            " Figures are at thresholds learned on the other folds; threshold: the one to deploy, learned on all "
            "units, in the system's own units."
        )
    return words


def task_notes(run: TaskRun) -> Iterator[str]:
    """How answers were calibrated, and notes of the task and of systems."""
    if run.result.outcome.calibration:
        yield f"answers: {run.result.outcome.calibration}"
    yield from (f"note: {note}" for note in run.result.outcome.notes)
    for record in run.systems:
        yield from (f"note: {record.label}: {note}" for note in record.notes)


def _interval_figure(run: TaskRun) -> Figure:
    result, whiskers = run.result, []
    for row in run.best_first:
        interval = None if result.intervals is None else result.intervals[row]
        ends = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
        words = " ".join(filter(None, (_value(run, row), interval_text(interval))))
        whiskers.append(Whisker(_name(run, row), words, float(result.outcome.values[row]), *ends))
    label = f"{result.outcome.figure} of each system: " + "; ".join(f"{one.name} {one.words}" for one in whiskers)
    panel = Panel("", "", interval_plot(label, whiskers))
    return Figure((panel,), f"{result.outcome.figure} of each system, best first, with its interval.")


def _curves(run: TaskRun) -> Iterator[Figure]:
    """Precision against recall, and the figure along the thresholds of each system."""
    thresholds, order = run.result.thresholds, run.best_first
    both = []
    for row in order:
        points = [point for point in thresholds[row].curve if not math.isnan(point.precision)]
        recall, precision = ([getattr(point, name) for point in points] for name in ("recall", "precision"))
        both.append(Curve(name=_name(run, row), x=recall, y=precision))
    svg = curve_plot("Precision against recall of each system", both, x_name="recall")
    words = "Precision (upwards) against recall at every threshold, on all units."
    yield Figure((Panel("Precision and recall", "", svg),), words)
    panels = []
    for row in order:
        places = [n for n, point in enumerate(thresholds[row].curve) if math.isfinite(point.threshold)][::-1]
        x = [thresholds[row].curve[place].threshold for place in places]
        curve = Curve(name=run.result.outcome.figure, x=x, y=[thresholds[row].figures[0][place] for place in places])
        svg = curve_plot(f"{_name(run, row)} at each threshold", [curve], x_name="threshold", width=300)
        panels.append(Panel(_name(run, row), "", svg))
    words = f"{run.result.outcome.figure} on all units at each threshold, in each system's own units."
    yield Figure(tuple(panels), words, layout="panels")


def _facts(run: TaskRun) -> Iterator[tuple[str, str]]:
    yield "kind", run.result.kind
    yield "units", f"{run.result.outcome.units:,}"
    if run.result.outcome.calibration:
        yield "answers", run.result.outcome.calibration
    yield from (("note", note) for note in run.result.outcome.notes)
    yield "seed", f"{run.seed}"
    yield "resamples", f"{run.resamples:,}"
    yield "made", run.created
    yield "versions", ", ".join(f"{name} {version}" for name, version in run.versions.items())


def _name(run: TaskRun, row: int) -> str:
    return run.systems[row].label


def _value(run: TaskRun, row: int) -> str:
    return figure_text(float(run.result.outcome.values[row]))
