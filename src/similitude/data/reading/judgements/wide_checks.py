"""Checks of wide tables: counts, cross tables, and columns that are no raters."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

import numpy as np

from similitude.data.reading.column_names import column_flag, find_column
from similitude.data.reading.judgements.column_flags import flags
from similitude.data.reading.judgements.column_names import ALIASES
from similitude.data.reading.judgements.column_roles import (
    ITEM_KEYS,
    RATER_KEYS,
    WideColumn,
    is_no_rater,
    named_like_categories,
    named_like_questions,
    named_like_raters,
    named_like_units,
    plain,
)
from similitude.data.reading.judgements.families import numbered_families
from similitude.data.reading.judgements.wide_ranges import usual_end
from similitude.data.reading.problems import listing
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = [
    "refuse_constants",
    "refuse_counts",
    "refuse_criteria_in_columns",
    "refuse_cross_table",
    "refuse_namesakes",
    "refuse_one_answer",
    "refuse_people_left_out",
    "refuse_shares",
    "refuse_strangers",
    "refuse_tuples",
    "refuse_words_left_out",
]

SMALL = 10.0
"""A scale of whole numbers that ends here at most has few points."""

LONG = 8
"""A column that never varies over as many rows is no likely rater."""

COMPARED = re.compile(r"^(model|system|response|answer|option|output|candidate|team|player)_?([ab12])$")
"""Names of two things that are compared."""

CRITERION = re.compile(
    r"^(fluency|adequacy|coherence|consistency|relevance|similarity|relatedness|readability|grammaticality|naturalness|"
    r"informativeness|engagingness|factuality|correctness|helpfulness|harmlessness|valence|arousal|dominance|"
    r"concreteness|imageability|familiarity|simplicity|meaning|style|overall|difficulty|flesch|complexity|quality)$"
)
"""Names of criteria."""

PREFIXED = re.compile(r"^[^\s.:]+(?:\.[^\s.:]+)*[.:](?=[^.:\s]+$)")
"""What exports write before the name of a column: player.rating of oTree, OUTPUT:result of Toloka."""

ANSWERS = (*ALIASES["value"], "result")
OCCASION = re.compile(r"^(t|time|round|session|wave|run|test|retest|occasion|pre|post|before|after)_?\d*$")
"""Names of the occasions on which one person answers."""

PEOPLE = re.compile(r"^([a-z]{1,2}|max|min|alpha|sigma)$")
"""Names of columns of other things that are also names or initials of people."""

WORDS = ("day", "month", "hour", "year", "time", "date", "minute", "second", "page", "range", "weight", "position",
         "length", "end", "start", "truth", "seed", "loss", "progress", "words", "rank", "difference")  # fmt: skip
DESIGN = ("list", "group", "order", "block", "trial")
"""Names of columns of other things that are also words which people rate; those of designs stand before the words."""

CROSS_TABLE = "say --kind table if cells count items; else give one row for each item, with the answers of both raters"


def refuse_cross_table(
    table: RawTable, columns: Mapping[str, WideColumn], key: str | None, values: Sequence[str]
) -> None:
    """Check that rows do not have the names of columns, as where the answers of two raters are counted."""
    if key is None:
        _refuse_numbered_cross_table(table, columns, values)
        return
    names = columns[key].texts.drop_nulls().to_list()
    if plain(key) in (*ITEM_KEYS, *RATER_KEYS) and all(name.strip().isdigit() for name in names):
        return
    rows, heads = (_bare(each) for each in (names, values))
    digits = all(name.isdigit() for name in rows)
    if len(rows) > 1 and rows == heads and (not digits or _plain_set(names) == _plain_set(values)):
        shown = listing(sorted(rows))
        what = f"rows and columns have the same names ({shown}), as a cross table of the answers of two raters has"
        raise InputError(what, where=table.file, remedy=CROSS_TABLE)


def _refuse_numbered_cross_table(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that the numbers in the first column are not those above the others, as in a cross table of ratings."""
    first, *others = columns
    named = [name for name in others if name in values]
    rows = columns[first].texts.drop_nulls().to_list()
    if len(named) < 2 or len(rows) != len(named) or _plain_set(rows) != _plain_set(named):
        return
    what = f"rows and columns have the same names ({listing(named)}), as a cross table of the answers of two raters has"
    raters, units = (flags(values, list(columns), name) for name in ("raters", "units"))
    remedy = f"say --kind table if cells count items, {raters} if columns are raters, {units} if they are items"
    raise InputError(what, where=table.file, remedy=remedy)


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
    if find_column(values, ALIASES["best"]) and find_column(values, ALIASES["worst"]):
        what = "columns for best and worst beside one item: every row is one item of a tuple"
        remedy = "give one row for each tuple: Item1,Item2,Item3,Item4,Best,Worst"
        raise InputError(what, where=table.file, remedy=remedy)
    answer = find_column(values, ALIASES["value"]) or _answer_under_a_prefix(values)
    if answer is None:
        return
    what = f"column '{answer}' is named like an answer: is every row one answer, or each of {listing(values)} a rater?"
    long = f"--format ratings-long {column_flag('value', answer)} --column item=NAME --column annotator=NAME"
    remedy = f"one answer per row: {long}; raters: {flags(values, list(columns))}"
    raise InputError(what, where=table.file, remedy=remedy)


