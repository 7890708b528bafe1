"""A study for terminals, pages, Markdown and LaTeX: one grid per table, and ours beside the printed figures."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import RenderableType

from similitude.data.plural import counted
from similitude.report.latex import latex_table
from similitude.report.markdown import markdown_table
from similitude.report.notation import DASH, SIMULATED
from similitude.report.page.sheet import Points, Section, Sheet
from similitude.report.papers.printed_figures import printed_paper
from similitude.report.study.beside_printed import BesidePrinted, Verdict, beside_printed
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.terminal import terminal_view
from similitude.study.study_run import StudyRun

__all__ = ["study_latex", "study_markdown", "study_sheet", "study_view"]

TINY = 0.0005
"""Smaller figures, such as learning rates, are written with an exponent."""

WORDS: dict[Verdict, str] = {
    "same": "the same",
    "inside": "inside our interval",
    "outside": "outside our interval",
    "differs": "differs",
    "trial": "no verdict: a trial",
}


def study_view(run: StudyRun) -> RenderableType:
    """The study for the terminal."""
    warning = SIMULATED if any(table.is_simulated for table in run.tables) else ""
    return terminal_view(_summary(run), study_tables(run), warning=warning, notes=_notes(run))


def study_sheet(run: StudyRun) -> Sheet:
    """The study as a page."""
    return Sheet(
        kind="study",
        name=run.name,
        about=run.title or (printed_paper(run.paper).title if run.paper else ""),
        summary=_summary(run),
        simulated=SIMULATED if any(table.is_simulated for table in run.tables) else "",
        sections=tuple(_sections(run)),
    )


def _sections(run: StudyRun) -> Iterator[Section]:
    """One section per table of the paper, then what readers must know."""
    every = list(beside_printed(run))
    for name in dict.fromkeys(each.table for each in every):
        tables = tuple(_tables_of(run, name, [each for each in every if each.table == name]))
        yield Section(name=_slug(name), title=name, tables=tables)
    if notes := tuple(_notes(run)):
        yield Section(name="notes", title="Notes", blocks=(Points(notes),))


def study_markdown(run: StudyRun) -> str:
    """All tables in Markdown."""
    return "\n\n".join(markdown_table(table) for table in study_tables(run)) + "\n"


def study_latex(run: StudyRun) -> str:
    """All tables in LaTeX."""
    return "\n\n".join(latex_table(table, run.name) for table in study_tables(run)) + "\n"


def study_tables(run: StudyRun) -> Iterator[Table]:
    """For each table of the study a grid of our figures and, where the paper prints some, ours beside them."""
    every = list(beside_printed(run))
    for name in dict.fromkeys(each.table for each in every):
        yield from _tables_of(run, name, [each for each in every if each.table == name])


def _tables_of(run: StudyRun, name: str, figures: Sequence[BesidePrinted]) -> Iterator[Table]:
    """A grid of our figures, unless the paper prints all of them; then ours beside the printed ones."""
    if not all(each.verdict for each in figures):
        for place, part in enumerate(_parts(figures)):
            yield _grid(name, part, _title(run, name), place)
    if any(each.verdict for each in figures):
        yield _comparison(name, [each for each in figures if each.verdict], _title(run, name))


def _parts(figures: Sequence[BesidePrinted]) -> list[list[BesidePrinted]]:
    """The figures in grids of their own, where some rows have no column in common with the others."""
    parts: list[list[BesidePrinted]] = []
    for each in figures:
        near = [part for part in parts if any(other.row == each.row or other.column == each.column for other in part)]
        parts = [part for part in parts if not any(part is one for one in near)]
        parts.append([*(other for part in near for other in part), each])
    return parts


def _grid(name: str, figures: Sequence[BesidePrinted], title: str, place: int) -> Table:
    rows = list(dict.fromkeys(each.row for each in figures))
    columns = list(dict.fromkeys(each.column for each in figures))
    at = {(each.row, each.column): each for each in figures}
    return Table(
        name=_slug(name) + (f"-{place + 1}" if place else ""),
        caption=f"{name}. {title}".strip(". ") + ".",
        columns=(TableColumn(head="", is_number=False, is_header=True), *(TableColumn(head=one) for one in columns)),
        rows=tuple((TableCell(text=row), *(_cell(at.get((row, column))) for column in columns)) for row in rows),
    )


def _cell(figure: BesidePrinted | None) -> TableCell:
    if figure is not None and figure.ours is not None and figure.ours.word:
        return TableCell(text=figure.ours.word)
    if figure is None or figure.ours is None or math.isnan(figure.ours.value):
        return TableCell(text=DASH)
    ours = figure.ours
    if 0 < abs(ours.value) < TINY:
        return TableCell(text=f"{ours.value:.1e}", value=ours.value)
    digits = _digits(figure)
    ends = "" if ours.low is None or ours.high is None else f"[{ours.low:.{digits}f}, {ours.high:.{digits}f}]"
    return TableCell(text=f"{ours.value:.{digits}f}", value=ours.value, interval=ends)


def _comparison(name: str, figures: Sequence[BesidePrinted], title: str) -> Table:
    rows = []
    for each in figures:
        assert each.printed is not None  # it has a verdict
        shown, digits = _cell(each), _digits(each)
        rows.append(
            (
                TableCell(text=each.row),
                TableCell(text=each.column),
                shown,
                TableCell(text=each.printed.printed, value=float(each.printed.number or 0.0)),
                _difference(each, digits),
                TableCell(text=WORDS[each.verdict]),
            )
        )
    known = Counter(each.verdict for each in figures)
    told = ", ".join(f"{known[verdict]} {words}" for verdict, words in WORDS.items() if known[verdict])
    heading = f"{name} beside the paper. {title}".strip(". ")
    return Table(
        name=f"{_slug(name)}-printed",
        caption=f"{heading}. Of {counted(len(figures), 'figure')}: {told}.",
        columns=(
            TableColumn(head="row", is_number=False, is_header=True),
            TableColumn(head="column", is_number=False),
            TableColumn(head="ours"),
            TableColumn(head="printed"),
            TableColumn(head="difference"),
            TableColumn(head="printed lies", is_number=False),
        ),
        rows=tuple(rows),
    )


def _difference(figure: BesidePrinted, digits: int) -> TableCell:
    if math.isnan(figure.difference):
        return TableCell(text="")
    small = 0 < abs(figure.difference) < TINY and figure.printed is not None and figure.printed.last_place < TINY
    text = f"{figure.difference:+.1e}" if small else f"{figure.difference:+.{digits}f}"
    return TableCell(text=text, value=figure.difference)


def _digits(figure: BesidePrinted) -> int:
    """The paper's digits and one more; three where it prints none; none for a count."""
    if _is_count(figure):
        return 0
    if figure.printed is not None and figure.printed.number is not None:
        return min(4, figure.printed.decimals + 1)
    return 3 if figure.ours is None or abs(figure.ours.value) < 10 else 1


