"""Correct answers and experts' verdicts, in a file, a data frame or a mapping."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from similitude.errors import ColumnError, InputError

if TYPE_CHECKING:
    import polars as pl

    from similitude.data.reading.tables import RawTable

__all__ = ["ReferenceData", "gold_answers_from", "verdicts_from"]

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "question": ("question", "item", "id"),
    "item": ("item", "id"),
    "value": ("value", "score", "rating", "label"),
    "best": ("best",),
    "worst": ("worst",),
    "verdict": ("verdict", "expert", "label"),
}
"""The usual names of each column."""


ReferenceData = str | Path | Mapping[Any, Any] | Iterable[Any]
"""A file, a data frame, columns by name, records; or a mapping from questions or items to answers."""


def gold_answers_from(data: ReferenceData, kind: str) -> Mapping[str, Any]:
    """Correct answers: question,value for ratings and categories; question,best,worst for best-worst answers.

    Args:
        data: a table in a file or in memory; or a mapping from each question to its answer, or to best and worst.
        kind: of the answers.

    Raises:
        InputError: a cell is empty, a rating is not a number, or a question has two answers.
    """
    if _is_answers(data):
        return data
    table = _table(data)
    questions = _column(table, "question")
    if kind == "best-worst":
        best, worst = (_column(table, name) for name in ("best", "worst"))
        return _answers(table, questions, best, worst)
    given = _answers(table, questions, _column(table, "value"))
    words = {question: answer for question, (answer,) in given.items()}
    return words if kind == "category" else {question: _number(word, table) for question, word in words.items()}


def verdicts_from(data: ReferenceData) -> Mapping[str, str]:
    """An expert's verdicts: item,verdict.

    Args:
        data: a table in a file or in memory, or a mapping from each item to the verdict.

    Raises:
        InputError: a cell is empty, or an item has two verdicts.
    """
    if _is_answers(data):
        return data
    table = _table(data)
    found = _answers(table, _column(table, "item"), _column(table, "verdict"))
    return {item: verdict for item, (verdict,) in found.items()}


def _is_answers(data: ReferenceData) -> TypeGuard[Mapping[str, Any]]:
    """Whether this is a mapping from questions to answers, not from names to columns."""
    return isinstance(data, Mapping) and not {str(key).lower() for key in data} & set(COLUMNS["question"])


def _answers(table: RawTable, questions: pl.Series, *answers: pl.Series) -> dict[str, tuple[str, ...]]:
    """One answer for each question."""
    found: dict[str, tuple[str, ...]] = {}
    rows = zip(questions.to_list(), *(column.to_list() for column in answers), strict=True)
    for row, (question, *given) in enumerate(rows):
        where = table.where(row)
        if question is None or None in given:
            raise InputError("an empty cell", where=where, remedy="give each question its correct answer")
        key, answer = str(question).strip(), tuple(str(word).strip() for word in given)
        if found.setdefault(key, answer) != answer:
            what = f"'{key}' has two answers, {', '.join(found[key])} and {', '.join(answer)}"
            raise InputError(what, where=where, remedy="keep the one that is right")
    return found


def _number(word: str, table: RawTable) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(
            f"the correct answer '{word}' is not a number", where=table.file, remedy="write question,value"
        )
    return number


def _table(data: ReferenceData) -> RawTable:
    """The table in a file of any container, packed or not, or in memory.

    Raises:
        InputError: there is no such file, it cannot be read, or a row is not valid.
        ArgumentError: this is no table.
    """
    from similitude.data.reading.containers.objects import object_tables
    from similitude.data.reading.containers.table import USUAL_NAMES, read_table
    from similitude.data.reading.problems import settle
    from similitude.data.reading.source import BenchmarkSource
    from similitude.data.reading.spool import local_files

    if not isinstance(data, str | Path):
        table = object_tables(data)[0]
        settle(table.problems, "stop")
        return table
    with local_files([data]) as local:
        source = BenchmarkSource(path=Path(local[0]), header=True)
        table = read_table(source, USUAL_NAMES | {name for names in COLUMNS.values() for name in names})
    settle(table.problems, "stop")
    return table


def _column(table: RawTable, name: str) -> pl.Series:
    """The column that has one of the usual names.

    Raises:
        ColumnError: none has.
    """
    from similitude.data.reading.column_names import find_column
    from similitude.data.reading.judgements.answer_values import answer_texts

    there = list(table.columns)
    found = find_column(there, COLUMNS[name])
    if found is None:
        what = f"no column '{name}'; columns there: {', '.join(there)}"
        raise ColumnError(what, where=table.file, remedy=f"call one of them {' or '.join(COLUMNS[name])}")
    return answer_texts(table.columns[found])
