"""Checks of wide tables: counts, cross tables, and columns that are no raters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

import numpy as np

from similitude.data.reading.codes import suspicious_code
from similitude.data.reading.column_names import find_column
from similitude.data.reading.judgements.column_flags import flags
from similitude.data.reading.judgements.column_names import ALIASES
from similitude.data.reading.judgements.column_roles import (
    ITEM_KEYS,
    RATER_KEYS,
    WideColumn,
    named_like_questions,
    named_like_raters,
    named_like_units,
    plain,
)
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = [
    "refuse_constants",
    "refuse_counts",
    "refuse_cross_table",
    "refuse_odd_ranges",
    "refuse_one_answer",
    "refuse_strange_items",
    "refuse_strangers",
]

LONG = 8
"""A column that never varies over as many rows is no likely rater."""

LADDER = (5.0, 7.0, 10.0, 100.0, 1000.0, float("inf"))
FAR = 4.0
"""Two columns are on different ranges if the ends of their usual scales differ by this factor."""

ONE_ROW_PER_ITEM = "give one row for each item, with the answers of both raters"


def refuse_cross_table(
    table: RawTable, columns: Mapping[str, WideColumn], key: str | None, values: Sequence[str]
) -> None:
    """Check that rows do not have the names of columns, as where the answers of two raters are counted."""
    if key is None:
        return
    names = columns[key].texts.drop_nulls().to_list()
    if plain(key) in (*ITEM_KEYS, *RATER_KEYS) and all(name.strip().isdigit() for name in names):
        return
    rows, heads = (_bare(each) for each in (names, values))
    digits = all(name.isdigit() for name in rows)
    if len(rows) > 1 and rows == heads and (not digits or _plain_set(names) == _plain_set(values)):
        shown = listing(sorted(rows))
        what = f"rows and columns have the same names ({shown}), as a cross table of the answers of two raters has"
        raise InputError(what, where=table.file, remedy=ONE_ROW_PER_ITEM)


def _plain_set(names: Sequence[str]) -> set[str]:
    return {name.strip().casefold() for name in names}


def _bare(names: Sequence[str]) -> set[str]:
    """The names without what all of them begin with: ``A: yes`` and ``A: no`` become yes and no."""
    lower = sorted(_plain_set(names))
    pairs = zip(lower[0], lower[-1], strict=False)
    start = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
    return {name[start:].strip() for name in lower}


def refuse_one_answer(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that no column has the name of an answer, such as rating, as in a table with one answer per row."""
    answer = find_column(values, ALIASES["value"])
    if answer is None:
        return
    what = f"column '{answer}' is named like an answer: is every row one answer, or each of {listing(values)} a rater?"
    long = f"--format ratings-long --column value={answer} --column item=NAME --column annotator=NAME"
    remedy = f"one answer per row: {long}; raters: {flags(values, list(columns))}"
    raise InputError(what, where=table.file, remedy=remedy)


