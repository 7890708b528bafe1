"""A plan of questions, for the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from similitude.collect.design import Summary

__all__ = ["design_summary"]


def design_summary(summary: Summary, name: str) -> RenderableType:
    """What holds of tuples and batches, and what the plan asks of people, one sentence a line."""
    table = Table(show_header=False, box=None, padding=(0, 1))
    table.add_column(style="bold", no_wrap=True)
    if summary.guarantees is not None:
        _add(table, "tuples", summary.guarantees.sentences())
    _add(table, "batches", summary.layout.sentences())
    _add(table, "asks for", summary.effort.sentences())
    return Group(Text(f"{summary.task} questions about {name}, seed {summary.seed}", style="bold"), table)


def _add(table: Table, head: str, sentences: Iterable[str]) -> None:
    for number, sentence in enumerate(sentences):
        table.add_row("" if number else head, Text(sentence))
