"""What an annotator sees: the order of questions and items and the sides of a pair, different for each of them.

Everything follows from a hash of seed, annotator and question. It does not matter who comes first, which questions were
shown before, or which machine is asked; the same annotator who comes back sees the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby

from similitude.collect.design.batch_order import arrange
from similitude.collect.design.design import Design, PlannedQuestion

__all__ = ["PresentedQuestion", "presentation", "show"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PresentedQuestion:
    """One question as one annotator sees it.

    Attributes:
        question: its name.
        items: its items in the order in which they are shown.
        swapped: for each of them, whether its right text stands on the left. Where sides have a meaning (the last
            turn of a dialogue and a candidate for it), leave them as they are.
        batch: the number of its page or batch.
    """

    question: str
    items: tuple[str, ...]
    swapped: tuple[bool, ...]
    batch: int | None = None


def presentation(design: Design, annotator: str, seed: int | None = None) -> tuple[PresentedQuestion, ...]:
    """The whole plan in the order in which an annotator would see it, batch by batch.

    Batches come in an order of the annotator's own, and so do questions in a batch: gold is never first, and a repeat
    keeps its distance from the original. An annotator who does only some batches sees those in the same order.

    Args:
        design: the plan.
        annotator: who.
        seed: the plan's own, if None.
    """
    key = design.seed if seed is None else seed
    whole = [list(rows) for _, rows in groupby(design, key=lambda one: one.batch)]
    batches = whole if design.batches else [[one] for one in design]
    batches.sort(key=lambda rows: _draw(key, annotator, "batch", _name_of(rows)))
    return tuple(
        show(question, annotator, key)
        for batch in batches
        for question in _ordered(batch, annotator, key, design.repeat_distance)
    )


def show(question: PlannedQuestion, annotator: str, seed: int) -> PresentedQuestion:
    """One question as an annotator sees it.

    >>> asked = PlannedQuestion(question="q1", items=("a", "b", "c"))
    >>> show(asked, "anna", 1).items, show(asked, "ben", 1).items
    (('a', 'c', 'b'), ('c', 'a', 'b'))
    """
    name = question.question
    items = sorted(question.items, key=lambda item: _draw(seed, annotator, "item", name, item))
    swapped = tuple(_draw(seed, annotator, "side", name, item) < 0.5 for item in items)
    return PresentedQuestion(question=name, items=tuple(items), swapped=swapped, batch=question.batch)


def _ordered(batch: Sequence[PlannedQuestion], annotator: str, seed: int, distance: int) -> list[PlannedQuestion]:
    draws = {one.question: _draw(seed, annotator, "question", one.question) for one in batch}
    return arrange(batch, draws, distance)


def _name_of(batch: Sequence[PlannedQuestion]) -> str:
    """A batch is known by its number, a question in no batch by its name."""
    return batch[0].question if batch[0].batch is None else str(batch[0].batch)


def _draw(seed: int, *names: str) -> float:
    """A number from 0 up to 1 that follows from the names alone, the same on every machine."""
    digest = blake2b(str(seed).encode(), digest_size=8)
    for name in names:
        written = name.encode()
        # With its length, so that ("ab", "c") and ("a", "bc") differ.
        digest.update(len(written).to_bytes(4, "big") + written)
    return (int.from_bytes(digest.digest(), "big") >> 11) / 2**53