def refuse_strangers(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that either all or none of the columns are named like raters."""
    raters = [name for name in values if named_like_raters([name])]
    others = [name for name in values if name not in raters]
    if len(raters) < 2 or not others:
        return
    there = list(columns)
    what = f"columns {listing(raters)} are named like raters, but {listing(others)} holds such values too"
    remedy = f"say {flags(raters, there)}, or {flags(values, there)}"
    raise InputError(what, where=table.file, remedy=remedy)


def refuse_counts(table: RawTable, columns: Mapping[str, WideColumn], key: str | None, values: Sequence[str]) -> None:
    """Check that rows of whole numbers do not all have the same sum, as the numbers of answers in categories have."""
    cells = [columns[name] for name in values]
    said = None if key is None else plain(key)
    if said in RATER_KEYS or named_like_raters(values) or any(column.share < 1 for column in cells):
        return
    numbers = np.array([column.filled for column in cells])
    sums = numbers.sum(axis=0)
    whole = bool(((numbers % 1 == 0) & (numbers >= 0)).all())
    if len(sums) < 3 or not whole or len(np.unique(sums)) > 1 or (numbers == numbers[:, :1]).all():
        return
    what = f"every row adds up to {sums[0]:g}: are these the numbers of answers in each category, or ratings?"
    raters, units = (flags(values, list(columns), name) for name in ("raters", "units"))
    remedy = f"say --kind counts, or {raters} if each column is a rater, or {units} if each column is an item"
    raise InputError(what, where=table.file, remedy=remedy)


def refuse_odd_ranges(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that no column is on quite another range than the others."""
    full = {name: columns[name].numbers for name in values if len(columns[name].numbers) >= 3}
    if len(full) < 2 or suspicious_code(np.concatenate(list(full.values()))) is not None:
        return  # a code for no answer is refused with all answers at hand
    for name, numbers in full.items():
        others = np.concatenate([each for other, each in full.items() if other != name])
        if _apart(numbers, others):
            kept = [each for each in values if each != name]
            what = f"column '{name}' holds {_range(numbers)}, the other columns {_range(others)}: is it a rater?"
            there = list(columns)
            remedy = f"say {flags(kept, there)} without it, or {flags(values, there)}" if len(kept) > 1 else (
                f"name the columns of raters, as in {flags(values, there)}")  # fmt: skip
            raise InputError(what, where=table.file, remedy=remedy)


def refuse_strange_items(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that no column lies far above all others, or has another name, as ages and page numbers of people have."""
    family = [name for name in values if named_like_units([name]) or named_like_questions([name])]
    strangers = [name for name in values if name not in family]
    there = list(columns)
    if len(family) > 1 and strangers:
        what = f"columns {listing(family, 4)} are named like questions, but {listing(strangers)} holds such values too"
        remedy = f"say {flags(family, there, 'units')}, or {flags(values, there, 'units')}"
        raise InputError(what, where=table.file, remedy=remedy)
    for name in strangers:
        numbers = columns[name].numbers
        others = np.concatenate([columns[other].numbers for other in values if other != name])
        if len(numbers) >= 3 and len(others) and numbers.min() > FAR * np.abs(others).max():
            kept = [each for each in values if each != name]
            what = f"column '{name}' holds {_range(numbers)}, the other columns {_range(others)}: is it an item?"
            remedy = f"say {flags(kept, there, 'units')} without it, or {flags(values, there, 'units')}"
            raise InputError(what, where=table.file, remedy=remedy)


def _apart(numbers: np.ndarray, others: np.ndarray) -> bool:
    if len(np.unique(numbers)) > 2 and _end(numbers) >= FAR * _end(others) and numbers.max() > others.max():
        return True
    fractions = bool((numbers % 1 != 0).any())
    whole = bool((others % 1 == 0).all())
    shares = fractions and bool(numbers.min() >= 0 and numbers.max() <= 1)
    return whole and ((shares and others.max() > 1) or (fractions and numbers.min() < 0 <= others.min()))


def _end(numbers: np.ndarray) -> float:
    """The upper end of the usual scale that holds the numbers."""
    most = float(np.abs(numbers).max())
    return next(end if end != float("inf") else most for end in LADDER if most <= end)


def _range(numbers: np.ndarray) -> str:
    return f"{numbers.min():g} to {numbers.max():g}"


def refuse_constants(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that no column holds the same number in all of many rows, unless its name is a rater's."""
    if named_like_raters(values):
        return
    same = [name for name in values if columns[name].is_constant and len(columns[name].given) >= LONG]
    if same and len(same) < len(values):
        kept, there = [name for name in values if name not in same], list(columns)
        what = f"column '{same[0]}' holds {columns[same[0]].given[0]} in every row: is it a rater?"
        raise InputError(what, where=table.file, remedy=f"say {flags(kept, there)}, or {flags(values, there)}")