def _is_count(figure: BesidePrinted) -> bool:
    """Whether a figure is a whole number without an interval, and the paper has no decimals either."""
    ours, printed = figure.ours, figure.printed
    if ours is None or ours.low is not None or not float(ours.value).is_integer():
        return False
    return abs(ours.value) > 1 if printed is None or printed.number is None else printed.decimals == 0


def _summary(run: StudyRun) -> str:
    every = [each for each in beside_printed(run) if each.ours is not None]
    known: Counter[Verdict] = Counter(each.verdict for each in every if each.verdict)
    told = f"{run.name}: {counted(len(every), 'figure')} in {counted(len(run.tables), 'table')}"
    if not known:
        return f"{told}."
    parts = ", ".join(f"{known[verdict]} {words}" for verdict, words in WORDS.items() if known[verdict])
    return f"{told}. Of {sum(known.values())} that the paper prints: {parts}."


def _notes(run: StudyRun) -> Iterator[str]:
    for table in run.tables:
        if table.error:
            yield f"{table.name} was not run: {table.error}"
        for note in table.notes:
            yield f"{table.name}: {note}"


def _title(run: StudyRun, name: str) -> str:
    own = next((table.title for table in run.tables if table.name == name and table.title), "")
    printed = printed_paper(run.paper).tables.get(name, "") if run.paper else ""
    drawn = "; ".join(part for table in run.tables if table.name == name for part in table.drawn)
    return (own or printed[:1].upper() + printed[1:]) + (f" ({drawn})" if drawn else "")


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
