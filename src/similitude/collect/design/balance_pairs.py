"""Balance pairs: exchange items between tuples until all pairs meet equally often, give or take one.

This is a tabu search that minimises the sum of squared meetings, which is smallest when pairs are balanced. Each step
picks a faulty place, compares the places that it could be exchanged with, and makes the best exchange, even if that is
no improvement. For a few steps an item may not return to its old place, so that the search can leave local optima.
Exchanges never change how often an item appears.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude.collect.design.board import Board, Faults, Place
from similitude.collect.design.first_tuples import TupleDraft
from similitude.collect.design.levels import MeetingLevels
from similitude.data.protocols import Listener

__all__ = ["PATIENCE", "level", "most_steps"]

STEPS, STEPS_A_TUPLE, MOST_STEPS = 4_000, 4, 20_000
"""Limits of the search: enough to find the affine plane of order 4; about a second if no balanced design exists."""
PATIENCE = 1_500
"""The search ends after this many steps without improvement."""
ROWS = 300
"""The number of tuples that are considered for one exchange."""
CANDIDATES = 8
"""The number of exchanges to try, best first, in case one creates a tuple that already exists."""
REPORT = 100
"""Progress is reported every so many steps."""
LONGEST_BAN = 2
"""The largest number of steps for which an item may not return."""


def most_steps(tuples: int) -> int:
    """The largest number of steps of a search."""
    return min(STEPS + STEPS_A_TUPLE * tuples, MOST_STEPS)


def level(
    draft: TupleDraft, levels: MeetingLevels, rng: np.random.Generator, listener: Listener | None = None
) -> NDArray[np.intp]:
    """Exchange items until nothing repeats and pairs are balanced; return the best tuples that the search found."""
    board = Board(draft, levels)
    best, least, last = board.tuples.copy(), board.faults(), 0
    limit = most_steps(len(best))
    for step in range(limit):
        if least <= Faults(0, levels.unavoidable) or step - last > PATIENCE:
            break
        if listener is not None and step % REPORT == 0:
            listener.progress("balancing pairs", step, limit)
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
