"""Lists of studies, of the tables of one, and of the cells that are done and left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from similitude.data.plural import counted
from similitude.report.papers.printed_figures import printed_figures
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.study.study_files import StudyFile
from similitude.study.study_plan import StudyPlan
from similitude.study.tables.table_keys import PlannedCell

__all__ = ["listing_table", "plan_table", "planned_table"]

MOST_NAMED = 3
"""Cells that are left, named one by one."""


def listing_table(found: Sequence[StudyFile], folder: Path) -> Table:
    """The studies in a folder."""
    rows = tuple(
        (
            TableCell(text=str(each.path), is_code=True),
            TableCell(text="" if each.plan is None else each.plan.paper or ""),
            TableCell(text=each.error if each.plan is None else _names(each.plan)),
        )
        for each in found
    )
    number = "1 study" if len(found) == 1 else f"{len(found)} studies"
    return _words("studies", ("study", "paper", "tables"), rows, f"{number} in '{folder}'.")


def plan_table(plan: StudyPlan) -> Table:
    """The tables of a study."""
    printed = [] if plan.paper is None else [figure.table for figure in printed_figures(plan.paper)]
    rows = tuple(
        (
            TableCell(text=table.name),
            TableCell(text=table.layout),
            TableCell(text=_data(table)),
            TableCell(text=str(printed.count(table.name)) if table.name in printed else ""),
            TableCell(text=table.title),
        )
        for table in plan.tables
    )
    heads = ("table", "layout", "data", "printed figures", "shows")
    return _words("tables", heads, rows, f"{counted(len(rows), 'table')}.")


def planned_table(found: Mapping[str, Sequence[PlannedCell]], folder: Path) -> Table:
    """How many cells of each table are done, and what is left."""
    rows = []
    for name, every_cell in found.items():
        cells, reasons = _that_can_run(every_cell), [cell.why for cell in every_cell if cell.why]
        left = [cell.name for cell in cells if not cell.is_done]
        more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
        done = len(cells) - len(left)
        rows.append(
            (
                TableCell(text=name),
                TableCell(text=str(len(cells)), value=len(cells)),
                TableCell(text=str(done), value=done),
                TableCell(text="; ".join(reasons or left[:MOST_NAMED]) + more),
            )
        )
    every = _each_once(cell for cells in found.values() for cell in _that_can_run(cells))
    done = sum(cell.is_done for cell in every)
    caption = f"{counted(len(every), 'cell')}, {done} done in {folder}, {len(every) - done} left{_time_left(every)}."
    return Table(
        name="planned",
        caption=caption,
        columns=(
            TableColumn(head="table", is_number=False, is_header=True),
            TableColumn(head="cells"),
            TableColumn(head="done"),
            TableColumn(head="left", is_number=False),
        ),
        rows=tuple(rows),
    )


def _that_can_run(cells: Sequence[PlannedCell]) -> list[PlannedCell]:
    return [cell for cell in cells if not cell.why]


def _each_once(cells: Iterable[PlannedCell]) -> list[PlannedCell]:
    """A training that several tables need counts once."""
    return list({cell.key or f"cell {place}": cell for place, cell in enumerate(cells)}.values())


def _time_left(cells: Sequence[PlannedCell]) -> str:
    """What the cells that are left will take if they are like those that are done; empty if nobody knows."""
    seconds, known = 0.0, True
    for is_training in (False, True):
        own = [cell for cell in cells if cell.is_training == is_training]
        left = sum(not cell.is_done for cell in own)
        took = [cell.seconds for cell in own if cell.is_done and cell.seconds]
        known = known and bool(took or not left)
        seconds += left * sum(took) / max(1, len(took))
    if not seconds or not known:
        return ""
    return f"; about {_duration(seconds)} if they take as long as those that are done"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _words(name: str, heads: Sequence[str], rows: tuple[tuple[TableCell, ...], ...], caption: str) -> Table:
    columns = tuple(TableColumn(head=head, is_number=False, is_header=not place) for place, head in enumerate(heads))
    return Table(name=name, caption=caption, columns=columns, rows=rows)


def _names(plan: StudyPlan) -> str:
    return ", ".join(table.name for table in plan.tables)


def _data(table: object) -> str:
    found = getattr(table, "data", "")
    return found if isinstance(found, str) else ", ".join(found)
