"""Tables of predictions without column names: a score alone, id and score, or score and confidence."""

from __future__ import annotations

import numpy as np

from similitude.data.reading.predictions.ids import is_running
from similitude.data.reading.predictions.roles import Candidates, Roles, ask
from similitude.data.reading.problems import excerpt

__all__ = ["headless_roles"]


def headless_roles(candidates: Candidates, named: dict[str, str]) -> Roles:
    """Tell the columns of a table without names apart by their values.

    Raises:
        ColumnError: the values fit more than one reading.
    """
    if "score" in named:
        return _with_score(candidates, named)
    free = candidates.free()
    if len(free) == 1:
        return Roles(score=free[0], id=named.get("id"), sigma=named.get("sigma"))
    if len(free) == 2 and not named and "id" not in candidates.chosen:
        return _two_columns(candidates, *free)
    what = f"{len(candidates.columns)} columns without names, of which {len(free)} may hold the scores"
    raise ask(candidates, what)


def _with_score(candidates: Candidates, named: dict[str, str]) -> Roles:
    """The score is known; another column holds the ids if its values are those of the items."""
    rest = [name for name in candidates.columns if name not in named.values()]
    ids = [] if "id" in candidates.chosen else [name for name in rest if candidates.match(name).covers]
    if len(ids) > 1 or any(not candidates.match(name).in_order and name in candidates.numeric for name in ids):
        raise ask(candidates, f"column {ids[0]} may hold ids or not")
    return Roles(score=named["score"], id=named.get("id") or next(iter(ids), None), sigma=named.get("sigma"), sure=True)


def _two_columns(candidates: Candidates, first: str, second: str) -> Roles:
    for one, other in ((first, second), (second, first)):
        if other in candidates.numeric and candidates.match(one).fits:
            return _id_and_score(candidates, one, other)
    if candidates.match(first).fits or (first not in candidates.numeric and second in candidates.numeric):
        return Roles(score=second, id=first)
    if not {first, second} <= candidates.numeric:
        what = f"one column may hold scores, and the other no ids of the items: {excerpt(_first_row(candidates))}"
        raise ask(candidates, what)
    if _is_confidence(candidates, first, second):
        note = f"column {second} is not used: it lies off the range of the scores, as a confidence does"
        return Roles(score=first, notes=(note,))
    if is_running(candidates.numbers(first)):
        what = f"column {first} counts the rows, but the ids of the items are others ({candidates.ids[0]!r}, ...)"
        raise ask(candidates, what)
    raise ask(candidates, _doubt(candidates, first, second))


def _id_and_score(candidates: Candidates, ids: str, score: str) -> Roles:
    match = candidates.match(ids)
    if is_running(candidates.numbers(ids)) and not match.in_order:
        what = f"column {ids} counts the rows, and the items have these ids in another order"
        raise ask(candidates, what)
    if not _has_decimals(candidates, score) and candidates.match(score).fits:
        raise ask(candidates, "both columns hold ids of the items")
    note = f"no header: column {ids} holds the ids of the items, column {score} the scores"
    return Roles(score=score, id=ids, notes=(note,))


def _is_confidence(candidates: Candidates, first: str, second: str) -> bool:
    """Whether the first column lies on the range of the predictions, and the second clearly does not.

    Scores have decimals and ids do not; confidences at SemEval reach 100, or are the same for all items.
    """
    scores, others, scale = candidates.numbers(first), candidates.numbers(second), candidates.range
    if not _has_decimals(candidates, first) or np.isnan(others).any():
        return False
    if len(others) > 2 and np.ptp(others) == 0:
        return True
    if scale is None or not scale.holds(scores[np.isfinite(scores)]).all():
        return False
    return bool(others.max() > scale.high + scale.width and others.min() >= 0 and others.max() <= 100)


def _has_decimals(candidates: Candidates, name: str) -> bool:
    numbers = candidates.numbers(name)
    return bool((numbers[np.isfinite(numbers)] % 1 != 0).any())


def _doubt(candidates: Candidates, first: str, second: str) -> str:
    if candidates.cells.decimal == "." and candidates.table.details.get("separator") in (",", "comma"):
        return "two columns of numbers without names, or one with decimal commas (--predictions-decimal ,)"
    return f"two columns of numbers without names, such as {excerpt(_first_row(candidates))}"


def _first_row(candidates: Candidates) -> str:
    return " ".join(str(column[0]) for column in candidates.table.columns.values())
