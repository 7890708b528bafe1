"""A search for candidates, for the terminal."""

from __future__ import annotations

from rich.console import RenderableType

from similitude.report.candidates.step_table import short_step_table
from similitude.report.candidates.words import conclusion
from similitude.report.terminal import terminal_view
from similitude.study.candidates.candidates_run import CandidatesRun

__all__ = ["candidates_view"]


def candidates_view(found: CandidatesRun) -> RenderableType:
    """What came of the texts, and one row for each step."""
    return terminal_view(conclusion(found.steps), [short_step_table(found.steps)])
