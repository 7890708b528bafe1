"""A selection in words: how pairs were chosen, and what was short."""

from __future__ import annotations

import numpy as np

from similitude.collect.candidates.selection.cells import Shortage
from similitude.collect.candidates.selection.divisions import Division
from similitude.collect.candidates.selection.groups import ChosenGroups
from similitude.collect.candidates.selection.layout import Layout
from similitude.collect.candidates.selection.request import SelectionRequest
from similitude.data.plural import agreeing, counted

__all__ = ["explanation", "notes", "short_sentence"]

LISTED = 5
"""So many parts are named."""


def explanation(request: SelectionRequest, layout: Layout, chosen: int, before: int, looked_at: int) -> list[str]:
    """How pairs were chosen, in sentences."""
    if chosen == before:
        return [f"All of {counted(before, 'pair')} were taken." if before > 1 else "The only pair was taken."]
    return [
        f"{chosen:,} of {counted(before, 'pair')} {'was' if chosen == 1 else 'were'} taken.",
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
        return _per_group(request, layout.groups, layout.divisions)
    sentences = []
    for depth, each in enumerate(layout.divisions):
        start = "They are divided" if depth == 0 else "Within each part they are divided"
        sentences.append(f"{start} {_evenly(each)} over {_parts(each)}.")
    return sentences


def _per_group(request: SelectionRequest, groups: ChosenGroups, divisions: tuple[Division, ...]) -> list[str]:
    bands, *over = divisions
    drawn = f"{agreeing(len(groups.chosen), str(request.per), 'was', 'were')} drawn at random"
    spread = "".join(f", {_evenly(each)} over {_parts(each)}" for each in over)
    gives = f"Each of them gives {counted(request.each, 'pair')}"
    if len(bands.parts) == 1:
        return [f"{drawn}{spread}.", f"{gives}."]
    return [f"{drawn}{spread}; those with pairs in every band came first.", f"{gives} of each of {_parts(bands)}."]


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


def notes(
    request: SelectionRequest, layout: Layout, shortages: list[Shortage], chosen: int, looked_at: int
) -> list[str]:
    """What a user should know: parts that were short, numbers that were not reached."""
    said = []
    if shortages:
        did = "others gave more" if request.short == "note" else "nothing was taken instead"
        said.append(f"{short_sentence(shortages)}: {did}")
    if chosen < layout.items and request.items is not None:
        said.append(f"{chosen:,} items instead of {layout.items:,}: there are not enough pairs")
    if layout.groups is not None and request.items is not None and layout.items < request.items:
        said.append(f"{layout.items:,} items, not {request.items:,}: every {request.per} gives the same number")
    if request.diverse and looked_at < int((layout.cells.of >= 0).sum()):
        said.append(
            f"the diverse set was chosen among {agreeing(looked_at, 'pair', 'that was', 'that were')} drawn first"
        )
    return said


def short_sentence(shortages: list[Shortage]) -> str:
    """Which parts had too few pairs, the first of them by name.

    >>> short_sentence([Shortage("cosine below 0.2", 3, 20)])
    'too few pairs (cosine below 0.2: 3 of 20)'
    """
    shown = "; ".join(f"{each.cell}: {each.has:,} of {each.share:,}" for each in shortages[:LISTED])
    more = f"; and {len(shortages) - LISTED:,} more" if len(shortages) > LISTED else ""
    return f"too few pairs ({shown}{more})"
