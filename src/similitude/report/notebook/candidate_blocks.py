"""What a notebook shows of a search for candidates."""

from __future__ import annotations

from collections.abc import Iterator

from similitude.report.candidates.item_rows import first_rows
from similitude.report.candidates.step_table import step_table
from similitude.report.candidates.words import conclusion
from similitude.report.notebook.result_blocks import note_blocks
from similitude.report.page.sheet import Block, Lead
from similitude.study.candidates.candidates_run import CandidatesRun

__all__ = ["candidate_blocks"]

ROWS = 5


def candidate_blocks(found: CandidatesRun) -> Iterator[Block]:
    """What came of the texts, what each step kept, and the first items."""
    yield Lead(conclusion(found.steps))
    yield step_table(found.steps)
    yield from note_blocks(tuple(f"{step.name}: {note}" for step in found.steps for note in step.notes))
    yield first_rows(found.items.frame, ROWS)
