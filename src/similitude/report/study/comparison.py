"""Two runs of a study, or of two studies: every figure that both have, and the difference."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType

from similitude.report.papers.template import PlacedFigure
from similitude.report.study.beside_printed import beside_printed
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.report.terminal import terminal_view
from similitude.stats.finite import finite_or_none
from similitude.study.study_run import StudyRun

__all__ = ["StudyComparison", "compare_studies", "comparison_view"]


@dataclass(frozen=True, kw_only=True)
class ComparedFigure:
    """A figure of two runs; one of them may not have it."""

    table: str
    row: str
    column: str
    first: PlacedFigure | None
    second: PlacedFigure | None

    @property
    def difference(self) -> float:
        """Second minus first; nan if one has none."""
        if self.first is None or self.second is None:
            return math.nan
        return self.second.value - self.first.value

    @property
    def words(self) -> str:
        """What the difference means."""
        if self.first is None or self.second is None:
            return "only in the " + ("second" if self.first is None else "first")
        if self.first.word != self.second.word:
            return "differs"
        if self.difference == 0 or (math.isnan(self.first.value) and math.isnan(self.second.value)):
            return "equal"
        if self.first.low is None or self.first.high is None:
            return "differs"
        inside = self.first.low <= self.second.value <= self.first.high
        return "inside the first's interval" if inside else "outside the first's interval"


@dataclass(frozen=True, kw_only=True)
class StudyComparison:
    """What two runs have in common."""

    names: tuple[str, str]
    figures: tuple[ComparedFigure, ...]

    def record(self) -> list[dict[str, Any]]:
        """Ready for JSON."""
        return [
            {
                "table": each.table,
                "row": each.row,
                "column": each.column,
                "first": None if each.first is None else each.first.word or finite_or_none(each.first.value),
                "second": None if each.second is None else each.second.word or finite_or_none(each.second.value),
                "difference": finite_or_none(each.difference),
                "means": each.words,
            }
            for each in self.figures
        ]


def compare_studies(first: StudyRun, second: StudyRun) -> StudyComparison:
    """Every figure of either run, by table, row and column."""
    names = (str(first.folder), str(second.folder))
    return StudyComparison(names=names, figures=tuple(_compared(first, second)))


def _compared(first: StudyRun, second: StudyRun) -> Iterator[ComparedFigure]:
    one, other = _placed(first), _placed(second)
    for place in dict.fromkeys((*one, *other)):
        table, row, column = place
        yield ComparedFigure(table=table, row=row, column=column, first=one.get(place), second=other.get(place))


def _placed(run: StudyRun) -> dict[tuple[str, str, str], PlacedFigure]:
    return {(each.table, each.row, each.column): each.ours for each in beside_printed(run) if each.ours is not None}


def comparison_view(found: StudyComparison) -> RenderableType:
    """For the terminal."""
    equal = sum(each.words == "equal" for each in found.figures)
    both = sum(each.first is not None and each.second is not None for each in found.figures)
    summary = f"{both:,} figures in both, {equal:,} of them equal; {len(found.figures) - both:,} in one only."
    return terminal_view(summary, [_table(found)] if equal < len(found.figures) else [])


def _table(found: StudyComparison) -> Table:
    rows = tuple(
        (
            TableCell(text=each.table),
            TableCell(text=each.row),
            TableCell(text=each.column),
            _said(each.first),
            _said(each.second),
            _number(each.difference, sign="+"),
            TableCell(text=each.words),
        )
        for each in found.figures
        if each.words != "equal"
    )
    heads = ("table", "row", "column")
    return Table(
        name="compared",
        caption=f"Figures that differ: first {found.names[0]}, second {found.names[1]}.",
        columns=(
            *(TableColumn(head=head, is_number=False, is_header=head == "row") for head in heads),
            *(TableColumn(head=head) for head in ("first", "second", "difference")),
            TableColumn(head="", is_number=False),
        ),
        rows=rows,
    )


def _said(figure: PlacedFigure | None) -> TableCell:
    if figure is not None and figure.word:
        return TableCell(text=figure.word)
    return _number(None if figure is None else figure.value)


def _number(value: float | None, sign: str = "") -> TableCell:
    if value is None or math.isnan(value):
        return TableCell(text="-")
    return TableCell(text=f"{value:{sign}.3f}", value=value)
