"""Tables independent of their rendering: caption, heads, rows of cells, notes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from similitude.errors import ArgumentError
from similitude.report.notation import DASH, SIMULATED
from similitude.study.runs import Run

__all__ = [
    "SHADES",
    "HeadSpan",
    "Notes",
    "Table",
    "TableCell",
    "TableColumn",
    "caption",
    "full_heads",
    "only_measures",
    "shade",
]

SHADES = 5
"""Number of shades of colour, besides none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCell:
    """One cell.

    Attributes:
        value: sort key of a number.
        interval: such as ``[0.76, 0.80]``.
        letters: rows that share a letter in this column are not significantly different.
        is_best: whether it is the best of its column.
        is_underlined: a second kind of best, defined in the caption.
        shade: shade of colour, from 0 (none) to `SHADES`; never the only sign.
        note: number of the note on the cell; 0 for none.
        is_code: whether the text is an identifier that a user types.
    """

    text: str
    value: float = math.nan
    interval: str = ""
    letters: str = ""
    is_best: bool = False
    is_underlined: bool = False
    shade: int = 0
    note: int = 0
    is_code: bool = False

    @property
    def sort_key(self) -> str:
        """The value as a sort key; empty if there is none."""
        return "" if math.isnan(self.value) else f"{self.value:.6g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableColumn:
    """A column.

    Attributes:
        meaning: of the head.
        is_number: whether it holds numbers.
        is_header: whether it names the rows.
        is_key: whether it tells rows of one name apart, so that each part of a table that is split has it.
        is_text: whether it holds texts of the data, in any script and direction.
        measure: whose figures it holds; empty if it holds none.
        better: which figures are better: "higher" or "lower"; empty if it holds none.
    """

    head: str
    meaning: str = ""
    is_number: bool = True
    is_header: bool = False
    is_key: bool = False
    is_text: bool = False
    measure: str = ""
    better: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadSpan:
    """A head above several columns; may be empty."""

    head: str
    columns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table.

    Attributes:
        name: for labels and links; letters, digits and hyphens.
        caption: one or two sentences.
        rows: one cell per column.
        notes: numbered from 1.
        is_sortable: whether readers may sort the rows.
        is_filter: whether its rows are the systems that readers may hide on the whole page.
        spans: heads above the heads, from the left, covering all columns; empty if there is one line of heads.
    """

    kind: ClassVar[str] = "table"

    name: str
    caption: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    notes: tuple[str, ...] = ()
    is_sortable: bool = False
    is_filter: bool = False
    spans: tuple[HeadSpan, ...] = ()

    def system_of(self, row: tuple[TableCell, ...]) -> str:
        """The system that a row is about; empty if rows are about something else."""
        for column, cell in zip(self.columns, row, strict=True):
            if column.is_header and column.head in ("system", "name"):
                return cell.text if cell.is_code else ""
        return ""


def only_measures(table: Table, measures: Sequence[str]) -> Table:
    """The table without the columns of other measures; the whole table if none is named.

    Raises:
        ArgumentError: the table has no column of one of these measures.
    """
    there = [column.measure for column in table.columns if column.measure]
    missing = [name for name in measures if name not in there]
    if missing:
        raise ArgumentError(f"no column '{missing[0]}'", remedy=f"columns there: {', '.join(there)}")
    if not measures:
        return table
    named = [place for name in measures for place, column in enumerate(table.columns) if column.measure == name]
    kept = [place for place, column in enumerate(table.columns) if not column.measure] + named
    return replace(
        table,
        columns=tuple(table.columns[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
    )


def full_heads(table: Table) -> list[str]:
    """The heads on one line: the spanning head, then the column's own."""
    above = [span.head for span in table.spans for _ in range(span.columns)] or [""] * len(table.columns)
    return [f"{outer} {column.head}".strip() for outer, column in zip(above, table.columns, strict=True)]


class Notes:
    """Collects the notes of a table; equal notes share a number."""

    def __init__(self) -> None:
        self._words: list[str] = []

    def number(self, words: str) -> int:
        """The number of the note that says this."""
        if words not in self._words:
            self._words.append(words)
        return self._words.index(words) + 1

    def dash(self, words: str | None) -> TableCell:
        """The cell of an undefined figure."""
        return TableCell(text=DASH, note=self.number(words) if words else 0)

    def all(self) -> tuple[str, ...]:
        """Every note, in order of number."""
        return tuple(self._words)


def caption(run: Run, words: str) -> str:
    """The caption, marked if items were drawn or the judgements are simulated."""
    if run.data.drawn_from is not None and run.data.counted not in words:
        words += f" On {run.data.counted} items."
    return f"{words} {SIMULATED}." if run.data.is_simulated else words


def shade(value: float, among: Iterable[float], *, higher_is_deeper: bool = True) -> int:
    """The shade of a value among others: from 1 for the smallest to `SHADES` for the largest."""
    known = [one for one in among if not math.isnan(one)]
    if math.isnan(value) or not known or max(known) == min(known):
        return 0
    share = (value - min(known)) / (max(known) - min(known))
    return 1 + round((share if higher_is_deeper else 1 - share) * (SHADES - 1))
