"""Tables 1 and 2 of the task-oriented paper, for any study, with intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rich.console import RenderableType

from similitude.evaluate.tasks.predictiveness import Predictiveness
from similitude.evaluate.tasks.predictiveness import PredictivenessCell as Found
from similitude.report.notation import DASH, SIMULATED, data_line, interval_text
from similitude.report.page.sheet import Section, Sheet
from similitude.report.tables import Table, TableCell, TableColumn, rank_change_table
from similitude.report.tables.table import Notes, shade
from similitude.report.terminal import terminal_view
from similitude.study.predictiveness.study import PredictivenessStudy

__all__ = ["finding", "framework_table", "prediction_sheet", "prediction_table", "prediction_view", "task_table"]


def prediction_view(study: PredictivenessStudy) -> RenderableType:
    """The study for the terminal: the finding, table 2, the tasks, table 1, notes."""
    changes = rank_change_table(study.run)
    tables = [prediction_table(study), task_table(study), *([changes] if changes else [])]
    if study.cases:
        tables.insert(1, framework_table(study))
    notes = (f"note: {note}" for note in (*study.predictiveness.notes, *_task_notes(study)))
    warning = SIMULATED if study.run.data.is_simulated else ""
    return terminal_view(finding(study), tables, warning=warning, notes=notes)


def prediction_table(study: PredictivenessStudy) -> Table:
    """Table 2: how well each measure's ranking predicts that of each task; below, how well tasks predict each other."""
    found, notes = study.predictiveness, Notes()
    rho = [cell.rho for row in found.by_measure for cell in row]
    rows = [
        (TableCell(text=found.measures[place], is_code=True), *_row(found, place, rho, notes))
        for place in found.sorted_measures()
    ]
    for task, cells in zip(found.tasks, found.by_task, strict=True):
        between = [
            pair
            for other, cell in zip(found.tasks, cells, strict=True)
            for pair in (
                (TableCell(text=""), TableCell(text=""))
                if other == task
                else (_rho(cell, rho, notes), TableCell(text=""))
            )
        ]
        rows.append((TableCell(text=f"task: {task}"), *between))
    heads = [column for task in found.tasks for column in (TableColumn(head=f"{task} rho"), TableColumn(head="rank"))]
    return Table(
        name="predictiveness",
        caption=(
            "How well the ranking under each measure predicts the ranking in each task: Spearman's rho "
            f"with {found.level:.0%} intervals over items, units and systems; rank: rank of the measure, 1 = most "
            f"predictive. Below: how well each task predicts each other. Sorted by {found.tasks[0]}."
        ),
        columns=(TableColumn(head="measure", is_number=False, is_header=True), *heads),
        rows=tuple(rows),
        notes=notes.all(),
    )


def _row(found: Predictiveness, place: int, rho: list[float], notes: Notes) -> Iterator[TableCell]:
    for cell, rank in zip(found.by_measure[place], found.places[place], strict=True):
        yield _rho(cell, rho, notes)
        yield TableCell(text=DASH if math.isnan(cell.rho) else f"{rank}", value=float(rank))


def _rho(cell: Found, among: list[float], notes: Notes) -> TableCell:
    if math.isnan(cell.rho):
        return notes.dash(cell.interval.reason or "all systems tie")
    return TableCell(
        text=f"{cell.rho:.3f}",
        value=cell.rho,
        interval=interval_text(cell.interval),
        shade=shade(cell.rho, among),
        note=notes.number(cell.interval.reason) if cell.interval.reason else 0,
    )


def task_table(study: PredictivenessStudy) -> Table:
    """The figure of each system in each task, best in the first task first."""
    names = [record.identity for record in study.run.systems]
    order = sorted(range(len(names)), key=lambda row: -study.tasks[0].outcome.values[row])
    rows = tuple((TableCell(text=names[row], is_code=True), *_achieved(study, row)) for row in order)
    heads = (TableColumn(head=f"{task.name} {task.outcome.figure}") for task in study.tasks)
    sizes = ", ".join(f"{task.name}: {task.outcome.units:,} units" for task in study.tasks)
    return Table(
        name="tasks",
        caption=f"The figure of each system in each task ({sizes}).",
        columns=(TableColumn(head="system", is_number=False, is_header=True), *heads),
        rows=rows,
        is_sortable=True,
    )


