"""The step of a selection: what was taken, why the others were not, and distributions before and after."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.pairs import STRATA, PairBlock
from similitude.collect.candidates.selection.cells import Cells, Shortage
from similitude.collect.candidates.selection.explanation import explanation, notes, short_sentence
from similitude.collect.candidates.selection.groups import ChosenGroups
from similitude.collect.candidates.selection.layout import Layout
from similitude.collect.candidates.selection.pool import Pool
from similitude.collect.candidates.selection.request import STRATUM, SelectionRequest
from similitude.collect.candidates.steps import BorderExample, Distribution, Step
from similitude.data.plural import counted
from similitude.errors import ArgumentError

__all__ = ["cell_names", "selection_step"]

CELLS = 200
"""So many cells are listed with their numbers."""
EXAMPLES = 3
"""On either side of the border between the pairs that are contentious enough and those that are not."""

NOT_DRAWN, TEXT_USED, NO_GROUP, NO_PART, NO_VALUE, NO_DIALOGUE = range(1, 7)
_REASONS: Final = {
    NOT_DRAWN: "not drawn",
    TEXT_USED: "another pair with the same text was drawn",
    NO_GROUP: "its group was not drawn",
    NO_PART: "outside of all bands or shares",
    NO_VALUE: "no value to be drawn by",
    NO_DIALOGUE: "neither text is the last turn of a dialogue",
}


def cell_names(layout: Layout, pairs: NDArray[np.intp]) -> tuple[str, ...]:
    """What each of these pairs was drawn from: its part of every division, such as "cosine 0.2 to 0.4, source news"."""
    shown = [division for division in layout.divisions if len(division.parts) > 1]
    columns = [[f"{each.name} {each.parts[code]}" for code in each.codes[pairs].tolist()] for each in shown]
    return tuple(", ".join(parts) for parts in zip(*columns, strict=True)) if columns else ("all",) * len(pairs)


def selection_step(pairs: PairBlock, request: SelectionRequest, layout: Layout, pool: Pool, looked_at: int) -> Step:
    """The step of a selection.

    Args:
        pairs: all that there were.
        request: what was asked for.
        layout: how they were divided.
        pool: what was taken.
        looked_at: among how many pairs a method chose.

    Raises:
        ArgumentError: there were too few pairs and the request says that this is an error.
    """
    taken = pool.all_taken()
    chosen = np.unique(layout.origins[taken])
    shortages = _shortages(request, layout, pool)
    _refuse_short(request, layout, shortages, len(chosen))
    return Step(
        name="select",
        of="pairs",
        before=len(pairs),
        after=len(chosen),
        losses=_losses(len(pairs), layout, pool),
        facts={
            "explanation": explanation(request, layout, len(chosen), len(pairs), looked_at),
            "cells": _cell_facts(layout, taken),
        },
        examples=_border(layout, taken),
        distributions=tuple(_distributions(pairs, layout, taken, chosen)),
        notes=tuple(notes(request, layout, shortages, len(chosen), looked_at)),
    )


def _losses(pairs: int, layout: Layout, pool: Pool) -> dict[str, int]:
    """How many pairs were not taken, by reason; of two directions, the reason of the one that came further.

    A pair without any direction holds no dialogue.
    """
    reasons = np.where(pool.can_be_taken, NOT_DRAWN, TEXT_USED)
    reasons[pool.kept_out] = NOT_DRAWN
    reasons[pool.of < 0] = NO_GROUP
    for division in layout.divisions:
        reasons[division.codes < 0] = NO_PART
    if layout.ranks is not None:
        reasons[np.isnan(layout.ranks)] = NO_VALUE
    reasons[pool.all_taken()] = 0
    least = np.full(pairs, NO_DIALOGUE)
    np.minimum.at(least, layout.origins, reasons)
    counts = np.bincount(least, minlength=NO_DIALOGUE + 1).tolist()
    return {reason: counts[code] for code, reason in _REASONS.items() if counts[code]}


def _cell_facts(layout: Layout, taken: NDArray[np.intp]) -> list[dict[str, Any]]:
    """The numbers of each cell, unless there are groups or very many cells."""
    cells = layout.cells
    if not isinstance(cells, Cells) or not cells.levels or len(cells) > CELLS:
        return []
    found, got = cells.counts(), cells.counts(taken)
    last = len(cells.levels) - 1
    return [
        {"cell": cells.name(last, cell), "found": int(found[cell]), "taken": int(got[cell])}
        for cell in range(len(cells))
    ]


def _distributions(
    pairs: PairBlock, layout: Layout, taken: NDArray[np.intp], chosen: NDArray[np.intp]
) -> list[Distribution]:
    found = []
    once = np.unique(layout.origins, return_index=True)[1]  # of pairs that have two directions, one
    for each in layout.divisions:
        edges = each.parts if each.bands is None else each.bands.edges
        before, after = each.codes[once], each.codes[taken]
        if len(each.parts) > 1:
            found.append(_distribution(each.name, edges, before[before >= 0], after, len(each.parts)))
    if all(each.name != STRATUM for each in layout.divisions):
        found.append(_distribution(STRATUM, STRATA, pairs.strata, pairs.strata[chosen], len(STRATA)))
    if layout.ranks is not None and np.isfinite(layout.ranks).any():
        found.append(_of_ranks(layout.ranks[once], layout.ranks[taken]))
    return found


def _distribution(name: str, edges: Any, before: NDArray[Any], after: NDArray[Any], count: int) -> Distribution:
    sums = (np.bincount(codes, minlength=count).tolist() for codes in (before, after))
    return Distribution(name=name, edges=tuple(edges), before=tuple(next(sums)), after=tuple(next(sums)))


def _of_ranks(before: NDArray[np.float64], after: NDArray[np.float64]) -> Distribution:
    finite = before[np.isfinite(before)]
    edges = np.histogram_bin_edges(finite, 20)
    counts = (tuple(np.histogram(values, edges)[0].tolist()) for values in (finite, after))
    return Distribution(name="contentious", edges=tuple(edges.tolist()), before=next(counts), after=next(counts))


def _border(layout: Layout, taken: NDArray[np.intp]) -> tuple[BorderExample, ...]:
    """The least contentious pairs that were taken, and the most contentious ones that were not."""
    if layout.ranks is None:
        return ()
    is_taken = np.zeros(len(layout.pairs), np.bool_)
    is_taken[taken] = True
    ranks = np.where(is_taken | np.isnan(layout.ranks), -np.inf, layout.ranks)
    refused = np.argsort(-ranks, kind="stable")[:EXAMPLES]
    refused = refused[np.isfinite(ranks[refused])]
    last = taken[np.argsort(layout.ranks[taken], kind="stable")[:EXAMPLES]]
    return tuple(_example(layout, row, bool(is_taken[row])) for row in (*last.tolist(), *refused.tolist()))


def _example(layout: Layout, row: int, is_kept: bool) -> BorderExample:
    assert layout.ranks is not None
    texts = layout.pairs.texts.frame["text"]
    left, right = texts[int(layout.pairs.left[row])], texts[int(layout.pairs.right[row])]
    return BorderExample(left=left, right=right, value=round(float(layout.ranks[row]), 6), is_kept=is_kept)


def _shortages(request: SelectionRequest, layout: Layout, pool: Pool) -> list[Shortage]:
    if isinstance(layout.cells, Cells):
        return layout.cells.shortages(layout.cells.counts(pool.all_taken()), layout.items, pool.available())
    if layout.groups is None:
        return []
    return _group_shortages(str(request.per), layout.groups, layout.items)


def _group_shortages(per: str, groups: ChosenGroups, items: int) -> list[Shortage]:
    """Too few groups with pairs in all bands, or in a part that they are divided over."""
    cells, over = groups.cells, groups.over
    wanted = items // (cells.bands * cells.each)
    bands = f" with pairs in all {cells.bands} bands" if cells.bands > 1 else ""
    whole = Shortage(f"{per}s{bands}", groups.complete, wanted)
    parts = over.shortages(over.counts(groups.chosen), wanted, over.counts())
    found = [whole] if whole.has < whole.share else []
    return found + [each._replace(cell=f"{per}s of {each.cell}") for each in parts]


def _refuse_short(request: SelectionRequest, layout: Layout, shortages: list[Shortage], chosen: int) -> None:
    """Raise if there are too few pairs and that is an error, or none at all."""
    if request.short == "error" and (shortages or chosen < layout.items):
        what = (
            short_sentence(shortages) if shortages else f"{counted(chosen, 'pair')} where {layout.items:,} are wanted"
        )
        raise ArgumentError(what, remedy=_remedy("accept it with short = 'note'"))
    if not chosen:
        raise ArgumentError("no pair could be selected", remedy=_remedy("look at bins and over"))


def _remedy(last: str) -> str:
    return f"ask for fewer items, use fewer or other bands (bins), let more pairs through the filters, or {last}"
