"""What a notebook shows of results: runs, choices, tasks, comparisons, disagreements and plots."""

from __future__ import annotations

from collections.abc import Iterator

from similitude.data.plot import Plot
from similitude.evaluate.diagnostics import Disagreement, SharedDisagreement
from similitude.report.comparison import choice_lines, mapping_lines
from similitude.report.notation import SIMULATED, column_notes
from similitude.report.page.disagreements import Card, legend, own_card, shared_card
from similitude.report.page.sheet import Aside, Block, Cards, Fold, Lead, Points, Simulated
from similitude.report.page.summary import conclusion_words
from similitude.report.tables import contrast_table, ranking_table, threshold_table
from similitude.report.tables.pairs import pair_table
from similitude.report.task import task_finding, task_notes, task_table
from similitude.study.choice import Choice
from similitude.study.disagreements import Disagreements
from similitude.study.paired_comparison import PairedComparison
from similitude.study.runs import Run
from similitude.study.task_run import TaskRun

__all__ = [
    "choice_blocks",
    "comparison_blocks",
    "disagreement_blocks",
    "note_blocks",
    "plot_blocks",
    "run_blocks",
    "task_blocks",
]

MOST_NOTES = 4
"""More notes than this are folded."""


def run_blocks(run: Run) -> Iterator[Block]:
    """The conclusion, then the ranking with intervals and shared ranks."""
    yield Lead(conclusion_words(run))
    yield from _run_tables(run)


def choice_blocks(choice: Choice) -> Iterator[Block]:
    """The decision, why its measure fits, and the ranking."""
    yield Lead(choice.decision())
    yield f"{choice.requirements.name} calls for {choice.measure}: {choice.reason}."
    lines = (*mapping_lines(choice), *choice_lines(choice))
    yield from note_blocks(tuple(lines))
    yield from _run_tables(choice.run)


def _run_tables(run: Run) -> Iterator[Block]:
    if run.data.is_simulated:
        yield Simulated(f"{SIMULATED}: {run.data.judged_by}")
    yield from (table for table in (ranking_table(run), contrast_table(run), threshold_table(run)) if table is not None)
    notes = [f"{record.label}: {note}" for record in run.systems for note in record.notes]
    left_out = [f"left out: {one.where}: {one.why}" for one in run.left_out[:1]]
    more = [f"left out: {len(run.left_out) - 1:,} more"] if len(run.left_out) > 1 else []
    yield from note_blocks((*notes, *left_out, *more, *column_notes(run)))


def task_blocks(task: TaskRun) -> Iterator[Block]:
    """Which system does best, and the table."""
    yield Lead(task_finding(task))
    yield task_table(task)
    yield from note_blocks(tuple(task_notes(task)))


def comparison_blocks(compared: PairedComparison) -> Iterator[Block]:
    """The verdict on the first measure, and the table of all measures."""
    yield Lead(f"{compared.verdict}.")
    yield pair_table(compared)


def disagreement_blocks(found: Disagreements) -> Iterator[Block]:
    """The items with their texts, as on a page."""
    yield Lead(f"Where {found.who} and people disagree most on {found.run.data.name}")
    yield legend(is_simulated=found.run.data.is_simulated)
    cards = tuple(_card(found, one) for one in found.found)
    yield Cards(cards) if cards else Aside("Every prediction equals gold.")


def _card(found: Disagreements, one: Disagreement | SharedDisagreement) -> Card:
    if isinstance(one, Disagreement):
        assert found.system is not None  # only the items of most systems have none
        return own_card(found.run, found.system, one)
    return shared_card(found.run, one)


def plot_blocks(plot: Plot) -> Iterator[Block]:
    """The figure with its caption."""
    yield plot.figure


def note_blocks(lines: tuple[str, ...]) -> Iterator[Block]:
    """Notes, folded if they are many."""
    if len(lines) > MOST_NOTES:
        yield Fold(summary=f"{len(lines)} notes", blocks=(Points(lines),))
    elif lines:
        yield Points(lines)
