"""Columns of answers and of their time stamps, added to the answers of a table with one answer per row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from similitude.data.plural import agreeing
from similitude.data.reading.judgements.answer_values import answer_texts, answer_values, misfit_remedy
from similitude.data.reading.judgements.answers import OTHER_TIME, ROW, TIME, WORD, Answers
from similitude.data.reading.judgements.categories import stated_categories
from similitude.data.reading.judgements.format import JudgementSource
from similitude.data.reading.judgements.time_stamps import is_moment, moments, two_moments
from similitude.data.reading.problems import excerpt
from similitude.data.reading.tables import Column, RawTable

__all__ = ["missing_note", "time_column", "with_times", "with_values"]

NO_DATE = "time stamps have no date, so the last answer is the one that comes last in the file"


def with_values(answers: Answers, column: Column, name: str, source: JudgementSource) -> Answers:
    """The answers with their values: numbers, or words in the column `WORD`.

    Rows with a code for no answer are left out and counted, unless they say whether the question applies.

    Args:
        answers: one for each row of the table.
        column: the raw values.
        name: the file's name for the column.
        source: what the user said about answers.
    """
    read = answer_values(column, source, categories=bool(stated_categories(answers.facts)))
    written = answer_texts(column)
    more = {"value": read.numbers} if read.words is None else {WORD: read.words}
    answers = replace(answers, frame=answers.frame.with_columns(**more))

    def what(row: Mapping[str, Any]) -> str:
        return f"{excerpt(written[row[ROW]])} in column {excerpt(name)} is not a number"

    answers = answers.with_problems(read.misfits, what, misfit_remedy(source.decimal))
    file = answers.table.file
    notes = (*answers.notes, *(f"{file}: {note}" for note in read.notes), *missing_note(read.missing, file))
    answers = replace(answers, notes=notes, missing=read.missing)
    if not read.missing:
        return answers
    applies = answers.frame["applies"].is_not_null() if "applies" in answers.frame.columns else pl.lit(value=False)
    kept = answers.frame.select(~pl.lit(pl.Series(read.coded)) | applies).to_series()
    return answers.only(kept)


def missing_note(missing: Mapping[str, int], file: str) -> tuple[str, ...]:
    """A note that counts the codes for no answer."""
    said = ", ".join(agreeing(count, "answer", f"is {code!r}", f"are {code!r}") for code, count in missing.items())
    return (f"{file}: {said}, which means that there is none; left out",) if missing else ()


def time_column(matched: Mapping[str, str], table: RawTable) -> dict[str, str]:
    """The matched columns, without that of time stamps if it holds something else, such as durations."""
    if "time" not in matched or is_moment(answer_texts(table.columns[matched["time"]])):
        return dict(matched)
    return {ours: theirs for ours, theirs in matched.items() if ours != "time"}


def with_times(answers: Answers, column: Column | None) -> Answers:
    """The answers with their time stamps; where day and month can be told in two ways, with both readings."""
    if column is None:
        return answers
    times = moments(column)
    read = (times,) if times is not None else two_moments(column)
    if read is None:
        warning = f"{answers.table.file}: {NO_DATE}"
        noted = (*answers.warnings, warning) if is_moment(answer_texts(column)) else answers.warnings
        return replace(answers, warnings=noted)
    rows = answers.frame[ROW].cast(pl.Int64).to_numpy()
    stamped = {name: times.gather(rows) for name, times in zip((TIME, OTHER_TIME), read, strict=False)}
    details = {**answers.details, "repeats": "last counts, by time stamp"}
    return replace(answers, frame=answers.frame.with_columns(**stamped), details=details)
