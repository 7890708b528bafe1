"""A heat table for the terminal: systems against benchmarks, shaded within each column."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence

from rich.text import Text

from similitude.report.fitted_table import FittedColumn, FittedTable
from similitude.report.notation import DASH
from similitude.report.tables.table import shade

__all__ = ["shaded_table"]

COLOURS = ("", "black on #edf8e9", "black on #c7e9c0", "black on #a1d99b", "black on #74c476", "black on #41ab5d")
"""One for each shade; the deepest is the best."""
LONGEST_HEAD = 10
"""Longer heads take several lines."""


def shaded_table(
    rows: Sequence[str], heads: Sequence[str], values: Sequence[Sequence[float]], merits: Sequence[Sequence[float]]
) -> FittedTable:
    """Figures with colours, which compare the rows within each column.

    Args:
        rows: names of the rows, best first.
        heads: names of the columns.
        values: rows x columns.
        merits: of the same shape, higher is better; colours follow them.
    """
    columns = [FittedColumn(head="\n".join(_lines(head))) for head in heads]
    shown = [list(_column_cells([row[n] for row in values], [row[n] for row in merits])) for n in range(len(heads))]
    return FittedTable(
        columns=(FittedColumn(head="system", holds="name"), *columns),
        rows=tuple((Text(name), *(cells[row] for cells in shown)) for row, name in enumerate(rows)),
    )


def _column_cells(values: Sequence[float], merits: Sequence[float]) -> Iterator[Text]:
    known = [merit for merit in merits if not math.isnan(merit)]
    for value, merit in zip(values, merits, strict=True):
        if math.isnan(value):
            yield Text(DASH, style="dim")
            continue
        style = COLOURS[shade(merit, known)]
        yield Text(_short(value), style=f"bold {style}" if merit == max(known) else style)


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
