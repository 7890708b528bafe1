"""Columns of a wide table that are the mean or the sum of the others, under whatever name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.reading.judgements.column_flags import flags
from similitude.data.reading.judgements.column_roles import WideColumn, blanked, named_like_raters, named_like_units
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["decimals", "without_summaries"]

ENOUGH = 2
"""In so many rows at least, raters must differ; else the mean of raters is what each of them said."""

AT_THE_END = 4
"""One more than the number of columns at the end that may be summaries."""

DIGITS = r"[.,](\d+)$"


class _Summary(NamedTuple):
    """What a column is to the others, and whether it can be nothing else."""

    what: str
    sure: bool


def without_summaries(
    table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]
) -> tuple[list[str], tuple[str, ...]]:
    """The columns that are no mean or sum of the others, and notes on those that are.

    Raises:
        InputError: a column of whole numbers may be a mean or a rater.
    """
    kept, notes = list(values), []
    if named_like_units(values) or all(name.strip().isdigit() for name in values):
        return kept, ()
    for name in dict.fromkeys((*values[:-AT_THE_END:-1], values[0])):
        before = kept[: kept.index(name)]
        others = before if len(before) > 1 else [each for each in kept if each != name]
        found = _summary(columns[name], [columns[each] for each in others]) if len(others) > 1 else None
        if found is None:
            continue
        if not found.sure or named_like_raters([name]):
            raise _mean_or_rater(table, name, found.what, kept)
        kept.remove(name)
        notes.append(f"column '{name}' is the {found.what} of the others, no rater")
    return kept, tuple(notes)


def _mean_or_rater(table: RawTable, name: str, what: str, values: Sequence[str]) -> InputError:
    there = list(table.columns)
    kept = [each for each in values if each != name]
    remedy = f"say {flags(kept, there)} if it is, {flags(values, there)} if not"
    said = f"column '{name}' is the {what} of the others in every row: is it no rater?"
    return InputError(said, where=table.file, remedy=remedy)


def _summary(column: WideColumn, others: Sequence[WideColumn]) -> _Summary | None:
    if column.share < 1 or any(other.share < 1 for other in others):
        return None
    given = _with_gaps(column)
    rest = np.array([_with_gaps(other) for other in others])
    seen = np.isfinite(given) & (np.isfinite(rest).sum(axis=0) > 1)
    rest, given = rest[:, seen], given[seen]
    differing = int((np.nanmax(rest, axis=0) > np.nanmin(rest, axis=0)).sum()) if seen.any() else 0
    if differing < ENOUGH:
        return None
    digits = decimals(column)
    slack = 0.5 * 10.0**-digits + 1e-9 if digits else 1e-9
    if (np.abs(np.nanmean(rest, axis=0) - given) <= slack).all():
        fractions = bool((given % 1 != 0).any() and (rest[np.isfinite(rest)] % 1 == 0).all())
        return _Summary("mean", fractions) if fractions or differing > 2 * ENOUGH else None
    if (np.abs(np.nansum(rest, axis=0) - given) <= 1e-9).all() and given.max() > np.nanmax(rest) and differing > ENOUGH:
        return _Summary("sum", sure=True)
    return None


def _with_gaps(column: WideColumn) -> NDArray[np.float64]:
    gaps = blanked(column.texts).is_null().to_numpy()
    return np.where(gaps, np.nan, column.filled)


def decimals(column: WideColumn) -> int:
    """The largest number of digits behind the point."""
    longest = column.given.str.strip_chars().str.extract(DIGITS).str.len_chars().max()
    return int(longest or 0)  # type: ignore[arg-type]
