"""Levelling: exchange items between tuples until every pair meets as often as any other, within one.

A tabu search on the sum of squared meetings, which is least where meetings are level. Each step takes a place that is
at fault, looks at the places it could be exchanged with, and takes the best, better than before or not; for a moment an
item may not go back where it came from, so that the search leaves local optima. Exchanges never change how often an
item appears.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude.collect.design.board import Board, Faults, Place
from similitude.collect.design.first_tuples import TupleDraft
from similitude.collect.design.levels import MeetingLevels

__all__ = ["level"]

STEPS, STEPS_A_TUPLE, MOST_STEPS = 4_000, 4, 20_000
"""How long to search: enough for the affine plane of order 4, a second where few items have no level design."""
PATIENCE = 1_500
"""Steps without a better design, after which there is hardly one."""
ROWS = 300
"""Tuples that are looked at for one exchange."""
CANDIDATES = 8
"""How many of the best exchanges are tried, should the first ones make a tuple that exists."""
LONGEST_BAN = 2
"""Steps for which an item may not go back."""


def level(draft: TupleDraft, levels: MeetingLevels, rng: np.random.Generator) -> NDArray[np.intp]:
    """The draft with items exchanged until nothing repeats and pairs are level, or as near as the search came."""
    board = Board(draft, levels)
    best, least, last = board.tuples.copy(), board.faults(), 0
    for step in range(min(STEPS + STEPS_A_TUPLE * len(best), MOST_STEPS)):
        if least <= Faults(0, levels.unavoidable) or step - last > PATIENCE:
            break
        _take_a_step(board, step, rng)
        faults = board.faults()
        if faults < least:
            best, least, last = board.tuples.copy(), faults, step
    return best


def _take_a_step(board: Board, step: int, rng: np.random.Generator) -> None:
    place = board.place_at_fault(rng)
    if place is None:
        return
    rows = _some(len(board.tuples), rng)
    changes = board.changes(place, rows) + 0.5 * rng.random((len(rows), board.tuples.shape[1]))
    changes[board.forbidden(place, rows, step)] = np.inf
    flat = changes.ravel()
    near = np.argpartition(flat, min(CANDIDATES, len(flat) - 1))[:CANDIDATES]
    for candidate in near[np.argsort(flat[near])]:
        row, column = divmod(int(candidate), changes.shape[1])
        if np.isfinite(flat[candidate]) and board.exchange(place, Place(int(rows[row]), column)):
            until = step + rng.integers(1, LONGEST_BAN + 1, size=2)
            board.ban(place, Place(int(rows[row]), column), until)
            return


def _some(tuples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return np.arange(tuples) if tuples <= ROWS else rng.integers(tuples, size=ROWS)
