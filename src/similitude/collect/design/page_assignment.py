"""Assign questions to pages so that no page holds two questions of one group, such as a dialogue."""

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
"""The number of passes before giving up; one or two usually suffice."""


def group_numbers(groups: Sequence[str | None]) -> NDArray[np.intp]:
    """Number the groups; a question without a group gets a group of its own.

    >>> group_numbers(["a", None, "a", None])
    array([0, 1, 0, 2])
    """
    numbers: dict[str | int, int] = {}
    keys = [place if group is None else group for place, group in enumerate(groups)]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


def rounds_of(groups: NDArray[np.intp], pages: int, rng: np.random.Generator) -> list[NDArray[np.intp]]:
    """Cut the questions into rounds that give each page one question; questions of a group are adjacent.

    A group with no more questions than pages is thus spread over two rounds at most.
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
    """Assign each question to a random page, at most one question per page and round.

    Args:
        rounds: question numbers; no round has more questions than there are pages.
        groups: the number of the group of each question.
        pages: the number of pages.
        rng: the source of randomness.
        names: the name of the group of each question, for messages.

    Raises:
        ArgumentError: a group has more questions than there are pages, or the search failed to keep groups apart.
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
    """Exchange questions between the slots of one round until no page holds two questions of a group."""
    dealt = np.flatnonzero(page != EMPTY)
    for _ in range(TRIES):
        clashes = _clashes(slots, page[dealt], groups[dealt], groups)
        if not len(clashes):
            return
        for slot in clashes:
            _move(slots, int(slot), page, groups, rng)
    raise ArgumentError(
        "the search failed to keep questions of one group in different batches", remedy="make more, smaller batches"
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
    """Exchange a question with another one of the round, or with an empty slot, if neither then meets its group."""
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
            f"group {named_few([str(name)])} has {counts.max():,} questions, but there {'is' if pages == 1 else 'are'} "
            f"{counted(pages, 'batch')}, none of which may hold two of them"
        )
        raise ArgumentError(what, remedy="make more, smaller batches, or allow a group in one batch (--together)")
