"""The layout of a wide table: which column names the rows, which hold ratings, and on which side the raters are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from similitude.data.reading.column_names import column_flag, find_column
from similitude.data.reading.judgements.column_flags import flags
from similitude.data.reading.judgements.column_names import ALIASES, FACTS, TEXTS, chosen_columns, missing_column
from similitude.data.reading.judgements.column_roles import (
    GENERIC_KEYS,
    ITEM_KEYS,
    PERSON_KEYS,
    RATER_KEYS,
    WideColumn,
    is_no_rater,
    named_like_questions,
    named_like_raters,
    named_like_units,
    plain,
    wide_columns,
)
from similitude.data.reading.judgements.families import numbered_families
from similitude.data.reading.judgements.format import JudgementSource
from similitude.data.reading.judgements.summary_columns import without_summaries
from similitude.data.reading.judgements.wide_checks import (
    refuse_constants,
    refuse_counts,
    refuse_criteria_in_columns,
    refuse_cross_table,
    refuse_namesakes,
    refuse_one_answer,
    refuse_people_left_out,
    refuse_shares,
    refuse_strangers,
    refuse_tuples,
    refuse_words_left_out,
)
from similitude.data.reading.judgements.wide_orientation import orientation, shows_texts
from similitude.data.reading.judgements.wide_ranges import refuse_odd_ranges, refuse_strange_items
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable
from similitude.errors import ColumnError, InputError

__all__ = ["WideLayout", "candidate_columns", "shows_texts", "wide_layout"]

SIDES = ("left", "right")
"""Columns of texts, which hold no numbers: a column of numbers called positive is no text."""

SHOWN = ("text", "sentence", "word", "phrase", "utterance", "tweet", "question", "document", "segment")
"""Names of columns that may show what is judged rather than name it."""

MOSTLY = 0.5
FEW_WORDS = 20
SHORT = 40
"""Longer words are texts, not categories."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WideLayout:
    """The layout of a matrix of answers.

    Attributes:
        key: the column with the names of the rows; None if rows are numbered.
        values: the columns of answers.
        raters_in_rows: whether a row is a rater and a column an item.
        why: the reason, for the note; empty if the user named the columns.
        notes: what was found out about other columns.
    """

    key: str | None
    values: tuple[str, ...]
    raters_in_rows: bool
    why: str
    notes: tuple[str, ...] = ()


def candidate_columns(texts: Mapping[str, pl.Series]) -> list[str]:
    """The columns that may hold ratings, or the words of several raters; for the recognition of the format."""
    columns = wide_columns(texts)
    free = _free(columns, _named_key(columns))
    return _numeric(free) or _word_columns(free)


def wide_layout(table: RawTable, texts: Mapping[str, pl.Series], source: JudgementSource) -> WideLayout:
    """The layout: as the user says, or as names and values tell.

    Raises:
        InputError: two layouts fit, or a column is unlike the others; the message names the option that decides.
        ColumnError: there are no two columns of answers.
    """
    there, chosen = list(texts), source.columns
    raters, units = (chosen_columns(chosen, name, there, table.file) for name in ("raters", "units"))
    key = chosen.get("item") or chosen.get("annotator")
    if key is not None and key not in there:
        raise missing_column(f"no column '{key}'", there, "item", table.file)
    columns = wide_columns(texts)
    if raters or units:
        used = raters or units
        named = _named_key({name: column for name, column in columns.items() if name not in used})
        key = key or named or _first_key(columns, used)
        return WideLayout(key=key, values=tuple(used), raters_in_rows=not raters, why="")
    return _found(table, columns, source, key)


def _found(
    table: RawTable, columns: Mapping[str, WideColumn], source: JudgementSource, chosen: str | None
) -> WideLayout:
    there = list(columns)
    key = chosen or _key(table, columns)
    free = _free(columns, key)
    values = _numeric(free) or _word_columns(free)
    key, values = _numbered_rows(table, columns, key, values)
    if len(values) < 2:
        what = f"{'one column holds' if values else 'no column holds'} nothing but numbers and blanks"
        raise missing_column(what, there, "raters", table.file)
    key = key or _first_key(columns, values)
    values, notes = without_summaries(table, columns, values)
    refuse_cross_table(table, columns, key, values)
    if source.kind in (None, "category"):
        refuse_counts(table, columns, key, values)
        refuse_shares(table, columns, values)
    refuse_one_answer(table, columns, values)
    refuse_namesakes(table, values)
    refuse_strangers(table, columns, values)
    in_rows, why = orientation(table, key, values, columns, source)
    if in_rows:
        refuse_strange_items(table, columns, values)
        refuse_tuples(table, columns, values)
        refuse_words_left_out(table, columns, values)
    elif source.kind != "counts":
        refuse_criteria_in_columns(table, values)
        refuse_odd_ranges(table, columns, values)
        refuse_constants(table, columns, values)
        refuse_people_left_out(table, columns, values)
    return WideLayout(key=key, values=tuple(values), raters_in_rows=in_rows, why=why, notes=notes)


def _first_key(columns: Mapping[str, WideColumn], values: Sequence[str]) -> str | None:
    """The first column, if it names every row and is neither an answer nor a time stamp."""
    first = next(name for name in columns)
    free = first not in values and not shows_texts(list(columns)) and not columns[first].is_moment
    return first if free and _names_rows(columns[first]) else None


