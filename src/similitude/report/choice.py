"""A choice for the terminal: the decision on top, the evidence below."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from similitude.report.comparison import comparison_table
from similitude.study.choice import Choice

__all__ = ["choice_lines", "choice_view"]

MOST_WARNINGS = 6


def choice_view(choice: Choice) -> RenderableType:
    """The decision, why this measure, the table, and where Pearson misleads."""
    lines = [Text(line, style="yellow") for line in choice_lines(choice)]
    return Group(
        Text(choice.decision(), style="bold"),
        Text(f"{choice.requirements.name} calls for {choice.requirements.measure}: {choice.requirements.reason}."),
        Padding(comparison_table(choice.run), (1, 0, 0, 0)),
        *lines,
    )


def choice_lines(choice: Choice) -> Iterator[str]:
    """Warnings on Pearson, a line each."""
    for warning in choice.warnings[:MOST_WARNINGS]:
        yield f"Pearson misleads on {choice.run.systems[warning.system].identity}: {warning.words}"
    if len(choice.warnings) > MOST_WARNINGS:
        yield f"and {len(choice.warnings) - MOST_WARNINGS} more warnings; --json has them all"
