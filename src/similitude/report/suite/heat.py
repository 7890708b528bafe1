"""A heat table for the terminal: rows against columns in as many blocks as its width needs."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from similitude.report.notation import DASH
from similitude.report.tables.table import shade

__all__ = ["Heat"]

COLOURS = ("", "black on #edf8e9", "black on #c7e9c0", "black on #a1d99b", "black on #74c476", "black on #41ab5d")
"""One for each shade; the deepest is the best."""
LONGEST_NAME, SHORTEST_NAME = 34, 18
EDGES = 4
"""Characters beside the names and the columns: the padding of the names, and the sides of the table."""
LONGEST_HEAD = 10
"""Longer heads take several lines."""


@dataclass(frozen=True)
class Heat:
    """Figures with colours, which compare the rows within each column.

    Attributes:
        rows: names of the rows, best first.
        heads: names of the columns.
        values: rows x columns.
        merits: of the same shape, higher is better; colours follow them.
    """

    rows: Sequence[str]
    heads: Sequence[str]
    values: Sequence[Sequence[float]]
    merits: Sequence[Sequence[float]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        name = min(max(map(len, self.rows)), LONGEST_NAME)
        blocks = self._blocks(options.max_width - name - EDGES)
        if len(blocks) > 1:
            name = min(name, SHORTEST_NAME)
            blocks = self._blocks(options.max_width - name - EDGES)
        for block in blocks:
            title = f"columns {block[0] + 1}-{block[-1] + 1} of {len(self.heads)}" if len(blocks) > 1 else None
            yield self._table(block, name, title)
        if any(len(row) > name for row in self.rows):
            yield Text("long names are cut; a wider terminal, --json and the page show them in full", style="dim")

    def _blocks(self, width: int) -> list[list[int]]:
        """The columns, in as many groups as the width needs."""
        blocks: list[list[int]] = [[]]
        left = width
        for column, head in enumerate(self.heads):
            needed = max(len(line) for line in [*_lines(head), "-.123"]) + 1
            if needed > left and blocks[-1]:
                blocks.append([])
                left = width
            blocks[-1].append(column)
            left -= needed
        return blocks

    def _table(self, columns: Sequence[int], name: int, title: str | None) -> Table:
        table = Table(header_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, title=title)
        table.title_justify, table.title_style = "left", "dim"
        table.add_column("system", no_wrap=True, width=name, overflow="ellipsis", vertical="bottom")
        for column in columns:
            head = "\n".join(_lines(self.heads[column]))
            table.add_column(head, justify="right", no_wrap=True, vertical="bottom")
        for row, name_of_row in enumerate(self.rows):
            table.add_row(name_of_row, *self._cells(row, columns))
        return table

    def _cells(self, row: int, columns: Sequence[int]) -> Iterator[Text]:
        for column in columns:
            value, merit = self.values[row][column], self.merits[row][column]
            others = [each[column] for each in self.merits if not math.isnan(each[column])]
            if math.isnan(value):
                yield Text(DASH, style="dim")
                continue
            is_best = merit == max(others)
            style = COLOURS[shade(merit, others)]
            yield Text(_short(value), style=f"bold {style}" if is_best else style)


def _lines(head: str) -> list[str]:
    """A head in lines that are not too long, broken at its marks where that is possible."""
    spaced = head.replace(":", ": ").replace("/", "/ ").replace("_", "_ ")
    return textwrap.wrap(spaced, LONGEST_HEAD) or [head]


def _short(value: float) -> str:
    """Three decimals without the leading zero.

    >>> _short(0.8123), _short(-0.0456), _short(1.0), _short(12.3456)
    ('.812', '-.046', '1.000', '12.346')
    """
    text = f"{value:.3f}"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
