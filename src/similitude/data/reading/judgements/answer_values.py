"""Answers as they are written: numbers, numbers with words, or categories in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.cell_values import NO_VALUE, CellValues
from similitude.data.reading.column_types import NUMBER, cast
from similitude.data.reading.judgements.column_types import leading_number
from similitude.data.reading.judgements.format import JudgementSource
from similitude.data.reading.problems import excerpt, listing
from similitude.data.reading.tables import Column
from similitude.errors import InputError

__all__ = ["AnswerValues", "answer_texts", "answer_values", "blanked", "misfit_remedy"]

NUMERIC = r"^\s*[+\-–(]?\s*[.,]?\d[\d\s.,:/%)–\-]*$"
"""Digits and signs only, such as ``3,5``, ``3-4`` or ``80%``: nobody's category, unless the user says so."""

NO_ANSWER = (*NO_VALUE, "nil", "missing")
"""Words, in lower case, that mean that there is no answer, or are a category."""

NO_RATING = ("", "none", *NO_VALUE)
"""Values, in lower case, that mean that there is no rating."""

SET = re.compile(r"[|;,/+&]")
"""What separates several labels in one cell."""

SEVERAL = "give each label a row with a question of its own, or say --kind category to read every set as a category"

LISTED = r"^\s*\d+\s*[.)]\s*[^\d\s]"
"""A number as in a list, before words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerValues:
    """The answers of one column.

    Attributes:
        numbers: the answers as numbers; null if they are words or there is none.
        words: the answers as words, if they are categories.
        misfits: true for answers that are not numbers although others are.
        coded: true for answers that are a code for no answer.
        missing: these codes, to the number of times that they occur.
        notes: decisions that the user should know.
    """

    numbers: pl.Series
    words: pl.Series | None
    misfits: NDArray[np.bool_]
    coded: NDArray[np.bool_]
    missing: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def answer_texts(column: Column) -> pl.Series:
    """The values as texts: numbers as they are written, truth values as true and false; null if blank."""
    if not isinstance(column, pl.Series) or column.dtype.is_nested() or column.dtype == pl.Object:
        values = column.to_list() if isinstance(column, pl.Series) else column
        return pl.Series([_text(value) for value in values], dtype=pl.String)
    texts = column.cast(pl.String)
    return texts.to_frame("it").select(pl.when(pl.col("it").str.contains(r"\S")).then("it")).to_series()


def blanked(column: pl.Series, words: Sequence[str] = NO_RATING) -> pl.Series:
    """The column with null for values, in lower case, that mean that there is no rating."""
    missing = pl.col("it").str.strip_chars().str.to_lowercase().is_in(list(words))
    return column.to_frame("it").select(pl.when(~missing).then("it")).to_series().alias(column.name)


def _text(value: object) -> str | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    written = str(value)
    return written if written.strip() else None


def answer_values(column: Column, source: JudgementSource, *, categories: bool = False) -> AnswerValues:
    """The answers of a column: numbers if one of them is a number, else categories in words.

    Args:
        column: the raw values.
        source: what the user said about kind, categories, missing codes and decimals.
        categories: whether the file states that its answers are categories.
    """
    column = _single(column, source)
    plain = CellValues(missing=source.missing, decimal=source.decimal).plain(column)
    texts = answer_texts(plain.column)
    coded = (answer_texts(column).is_not_null() & texts.is_null()).to_numpy()
    none = np.zeros(len(texts), dtype=np.bool_)
    blank = pl.Series([None], dtype=pl.Float64).new_from_index(0, len(texts))
    if categories or source.categories or source.kind == "category":
        return AnswerValues(numbers=blank, words=texts, misfits=none, coded=coded, missing=plain.missing)
    numbers, misfits = cast(texts, NUMBER)
    misfits = misfits & texts.is_not_null().to_numpy()
    worded = leading_number(texts)
    labelled = bool(misfits.any()) and not (worded.is_null() & texts.is_not_null()).any()
    if not labelled and (numbers.null_count() < len(numbers) or not misfits.any() or source.kind == "rating"):
        return AnswerValues(numbers=numbers, words=None, misfits=misfits, coded=coded, missing=plain.missing)
    if labelled:
        _refuse_numbered(texts, source)
        first = excerpt(texts.filter(pl.Series(misfits))[0])
        note = f"answers such as {first} are read as the number that they begin with"
        return AnswerValues(numbers=worded, words=None, misfits=none, coded=coded, missing=plain.missing, notes=(note,))
    if texts.str.contains(NUMERIC).any():
        return AnswerValues(numbers=numbers, words=None, misfits=misfits, coded=coded, missing=plain.missing)
    _refuse_blank_words(texts, source)
    _refuse_sets(texts, source)
    return AnswerValues(numbers=blank, words=texts, misfits=none, coded=coded, missing=plain.missing)


def _single(column: Column, source: JudgementSource) -> Column:
    """The answers, with those in lists of one taken out.

    Raises:
        InputError: a list holds several answers.
    """
    values = column.to_list() if isinstance(column, pl.Series) and column.dtype.is_nested() else column
    if isinstance(values, pl.Series) or not any(isinstance(value, list) for value in values):
        return column
    several = next((value for value in values if isinstance(value, list) and len(value) > 1), None)
    if several is not None and source.kind is None:
        what = f"an answer holds several labels, {listing(map(str, several))}"
        raise InputError(what, where=source.path.name, remedy=SEVERAL)
    return [_one(value) for value in values]


def _one(value: object) -> object:
    if not isinstance(value, list):
        return value
    return ", ".join(map(str, value)) if value else None


def _refuse_blank_words(texts: pl.Series, source: JudgementSource) -> None:
    """Check that no category is a word for no answer.

    Raises:
        InputError: one is, such as NA.
    """
    blank = texts.filter(texts.str.strip_chars().str.to_lowercase().is_in(list(NO_ANSWER)))
    if len(blank):
        first = f"answer {excerpt(blank[0])} ({len(blank):,} of {len(texts):,})"
        what = f"{first} may be a category or mean that there is none"
        remedy = f"say --missing {blank[0].strip()}, or --kind category to read it as a category"
        raise InputError(what, where=source.path.name, remedy=remedy)


def _refuse_sets(texts: pl.Series, source: JudgementSource) -> None:
    """Check that no answer is a list, or written as several of the other answers, such as ``joy|fear``.

    Raises:
        InputError: one is.
    """
    words = {word.strip().casefold(): word for word in texts.drop_nulls().unique(maintain_order=True).to_list()}
    for word, written in words.items():
        parts = [part.strip() for part in SET.split(word)]
        if len(parts) > 1 and (word.strip().startswith("[") or all(part in words for part in parts)):
            what = f"answer {excerpt(written)} holds several labels"
            raise InputError(what, where=source.path.name, remedy=SEVERAL)


def _refuse_numbered(texts: pl.Series, source: JudgementSource) -> None:
    """Check that answers are not numbered categories, such as ``4. Neurosis``, which may have no order.

    Raises:
        InputError: they are, and the user has not said what they mean.
    """
    numbered = texts.filter(texts.str.contains(LISTED))
    if source.kind is None and len(numbered):
        what = f"answers such as {excerpt(numbered[0])} may be places on a scale or numbered categories"
        remedy = "say --kind rating to read the numbers, or --kind category to read the words"
        raise InputError(what, where=source.path.name, remedy=remedy)


def misfit_remedy(decimal: str = ".") -> str:
    """How to correct an answer that is not a number although others are."""
    form = "a decimal point (or a comma with --decimal ,)" if decimal == "." else "a decimal comma"
    return (
        f"a rating is a number, with {form}; name a code for no answer with --missing CODE, or read all answers as "
        "categories with --kind category"
    )
