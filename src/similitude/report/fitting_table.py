"""Tables for the terminal that come in several widths."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table

__all__ = ["FittingTable"]


@dataclass(frozen=True, slots=True)
class FittingTable:
    """The first table that fits the terminal, or else the last."""

    tables: tuple[Table, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        boundless = options.update(width=10_000, max_width=10_000)
        fitting = (
            table for table in self.tables if Measurement.get(console, boundless, table).maximum <= options.max_width
        )
        yield next(fitting, self.tables[-1])
