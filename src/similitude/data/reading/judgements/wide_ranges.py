"""Ranges of the columns of wide tables: a column on quite another range than the others is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from similitude.data.reading.codes import suspicious_code
from similitude.data.reading.judgements.column_flags import flags
from similitude.data.reading.judgements.column_roles import WideColumn, named_like_questions, named_like_units
from similitude.data.reading.judgements.families import main_family
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["refuse_odd_ranges", "refuse_strange_items", "usual_end"]

LADDER = (5.0, 7.0, 10.0, 100.0, 1000.0, float("inf"))
FAR = 4.0
"""Two columns are on different ranges if the ends of their usual scales differ by this factor."""


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
    family = family or main_family(values)
    strangers = [name for name in values if name not in family]
    there = list(columns)
    if len(family) > 1 and strangers:
        what = f"columns {listing(family, 4)} are named alike, but {listing(strangers)} holds such values too"
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
    if len(np.unique(numbers)) > 2 and usual_end(numbers) >= FAR * usual_end(others) and numbers.max() > others.max():
        return True
    fractions = bool((numbers % 1 != 0).any())
    whole = bool((others % 1 == 0).all())
    shares = fractions and bool(numbers.min() >= 0 and numbers.max() <= 1)
    return whole and ((shares and others.max() > 1) or (fractions and numbers.min() < 0 <= others.min()))


def usual_end(numbers: np.ndarray) -> float:
    """The upper end of the usual scale that holds the numbers."""
    most = float(np.abs(numbers).max())
    return next(end if end != float("inf") else most for end in LADDER if most <= end)


def _range(numbers: np.ndarray) -> str:
    return f"{numbers.min():g} to {numbers.max():g}"