def _answer_under_a_prefix(values: Sequence[str]) -> str | None:
    """The only column that is named like an answer after a prefix, as player.rating and OUTPUT:result are."""
    found = [name for name in values if PREFIXED.match(name) and find_column([PREFIXED.sub("", name)], ANSWERS)]
    return found[0] if len(found) == 1 else None


def refuse_namesakes(table: RawTable, values: Sequence[str]) -> None:
    """Check that no column is named after another, as ``ann_confidence`` is, or after one of two things compared."""
    there = list(table.columns)
    after = [name for name in values if any(_is_after(name, other) for other in values if other != name)]
    kept = [name for name in values if name not in after]
    if after and kept:
        what = f"column '{after[0]}' is named after another column: is it a rater?"
        remedy = f"say {flags(kept, there)}, or {flags(values, there)}"
        raise InputError(what, where=table.file, remedy=remedy)
    sides = [name for name in there if name not in values and COMPARED.match(plain(name))]
    if len(sides) == 2 and len(values) == 2 and len(numbered_families(values)) == 1:
        what = f"columns {listing(values)} may be scores of {listing(sides)}, or raters"
        remedy = f"say {flags(values, there)} if they are raters; scores of two sides are no judgements"
        raise InputError(what, where=table.file, remedy=remedy)


def refuse_criteria_in_columns(table: RawTable, values: Sequence[str]) -> None:
    """Check that columns are no criteria, alone (fluency, adequacy) or crossed with raters (sim_1, sim_2, rel_1...)."""
    there = list(table.columns)
    parts = [re.split(r"[_.\s-]+", plain(name)) for name in values]
    pairs = {(part[0], part[-1]) for part in parts if len(part) == 2}
    firsts, lasts = ({pair[at] for pair in pairs} for at in (0, 1))
    crossed = len(firsts) > 1 and len(lasts) > 1 and len(pairs) == len(values) == len(firsts) * len(lasts)
    if crossed:
        first = [name for name, part in zip(values, parts, strict=True) if part[0] == parts[0][0]]
        last = [name for name, part in zip(values, parts, strict=True) if part[-1] == parts[0][-1]]
        what = f"columns {listing(values, 4)} cross {len(firsts)} names with {len(lasts)}, as raters and questions do"
        one = f"read one question, {flags(first, there)} or {flags(last, there)}"
        raise InputError(what, where=table.file, remedy=f"{one}; if all are raters: {flags(values, there)}")
    if all(CRITERION.match(plain(name)) for name in values):
        what = f"columns {listing(values)} are named like criteria: is each of them a rater?"
        remedy = f"say {flags(values, there)} if so; answers to different questions are read one at a time"
        raise InputError(what, where=table.file, remedy=remedy)
    criterion = next((name for name in values if CRITERION.match(plain(name))), None)
    if criterion is not None:
        kept = [name for name in values if name != criterion]
        what = f"column '{criterion}' is named like a criterion: is it a rater?"
        raise InputError(what, where=table.file, remedy=f"say {flags(kept, there)}, or {flags(values, there)}")
    if all(OCCASION.match(plain(name)) for name in values):
        what = f"columns {listing(values)} are named like occasions: is each of them a rater?"
        remedy = f"say {flags(values, there)} to compare them as raters; a table with a row for each answer has rounds"
        raise InputError(what, where=table.file, remedy=remedy)


def _is_after(name: str, other: str) -> bool:
    """Whether a name is another one with a word before or behind it."""
    one, longer = plain(other), plain(name)
    return len(one) > 1 and (longer.startswith(f"{one}_") or longer.endswith(f"_{one}"))


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
    """Check that whole numbers are no counts of answers: rows with one sum, or columns named like categories."""
    cells = [columns[name] for name in values]
    said = None if key is None else plain(key)
    if said in RATER_KEYS or named_like_raters(values) or any(column.share < 1 for column in cells):
        return
    numbers = np.array([column.filled for column in cells])
    sums = numbers.sum(axis=0)
    whole = bool(((numbers % 1 == 0) & (numbers >= 0)).all())
    equal = len(sums) > 2 and len(np.unique(sums)) == 1 and not (numbers == numbers[:, :1]).all()
    if not whole or not (equal or named_like_categories(values)):
        return
    seen = f"every row adds up to {sums[0]:g}" if equal else f"columns {listing(values)} are named like categories"
    what = f"{seen}: are these the numbers of answers in each category, or ratings?"
    raters, units = (flags(values, list(columns), name) for name in ("raters", "units"))
    remedy = f"say --kind counts, or {raters} if each column is a rater, or {units} if each column is an item"
    raise InputError(what, where=table.file, remedy=remedy)


