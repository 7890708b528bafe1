"""Scores that cannot be predictions are refused; what was understood, and what is likely to be wrong, is kept."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from similitude.data.provenance import FileReading, Provenance
from similitude.data.reading.codes import suspicious_code
from similitude.data.reading.predictions.ids import is_running
from similitude.data.reading.predictions.numbers import Numbers
from similitude.data.reading.predictions.roles import FLAG, Candidates, Roles, ask
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.tables import RawTable
from similitude.data.scale import Scale
from similitude.errors import InputError

__all__ = [
    "provenance_of",
    "refuse_code",
    "refuse_moved_gold",
    "refuse_negative",
    "refuse_row_numbers",
    "refuse_shifted_ids",
    "refuse_sorted",
]

DISTINCT = 5
"""With fewer different scores, two columns may hold the same ones by chance."""

FEW = 10
"""With fewer scores, it means little that all of them lie in 0..1."""


def refuse_row_numbers(candidates: Candidates, roles: Roles, scores: Numbers) -> None:
    """Check that the scores do not count the rows, unless the user named their column.

    Raises:
        ColumnError: they do.
    """
    if is_running(scores) and not roles.sure:
        what = f"the scores in column {excerpt(roles.score)} only count the rows ({scores[0]:g} to {scores[-1]:g})"
        raise ask(candidates, what)


def refuse_shifted_ids(candidates: Candidates, roles: Roles) -> None:
    """Check that ids from 0 are not matched with items that are numbered from 1, unless the user named their column.

    Raises:
        ColumnError: they would be, and each prediction may belong to the item after.
    """
    if roles.id is None or "id" in candidates.chosen:
        return
    match = candidates.match(roles.id)
    if match.covers and "0" in match.keys and match.wanted == [str(1 + row) for row in range(len(match.wanted))]:
        what = f"column {excerpt(roles.id)} counts from 0, and the ids of the items count from 1"
        raise ask(candidates, what)


def refuse_code(candidates: Candidates, roles: Roles, scores: Numbers) -> None:
    """Check that no score is a code for an answer that was missing, such as -1 among scores from 0 to 5.

    Raises:
        InputError: a score off the range is so far from all others that it is likely to be a code.
    """
    code = suspicious_code(scores)
    if code is None or (candidates.range is not None and candidates.range.holds(np.array([code])).all()):
        return
    others = scores[np.isfinite(scores) & (scores != code)]
    low, high = float(others.min()), float(others.max())
    rows = np.flatnonzero(scores == code)
    raise InputError(
        f"{code:g} in column {excerpt(roles.score)} ({rows.size:,} times), but all others lie within {low:g}..{high:g}",
        where=candidates.table.where(int(rows[0])),
        remedy=f"if it means that the prediction is missing: --predictions-missing {code:g}; if not: "
        f"--range {min(code, low):g}..{1 if code == -1 and high <= 1 else max(code, high):g}",
    )


def refuse_moved_gold(candidates: Candidates, roles: Roles, order: NDArray[np.intp], gold: Numbers) -> None:
    """Check that gold in a table without ids comes in the order of the items, unless the user said that the rows do.

    Args:
        candidates: the table.
        roles: its columns.
        order: the row of each item.
        gold: the scores of the items.

    Raises:
        InputError: a column holds the scores of the items in another order.
    """
    if roles.id is not None or "id" in candidates.chosen or len(np.unique(gold)) < DISTINCT:
        return
    for name in candidates.free([roles.score]):
        there = candidates.numbers(name)[order] if name in candidates.numeric else np.array([])
        moved = _moved(there, gold)
        if moved is not None:
            what = f"column {excerpt(name)} holds the gold in another order: {there[moved]:g}, where item "
            raise InputError(
                f"{what}{excerpt(candidates.ids[moved])} has {gold[moved]:g}",
                where=candidates.table.where(int(order[moved])),
                remedy=f"give the ids of the items in a column, or match the rows in order with {FLAG} id=",
            )


def refuse_sorted(candidates: Candidates, roles: Roles, scores: Numbers, gold: Numbers) -> None:
    """Check that rows that are matched in order are not sorted by score, unless the user said that the rows do.

    Args:
        candidates: the table.
        roles: its columns.
        scores: the scores in the order of the rows.
        gold: the scores of the items.

    Raises:
        ColumnError: the scores only fall or only grow, and the gold does not.
    """
    if roles.id is not None or roles.texts or "id" in candidates.chosen or len(np.unique(scores)) < DISTINCT:
        return
    for sign in (1, -1):
        if len(scores) >= FEW and (np.diff(sign * scores) >= 0).all() and not (np.diff(sign * gold) >= 0).all():
            what = f"the rows are sorted by column {excerpt(roles.score)}, and nothing says which item each belongs to"
            raise ask(candidates, what)


def _moved(there: Numbers, gold: Numbers) -> int | None:
    """The first place where the same numbers differ in order; None if they do not, or are others."""
    if there.shape != gold.shape or not np.allclose(np.sort(there), np.sort(gold), equal_nan=True):
        return None
    moved = np.flatnonzero(~np.isclose(there, gold, equal_nan=True))
    return int(moved[0]) if moved.size else None


def refuse_negative(table: RawTable, roles: Roles, sigmas: Numbers | None) -> None:
    """Check that no standard deviation is negative.

    Raises:
        InputError: one is.
    """
    if sigmas is None or not (sigmas < 0).any():
        return
    row = int(np.flatnonzero(sigmas < 0)[0])
    what = f"{sigmas[row]:g} in column {excerpt(roles.sigma)} is below 0"
    remedy = "a standard deviation is 0 or more; leave the column out with --predictions-column sigma="
    raise InputError(what, where=table.where(row), remedy=remedy)


def provenance_of(candidates: Candidates, roles: Roles, scores: Numbers) -> Provenance:
    """How the table was understood.

    Args:
        candidates: the table.
        roles: its columns.
        scores: the scores in the order of the items.
    """
    table = candidates.table
    match = None if roles.id is None else candidates.match(roles.id)
    reading = _reading(candidates, roles, len(scores))
    unused = [f"columns not used: {listing(reading.unused)}"] if reading.unused else []
    notes = [*table.notes, *roles.notes, *([] if match is None else match.notes(table)), *unused]
    return Provenance(
        files=(table.file,),
        format="predictions",
        notes=tuple(note.removeprefix(f"{table.file}: ") for note in notes),
        warnings=tuple(_warnings(candidates, scores)),
        readings=(reading,),
    )


def _reading(candidates: Candidates, roles: Roles, items: int) -> FileReading:
    table = candidates.table
    used = {"id": roles.id, **roles.texts, "score": roles.score, "sigma": roles.sigma}
    matched = "by texts" if roles.texts else "by row" if roles.id is None else "by id"
    return FileReading(
        file=table.file,
        container=table.container,
        layout="predictions",
        rows=len(table),
        kept=items,
        columns={ours: theirs for ours, theirs in used.items() if theirs is not None},
        unused=tuple(name for name in table.columns if name not in used.values()),
        details={**table.details, "matched": matched},
        missing=candidates.cells.plain(table.columns[roles.score]).missing,
    )


def _warnings(candidates: Candidates, scores: Numbers) -> list[str]:
    """What is likely to be wrong with scores that can be read."""
    blank = np.flatnonzero(np.isnan(scores))
    there = scores[~np.isnan(scores)]
    missing = [_missing(candidates.ids, blank.tolist())] if blank.size else []
    same = [f"all predictions are {there[0]:g}"] if there.size > 1 and np.ptp(there) == 0 else []
    return [*missing, *same, *_off_range(candidates.range, there)]


def _missing(ids: Sequence[str], blank: Sequence[int]) -> str:
    first = excerpt(ids[blank[0]])
    some = f"item {first}" if len(blank) == 1 else f"items {first}, ..."
    return f"{len(blank):,} of {len(ids):,} predictions are missing ({some})"


def _off_range(scale: Scale | None, scores: Numbers) -> list[str]:
    if scale is None or scores.size < 2:
        return []
    low, high = float(scores.min()), float(scores.max())
    off = int((~scale.holds(scores)).sum())
    if off:
        return [
            f"{off:,} of {scores.size:,} predictions lie off the range {scale}: they reach from {low:g} to {high:g}"
        ]
    if scale.low <= 0 and scale.high > 1 and low >= 0 and high <= 1 and scores.size >= FEW:
        return [f"all predictions lie in 0..1, and the range is taken as {scale}; if it is 0..1, say --range 0..1"]
    return []