def _achieved(study: PredictivenessStudy, row: int) -> Iterator[TableCell]:
    for task in study.tasks:
        value = float(task.outcome.values[row])
        interval = "" if task.intervals is None else interval_text(task.intervals[row])
        is_best = value == task.outcome.values.max()
        yield TableCell(text=f"{value:.3f}", value=value, interval=interval, is_best=bool(is_best))


def framework_table(study: PredictivenessStudy) -> Table:
    """Whether the framework's choice does better in the task than Pearson's choice."""
    rows = tuple(
        (
            TableCell(text=case.task),
            TableCell(text=case.measure, is_code=True),
            TableCell(text=case.chosen, is_code=True),
            TableCell(text=f"{case.achieved:.3f}", value=case.achieved),
            TableCell(text=case.by_pearson, is_code=True),
            TableCell(text=f"{case.pearson_achieved:.3f}", value=case.pearson_achieved),
            TableCell(text=f"{case.achieved - case.pearson_achieved:+.3f}", interval=interval_text(case.gain)),
            TableCell(text=case.best, is_code=True),
            TableCell(text=f"{case.best_achieved:.3f}", value=case.best_achieved),
        )
        for case in study.cases
    )
    heads = (
        "task",
        "measure",
        "chosen by it",
        "it achieves",
        "by Pearson",
        "Pearson achieves",
        "difference",
        "best",
        "best achieves",
    )
    columns = tuple(
        TableColumn(head=head, is_number="achieves" in head or head == "difference", is_header=head == "task")
        for head in heads
    )
    return Table(
        name="framework",
        caption=(
            "The system chosen by the framework's measure for each task, the one chosen by Pearson, and the figures of "
            "both in the task itself; intervals over the task's units."
        ),
        columns=columns,
        rows=rows,
    )


def finding(study: PredictivenessStudy) -> str:
    """The finding, one sentence per task."""
    return " ".join(_sentence(study, task) for task in range(len(study.tasks)))


def _sentence(study: PredictivenessStudy, task: int) -> str:
    found = study.predictiveness
    best = found.sorted_measures(task)[0]
    cell, name = found.by_measure[best][task], found.tasks[task]
    if math.isnan(cell.rho):
        return f"{name}: no measure ranks the systems."
    words = f"{name}: {found.measures[best]} predicts the ranking best (rho {cell.rho:.2f})"
    if "pearson" not in found.measures or found.measures[best] == "pearson":
        return f"{words}."
    pearson = found.by_measure[found.measures.index("pearson")][task]
    ahead = cell.ahead_of_pearson
    if math.isnan(ahead.low):
        sure = "too few systems to tell whether that is more than chance"
    else:
        sure = "more than chance" if ahead.low > 0 else "not more than chance"
    return f"{words}; Pearson {pearson.rho:.2f}, {sure}."


def _task_notes(study: PredictivenessStudy) -> Iterator[str]:
    for task in study.tasks:
        yield from (f"{task.name}: {note}" for note in task.outcome.notes)


def prediction_sheet(study: PredictivenessStudy) -> Sheet:
    """The study as a page."""
    run, changes = study.run, rank_change_table(study.run)
    shares = sum(study.seconds.values()) or 1.0
    times = ", ".join(f"{name} {seconds / shares:.0%}" for name, seconds in study.seconds.items())
    sections = [
        Section(name="predictiveness", title="Which measure predicts which task", tables=(prediction_table(study),)),
        Section(name="tasks", title="Systems in the tasks", tables=(task_table(study),)),
    ]
    if study.cases:
        title = "Framework against Pearson"
        sections.insert(1, Section(name="framework", title=title, tables=(framework_table(study),)))
    if changes:
        sections.append(Section(name="changes", title="Rank changes between measures", tables=(changes,)))
    sections.append(
        Section(
            name="notes",
            title="Notes",
            words=(*study.predictiveness.notes, *_task_notes(study)),
            facts=(("time", times), ("seed", str(run.seed)), ("made", run.created)),
        )
    )
    return Sheet(
        kind="predictiveness",
        name=run.data.name,
        about=f"{data_line(run)}; {len(run.systems)} systems, {len(run.measures)} measures, {len(study.tasks)} tasks",
        summary=finding(study),
        simulated=SIMULATED if run.data.is_simulated else "",
        sections=tuple(sections),
    )
