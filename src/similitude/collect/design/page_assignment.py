"""Dealing questions to pages so that no page holds two questions of one group (of one dialogue)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from similitude.collect.design.plural import named_few
from similitude.data.plural import counted
from similitude.errors import ArgumentError

__all__ = ["deal", "group_numbers", "rounds_of"]

EMPTY = -1
TRIES = 50
"""Rounds of exchanges before giving up; one or two are usual."""


def group_numbers(groups: Sequence[str | None]) -> NDArray[np.intp]:
    """Groups as numbers; a question without a group gets one of its own.

    >>> group_numbers(["a", None, "a", None])
    array([0, 1, 0, 2])
    """
    numbers: dict[str | int, int] = {}
    keys = [place if group is None else group for place, group in enumerate(groups)]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


def rounds_of(groups: NDArray[np.intp], pages: int, rng: np.random.Generator) -> list[NDArray[np.intp]]:
    """All questions, cut into rounds in which every page gets one; questions of a group stand together.

    A group of at most as many questions as pages thus fills parts of at most two rounds.
    """
    shuffled = rng.permutation(len(groups))
    order = shuffled[np.argsort(rng.permutation(groups.max() + 1)[groups[shuffled]], kind="stable")]
    return np.split(order, range(pages, len(order), pages))


def deal(
    rounds: Sequence[NDArray[np.intp]],
    groups: NDArray[np.intp],
    pages: int,
    rng: np.random.Generator,
    names: Sequence[str | None],
) -> NDArray[np.intp]:
    """The page of each question: in each round, every page gets at most one, at random.

    Args:
        rounds: question numbers; no round has more than there are pages.
        groups: the group of each question, as a number.
        pages: how many pages.
        rng: where randomness comes from.
        names: the group of each question as users know it, for messages.

    Raises:
        ArgumentError: a group has more questions than there are pages, or no way was found to keep groups apart.
    """
    _refuse_large_groups(groups, pages, names)
    page = np.full(len(groups), EMPTY, dtype=np.intp)
    for questions in rounds:
        slots = np.full(pages, EMPTY, dtype=np.intp)
        slots[rng.permutation(pages)[: len(questions)]] = questions
        _keep_apart(slots, page, groups, rng)
        taken = np.flatnonzero(slots != EMPTY)
        page[slots[taken]] = taken
    return page


def _keep_apart(
    slots: NDArray[np.intp], page: NDArray[np.intp], groups: NDArray[np.intp], rng: np.random.Generator
) -> None:
    """Exchange questions between the slots of one round until none meets its group on a page."""
    dealt = np.flatnonzero(page != EMPTY)
    for _ in range(TRIES):
        clashes = _clashes(slots, page[dealt], groups[dealt], groups)
        if not len(clashes):
            return
        for slot in clashes:
            _move(slots, int(slot), page, groups, rng)
    raise ArgumentError(
        "no way was found to keep questions of one group in different batches", remedy="make more, smaller batches"
    )


def _clashes(
    slots: NDArray[np.intp], pages: NDArray[np.intp], groups_there: NDArray[np.intp], groups: NDArray[np.intp]
) -> NDArray[np.intp]:
    full = np.flatnonzero(slots != EMPTY)
    width = len(groups) + 1
    return full[np.isin(full * width + groups[slots[full]], pages * width + groups_there)]


def _move(
    slots: NDArray[np.intp], slot: int, page: NDArray[np.intp], groups: NDArray[np.intp], rng: np.random.Generator
) -> None:
    """Exchange one question with another of the round (or with an empty slot) where neither meets its group."""
    mine = groups[slots[slot]]
    here = groups[page == slot]
    theirs = np.where(slots == EMPTY, EMPTY, groups[slots])
    possible = ~np.isin(theirs, here)
    possible[page[(groups == mine) & (page != EMPTY)]] = False
    others = np.flatnonzero(possible)
    if len(others):
        other = rng.choice(others)
        slots[[slot, other]] = slots[[other, slot]]


def _refuse_large_groups(groups: NDArray[np.intp], pages: int, names: Sequence[str | None]) -> None:
    counts = np.bincount(groups)
    if counts.max() > pages:
        name = names[int(np.flatnonzero(groups == counts.argmax())[0])]
        what = (
            f"group {named_few([str(name)])} has {counts.max():,} questions, there {'is' if pages == 1 else 'are'} "
            f"{counted(pages, 'batch')}, and none may hold two of them"
        )
        raise ArgumentError(what, remedy="make more, smaller batches, or let a group stand together (--together)")