def _named_key(columns: Mapping[str, WideColumn]) -> str | None:
    """The column with the names of the rows, by its name: of raters, items, people, or rows in general."""
    for names in (RATER_KEYS, ITEM_KEYS, PERSON_KEYS):
        found = next((name for name in columns if plain(name) in names), None)
        if found is not None:
            return _id_of_texts(columns, found) or found
    answers = {plain(name) for name in columns} >= {"yes", "no"}
    generic = (name for name in columns if plain(name) in GENERIC_KEYS and not (answers and plain(name) == "no"))
    return next((name for name in generic if _names_rows(columns[name])), None)


def _id_of_texts(columns: Mapping[str, WideColumn], found: str) -> str | None:
    """The column of ids beside texts that recur, of which each row is an item of its own."""
    if plain(found) not in SHOWN or _names_rows(columns[found]):
        return None
    return next((name for name in columns if plain(name) in ("id", "uuid") and _names_rows(columns[name])), None)


def _key(table: RawTable, columns: Mapping[str, WideColumn]) -> str | None:
    """The column with the names of the rows, by its name.

    Raises:
        ColumnError: rows name both a rater and an item, so every row is one answer.
    """
    rater = next((name for name in columns if plain(name) in RATER_KEYS), None)
    if rater is None:
        return _named_key(columns)
    item = _named_key({name: each for name, each in columns.items() if name != rater and not each.is_running})
    values = [name for name in _numeric(_free(columns, rater)) if name != item]
    if named_like_raters(values):
        return item or rater
    several = columns[rater].texts.n_unique() < len(columns[rater].texts)
    if not several and (item is None or plain(item) not in ITEM_KEYS):
        return rater
    what = f"every row names a rater in '{rater}' as one answer does; which column is the answer: {listing(values)}?"
    raise ColumnError(what, where=table.file, remedy="name it with --column value=NAME --format ratings-long")


def _free(columns: Mapping[str, WideColumn], key: str | None) -> dict[str, WideColumn]:
    """The columns that are neither the key nor known to be something else than answers."""
    known = {
        found
        for name in (*TEXTS, *FACTS, "seconds", "round", "time")
        if (found := find_column(columns, ALIASES[name])) and (name not in SIDES or columns[found].share < 1)
    }
    return {
        name: column
        for name, column in columns.items()
        if name != key and name not in known and not is_no_rater(name) and len(column.given)
    }


def _numeric(free: Mapping[str, WideColumn]) -> list[str]:
    """The columns of numbers that may be ratings; a column with a few words is one, so that the words are found."""
    numeric = [name for name, column in free.items() if column.share > MOSTLY and not column.is_moment]
    if not numeric:
        return []
    family = named_like_raters(numeric)
    relatives = [name for name in free if name in numeric or (family and named_like_raters([name]))]
    return [name for name in relatives if not (free[name].is_id and not named_like_raters([name]))]


def _word_columns(free: Mapping[str, WideColumn]) -> list[str]:
    """The columns of categories in words: a few short words that several columns share."""
    short = {
        name: set(column.given.str.strip_chars().to_list())
        for name, column in free.items()
        if not (column.is_moment or column.holds_objects)
        if column.given.n_unique() <= FEW_WORDS and column.given.str.len_chars().max() <= SHORT  # type: ignore[operator]
    }
    named = [name for name in short if named_like_raters([name])]
    if len(named) > 1:
        return named
    shared = {
        name for name, words in short.items() if any(words & other for each, other in short.items() if each != name)
    }
    relatives = {
        name for family in (*numbered_families(short), _questions(short)) if shared & {*family} for name in family
    }
    names = list(free)
    inside = names[_first(names, shared) : len(names) - _first(names[::-1], shared)]
    return [name for name in short if name in shared or name in relatives or name in inside]


def _questions(names: Iterable[str]) -> list[str]:
    """The columns that are named like items or questions."""
    return [name for name in names if named_like_units([name]) or named_like_questions([name])]


def _first(names: Sequence[str], wanted: Collection[str]) -> int:
    return next((at for at, name in enumerate(names) if name in wanted), len(names))


def _names_rows(column: WideColumn) -> bool:
    return column.texts.null_count() == 0 and column.texts.n_unique() == len(column.texts)


def _numbered_rows(
    table: RawTable, columns: Mapping[str, WideColumn], key: str | None, values: Sequence[str]
) -> tuple[str | None, list[str]]:
    """The key and the columns of ratings, once columns that number the rows are told apart.

    Raises:
        InputError: a column may be a row number or a rater.
    """
    if (key is not None and plain(key) in RATER_KEYS) or named_like_units(values):
        return key, list(values)
    rest = [name for name in values if not columns[name].is_running]
    for name in (each for each in values if columns[each].is_running):
        if key is not None and named_like_raters([name]):
            rest.append(name)
        elif named_like_raters([name]) or not _counts_higher(columns[name], [columns[other] for other in rest]):
            raise _row_number_or_rater(table, columns, name, values)
        else:
            key = key or name
    return key, [name for name in values if name in rest]


def _counts_higher(column: WideColumn, others: Sequence[WideColumn]) -> bool:
    """Whether a row number runs beyond all ratings, so that it cannot be one of them."""
    highest = max((float(other.numbers.max()) for other in others if len(other.numbers)), default=-np.inf)
    return float(column.numbers.max()) > highest and bool(others)


def _row_number_or_rater(
    table: RawTable, columns: Mapping[str, WideColumn], name: str, values: Sequence[str]
) -> InputError:
    others = [each for each in values if each != name]
    there = list(columns)
    what = f"column '{name}' counts the rows: is it a row number or a rater?"
    as_rater = flags(values, there)
    remedy = f"a row number: {column_flag('item', name)} {flags(others, there)}; a rater: {as_rater}"
    return InputError(what, where=table.file, remedy=remedy)
