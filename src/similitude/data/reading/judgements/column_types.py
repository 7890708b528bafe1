"""Typed answers from raw columns; values that do not fit are problems of their answers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import polars as pl

from similitude.data.judgement import BEST_WORST_SCHEMA, RATING_SCHEMA
from similitude.data.reading.column_types import BY_DTYPE, NAME, ColumnKind, cast, misfit
from similitude.data.reading.facts import facts_of, stated_scale
from similitude.data.reading.judgements.answers import ROW, Answers
from similitude.data.reading.judgements.column_names import FACTS
from similitude.data.reading.tables import Column, RawTable
from similitude.data.scale import Scale

__all__ = ["leading_number", "matched_facts", "scale_of_ratings", "text_column", "typed_answers"]

SCHEMAS = {**BEST_WORST_SCHEMA, **RATING_SCHEMA}
YES, NO = ("true", "yes", "y", "1", "1.0"), ("false", "no", "n", "0", "0.0")
LEADING = r"^\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*(?:$|[-–—:=.)/]\s*[^\d\s]|\s[^\d])"
"""A number, alone or before words: ``4``, ``4.5``, ``4 - mostly alike``; but not ``3-4`` or ``4th``."""


def _truth(value: Any) -> bool:
    word = str(value).strip().lower()
    if word not in YES + NO:
        raise ValueError
    return word in YES


TRUTH = ColumnKind(
    wanted="true or false",
    remedy="write true or false, or leave it empty",
    dtype=pl.Boolean(),
    takes=lambda dtype: dtype == pl.Boolean,
    convert=lambda series: series,
    one=_truth,
)
KINDS: Mapping[pl.DataType, ColumnKind] = {**BY_DTYPE, pl.Boolean(): TRUTH}


def typed_answers(table: RawTable, raw: Mapping[str, Column], names: Mapping[str, str], **more: Any) -> Answers:
    """One answer for each row of a table.

    Args:
        table: where the rows come from.
        raw: our names to raw columns.
        names: our names to the file's, for messages.
        more: other attributes of `Answers`.
    """
    casts = {name: cast(column, KINDS[SCHEMAS[name]]) for name, column in raw.items()}
    rows = pl.int_range(len(table), eager=True)
    frame = pl.DataFrame({ROW: rows, **{name: each.values for name, each in casts.items()}})
    answers = Answers.of_table(table, frame, **more)
    for name, (_, misfits) in casts.items():
        kind = KINDS[SCHEMAS[name]]
        said = partial(_misfit, column=raw[name], name=names.get(name, name), kind=kind)
        answers = answers.with_problems(misfits, said, _remedy(name, kind))
    return answers


def text_column(column: Column) -> pl.Series:
    """The values as texts; null if blank or not a text."""
    return cast(column, NAME).values


def leading_number(texts: pl.Series) -> pl.Series:
    """The number that each text is, or begins with; null if there is none.

    >>> leading_number(pl.Series(["4", "3 - alike", "4.5", "3-4", "none"])).to_list()
    [4.0, 3.0, 4.5, None, None]
    """
    return texts.cast(pl.String).str.extract(LEADING).cast(pl.Float64, strict=False)


def matched_facts(table: RawTable, matched: Mapping[str, str]) -> dict[str, str]:
    """The facts that a table states, given our names for its columns."""
    return facts_of({name: table.columns[matched[name]] for name in FACTS if name in matched})


def scale_of_ratings(facts: Mapping[str, str], file: str) -> Scale | None:
    """The scale that a file states; None where it states none.

    Raises:
        ScaleError: the file states something that is not one scale.
    """
    return stated_scale(facts, file, "leave the column out with --column scale= and use --scale")


def _misfit(row: Mapping[str, Any], *, column: Column, name: str, kind: ColumnKind) -> str:
    return misfit(column[row[ROW]], name, kind)


def _remedy(name: str, kind: ColumnKind) -> str:
    return "a rating is a number, with a decimal point" if name == "value" else kind.remedy
