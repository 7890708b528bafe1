"""The layout of a selection: the cells that a request divides pairs into, before any pair is taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.collect.candidates.pairs import PairBlock
from similitude.collect.candidates.selection.cells import Cells
from similitude.collect.candidates.selection.directions import DirectedPairs, both_directions, dialogues_left
from similitude.collect.candidates.selection.divisions import (
    Division,
    as_numbers,
    band_division,
    division,
    sorted_names,
)
from similitude.collect.candidates.selection.groups import ChosenGroups, choose_groups
from similitude.collect.candidates.selection.pool import CellTable, Uses
from similitude.collect.candidates.selection.request import SelectionRequest
from similitude.errors import ArgumentError

__all__ = ["Layout", "lay_out"]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """How pairs are divided.

    Attributes:
        pairs: in both directions if they are drawn for groups.
        origins: the position of the pair that each of them is a direction of.
        divisions: the bands, if there are any, and then the columns that items are divided over.
        cells: the cell of each pair.
        items: how many pairs are wanted.
        ranks: what the most contentious pairs are told by; None if they are not asked for.
        groups: which were chosen; None if pairs are not drawn for groups.
    """

    pairs: PairBlock
    origins: NDArray[np.intp]
    divisions: tuple[Division, ...]
    cells: CellTable
    items: int
    ranks: NDArray[np.float64] | None = None
    groups: ChosenGroups | None = None

    def uses(self, most: int | None) -> Uses | None:
        """What pairs use up: their texts, if these may be in a few pairs only, and two texts that can meet in two ways.

        Rows with the same text count as one text: a turn may be both the end of a dialogue and an utterance.

        Args:
            most: how many pairs a text may be in.
        """
        if self.groups is None and most is None:
            return None
        texts = _text_numbers(self.pairs.texts.frame["text"])
        left, right, count = texts[self.pairs.left], texts[self.pairs.right], int(texts.max()) + 1
        never = np.iinfo(np.int64).max
        if self.groups is None:
            ends = np.stack([left, np.where(left == right, count, right)], axis=1)
            return Uses(ends, np.append(np.full(count, most), never))
        meetings = np.unique(np.minimum(left, right) * count + np.maximum(left, right), return_inverse=True)[1]
        limits = np.concatenate([np.full(count, never if most is None else most), np.ones(len(left), np.int64)])
        return Uses(np.stack([right, count + meetings], axis=1), limits)


def _text_numbers(texts: pl.Series) -> NDArray[np.int64]:
    """A number for each row, the same for the same text."""
    return texts.rank("dense").cast(pl.Int64).to_numpy() - 1


def lay_out(pairs: PairBlock, request: SelectionRequest, rng: np.random.Generator) -> Layout:
    """Divide pairs as a request says.

    Raises:
        ArgumentError: there are no pairs, a column is missing or is not of numbers, or nothing is in any cell.
    """
    if not len(pairs):
        raise ArgumentError("there are no pairs to select from", remedy="let more pairs through the filters")
    directed = both_directions(pairs) if request.per else DirectedPairs(dialogues_left(pairs), np.arange(len(pairs)))
    return _for_groups(directed, request, rng) if request.per else _for_all(directed, request)


def _for_all(directed: DirectedPairs, request: SelectionRequest) -> Layout:
    pairs, ranks = directed.pairs, _ranks(directed.pairs, request)
    over = [division(name, shares, pairs) for name, shares in request.shares.items()]
    divisions = (*([_bands(pairs, request)] if request.spread else []), *over)
    cells = Cells.divided(len(pairs), divisions)
    if ranks is not None:
        cells.of[np.isnan(ranks)] = -1
    items = len(pairs) if request.items is None else request.items
    return Layout(pairs, directed.origins, divisions, cells, items, ranks)


def _for_groups(directed: DirectedPairs, request: SelectionRequest, rng: np.random.Generator) -> Layout:
    pairs, origins = _of_own_texts(directed)
    ranks, bands = _ranks(pairs, request), _bands(pairs, request)
    over = [division(name, shares, pairs, of_left=True) for name, shares in request.shares.items()]
    groups = _groups(pairs, str(request.per))
    if ranks is not None:
        groups = np.where(np.isnan(ranks), -1, groups)
    size = len(bands.parts) * request.each
    wanted = None if request.items is None else request.items // size
    if wanted == 0:
        what = f"{request.items} items are fewer than the {size} of one {request.per}"
        raise ArgumentError(what, remedy=f"ask for {size} items at least, or use fewer bands (bins)")
    chosen = choose_groups(groups, bands, over, wanted, request.each, moves=request.short == "note", rng=rng)
    items = size * (chosen.usable if wanted is None else wanted)
    return Layout(pairs, origins, (bands, *over), chosen.cells, items, ranks, chosen)


def _groups(pairs: PairBlock, per: str) -> NDArray[np.int64]:
    """The number of each pair's group; a text without one is a group of its own."""
    frame = pairs.texts.frame
    if per not in frame.columns:
        known = ", ".join(frame.columns)
        raise ArgumentError(f"texts have no column '{per}' to draw pairs per", remedy=f"known: {known}")
    values, codes = sorted_names(frame[per])
    alone = frame[per].is_null().to_numpy()
    codes = np.where(alone, len(values) + np.arange(len(codes)), codes)
    return np.unique(codes[pairs.left], return_inverse=True)[1].astype(np.int64)


def _of_own_texts(directed: DirectedPairs) -> DirectedPairs:
    """The pairs whose left text can be a group's own: a dialogue's last turn, or any text if there are no dialogues.

    Raises:
        ArgumentError: no pair holds a dialogue.
    """
    has_turns = directed.pairs.texts.frame["context"].is_not_null().to_numpy()
    if not has_turns.any():
        return directed
    own = np.flatnonzero(has_turns[directed.pairs.left])
    if not len(own):
        raise ArgumentError("no pair holds a dialogue", remedy="let more pairs through the filters, or leave per out")
    return DirectedPairs(directed.pairs.take(own), directed.origins[own])


def _bands(pairs: PairBlock, request: SelectionRequest) -> Division:
    if request.spread is None:
        return Division("pairs", ("all",), np.zeros(len(pairs), np.int64), np.ones(1))
    return band_division(request.spread, _column(pairs, request.spread), request.bins, request.target)


def _ranks(pairs: PairBlock, request: SelectionRequest) -> NDArray[np.float64] | None:
    if request.contentious is None:
        return None
    return as_numbers(request.contentious, _column(pairs, request.contentious))


def _column(pairs: PairBlock, name: str) -> NDArray[np.float64]:
    if name not in pairs.columns:
        known = ", ".join(pairs.columns) or "none"
        raise ArgumentError(f"pairs have no values of '{name}'", remedy=f"measure it first; there are: {known}")
    return pairs.columns[name]
