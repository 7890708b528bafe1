"""Readers for files of correct answers and of experts' verdicts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from similitude.errors import ColumnError, InputError

if TYPE_CHECKING:
    import polars as pl


__all__ = ["gold_answers_from", "verdicts_from"]


def gold_answers_from(path: Path, kind: str) -> Mapping[str, Any]:
    """Correct answers: question,value for ratings and categories; question,best,worst for best-worst answers.

    Raises:
        InputError: a cell is empty, a rating is not a number, or a question has two answers.
    """
    table = _table(path)
    questions = _column(table, path, "question", "item", "id")
    if kind == "best-worst":
        best, worst = (_column(table, path, name) for name in ("best", "worst"))
        return _answers(path, questions, best, worst)
    given = _answers(path, questions, _column(table, path, "value", "score", "rating", "label"))
    words = {question: answer for question, (answer,) in given.items()}
    return words if kind == "category" else {question: _number(word, path) for question, word in words.items()}


def verdicts_from(path: Path) -> Mapping[str, str]:
    """An expert's verdicts: item,verdict.

    Raises:
        InputError: a cell is empty, or an item has two verdicts.
    """
    table = _table(path)
    verdicts = _column(table, path, "verdict", "expert", "label")
    return {item: verdict for item, (verdict,) in _answers(path, _column(table, path, "item", "id"), verdicts).items()}


def _answers(path: Path, questions: pl.Series, *answers: pl.Series) -> dict[str, tuple[str, ...]]:
    """One answer for each question."""
    found: dict[str, tuple[str, ...]] = {}
    rows = zip(questions.to_list(), *(column.to_list() for column in answers), strict=True)
    for number, (question, *given) in enumerate(rows, start=1):
        where = f"{path.name}, row {number} below the header"
        if question is None or None in given:
            raise InputError("an empty cell", where=where, remedy="give each question its correct answer")
        key, answer = str(question).strip(), tuple(str(word).strip() for word in given)
        if found.setdefault(key, answer) != answer:
            what = f"'{key}' has two answers, {', '.join(found[key])} and {', '.join(answer)}"
            raise InputError(what, where=where, remedy="keep the one that is right")
    return found


def _number(word: str, path: Path) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"the correct answer '{word}' is not a number", where=path.name, remedy="write question,value")
    return number


def _table(path: Path) -> pl.DataFrame:
    """Read a CSV or JSON Lines file as a table of strings.

    Raises:
        InputError: there is no such file, or it cannot be read.
    """
    import polars as pl

    if not path.is_file():
        raise InputError("there is no such file", where=str(path), remedy="check the path")
    try:
        if path.suffix.lower() in (".jsonl", ".ndjson"):
            return pl.read_ndjson(path)
        separator = "\t" if path.suffix.lower() == ".tsv" else ","
        return pl.read_csv(path, separator=separator, infer_schema=False)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"cannot be read: {error}", where=path.name, remedy="give CSV or JSON lines") from None


def _column(table: pl.DataFrame, path: Path, *names: str) -> pl.Series:
    """The first column that has one of these names.

    Raises:
        ColumnError: none has.
    """
    for name in names:
        if name in table.columns:
            return table[name]
    there = ", ".join(table.columns)
    raise ColumnError(f"no column '{names[0]}'; columns there: {there}", where=path.name, remedy=f"name one {names[0]}")
