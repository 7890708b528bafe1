"""The figures that the four papers print, each with its place and its digits.

``printed/NAME.toml`` holds the tables of one paper, cell by cell as printed. A figure is found by its place:

>>> from similitude.report.papers.printed_figures import printed_figure
>>> printed_figure("usts", "Table 5", "USTS-C", "σ").value
0.56
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypedDict

from similitude.errors import ArgumentError, UnknownNameError

__all__ = ["PAPERS", "PrintedFigure", "PrintedPaper", "printed_figure", "printed_figures", "printed_paper"]

PAPERS = ("giccs", "csts", "usts", "task_oriented")
LOST = "?"

NUMBER = re.compile(r"(?P<value>[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?P<percent>%)?(?: ± (?P<spread>\d+(?:\.\d+)?))?")


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """One cell of a paper's table.

    Attributes:
        paper: giccs, csts, usts or task_oriented.
        table: where it stands: ``Table 5``, ``Figure 3``, ``Section 3.3``.
        row: name of the row; levels of a nested row are joined by commas.
        column: name of the column, likewise.
        value: the number; or the text of a cell that is none; None where the text that we have of the paper lost it.
        note: what has to be known of it.
        printed: the cell as printed.
        unit: what the number counts; empty for plain numbers.
        spread: what follows ``±``.
    """

    paper: str
    table: str
    row: str
    column: str
    value: float | str | None
    note: str = ""
    printed: str = ""
    unit: str = ""
    spread: float | None = None

    @property
    def place(self) -> tuple[str, str, str]:
        """Table, row and column: what the figure is looked up by."""
        return self.table, self.row, self.column

    @property
    def number(self) -> float | None:
        """The value, where it is a number."""
        return self.value if isinstance(self.value, float) else None

    @property
    def decimals(self) -> int:
        """How many digits the paper prints after the point.

        >>> PrintedFigure("giccs", "Table 3", "BAS SmartKom, 5-turn", "Spearman", 0.97, printed="0.970").decimals
        3
        """
        found = NUMBER.fullmatch(self.printed)
        mantissa = found["value"].partition("e")[0] if found else ""
        return len(mantissa.partition(".")[2])

    @property
    def last_place(self) -> float:
        """What one more in the last printed digit adds.

        >>> PrintedFigure("csts", "Table 8", "", "", 3e-05, printed="3.0e-05").last_place
        1e-06
        """
        found = NUMBER.fullmatch(self.printed)
        exponent = int(found["value"].partition("e")[2] or 0) if found else 0
        return float(10.0 ** (exponent - self.decimals))


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPaper:
    """What one paper prints."""

    name: str
    title: str
    citation: str
    tables: dict[str, str]
    figures: tuple[PrintedFigure, ...]


class _Note(TypedDict):
    row: str
    column: str
    note: str


class _Table(TypedDict, total=False):
    id: str
    of: str
    unit: str
    note: str
    columns: list[str]
    rows: list[list[str]]
    units: dict[str, str]
    notes: list[_Note]


@cache
def printed_paper(paper: str) -> PrintedPaper:
    """Title, tables and figures of a paper.

    Raises:
        UnknownNameError: if there is no such paper.
    """
    if paper not in PAPERS:
        raise UnknownNameError("paper", paper, PAPERS)
    text = files(__package__).joinpath("printed", f"{paper}.toml").read_text(encoding="utf-8")
    content = tomllib.loads(text)
    tables: list[_Table] = content["table"]
    return PrintedPaper(
        name=paper,
        title=content["title"],
        citation=content["citation"],
        tables={table["id"]: table["of"] for table in tables},
        figures=tuple(figure for table in tables for figure in _figures(paper, table)),
    )


def printed_figures(paper: str) -> tuple[PrintedFigure, ...]:
    """Every figure that a paper prints, in the order of its tables."""
    return printed_paper(paper).figures


def printed_figure(paper: str, table: str, row: str, column: str) -> PrintedFigure:
    """The figure in a place.

    Raises:
        ArgumentError: if the paper prints none there; the message lists what it prints.
    """
    figures = printed_figures(paper)
    found = next((figure for figure in figures if figure.place == (table, row, column)), None)
    if found is None:
        raise ArgumentError(f"{paper} prints no figure {(table, row, column)}; {_choices(figures, table, row)}")
    return found


def _choices(figures: Iterable[PrintedFigure], table: str, row: str) -> str:
    in_table = [figure for figure in figures if figure.table == table]
    in_row = [figure.column for figure in in_table if figure.row == row]
    if in_row:
        return f"columns of this row: {'; '.join(in_row)}"
    if in_table:
        return f"rows of {table}: {'; '.join(dict.fromkeys(figure.row for figure in in_table))}"
    return f"tables: {'; '.join(dict.fromkeys(figure.table for figure in figures))}"


def _figures(paper: str, table: _Table) -> Iterator[PrintedFigure]:
    notes = {(note["row"], note["column"]): note["note"] for note in table.get("notes", [])}
    units = table.get("units", {})
    for row, *cells in table["rows"]:
        for column, cell in zip(table["columns"], cells, strict=True):
            if cell:
                note = notes.get((row, column), table.get("note", ""))
                yield _figure(paper, table["id"], row, column, cell, note, units.get(column, table.get("unit", "")))


def _figure(paper: str, table: str, row: str, column: str, cell: str, note: str, unit: str) -> PrintedFigure:
    found = NUMBER.fullmatch(cell)
    value: float | str | None = None if cell == LOST else float(found["value"]) if found else cell
    spread = float(found["spread"]) if found and found["spread"] else None
    unit = "%" if found and found["percent"] else unit
    return PrintedFigure(paper, table, row, column, value, note, cell, unit, spread)
