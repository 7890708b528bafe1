"""Steps in words: titles, counts, shares, and what a search came to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from similitude.collect.candidates.steps import Step
from similitude.data.plural import agreeing, counted

__all__ = [
    "FOUND_BY",
    "LONGEST",
    "can_drop",
    "conclusion",
    "counted_kept",
    "found_by",
    "is_filter",
    "kept_share",
    "noun",
    "percent_text",
    "reasons",
    "seconds_text",
    "shortened",
    "value_text",
]

STAGES: Final = ("read", "clean", "dialogues", "duplicates", "vectors", "pairs", "describe", "select", "items")
"""The names of steps that are not filters."""
FOUND_BY: Final = "found by"
"""The fact that says how many pairs of each stratum were made."""
LONGEST: Final = 220
"""Texts are cut after this many characters."""


def is_filter(step: Step) -> bool:
    """Whether the step is a filter over pairs, which a user wrote."""
    return step.of == "pairs" and step.name not in STAGES


def can_drop(step: Step) -> bool:
    """Whether the step could have dropped anything; to give texts their vectors drops none."""
    return step.name != "vectors"


def noun(step: Step) -> str:
    """What the step leaves, in the singular; the pairs that are drawn at the end are items."""
    return "item" if step.name == "select" else step.of[:-1]


def kept_share(step: Step) -> float:
    """The share that the step kept, from 0 to 1; nan where it makes something, or where there was nothing."""
    if step.name == "pairs" or not step.before or step.after > step.before:
        return math.nan
    return step.after / step.before


def percent_text(share: float) -> str:
    """A share as a percentage: never 0 % of something that was kept, nor 100 % where something was lost.

    >>> percent_text(0.5), percent_text(1e-6), percent_text(0.99999), percent_text(1.0)
    ('50 %', '< 0.1 %', '> 99.9 %', '100 %')
    """
    if math.isnan(share):
        return ""
    if share in (0.0, 1.0):
        return f"{100 * share:.0f} %"
    if share < 0.001 or share > 0.999:
        return "< 0.1 %" if share < 0.5 else "> 99.9 %"
    return f"{100 * share:.0f} %" if 0.1 <= share <= 0.985 else f"{100 * share:.1f} %"


def counted_kept(step: Step) -> str:
    """``4,210 pairs, 4.8 %``."""
    share = percent_text(kept_share(step))
    return f"{counted(step.after, noun(step))}{f', {share}' if share else ''}"


def seconds_text(seconds: float) -> str:
    """A time in two units at most.

    >>> seconds_text(0.04), seconds_text(75), seconds_text(7300)
    ('0.0 s', '1 min 15 s', '2 h 2 min')
    """
    if seconds < 59.5:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60} min"


def reasons(losses: Mapping[str, int], most: int = 3) -> str:
    """Why things were dropped, the most frequent reason first."""
    ordered = sorted(((number, why) for why, number in losses.items() if number), key=lambda one: -one[0])
    words = [f"{number:,} {why}" for number, why in ordered[:most]]
    rest = sum(number for number, _ in ordered[most:])
    return "; ".join([*words, *([f"{rest:,} for other reasons"] if rest else [])])


def conclusion(steps: Sequence[Step]) -> str:
    """What came of the texts, in one sentence."""
    if not steps:
        return "There are no steps."
    first, last = steps[0], steps[-1]
    result = counted(last.after, noun(last)) if last.after else f"no {noun(last)}s"
    clauses = ", ".join(_clauses(steps))
    return f"{counted(first.before, first.of[:-1])} led to {result}{f': {clauses}' if clauses else ''}."


def _clauses(steps: Sequence[Step]) -> Iterator[str]:
    texts = [step for step in steps if step.of == "texts"]
    made = [step for step in steps if step.name == "pairs"]
    filters = [step for step in steps if is_filter(step)]
    if texts and texts[-1].after != texts[0].before:
        how = "kept" if texts[-1].after < texts[0].before else "made of them"
        yield f"{agreeing(texts[-1].after, 'text', 'was', 'were')} {how}"
    if made:
        yield f"{agreeing(made[-1].after, 'pair', 'was', 'were')} {_how_made(made[-1])}"
    emptied = next((step for step in steps if step.before and not step.after), None)
    if emptied is not None:
        yield f"'{emptied.name}' kept none"
    elif filters:
        yield f"{counted(filters[-1].after, 'pair')} passed {counted(len(filters), 'filter')}"


def _how_made(step: Step) -> str:
    return "given" if set(found_by(step)) == {"given"} else "made"


def found_by(step: Step) -> Mapping[str, int]:
    """How many pairs of each stratum a step made; empty for other steps."""
    counts = step.facts.get(FOUND_BY, {})
    return counts if isinstance(counts, Mapping) else {}


def value_text(value: object) -> str:
    """A value of a fact or an example in a few characters."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() and abs(value) >= 1000 else f"{value:.4g}"
    return "none" if value is None else str(value)


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text, or its beginning and how long it is."""
    return text if len(text) <= longest else f"{text[:longest].rstrip()} … ({len(text):,} characters)"
