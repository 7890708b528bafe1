"""Scores that cannot be scores are refused; scores that are unlikely to be right are warned about."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.plural import agreeing
from similitude.data.reading.codes import far_values, is_running_number, lone_outlier, suspicious_code
from similitude.data.reading.column_names import CLASSES, find_column
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.rival_columns import rival_pairs, rivals
from similitude.data.reading.tables import Column
from similitude.data.scale import Scale
from similitude.errors import ColumnError, InputError, ScaleError

__all__ = [
    "refuse_answers",
    "refuse_codes",
    "refuse_rival_texts",
    "refuse_rivals",
    "refuse_running_numbers",
    "refuse_thousands",
    "refuse_unlike_sources",
    "score_warnings",
    "text_warnings",
]

PEOPLE = ("annotator", "annotator_id", "worker", "worker_id", "workerid", "rater", "rater_id", "coder", "coder_id",
          "judge", "judge_id", "participant", "participant_id", "labeler", "assessor", "user_id")  # fmt: skip
"""Names of columns that say who answered."""

NO_TEXTS = ("nan", "none", "null", "n/a", "#n/a", "<na>", "\\n")
"""What programs write in place of a text that is missing."""

LIKE_AN_ID = r"^[!-~]*[0-9][!-~]*$"
"""One word with a digit in it."""

QUOTED = r'^"(?:[^"]|"")*""(?:[^"]|"")*"$'
"""Enclosed in quotes, with quotes inside that are all doubled, as CSV writes them."""

ENCLOSED = r'^".*"$'
SINGLE = r"^'.*'$"
MOST_LOOKED_AT = 100
MOST_ROWS = 100_000
SHORT = 64
"""Bytes of a text that may be a word for a missing text; longer texts are not looked at."""

PERCENT = 100.0
"""Scores that go no higher are no thousands."""

GROUPED = r"^\s*[+-]?[1-9]\d{0,2}\.\d{3}\s*$"
"""As 1.500 is written, where the point may separate thousands."""

UNLIKE = 3.0
"""Two sources in one file are on different scales if the ends of these differ by this factor."""

SOME = 10
"""With fewer scores, a source says nothing about its scale."""

NAMED_ROWS = 8
"""A column that is called score must count as many rows before it is taken for a row number."""

UNNAMED_ROWS = 3
"""A column without a name must hold as many different whole numbers before it may be ids."""


def refuse_running_numbers(scores: NDArray[np.float64], column: str, where: str, *, named: bool) -> None:
    """Check that the column of scores does not number the rows.

    Args:
        scores: all scores in the order of rows.
        column: the file's name for the column.
        where: the file.
        named: whether the file names its columns.

    Raises:
        InputError: the scores count the rows or, in a file without a header, may be ids.
    """
    if named and is_running_number(scores, NAMED_ROWS):
        remedy = "name the column of scores with --column score=NAME, also if these are the scores"
        raise InputError(f"column '{column}' numbers the rows, so it holds no scores", where=where, remedy=remedy)
    if not named and _may_be_ids(scores):
        what = f"the first column ({_first(scores)}) holds whole numbers that differ or only grow: ids, or scores?"
        remedy = (
            "say which column is what: --header no --column left=NUMBER --column right=NUMBER --column score=NUMBER"
        )
        raise InputError(what, where=where, remedy=remedy)


def _may_be_ids(numbers: NDArray[np.float64]) -> bool:
    """Whether whole numbers differ in every row, or never decrease, as ids of groups do."""
    if is_running_number(numbers, 2):
        return True
    if len(numbers) < UNNAMED_ROWS or not np.isfinite(numbers).all() or (numbers % 1 != 0).any():
        return False
    distinct = len(np.unique(numbers))
    return distinct == len(numbers) or (distinct >= UNNAMED_ROWS and bool((np.diff(numbers) >= 0).all()))


def _first(numbers: NDArray[np.float64]) -> str:
    return ", ".join(f"{number:g}" for number in numbers[:3]) + (", ..." if len(numbers) > 3 else "")


def refuse_answers(frame: pl.DataFrame, unused: Sequence[str], where: str) -> None:
    """Check that the rows are not the answers of several people about the same pairs.

    Args:
        frame: the rows.
        unused: columns of the file that were not used.
        where: the file.

    Raises:
        InputError: a column says who answered, and pairs of texts are repeated.
    """
    people = find_column(unused, PEOPLE)
    if people is None or "score" not in frame.columns:
        return
    shown = [name for name in ("left", "right", "condition") if name in frame.columns]
    pairs = frame.select(shown).n_unique()
    if pairs < frame.height:
        raise InputError(
            f"{frame.height:,} rows about {pairs:,} pairs of texts, with a column '{people}': answers of people",
            where=where,
            remedy="make gold of them with 'similitude gold', or leave this column out of the file",
        )


def refuse_codes(scores: NDArray[np.float64], column: str, where: Callable[[int], str]) -> None:
    """Check that no score is a code for a missing value, where the scale is not known.

    Args:
        scores: one score for each row; nan for rows without one.
        column: the file's name for the column.
        where: the place of a row, for the message.

    Raises:
        ScaleError: a score is so far from all others that it is likely to be a code.
    """
    code = suspicious_code(scores)
    code = lone_outlier(scores) if code is None else code
    far = far_values(scores) if code is None else np.array([code])
    if not len(far):
        return
    is_far = np.isin(scores, far)
    others, shown = scores[np.isfinite(scores) & ~is_far], [f"{value:g}" for value in far]
    holds, ends = agreeing(int(is_far.sum()), "row", "has", "have"), f"{others.min():g}..{others.max():g}"
    whole = f"{math.floor(min(far.min(), others.min()))}..{math.ceil(max(far.max(), others.max()))}"
    if len(far) == 1:
        ways = f"correct it; if {shown[0]} means that the value is missing: --missing {shown[0]}"
    else:
        ways = "correct them"
    raise ScaleError(
        f"{holds} {listing(shown, 4)} in column '{column}', but all other values lie within {ends}",
        where=where(int(np.flatnonzero(is_far)[0])),
        remedy=f"{ways}; if not: --scale {whole}",
    )


def refuse_unlike_sources(frame: pl.DataFrame, column: str, where: str) -> None:
    """Check that the scores of all sources can be on one scale, where it is not known.

    Args:
        frame: the sound rows.
        column: the file's name for the column of sources.
        where: the file.

    Raises:
        ScaleError: one source has scores up to 1, say, and another up to 5.
    """
    if not {"source", "score"} <= set(frame.columns):
        return
    known = frame.select("source", "score").drop_nulls().group_by("source", maintain_order=True)
    ends = known.agg(pl.col("score").min().alias("low"), pl.col("score").max().alias("high"), pl.len())
    scales = {name: Scale.infer([low, high]) for name, low, high, rows in ends.rows() if rows >= SOME}
    if len(scales) < 2:
        return
    least, most = (pick(scales, key=lambda name: scales[name].high) for pick in (min, max))
    if scales[most].high >= UNLIKE * scales[least].high > 0:
        raise ScaleError(
            f"the sources in column '{column}' seem to have different scales: "
            f"{excerpt(least)} {scales[least]}, {excerpt(most)} {scales[most]}",
            where=where,
            remedy=f"bring them onto one scale, or say that they are: --scale {scales[most]}",
        )


def refuse_thousands(
    cells: Column, scores: NDArray[np.float64], written: Column, where: Callable[[int], str]
) -> None:  # fmt: skip
    """Check that no score is read as 1.5 where 1.500 may mean one thousand five hundred, if the scale is not known.

    Args:
        cells: the scores with decimal points.
        scores: as they were read; nan for rows without one.
        written: the scores as the file has them.
        where: the place of a row, for the message.

    Raises:
        InputError: whole numbers reach beyond 100, none has four digits, and all others are written as thousands are.
    """
    if not isinstance(cells, pl.Series) or cells.dtype != pl.String or not np.nanmax(scores, initial=0.0) > PERCENT:
        return
    marked = cells.str.contains(".", literal=True).fill_null(value=False)
    whole = scores[~marked.to_numpy() & np.isfinite(scores)]
    if not marked.any() or not cells.filter(marked).str.contains(GROUPED).all():
        return
    if not len(whole) or not PERCENT < np.abs(whole).max() < 1000:
        return
    row = int(marked.arg_max() or 0)
    raise InputError(
        f"{written[row].strip()} beside {whole.max():g}: thousands, or a number with three decimals?",
        where=where(row),
        remedy="write thousands without a separator; if these are decimals, declare the scale with --scale",
    )


def refuse_rivals(columns: Mapping[str, Column], matched: Mapping[str, str], where: str) -> None:
    """Check that only one column can be the score.

    Raises:
        ColumnError: another column of numbers has a usual name for scores too, and differs.
    """
    others = rivals(columns, matched)
    if others:
        candidates = [matched["score"], *others]
        raise ColumnError(
            f"several columns can be the score: {', '.join(candidates)}",
            where=where,
            remedy="name it with --column score=NAME",
        )


def refuse_rival_texts(columns: Mapping[str, Column], matched: Mapping[str, str], where: str) -> None:
    """Check that only two columns can be the texts.

    Raises:
        ColumnError: two other columns have usual names for texts too, and differ.
    """
    others = rival_pairs(columns, matched)
    if others:
        pairs = [(matched["left"], matched["right"]), *others]
        raise ColumnError(
            f"several pairs of columns can be the texts: {'; '.join(f'{left}, {right}' for left, right in pairs)}",
            where=where,
            remedy="name them with --column left=NAME --column right=NAME",
        )


def text_warnings(frame: pl.DataFrame, where: str, *, separated: bool) -> Iterator[str]:
    """What is likely to be wrong with texts that can be read, from ids in place of texts to pairs with several scores.

    Args:
        frame: the sound rows.
        where: the file.
        separated: whether it is separated text, so that quotes may enclose fields.
    """
    some = frame.head(MOST_ROWS)
    for side in ("left", "right"):
        if some.height > 2 and some[side].str.contains(LIKE_AN_ID).all():
            yield f"{where}: the {side} texts look like ids ({some[side][0]}, ...): of texts in another file?"
    if separated:
        yield from _quote_warnings(pl.concat([some["left"], some["right"]]), where)
    if some.height > 2 and (some["left"] == some["right"]).all():
        yield f"{where}: left and right are the same text in every row"
    words = pl.concat([some["left"], some["right"]])
    words = words.filter(words.str.len_bytes() <= SHORT)
    lacking = words.filter(words.str.strip_chars().str.to_lowercase().is_in(NO_TEXTS))
    if len(lacking):
        yield f"{where}: {agreeing(len(lacking), 'text', 'is', 'are')} {lacking[0]!r}: missing, or a text?"
    if "score" not in frame.columns:
        return
    shown = [name for name in ("left", "right", "condition", "context") if name in frame.columns]
    distinct = some.select(shown).hash_rows().n_unique()
    if some.height - distinct <= distinct / 10:
        return  # too few pairs are repeated; hashes are compared much faster than pairs
    scores = some.drop_nulls("score").group_by(shown).agg(pl.col("score").n_unique().alias("scores"), pl.len())
    several = scores.filter(pl.col("scores") > 1)
    if several.height > scores.height / 10:
        yield (
            f"{where}: {several.height:,} of {scores.height:,} pairs of texts have several scores; "
            "if the rows are answers of people, make gold of them with 'similitude gold'"
        )


def _quote_warnings(texts: pl.Series, where: str) -> Iterator[str]:
    """A warning where quotes that enclose fields seem to have been read as part of the texts."""
    quoted = texts.filter(texts.str.contains(QUOTED))
    if not len(quoted) and len(texts) > 4 and texts.str.contains(ENCLOSED).all():
        quoted = texts
    if len(quoted):
        yield (
            f"{where}: {agreeing(len(quoted), 'text', 'seems', 'seem')} to be enclosed in quotes that are read as part "
            f"of the text ({excerpt(quoted[0])}); if they are not: --format csv; without header: --header no --column"
        )
    if len(texts) > 4 and texts.str.contains(SINGLE).all():
        yield f"{where}: every text stands in single quotes, which are read as part of it ({texts[0]!r}): remove them?"


def score_warnings(
    frame: pl.DataFrame, column: str, unused: Sequence[str], holds_numbers: Callable[[str], bool], where: str
) -> Iterator[str]:
    """What is likely to be wrong with scores that can be read.

    Args:
        frame: the sound rows.
        column: the file's name for the column of scores, in lower case.
        unused: columns of the file that were not used.
        holds_numbers: whether such a column holds numbers.
        where: the file.
    """
    scores = frame["score"].drop_nulls() if "score" in frame.columns else pl.Series([], dtype=pl.Float64)
    if len(scores) > 2 and scores.min() == scores.max():
        yield f"{where}: all {len(scores):,} scores are {scores[0]:g}"
    if column in CLASSES and set(scores.head(MOST_ROWS).unique().to_list()) == {0.0, 1.0, 2.0}:
        yield f"{where}: column '{column}' holds only 0, 1 and 2: classes of inference, or scores?"
    if "score" in frame.columns:
        return
    candidates = [name for name in unused[:MOST_LOOKED_AT] if holds_numbers(name)]
    if candidates:
        yield (
            f"{where}: no column was recognised as the score; columns of numbers that were not used: "
            f"{', '.join(candidates[:5])} (--column score=NAME)"
        )
