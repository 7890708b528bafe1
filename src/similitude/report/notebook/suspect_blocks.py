"""What a notebook shows of suspect labels."""

from __future__ import annotations

from collections.abc import Iterator

from similitude.report.notebook.result_blocks import note_blocks
from similitude.report.page.sheet import Block, Cards, Lead
from similitude.report.suspects import suspect_cards, suspects_summary
from similitude.report.suspects_page import suspects_figure
from similitude.study.suspects import Suspects

__all__ = ["suspect_blocks"]

ROWS = 5


def suspect_blocks(found: Suspects) -> Iterator[Block]:
    """The share of wrong labels, the distribution of probabilities, and the first suspects."""
    yield Lead(suspects_summary(found))
    yield suspects_figure(found)
    if found.count:
        yield Cards(suspect_cards(found, ROWS))
    yield from note_blocks(found.notes)
