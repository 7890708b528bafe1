"""Selection: from all pairs that passed the filters to those that people will judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.pairs import PairBlock
from similitude.collect.candidates.selection.facility_location import take_facilities
from similitude.collect.candidates.selection.k_center import take_k_centers
from similitude.collect.candidates.selection.layout import Layout, lay_out
from similitude.collect.candidates.selection.ordered_draw import preference, take_in_order
from similitude.collect.candidates.selection.pair_vectors import most_pairs, pair_vectors
from similitude.collect.candidates.selection.pool import Pool
from similitude.collect.candidates.selection.quotas import divide
from similitude.collect.candidates.selection.request import STRATUM, TURNS, SelectionRequest
from similitude.collect.candidates.selection.selection_step import cell_names, selection_step
from similitude.collect.candidates.steps import Step
from similitude.data.listeners import OptionalListener
from similitude.data.protocols import Listener
from similitude.data.texts import Texts

__all__ = ["Selection", "select", "to_measure"]

SHORTLIST = 10
"""A diverse set of contentious pairs is chosen from so many times its size."""

_DIVERSE: Final[Mapping[str, Callable[..., None]]] = {
    "k-center": take_k_centers,
    "facility-location": take_facilities,
}


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """The pairs that were chosen.

    Attributes:
        pairs: in the order in which they came. A dialogue is on the left; if pairs were drawn for groups, the group's
            text is.
        positions: of each among the pairs that there were.
        cells: what each was drawn from, such as "cosine 0.2 to 0.4, source news".
        step: how many there were, and why these were chosen, in numbers and in words.
    """

    pairs: PairBlock
    positions: NDArray[np.intp]
    cells: tuple[str, ...]
    step: Step


def to_measure(request: SelectionRequest, texts: Texts) -> tuple[str, ...]:
    """The names that must be columns of the pairs before they can be selected.

    >>> request = SelectionRequest(items=9, spread="cosine", over=["source", "chars", "stratum"])
    >>> to_measure(request, Texts.from_list(["a"]))
    ('cosine', 'chars')
    """
    of_pairs = {request.spread, request.contentious}
    known = {STRATUM, TURNS, *texts.frame.columns}
    return tuple(name for name in request.names if name in of_pairs or name not in known)


def select(
    pairs: PairBlock, request: SelectionRequest, *, rng: np.random.Generator, listener: Listener | None = None
) -> Selection:
    """Choose pairs.

    Args:
        pairs: all that there are, with a column for each name of `to_measure`.
        request: how many, and which.
        rng: the source of randomness; the same seed gives the same pairs.
        listener: hears progress and notes.

    Raises:
        ArgumentError: a column is missing or is not of numbers, there are no vectors for a diverse set, or there are
            too few pairs and the request says that this is an error.
    """
    hears = OptionalListener(listener)
    layout = lay_out(pairs, request, rng)
    pool = Pool(layout.cells, layout.uses(request.most))
    take, looked_at = _method(pool, layout, request, rng, hears)
    _fill(pool, layout, take, rng, moves=request.short == "note")
    taken = np.sort(pool.all_taken())
    step = selection_step(pairs, request, layout, pool, looked_at)
    for note in step.notes:
        hears.note(note)
    return Selection(layout.pairs.take(taken), layout.origins[taken], cell_names(layout, taken), step)


def _fill(pool: Pool, layout: Layout, take: Callable[[], None], rng: np.random.Generator, *, moves: bool) -> None:
    """Take pairs until there are as many as were asked for, or no cell that may give more has any.

    Texts that are used up can leave a cell with fewer pairs than it had; then the others are asked again.
    """
    has_progressed = True
    while has_progressed:
        before = len(pool.all_taken())
        quotas = layout.cells.quotas(layout.items, pool.available(), rng, moves=moves)
        missing = np.maximum(quotas - layout.cells.counts(pool.all_taken()), 0)
        left = np.array([layout.items - before])
        pool.quotas[:] = divide(left, np.zeros(len(missing), np.int64), missing.astype(np.float64), missing, rng)
        if pool.quotas.any():
            take()
            pool.drop_used_up()
        has_progressed = moves and before < len(pool.all_taken()) < layout.items


def _method(
    pool: Pool, layout: Layout, request: SelectionRequest, rng: np.random.Generator, hears: OptionalListener
) -> tuple[Callable[[], None], int]:
    """What fills the quotas of the pool, and among how many pairs it chooses."""
    places = preference(layout.ranks, len(layout.pairs), rng)
    if request.diverse is None:
        return (lambda: take_in_order(pool, places)), int(pool.can_be_taken.sum())
    room = most_pairs(layout.pairs.vectors)
    if layout.ranks is not None:
        room = min(room, SHORTLIST * layout.items)
    looked_at = _shortlist(pool, layout, places, room, rng)
    vectors, chosen = pair_vectors(layout.pairs, looked_at), _DIVERSE[request.diverse]
    pool.keep_only(looked_at)
    return (lambda: chosen(pool, looked_at, vectors, rng, hears)), len(looked_at)


def _shortlist(
    pool: Pool, layout: Layout, places: NDArray[np.int64], room: int, rng: np.random.Generator
) -> NDArray[np.intp]:
    """The first pairs in order of each cell, as many as there is room for: in proportion to what cells are to give."""
    available = pool.available()
    quotas = layout.cells.quotas(layout.items, available, rng, moves=True)
    shares = divide(np.array([room]), np.zeros(len(quotas), np.int64), np.maximum(quotas, 0.5), available, rng)
    waiting = np.flatnonzero(pool.can_be_taken)
    waiting = waiting[np.lexsort((places[waiting], pool.of[waiting]))]
    cells = pool.of[waiting]
    return np.sort(waiting[np.arange(len(waiting)) - np.searchsorted(cells, cells) < shares[cells]])
