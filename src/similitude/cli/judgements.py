"""Warnings about judgements, and readers for files of correct answers and of experts' verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from similitude.errors import ColumnError, InputError

if TYPE_CHECKING:
    import polars as pl

    from similitude.data.judgements import Judgements

__all__ = ["gold_answers_from", "verdicts_from", "warn"]


def warn(judgements: Judgements) -> None:
    """Print what is likely to be wrong with the files to standard error, whatever else is printed."""
    from similitude.cli.console import errors

    for warning in judgements.provenance.warnings:
        errors.print(f"warning: {warning}", style="bold yellow", markup=False, highlight=False, soft_wrap=True)


def gold_answers_from(path: Path, kind: str) -> Mapping[str, Any]:
    """Correct answers: question,value for ratings and categories; question,best,worst for best-worst answers."""
    table = _table(path)
    question = _column(table, path, "question", "item", "id").cast(str).to_list()
    if kind == "best-worst":
        best, worst = (_column(table, path, name).cast(str).to_list() for name in ("best", "worst"))
        return dict(zip(question, zip(best, worst, strict=True), strict=True))
    values = _column(table, path, "value", "score", "rating", "label")
    if kind == "category":
        return dict(zip(question, values.cast(str).to_list(), strict=True))
    try:
        numbers = values.cast(float).to_list()
    except Exception:
        raise InputError("a correct answer is not a number", where=path.name, remedy="write question,value") from None
    return dict(zip(question, numbers, strict=True))


def verdicts_from(path: Path) -> Mapping[str, str]:
    """An expert's verdicts: item,verdict."""
    table = _table(path)
    items = _column(table, path, "item", "id").cast(str).to_list()
    return dict(zip(items, _column(table, path, "verdict", "expert", "label").to_list(), strict=True))


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
