"""The layout of a wide table: which column names the rows and which hold answers, by names or by the user's word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.column_names import ALIASES as BENCHMARK_ALIASES
from similitude.data.reading.column_names import find_column, plain_name
from similitude.data.reading.column_types import NUMBER, cast
from similitude.data.reading.judgements.answer_values import blanked
from similitude.data.reading.judgements.column_names import (
    ALIASES,
    TEXTS,
    chosen_columns,
    missing_column,
    named_like_answers,
)
from similitude.data.reading.judgements.format import JudgementSource
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable
from similitude.errors import ArgumentError, InputError

__all__ = ["WideLayout", "key_of_rows", "named_raters", "wide_layout"]

RATER = re.compile(r"^(?i:rater|annotator|annot|coder|judge|worker)(?:[\s_.#-]*\d+|[\s_.#-]+[A-Za-z]|(?<=[a-z])[A-Z])$")
"""Names of raters: rater1, Annotator 2, coder_A, judgeB."""

OF_RATERS = re.compile(r"(?<![a-z])(?:rater|annotator|annot|coder|judge|worker)(?![a-z]{2})", re.IGNORECASE)
"""What names of columns about raters have in common: Annot-Peter, rater1_time."""

KNOWN = frozenset(
    plain_name(name) for known in (ALIASES, BENCHMARK_ALIASES) for each in known.values() for name in each
)
"""Names of columns of anything but the answers of one rater."""

BY_NAME = "columns are named like raters"
NAME_THEM = "name the columns of the raters: --column raters=A,B,C"


@dataclass(frozen=True, slots=True, kw_only=True)
class WideLayout:
    """The layout of a matrix of answers.

    Attributes:
        key: the column with the names of the rows; None if rows are numbered.
        values: the columns of answers.
        raters_in_rows: whether a row is a rater and a column an item.
        why: the reason, for the note; empty if the user named the columns.
    """

    key: str | None
    values: tuple[str, ...]
    raters_in_rows: bool
    why: str = ""


def named_raters(names: Iterable[str]) -> list[str]:
    """The columns with the names of raters.

    >>> named_raters(["item", "rater1", "Rater 2", "coder_A", "judgeB", "rater_id", "judges", "Annot-Peter", "workers"])
    ['rater1', 'Rater 2', 'coder_A', 'judgeB']
    """
    return [name for name in names if RATER.match(name.strip())]


def wide_layout(table: RawTable, texts: Mapping[str, pl.Series], source: JudgementSource) -> WideLayout:
    """The layout that the user names; else columns with names of raters are the raters.

    Args:
        table: the rows.
        texts: its columns as texts.
        source: what the user said.

    Raises:
        ArgumentError: the user named columns that do not go together.
        ColumnError: nobody says which columns are raters.
        InputError: another column may be a rater as well.
    """
    there, chosen = list(texts), source.columns
    others = {theirs for name, theirs in chosen.items() if name not in ("raters", "units")}
    free = [name for name in there if name not in others]
    raters, units = (chosen_columns(chosen, name, free, table.file) for name in ("raters", "units"))
    ours, other = ("annotator", "item") if units else ("item", "annotator")
    if (raters and units) or chosen.get(other):
        what = f"--column {'units' if units else 'raters'}= and --column {'raters' if raters and units else other}="
        remedy = "columns of raters have items in rows (item=); columns of units have raters in rows (annotator=)"
        raise ArgumentError(f"{what} do not go together", where=table.file, remedy=remedy)
    values = raters or units
    if values:
        key = key_of_rows(table, texts, ours, values, source)
        return WideLayout(key=key, values=tuple(values), raters_in_rows=not raters)
    values = named_raters(there)
    if len(values) < 2:
        what = f"{'one column is' if values else 'no columns are'} named like raters (rater1, annotator_2, coder_A)"
        raise missing_column(what, there, "raters", table.file)
    key = key_of_rows(table, texts, ours, values, source)
    _refuse_table_of_raters(table, texts, values)
    _refuse_rivals(table, texts, key, values)
    return WideLayout(key=key, values=tuple(values), raters_in_rows=False, why=BY_NAME)


def key_of_rows(
    table: RawTable, texts: Mapping[str, pl.Series], ours: str, values: Sequence[str], source: JudgementSource
) -> str | None:
    """The column that names the rows: the user's, that of the usual name, or the first if each row has its own."""
    chosen = source.columns.get(ours)
    if chosen is not None and chosen not in ("", *texts):
        raise missing_column(f"no column '{chosen}'", list(texts), ours, table.file)
    free = [name for name in texts if name not in values]
    named = find_column(free, ALIASES[ours]) if chosen is None else chosen or None
    shows_texts = all(source.columns.get(side) or find_column(free, ALIASES[side]) for side in TEXTS[:2])
    if named is not None or chosen is not None or shows_texts:
        return named
    first = next(iter(texts))
    names_rows = (
        first in free
        and not named_like_answers(first)
        and texts[first].null_count() == 0
        and texts[first].n_unique() == len(texts[first])
    )
    return first if names_rows else None


def _refuse_table_of_raters(table: RawTable, texts: Mapping[str, pl.Series], values: Sequence[str]) -> None:
    """Check that rows are not named after the raters too, as in a table of the agreement of each two."""
    first = next(iter(texts.values())).drop_nulls().str.strip_chars().to_list()
    if {*first} == {name.strip() for name in values}:
        what = f"rows and columns have the same names ({listing(values)}): these are no answers to items"
        raise InputError(what, where=table.file, remedy="give one row for each item, with the answers of all raters")


def _refuse_rivals(table: RawTable, texts: Mapping[str, pl.Series], key: str | None, values: Sequence[str]) -> None:
    """Check that no other column may hold the answers of raters, and that what is named like answers is alike."""
    given = {name: blanked(column).drop_nulls().str.strip_chars() for name, column in texts.items() if name != key}
    answers = pl.concat([given[name] for name in values])
    nameless = key is None and not all(find_column(texts, ALIASES[side]) for side in TEXTS[:2])
    rivals = [
        name
        for name, column in given.items()
        if name not in values and len(column) and _is_rival(name, column, answers, nameless=nameless)
    ]
    if rivals:
        what = f"columns {listing(values)} are named like raters, but {listing(rivals)} may hold the answers of raters"
        raise InputError(what, where=table.file, remedy=NAME_THEM)


def _is_rival(name: str, given: pl.Series, answers: pl.Series, *, nameless: bool) -> bool:
    """Whether a column may hold answers; in a table that names no items, two raters may be the row's subject."""
    if named_like_answers(name, numbered=True):  # rating1 beside annotator1, which may hold ids
        return True
    if named_like_answers(name):
        return not _alike(given, answers)
    if plain_name(name) in KNOWN:
        return False
    numbered = len(_numbers(given)) == len(given)
    of_raters = bool(OF_RATERS.search(name)) and numbered
    return of_raters or (nameless and numbered and not len(_numbers(answers))) or _alike(given, answers)


def _alike(given: pl.Series, answers: pl.Series) -> bool:
    """Whether most values lie in the range of the answers or, of words, one is among them."""
    numbers, ours = _numbers(given), _numbers(answers)
    if len(numbers) and len(ours):
        return bool(ours.min() <= np.median(numbers) <= ours.max())
    return bool(given.is_in(answers.unique().to_list()).any())


def _numbers(texts: pl.Series) -> NDArray[np.float64]:
    numbers: NDArray[np.float64] = cast(texts, NUMBER).values.drop_nulls().to_numpy()
    return numbers[np.isfinite(numbers)]
