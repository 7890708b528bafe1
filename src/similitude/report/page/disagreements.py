"""Cards of the items on which systems and people disagree most."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup

from similitude.data.item import Item
from similitude.drawing import strip
from similitude.drawing.axes import Span
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.diagnostics import Disagreement, SharedDisagreement, shared_disagreements, worst_disagreements
from similitude.report.notation import SIMULATED, best_first
from similitude.study.run_results import RunResults
from similitude.study.runs import Run

__all__ = ["Card", "SystemCards", "cards_of_all", "cards_of_each", "legend", "own_card", "shared_card"]

LONGEST = 700
"""Texts are cut after this many characters."""

TURNS = 3
"""Number of turns shown before the last."""

MOST_SYSTEMS = 12
"""Only this many systems, the best, get their own list."""

LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")

LEGEND = Markup(
    "Items where predictions, brought onto the gold scale, lie farthest from gold. "
    '<span class="key"><span class="key-gold">◆</span> gold, <span class="key-prediction">●</span> prediction, '
    "on the line from the low end of the scale to the high end.</span>"
)


class Card(NamedTuple):
    """One item: its texts, gold and predictions, drawn and in words."""

    id: str
    left: str
    right: str
    condition: str
    turns: tuple[str, ...]
    earlier: int
    language: str
    figures: str
    gap: str
    strip: Markup


class SystemCards(NamedTuple):
    """The items on which one system is farthest from gold, or the reason why there are none."""

    name: str
    cards: tuple[Card, ...]
    reason: str


def legend(*, is_simulated: bool) -> Markup:
    """How to read a card."""
    return LEGEND + (Markup(f" <strong>{SIMULATED}.</strong>") if is_simulated else "")


def cards_of_each(run: Run, comparison: Comparison, top: int = 5) -> tuple[SystemCards, ...]:
    """The worst items of each system, best system first."""
    worst = worst_disagreements(comparison, top)
    return tuple(
        SystemCards(
            run.systems[row].label,
            tuple(own_card(run, row, found) for found in worst[row]),
            "" if comparison.is_on_scale[row] else run.mappings[row].description,
        )
        for row in best_first(run)[:MOST_SYSTEMS]
    )


def cards_of_all(run: Run, comparison: Comparison, top: int = 10) -> tuple[Card, ...]:
    """The items on which most systems are wrong; empty with fewer than two systems."""
    if comparison.is_on_scale.sum() < 2:
        return ()
    return tuple(shared_card(run, found) for found in shared_disagreements(comparison, top))


def own_card(run: RunResults, row: int, found: Disagreement) -> Card:
    """An item that one system gets wrong."""
    name = run.systems[row].label
    figures = f"gold {found.gold:.2f}, predicted {found.predicted:.2f}"
    gap = f"{abs(found.gap):.2f} too {'high' if found.gap > 0 else 'low'}"
    drawn = strip(figures, _span(run), found.gold, [(f"{name} {found.predicted:.2f}", found.predicted)])
    return _card(run, found.position, figures, gap, drawn)


def shared_card(run: RunResults, found: SharedDisagreement) -> Card:
    """An item that most systems get wrong."""
    predicted = list(_predicted(run, found))
    figures = f"gold {found.gold:.2f}; {found.too_high} of {len(predicted)} systems above it, {found.too_low} below"
    drawn = strip(figures, _span(run), found.gold, predicted)
    return _card(run, found.position, figures, f"half of them are off by {found.median_gap:.2f} or more", drawn)


def _predicted(run: RunResults, found: SharedDisagreement) -> Iterator[tuple[str, float]]:
    for record, value in zip(run.systems, found.predicted, strict=True):
        if not math.isnan(value):
            yield f"{record.label} {value:.2f}", value


def _span(run: RunResults) -> Span:
    scale = run.benchmark.scale
    return Span(0, 1) if scale is None else Span(scale.low, scale.high)


def _card(run: RunResults, position: int, figures: str, gap: str, drawn: Markup) -> Card:
    item = run.benchmark.items[position]
    before = _before(item)
    return Card(
        id=item.id,
        left=_cut(item.left),
        right=_cut(item.right),
        condition=_cut(item.condition or ""),
        turns=tuple(_cut(turn) for turn in before[-TURNS:]),
        earlier=max(len(before) - TURNS, 0),
        language=item.language if item.language and LANGUAGE.fullmatch(item.language) else "",
        figures=figures,
        gap=gap,
        strip=drawn,
    )


def _before(item: Item) -> tuple[str, ...]:
    """The turns before the last, which is the left text itself."""
    turns = item.context or ()
    return turns[:-1] if turns and turns[-1] == item.left else turns


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()} … ({len(text):,} characters)"
