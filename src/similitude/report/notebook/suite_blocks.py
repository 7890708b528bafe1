"""What a notebook shows of a suite."""

from __future__ import annotations

from collections.abc import Iterator

from similitude.report.notation import SIMULATED, capitalised
from similitude.report.notebook.result_blocks import note_blocks
from similitude.report.page.sheet import Block, Lead, Simulated
from similitude.report.suite.tables import averages_table, heat_table, missing_lines, simulated_names
from similitude.study.suite import SuiteRun

__all__ = ["suite_blocks"]


def suite_blocks(suite: SuiteRun) -> Iterator[Block]:
    """The conclusion, the averages, and systems against benchmarks."""
    yield Lead(capitalised(suite.conclusion.sentence, suite.labels))
    simulated = simulated_names(suite)
    if simulated:
        yield Simulated(f"{SIMULATED}: {', '.join(simulated)}")
    yield averages_table(suite)
    yield heat_table(suite)
    yield from note_blocks((*missing_lines(suite), *suite.notes))
