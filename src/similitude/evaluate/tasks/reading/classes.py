"""The order of classes: as given, numeric, or by known names."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from similitude.data.reading.codes import suspicious_code
from similitude.data.reading.column_names import INFERENCE, plain_name
from similitude.data.reading.problems import excerpt, listing
from similitude.errors import FormatError, InputError
from similitude.evaluate.tasks.reading.rows import TaskRows, refuse
from similitude.stats.arrays import Integers

__all__ = ["DUPLICATE", "RELATED", "REUSE", "Ladder", "Ordered", "is_on", "order_classes"]

Ladder = tuple[frozenset[str], ...]
"""Class names, least similar first; names on one rung are synonyms."""

REUSE: Ladder = (
    frozenset({"non", "none", "no reuse", "non plagiarised", "non plagiarized", "not plagiarised", "not plagiarized"}),
    frozenset({"heavy", "heavy revision"}),
    frozenset({"light", "light revision"}),
    frozenset({"cut", "near", "copy", "near copy", "cut and paste"}),
)
RELATED: Ladder = (frozenset({"unrelated", "not related"}), frozenset({"related"}))
DUPLICATE: Ladder = (
    frozenset({"different", "distinct", "unique", "not duplicate", "no duplicate", "non duplicate"}),
    frozenset({"duplicate", "duplicates", "same"}),
)
TRUTH: Ladder = (frozenset({"no", "n", "false"}), frozenset({"yes", "y", "true"}))
LADDERS = (REUSE, RELATED, DUPLICATE, TRUTH)


class Ordered(NamedTuple):
    """Classes, least similar first, and the class of each row as an index."""

    classes: tuple[str, ...]
    labels: Integers


def order_classes(rows: TaskRows, chosen: Sequence[str] | None) -> Ordered:
    """The classes of a table's column ``label``, in order.

    Args:
        rows: a table with a label in every row; case, hyphens and underscores are ignored.
        chosen: the order, if given.

    Raises:
        InputError: a label is not among the given classes, a class has fewer than two members, or the order is unknown.
    """
    plain = [_plain(label) for label in rows["label"]]
    spelt = {name: rows["label"][row] for row, name in reversed(list(enumerate(plain)))}
    order = [_plain(name) for name in chosen] if chosen else _known_order(rows, dict.fromkeys(plain))
    _check_labels(rows, plain, order)
    places = {name: place for place, name in enumerate(order)}
    labels = np.array([places[name] for name in plain])
    return Ordered(tuple(spelt[name] for name in order), labels)


def is_on(ladder: Ladder, labels: Sequence[str]) -> bool:
    """Whether all labels are names on this ladder.

    >>> is_on(REUSE, ["cut", "Light"]), is_on(REUSE, ["yes", "no"])
    (True, False)
    """
    return frozenset(map(_plain, labels)) <= frozenset().union(*ladder)


def _plain(label: str) -> str:
    """A label as it is compared: hyphens and underscores are blanks, but the sign of a number stays."""
    return label.strip() if _number(label) is not None else re.sub(r"[\s_-]+", " ", label.casefold())


def _known_order(rows: TaskRows, names: dict[str, None]) -> list[str]:
    numbers = {name: number for name in names if (number := _number(name)) is not None}
    if len(numbers) == len(names):
        _refuse_same(rows, numbers)
        _refuse_code(rows, numbers)
        _refuse_doubtful(rows, numbers)
        return sorted(numbers, key=lambda name: numbers[name])
    ladder = next((ladder for ladder in LADDERS if is_on(ladder, list(names))), None)
    if ladder is None:
        raise _unknown_order(rows, list(names))
    rungs = [[name for name in names if name in rung] for rung in ladder]
    for rung in rungs:
        if len(rung) > 1:
            what = f"{excerpt(rung[0])} and {excerpt(rung[1])} mean the same class"
            raise InputError(what, where=rows.file, remedy="use one name, or state the order of the classes")
    return [name for rung in rungs for name in rung]


def _unknown_order(rows: TaskRows, names: list[str]) -> FormatError:
    what = f"the order of the classes is unknown: {listing(names)}"
    remedy = f"state it, least similar first: classes = {names} in task.toml, or --classes '{','.join(names)}'"
    return FormatError(what, where=rows.file, remedy=remedy)


def _refuse_doubtful(rows: TaskRows, numbers: dict[str, float]) -> None:
    """Check that the numbers of classes tell their order.

    Raises:
        FormatError: they are 1 and 2, where 1 often means yes, or the classes of inference, where 0 is entailment.
    """
    texts = plain_name(rows.theirs.get("left", "")), plain_name(rows.theirs.get("right", ""))
    if set(numbers.values()) == {1.0, 2.0} or texts == INFERENCE:
        raise _unknown_order(rows, sorted(numbers, key=lambda name: numbers[name]))


def _refuse_same(rows: TaskRows, numbers: dict[str, float]) -> None:
    """Check that no number is written in two ways.

    Raises:
        InputError: one is.
    """
    first: dict[float, str] = {}
    for name, number in numbers.items():
        if first.setdefault(number, name) != name:
            what = f"{excerpt(first[number])} and {excerpt(name)} are the same number"
            raise InputError(what, where=rows.file, remedy="write each label in one way")


def _refuse_code(rows: TaskRows, numbers: dict[str, float]) -> None:
    """Check that no label is a code for one that is hidden or missing, such as -1 among 0 and 1.

    Raises:
        InputError: one is likely to be.
    """
    code = suspicious_code(np.array(list(numbers.values()))) if len(numbers) > 2 else None
    if code is None:
        return
    name = next(name for name, number in numbers.items() if number == code)
    row = [_plain(label) for label in rows["label"]].index(name)
    count = [_plain(label) for label in rows["label"]].count(name)
    raise InputError(
        f"label {excerpt(name)} ({count:,} rows) looks like a code for a label that is hidden or missing",
        where=rows.table.where(row),
        remedy=f"remove these rows; or, if it is a class, state the order of the classes: classes = "
        f"{sorted(numbers, key=lambda each: numbers[each])} in task.toml, or classes= in Python",
    )


def _number(name: str) -> float | None:
    try:
        number = float(name)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _check_labels(rows: TaskRows, plain: Sequence[str], order: Sequence[str]) -> None:
    counts = {name: plain.count(name) for name in order}
    remedy = f"known: {listing(order)}"
    refuse(
        rows.table.problem(row, f"{excerpt(name)} is not one of the classes", remedy)
        for row, name in enumerate(plain)
        if name not in counts
    )
    if len(order) < 2:
        what = f"all rows are of one class, {listing(order)}"
        raise InputError(what, where=rows.file, remedy="give members of at least two classes")
    for name, count in counts.items():
        if count == 0:
            raise InputError(f"class {excerpt(name)} has no member", where=rows.file, remedy="remove it from classes")
        if count == 1:
            what = f"class {excerpt(name)} has one member, which cannot be both trained on and tested"
            where = rows.table.where(plain.index(name))
            raise InputError(what, where=where, remedy="add members to that class, or remove it")
