"""Tables that fit the width of the terminal: no cell is cut, and every row keeps its name.

A table that is too wide is laid out anew, in this order: names and texts wrap; the columns go into several blocks, each
of which repeats the names of the rows; a table of texts becomes a list of entries.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

__all__ = ["FirstFitting", "FittedColumn", "FittedTable", "Holds", "broken_name"]

GAP: Final = 2
"""Blanks between columns."""
EDGES: Final = 2
"""Blanks left and right of a table."""
SHORTEST_NAME: Final = 16
SHORTEST_TEXT: Final = 14
"""Columns of names and texts are not wrapped to less."""
NAME_WEIGHT: Final = 2
"""A name gets this many times the width of a text of the same length."""
SHORT: Final = 14
"""In a list of entries, shorter cells stand beside the name."""
NONE: Final = ("", "-")
"""Cells that say nothing."""
MARKS: Final = re.compile(r"(?<=[-,/:_( ])")
"""Where a name may go on in the next line."""

Holds = Literal["name", "number", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedColumn:
    """A column.

    Attributes:
        head: may have several lines.
        holds: "name" of the row, which stands in every block; "number", which never wraps; or "text".
        above: a head that this column shares with its neighbours.
    """

    head: str
    holds: Holds = "number"
    above: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedTable:
    """A table that takes the width that there is.

    Attributes:
        columns: the columns, names first.
        rows: one cell per column.
        sections: numbers of rows above which there is a line.
        caption: a line below, in small print.
    """

    columns: tuple[FittedColumn, ...]
    rows: tuple[tuple[Text, ...], ...]
    sections: frozenset[int] = frozenset()
    caption: str = ""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        if not self.fits(width, wrapped=True) and self._is_text():
            yield from self._entries()
        else:
            blocks = self.blocks(width)
            for block in blocks:
                yield self._block(block, width, with_empty=len(blocks) == 1)
        if self.caption:
            yield Text(self.caption, style="dim")

    def fits(self, width: int, *, wrapped: bool = False) -> bool:
        """Whether all columns stand beside each other in this width, perhaps with wrapped names and texts."""
        needed = self._least() if wrapped else self._natural()
        return _total(needed) <= width

    def _is_text(self) -> bool:
        return all(column.holds == "text" for column in self.columns[1:])

    def _names(self) -> list[int]:
        """The columns that every block repeats: those up to the last that names rows."""
        names = [place for place, column in enumerate(self.columns) if column.holds == "name"]
        return list(range(names[-1] + 1)) if names else []

    def _natural(self) -> list[int]:
        """The width of each column if nothing wraps."""
        return [max(needed, _width(c.above)) for needed, c in zip(self._needed(), self.columns, strict=True)]

    def _needed(self) -> list[int]:
        """The width of each column if only what stands above several heads wraps."""
        return [max(map(_width, self._column(place))) for place in range(len(self.columns))]

    def _column(self, place: int) -> Iterator[str]:
        yield self.columns[place].head
        yield "\n".join(MARKS.split(self.columns[place].above))
        yield from (row[place].plain for row in self.rows)

    def _least(self) -> list[int]:
        """The width of each column if names and texts wrap."""
        least = {"name": SHORTEST_NAME, "text": SHORTEST_TEXT}
        return [
            min(needed, least.get(column.holds, needed))
            for column, needed in zip(self.columns, self._needed(), strict=True)
        ]

    def blocks(self, width: int) -> list[list[int]]:
        """The columns of each block: as few blocks as the width allows, with about as many columns each."""
        fewest = self._filled(width, len(self.columns))
        columns = len(self.columns) - len(self._names())
        even = self._filled(width, math.ceil(columns / len(fewest)))
        return even if len(even) == len(fewest) else fewest

    def _filled(self, width: int, most: int) -> list[list[int]]:
        """Blocks that are filled one after another, with at most so many columns besides the names."""
        names, least = self._names(), self._least()
        blocks = [list(names)]
        for place in range(len(names), len(self.columns)):
            others = len(blocks[-1]) - len(names)
            is_full = others == most or _total([least[each] for each in (*blocks[-1], place)]) > width
            if others and is_full:
                blocks.append(list(names))
            blocks[-1].append(place)
        return blocks

    def _widths(self, block: Sequence[int], width: int) -> list[int]:
        """The widths of the columns of a block: what is left goes to names and texts, in proportion to their length."""
        natural, least = self._natural(), self._least()
        widths = [least[place] for place in block]
        wanted = [natural[place] * (NAME_WEIGHT if self.columns[place].holds == "name" else 1) for place in block]
        for _ in range(width - _total(widths)):
            short = [n for n, place in enumerate(block) if widths[n] < natural[place]]
            if not short:
                break
            widths[max(short, key=lambda n: wanted[n] / widths[n])] += 1
        for _ in range(_total(widths) - width):  # a terminal that is narrower than a name and one number
            widest = max(range(len(widths)), key=lambda n: (self.columns[block[n]].holds != "number", widths[n]))
            widths[widest] = max(1, widths[widest] - 1)
        return widths

    def _block(self, block: Sequence[int], width: int, *, with_empty: bool) -> Table:
        """Some columns as a table, with or without the rows that have nothing in them."""
        named = len(self._names())
        widths = self._widths(block, width)
        table = Table(header_style="bold", box=SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), pad_edge=False)
        for head, place, wide in zip(self._heads(block, widths), block, widths, strict=True):
            is_number = self.columns[place].holds == "number"
            table.add_column(
                Text(head), justify="right" if is_number else "left", width=wide, overflow="fold", vertical="top"
            )
        for number, row in enumerate(self.rows):
            if number in self.sections:
                table.add_section()
            if not with_empty and not any(row[place].plain for place in block[named:]):
                continue
            table.add_row(*(self._cell(row[place], place, wide) for place, wide in zip(block, widths, strict=True)))
        return table

    def _heads(self, block: Sequence[int], widths: Sequence[int]) -> list[str]:
        """The heads, in one line if all fit, with what is above them over the first column that it belongs to."""
        columns = [self.columns[place] for place in block]
        lines = [column.head.replace("\n", " ") for column in columns]
        is_low = all(cell_len(line) <= wide for line, wide in zip(lines, widths, strict=True))
        heads = lines if is_low else [
            column.head if column.holds == "number" else broken_name(column.head, wide)
            for column, wide in zip(columns, widths, strict=True)
        ]  # fmt: skip
        if not any(column.above for column in columns):
            return heads
        most = max(head.count("\n") for head in heads)
        before = ["", *(column.above for column in columns)]
        return [
            ("" if column.above == last else broken_name(column.above, wide))
            + "\n" * (1 + most - head.count("\n"))
            + head
            for column, last, head, wide in zip(columns, before, heads, widths, strict=False)
        ]

    def _cell(self, cell: Text, place: int, width: int) -> Text:
        """A cell; names that are too long, and such words of a text, are broken after their marks."""
        holds = self.columns[place].holds
        if holds == "name" and _width(cell.plain) > width:
            return Text(broken_name(cell.plain, width), style=cell.style)
        if holds == "text" and any(cell_len(word) > width for word in cell.plain.split()):
            return Text(_broken_words(cell.plain, width), style=cell.style)
        return cell

    def _entries(self) -> Iterator[RenderableType]:
        """The rows one below the other: the name with what is short, then each text after its head."""
        natural = self._natural()
        beside = [place for place in range(1, len(self.columns)) if natural[place] <= SHORT]
        below = [place for place in range(1, len(self.columns)) if natural[place] > SHORT]
        label = max((cell_len(self.columns[place].head) for place in below), default=0)
        for row in self.rows:
            facts = [
                f"{self.columns[place].head} {row[place].plain}" for place in beside if row[place].plain not in NONE
            ]
            yield Text.assemble((row[0].plain, "bold"), f"  {', '.join(facts)}" if facts else "")
            grid = Table.grid(padding=(0, GAP, 0, 0))
            grid.add_column(width=label, style="dim")
            grid.add_column(overflow="fold")
            for place in below:
                if row[place].plain not in NONE:
                    grid.add_row(Text(self.columns[place].head), row[place])
            yield Padding(grid, (0, 0, 0, GAP))


@dataclass(frozen=True, slots=True)
class FirstFitting:
    """The first of several tables that fits the terminal as it is, or else the one that needs the fewest blocks."""

    tables: tuple[FittedTable, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        as_they_are = (table for table in self.tables if table.fits(width))
        yield next(as_they_are, None) or min(self.tables, key=lambda table: len(table.blocks(width)))


def broken_name(name: str, width: int) -> str:
    r"""A name in lines of at most this width, broken after its marks where that is possible.

    >>> broken_name("char-ngram-cosine(n=3)", 16)
    'char-ngram-\ncosine(n=3)'
    """
    lines = [""]
    for part in MARKS.split(name):
        if lines[-1] and cell_len(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return "\n".join(line.rstrip() for line in lines)


def _broken_words(text: str, width: int) -> str:
    lines = (line.split(" ") for line in text.split("\n"))
    return "\n".join(" ".join(broken_name(word, width) for word in words) for words in lines)


def _width(text: str) -> int:
    return max(map(cell_len, text.split("\n")))


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1) + EDGES
