"""The order of a batch: work in random order, mixed with gold and repeats at the plan's shares."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from similitude.collect.annotation.plan.models import BatchPlan
from similitude.collect.annotation.records import Purpose

__all__ = ["About", "Dealt", "Mix", "arrange", "generator", "mix", "on_pages"]


class Mix(NamedTuple):
    """The number of questions of each purpose in a batch."""

    work: int
    gold: int
    repeat: int


class Dealt(NamedTuple):
    """A question in the order of a batch."""

    purpose: Purpose
    question: int


class About(NamedTuple):
    """What a question is about: its dialogue (or what its items share), and the number of turns."""

    group: str | None
    turns: int


def generator(seed: int, *parts: str | int) -> np.random.Generator:
    """A random generator that depends only on the seed and the parts, on every machine.

    >>> int(generator(1, "annotator", 3).integers(1000)) == int(generator(1, "annotator", 3).integers(1000))
    True
    """
    text = ":".join(str(part) for part in (seed, *parts))
    return np.random.default_rng(np.frombuffer(hashlib.sha256(text.encode()).digest(), dtype=np.uint32))


def mix(plan: BatchPlan, size: int, dealt: Mapping[str, int]) -> Mix:
    """The mix of a batch of ``size``, given what the annotator has had before.

    Shares hold over all of an annotator's batches: 5 % in batches of ten is one in every second batch.

    >>> mix(BatchPlan(questions=10, gold_share=0.05), 10, {})
    Mix(work=9, gold=1, repeat=0)
    >>> mix(BatchPlan(questions=10, gold_share=0.05), 10, {"work": 9, "gold": 1})
    Mix(work=10, gold=0, repeat=0)
    """
    before = sum(dealt.values())
    gold, repeat = (
        max(0, math.floor(share * (before + size) + 0.5) - dealt.get(purpose, 0))
        for purpose, share in (("gold", plan.gold_share), ("repeat", plan.repeat_share))
    )
    gold = min(gold, size - 1)
    repeat = min(repeat, size - 1 - gold)
    return Mix(size - gold - repeat, gold, repeat)


def arrange(
    work: Sequence[int], gold: Sequence[int], old_repeats: Sequence[int], new_repeats: int, rng: np.random.Generator
) -> list[Dealt]:
    """A random order for a batch that begins with work.

    Args:
        work: questions new to the annotator.
        gold: questions with a known answer.
        old_repeats: questions that the annotator answered in an earlier batch.
        new_repeats: how many questions of this batch come twice. A question never follows itself, so there are fewer in
        a short batch.
        rng: the annotator's random generator.
    """
    order = [Dealt("work", work[place]) for place in rng.permutation(len(work))]
    for _ in range(new_repeats):
        _repeat_one(order, rng)
    for dealt in [*(Dealt("gold", each) for each in gold), *(Dealt("repeat", each) for each in old_repeats)]:
        order.insert(int(rng.integers(1, len(order) + 1)), dealt)
    return order


def on_pages(order: Sequence[Dealt], about: Mapping[int, About], per_page: int) -> list[Dealt]:
    """The order, changed so that a page shows different dialogues, of different lengths if possible.

    GiCCS shows one dialogue of three turns and one of five on a page. The order stays as it is if the batch has too few
    dialogues. The first question stays first, and no question follows itself.

    >>> about = {1: About("a", 3), 2: About("a", 3), 3: About("b", 5)}
    >>> [dealt.question for dealt in on_pages([Dealt("work", n) for n in (1, 2, 3)], about, 2)]
    [1, 3, 2]
    """
    changed = list(order)
    for place in range(len(changed)):
        page = [about[dealt.question] for dealt in changed[place - place % per_page : place]]
        if page:
            _swap_in(changed, place, page, about)
    return changed


def _swap_in(order: list[Dealt], place: int, page: Sequence[About], about: Mapping[int, About]) -> None:
    """Swap in the first later question that fits the page best."""

    def misfit(later: int) -> tuple[bool, bool]:
        seen = about[order[later].question]
        return seen.group is not None and seen.group in {each.group for each in page}, seen.turns in {
            each.turns for each in page
        }

    best = min(range(place, len(order)), key=lambda later: (*misfit(later), later))
    tried = list(order)
    tried[place], tried[best] = tried[best], tried[place]
    if misfit(best) < misfit(place) and all(one.question != other.question for one, other in pairwise(tried)):
        order[:] = tried


def _repeat_one(order: list[Dealt], rng: np.random.Generator) -> None:
    """Add a question a second time, with at least one other in between."""
    repeated = {dealt.question for dealt in order if dealt.purpose == "repeat"}
    places = [
        place
        for place, dealt in enumerate(order)
        if dealt.purpose == "work" and dealt.question not in repeated and place + 2 <= len(order)
    ]
    if places:
        place = int(rng.choice(places))
        order.insert(int(rng.integers(place + 2, len(order) + 1)), Dealt("repeat", order[place].question))