def refuse_shares(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that fractions are no shares of answers, which add up to 1 or 100 in every row."""
    cells = [columns[name] for name in values]
    if len(values) < 2 or named_like_raters(values) or any(column.share < 1 for column in cells):
        return
    numbers = np.array([column.filled for column in cells])
    sums = numbers.sum(axis=0)
    fractions = bool((numbers >= 0).all() and (numbers % 1 != 0).any())
    total = next((whole for whole in (1.0, 100.0) if (np.abs(sums - whole) <= 0.015 * whole).all()), None)
    enough = len(sums) > 2 and not (numbers == numbers[:, :1]).all()
    if total is None or not fractions or not enough:
        return
    what = f"every row adds up to {total:g}: are these the shares of answers in each category, or ratings?"
    raters, units = (flags(values, list(columns), name) for name in ("raters", "units"))
    remedy = f"say {raters} if each column is a rater, {units} if each is an item; give shares as numbers of answers"
    raise InputError(what, where=table.file, remedy=remedy)


def refuse_people_left_out(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that no column is left out for its name, such as Max or N, that holds just the values of the raters."""
    if named_like_raters(values):
        return
    seen = np.unique(np.concatenate([columns[name].numbers for name in values]))
    others = np.array([columns[name].filled for name in values])
    given = sum(columns[name].texts.is_not_null().to_numpy().astype(int) for name in values)
    for name in _left_out(columns, values):
        column, known = columns[name], (others.max(axis=0), others.min(axis=0), given)
        if PEOPLE.match(plain(name)) and _alike(column, seen) and not any((column.filled == it).all() for it in known):
            raise _left_out_error(table, columns, name, values, "raters")


def refuse_words_left_out(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that no column is left out for its name, such as day or list, if columns are words that people rated."""
    if named_like_units(values) or named_like_questions(values):
        return
    there, seen = list(columns), np.unique(np.concatenate([columns[name].numbers for name in values]))
    for name in _left_out(columns, values):
        word = plain(name) in WORDS or (plain(name) in DESIGN and there.index(name) > there.index(values[0]))
        if word and _alike(columns[name], seen):
            raise _left_out_error(table, columns, name, values, "units")


def _left_out(columns: Mapping[str, WideColumn], values: Sequence[str]) -> list[str]:
    return [name for name in columns if name not in values and is_no_rater(name)]


def _alike(column: WideColumn, seen: np.ndarray) -> bool:
    """Whether a column varies on the scale of the values that others hold, and does not number the rows."""
    if column.share < 1 or column.is_constant or column.is_running:
        return False
    small = bool((seen % 1 == 0).all()) and usual_end(seen) <= SMALL
    scale = np.arange(min(0.0, seen.min()), usual_end(seen) + 1) if small else seen
    return bool(np.isin(column.numbers, scale).all())


def _left_out_error(
    table: RawTable, columns: Mapping[str, WideColumn], name: str, values: Sequence[str], side: str
) -> InputError:
    there = list(columns)
    whole = [each for each in there if each in (*values, name)]
    one = "a rater" if side == "raters" else "an item"
    what = f"column '{name}' holds values like those of {listing(values)}: is it {one}?"
    return InputError(
        what, where=table.file, remedy=f"say {flags(whole, there, side)}, or {flags(values, there, side)}"
    )


def refuse_tuples(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that words in columns named max and min are not the choices from the tuple in each row."""
    ends = [name for name in columns if name not in values and plain(name) in ("max", "min")]
    if len(ends) == 2 and all(len(columns[name].given) and columns[name].share == 0 for name in ends):
        best, worst = sorted(ends, key=plain)
        what = f"columns {listing(ends)} may be the best and the worst of {listing(values)}"
        both = f"{column_flag('best', best)} {column_flag('worst', worst)}"
        remedy = f"say --format best-worst-csv {both}, or drop these columns"
        raise InputError(what, where=table.file, remedy=remedy)


def refuse_constants(table: RawTable, columns: Mapping[str, WideColumn], values: Sequence[str]) -> None:
    """Check that no column holds the same number in all of many rows, unless its name is a rater's."""
    if named_like_raters(values):
        return
    same = [name for name in values if columns[name].is_constant and len(columns[name].given) >= LONG]
    if same and len(same) < len(values):
        kept, there = [name for name in values if name not in same], list(columns)
        what = f"column '{same[0]}' holds {columns[same[0]].given[0]} in every row: is it a rater?"
        raise InputError(what, where=table.file, remedy=f"say {flags(kept, there)}, or {flags(values, there)}")
