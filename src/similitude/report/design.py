"""An annotation design, for the terminal and as a page."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from similitude.collect.design import Summary
from similitude.report.page.sheet import Section, Sheet

__all__ = ["design_sheet", "design_summary"]


def design_summary(summary: Summary, name: str) -> RenderableType:
    """The properties of tuples and batches and the effort of annotators, one sentence per line."""
    table = Table(show_header=False, box=None, padding=(0, 1))
    table.add_column(style="bold", no_wrap=True)
    if summary.guarantees is not None:
        _add(table, "tuples", summary.guarantees.sentences())
    _add(table, "batches", summary.layout.sentences())
    _add(table, "asks for", summary.effort.sentences())
    return Group(Text(f"{summary.task} questions about {name}, seed {summary.seed}", style="bold"), table)


def design_sheet(summary: Summary, name: str) -> Sheet:
    """The design as a page."""
    parts = [
        ("batches", "Batches", summary.layout.sentences()),
        ("effort", "What it asks for", summary.effort.sentences()),
    ]
    if summary.guarantees is not None:
        parts.insert(0, ("tuples", "Tuples", summary.guarantees.sentences()))
    return Sheet(
        kind="design",
        name=name,
        about=f"{summary.task} questions, seed {summary.seed}",
        summary="; ".join(parts[0][2]) + ".",
        sections=tuple(
            Section(name=part, title=title, words=tuple(_sentence(words) for words in sentences))
            for part, title, sentences in parts
        ),
    )


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _add(table: Table, head: str, sentences: Iterable[str]) -> None:
    for number, sentence in enumerate(sentences):
        table.add_row("" if number else head, Text(sentence))
