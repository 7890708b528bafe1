"""Templates: where a figure of a study stands in the table of a paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from string import Formatter
from typing import Any

from similitude.errors import ArgumentError, UnknownNameError
from similitude.study.study_run import StudyTable
from similitude.study.tables.table_keys import StudyFigure

__all__ = ["PlacedFigure", "Template", "placed_figures", "templates_of"]


@dataclass(frozen=True, kw_only=True)
class Template:
    """How rows and columns of one table of a paper are named.

    Attributes:
        table: as the paper names it, such as "Table 7".
        source: the table of the study whose figures it shows; by default the one of the same name.
        row: with what is varied in braces: ``"({setting}) {system}"``.
        column: likewise: ``"{data}, {measure}"``.
        names: the paper's names for what is varied: ``{"spearman": "ρ"}``; also for ``"{data}"`` alone, as
            ``{"data=ustsu": "USTS-U"}``.
        only: figures that are shown: ``{"part": "trained"}``, or several values: ``{"measure": ("pearson", "kl")}``.
        but: figures that are not shown, likewise.
        times: figures are shown times this.
        varied: if given, only figures that stand at exactly these names are shown.
        is_addition: whether the paper prints no such rows: other models, other ways to ask.
    """

    table: str
    row: str
    column: str
    source: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    only: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    but: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    times: float = 1.0
    varied: tuple[str, ...] = ()
    is_addition: bool = False

    @property
    def named(self) -> set[str]:
        """What stands in braces."""
        return {name for text in (self.row, self.column) for _, name, _, _ in Formatter().parse(text) if name}

    def place(self, figure: StudyFigure) -> tuple[str, str] | None:
        """The row and the column of a figure; None if it does not belong to the table."""
        if self.varied and self.varied != tuple(figure.at):
            return None
        if not self.named <= set(figure.at) or not _shows(figure, self.only, self.but):
            return None
        words = {name: self._word(name, value) for name, value in figure.at.items()}
        return self.row.format(**words).strip(" ,"), self.column.format(**words).strip(" ,")

    def word(self, figure: StudyFigure) -> str:
        """What stands in the place of a number, as the paper calls it: ``{"word=mse": "MSE"}``."""
        return self._word("word", figure.word)

    def _word(self, name: str, value: str) -> str:
        return self.names.get(f"{name}={value}", self.names.get(value, value))


def _shows(figure: StudyFigure, only: Mapping[str, Any], but: Mapping[str, Any]) -> bool:
    return all(_is_one(figure, *one) for one in only.items()) and not any(_is_one(figure, *one) for one in but.items())


def _is_one(figure: StudyFigure, name: str, wanted: str | tuple[str, ...]) -> bool:
    return figure.at.get(name) in ((wanted,) if isinstance(wanted, str) else wanted)


@dataclass(frozen=True, kw_only=True)
class PlacedFigure:
    """A figure in its table.

    Attributes:
        value: as shown: times what the template says.
        word: what stands in the place of a number.
    """

    table: str
    row: str
    column: str
    value: float
    low: float | None
    high: float | None
    runs: int
    note: str
    word: str = ""


def templates_of(paper: str | None, table: StudyTable) -> Sequence[Template]:
    """The templates of a table: those of its plan, else the paper's, else one of all that is varied.

    Raises:
        UnknownNameError: its plan names something that is not varied.
        ArgumentError: its plan puts two figures in one place.
    """
    own: Mapping[str, Any] = {name: value for name, value in table.keys.items() if value}
    known = [] if paper is None else [each for each in _templates(paper) if (each.source or each.table) == table.name]
    if known and "row" not in own and "column" not in own:
        return known
    usual = [_usual(table.name, names, own) for names in dict.fromkeys(tuple(figure.at) for figure in table.figures)]
    if "row" in own or "column" in own:
        _check_own(table, usual)
    return usual


def _check_own(table: StudyTable, templates: Sequence[Template]) -> None:
    """Check that the rows and columns of a plan show every figure, each in a place of its own."""
    varied = {name for figure in table.figures for name in figure.at}
    for name in sorted({name for template in templates for name in template.named} - varied):
        raise UnknownNameError(f"name of what is varied in table '{table.name}'", name, varied)
    first: dict[tuple[str, str], StudyFigure] = {}
    for template in templates:
        for figure in table.figures:
            place = template.place(figure)
            if place is not None and first.setdefault(place, figure) is not figure:
                differ = [name for name, value in figure.at.items() if first[place].at.get(name) != value]
                raise ArgumentError(
                    f"table '{table.name}' has two figures in row '{place[0]}', column '{place[1]}'",
                    remedy=f"name what they differ in: {', '.join(f'{{{name}}}' for name in differ)}",
                )


def _usual(table: str, varied: Sequence[str], own: Mapping[str, Any]) -> Template:
    """A template of all that is varied: what is measured, and on what, across; the rest down."""
    across = [name for name in ("data", "task", "part", "measure", "figure") if name in varied]
    down = [name for name in varied if name not in across] or [name for name in across if name == "measure"]
    return Template(
        table=table,
        row=own.get("row") or ", ".join(f"{{{name}}}" for name in down),
        column=own.get("column") or ", ".join(f"{{{name}}}" for name in across if name not in down),
        names=own.get("names", {}),
        times=own.get("times", 1.0),
        varied=tuple(varied),
    )


def placed_figures(paper: str | None, table: StudyTable) -> Iterator[PlacedFigure]:
    """The figures of a table where its templates put them."""
    for template in templates_of(paper, table):
        for figure in table.figures:
            place = template.place(figure)
            if place is not None:
                ends = [None if end is None else end * template.times for end in (figure.low, figure.high)]
                yield PlacedFigure(
                    table=template.table,
                    row=place[0],
                    column=place[1],
                    value=figure.value * template.times,
                    low=ends[0],
                    high=ends[1],
                    runs=figure.runs,
                    note=figure.note,
                    word=template.word(figure),
                )


def _templates(paper: str) -> Sequence[Template]:
    found: Sequence[Template] = import_module(f"similitude.report.papers.{paper}").TEMPLATES
    return found
