"""A selection in numbers and words: why these pairs, what was short, and what the others lacked."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.pairs import STRATA, PairBlock
from similitude.collect.candidates.selection.cells import Cells, Shortage
from similitude.collect.candidates.selection.divisions import Division
from similitude.collect.candidates.selection.layout import Layout
from similitude.collect.candidates.selection.pool import Pool
from similitude.collect.candidates.selection.request import STRATUM, SelectionRequest
from similitude.collect.candidates.steps import BorderExample, Distribution, Step
from similitude.data.plural import agreeing, counted
from similitude.errors import ArgumentError

__all__ = ["cell_names", "selection_step"]

LISTED = 5
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
        notes=tuple(_notes(request, layout, shortages, len(chosen), looked_at)),
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


def explanation(request: SelectionRequest, layout: Layout, chosen: int, before: int, looked_at: int) -> list[str]:
    """How pairs were chosen, in sentences."""
    return [
        f"{chosen:,} of {counted(before, 'pair')} were taken.",
        *_dividing(request, layout),
        _choosing(request, looked_at),
        *_repeated(request),
    ]


def _repeated(request: SelectionRequest) -> list[str]:
    if request.most is None:
        return []
    if request.per is not None:
        return [f"No text is compared with more than {counted(request.most, request.per)}."]
    return [f"No text is in more than {counted(request.most, 'pair')}."]


def _dividing(request: SelectionRequest, layout: Layout) -> list[str]:
    if layout.groups is not None:
        return _per_group(request, layout)
    sentences = []
    for depth, each in enumerate(layout.divisions):
        start = "They are divided" if depth == 0 else "Within each part they are divided"
        sentences.append(f"{start} {_evenly(each)} over {_parts(each)}.")
    return sentences


def _per_group(request: SelectionRequest, layout: Layout) -> list[str]:
    groups, bands, *over = (layout.groups, *layout.divisions)
    assert groups is not None
    drawn = f"{counted(len(groups.chosen), f'{request.per}')} were drawn at random"
    spread = "".join(f", {_evenly(each)} over {_parts(each)}" for each in over)
    of_each = (
        f"{counted(request.each, 'pair')} of each of {_parts(bands)}"
        if len(bands.parts) > 1
        else counted(request.each, "pair")
    )
    return [f"{drawn}{spread}; those with pairs in every band came first.", f"Each of them gives {of_each}."]


def _evenly(division: Division) -> str:
    if division.weights is None:
        return "as they were found"
    weights = division.weights
    return "evenly" if np.all(weights == weights[0]) else f"{' : '.join(f'{weight:g}' for weight in weights)}"


def _parts(division: Division) -> str:
    if division.bands is not None:
        ends = f"from {division.bands.edges[0]:g} to {division.bands.edges[-1]:g}"
        beyond = "; the outer ones hold what lies beyond" if division.bands.is_open else ""
        return f"{counted(len(division.parts), 'band')} of {division.name} ({ends}{beyond})"
    shown = ", ".join(division.parts[:LISTED]) + (", ..." if len(division.parts) > LISTED else "")
    return f"{division.name} ({shown})"


def _choosing(request: SelectionRequest, looked_at: int) -> str:
    if request.diverse is None and request.contentious is None:
        return "Which ones is random."
    if request.diverse is None:
        return f"Those with the largest {request.contentious} were taken; which of equal ones is random."
    among = f" of {looked_at:,}"
    if request.contentious is not None:
        among = f" of the {looked_at:,} with the largest {request.contentious}"
    if request.diverse == "k-center":
        return f"The first{among} was drawn at random, each further one is the farthest from all before (k-center)."
    return f"Each is the one{among} that most improves how well all are represented (facility location)."


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
    cells = layout.groups.cells
    wanted = layout.items // (cells.bands * cells.each)
    bands = f" with pairs in all {cells.bands} bands" if cells.bands > 1 else ""
    short = Shortage(f"{request.per}s{bands}", layout.groups.complete, wanted)
    return [short] if short.has < short.share else []


def _refuse_short(request: SelectionRequest, layout: Layout, shortages: list[Shortage], chosen: int) -> None:
    """Raise if there are too few pairs and that is an error, or none at all."""
    if request.short == "error" and (shortages or chosen < layout.items):
        what = (
            _short_sentence(shortages) if shortages else f"{counted(chosen, 'pair')} where {layout.items:,} are wanted"
        )
        raise ArgumentError(what, remedy=_remedy("accept it with short = 'note'"))
    if not chosen:
        raise ArgumentError("no pair could be selected", remedy=_remedy("look at bins and over"))


def _remedy(last: str) -> str:
    return f"ask for fewer items, use fewer or other bands (bins), let more pairs through the filters, or {last}"


def _short_sentence(shortages: list[Shortage]) -> str:
    shown = "; ".join(f"{each.cell}: {each.has:,} of {each.share:,}" for each in shortages[:LISTED])
    more = f"; and {len(shortages) - LISTED:,} more" if len(shortages) > LISTED else ""
    return f"too few pairs ({shown}{more})"


def _notes(
    request: SelectionRequest, layout: Layout, shortages: list[Shortage], chosen: int, looked_at: int
) -> list[str]:
    notes = []
    if shortages:
        did = "others gave more" if request.short == "note" else "nothing was taken instead"
        notes.append(f"{_short_sentence(shortages)}: {did}")
    if chosen < layout.items and request.items is not None:
        notes.append(f"{chosen:,} items instead of {layout.items:,}: there are not enough pairs")
    if layout.groups is not None and request.items is not None and layout.items < request.items:
        notes.append(f"{layout.items:,} items, not {request.items:,}: every {request.per} gives the same number")
    if request.diverse and looked_at < int((layout.cells.of >= 0).sum()):
        notes.append(
            f"the diverse set was chosen among {agreeing(looked_at, 'pair', 'that was', 'that were')} drawn first"
        )
    return notes
