"""The order of questions and items and the sides of pairs that each annotator sees.

The order depends only on a hash of seed, annotator and question. It does not matter who comes first, which questions
were shown before, or which machine answers. An annotator who comes back sees the same order.
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
        items: its items, in the order shown.
        swapped: for each item, whether to show its right text on the left. Ignore this if sides have a meaning, as
            with the last turn of a dialogue and a reply.
        batch: the number of its page or batch.
    """

    question: str
    items: tuple[str, ...]
    swapped: tuple[bool, ...]
    batch: int | None = None


def presentation(design: Design, annotator: str, seed: int | None = None) -> tuple[PresentedQuestion, ...]:
    """The whole plan in the order that an annotator sees, batch by batch.

    Each annotator has an order of batches and of questions in a batch. Gold is never first, and a repeat keeps its
    distance from the original. An annotator who answers only some batches sees those in the same order.

    Args:
        design: the plan.
        annotator: the name of the annotator.
        seed: the seed of the order; by default that of the plan.
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
    """The number of a batch; without batches, the name of the question."""
    return batch[0].question if batch[0].batch is None else str(batch[0].batch)


def _draw(seed: int, *names: str) -> float:
    """A number in [0, 1) that depends only on seed and names, the same on every machine."""
    digest = blake2b(str(seed).encode(), digest_size=8)
    for name in names:
        written = name.encode()
        # The length is hashed too, so that ("ab", "c") and ("a", "bc") differ.
        digest.update(len(written).to_bytes(4, "big") + written)
    return (int.from_bytes(digest.digest(), "big") >> 11) / 2**53
