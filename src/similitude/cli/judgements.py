"""What the commands about judgements share: opening them, reading right answers, writing a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from similitude.errors import ColumnError, InputError

if TYPE_CHECKING:
    import polars as pl

    from similitude.data.judgements import Judgements
    from similitude.report.page.sheet import Sheet

__all__ = ["column_of", "deliver_page", "gold_answers_from", "opened", "table_from", "verdicts_from"]


def opened(data: Sequence[str], items: str | None, kind: str | None, reading: Mapping[str, Any]) -> Judgements:
    """The judgements in one or several files, or those that a benchmark keeps."""
    from similitude.cli.options import data_paths
    from similitude.data.addresses import open_benchmark, open_judgements

    given = {name: value for name, value in reading.items() if value not in (None, {})}
    if kind is not None:
        given["kind"] = kind
    if items is not None:
        given["items"] = open_benchmark(items)
    return open_judgements(data_paths(data), **given)


def gold_answers_from(path: Path, kind: str) -> Mapping[str, Any]:
    """Right answers: question,value for ratings; question,best,worst for best-worst answers."""
    table = table_from(path)
    question = column_of(table, path, "question", "item", "id").cast(str).to_list()
    if kind == "best-worst":
        best, worst = (column_of(table, path, name).cast(str).to_list() for name in ("best", "worst"))
        return dict(zip(question, zip(best, worst, strict=True), strict=True))
    values = column_of(table, path, "value", "score", "rating", "label")
    try:
        numbers = values.cast(float).to_list()
    except Exception:
        raise InputError("a right answer is no number", where=path.name, remedy="write question,value") from None
    return dict(zip(question, numbers, strict=True))


def verdicts_from(path: Path) -> Mapping[str, str]:
    """An expert's verdicts: item,verdict."""
    table = table_from(path)
    items = column_of(table, path, "item", "id").cast(str).to_list()
    return dict(zip(items, column_of(table, path, "verdict", "expert", "label").to_list(), strict=True))


def table_from(path: Path) -> pl.DataFrame:
    """A CSV file or JSON lines as a table of text.

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


def column_of(table: pl.DataFrame, path: Path, *names: str) -> pl.Series:
    """The first column that has one of these names.

    Raises:
        ColumnError: none has.
    """
    for name in names:
        if name in table.columns:
            return table[name]
    there = ", ".join(table.columns)
    raise ColumnError(f"no column '{names[0]}'; columns there: {there}", where=path.name, remedy=f"name one {names[0]}")


def deliver_page(path: Path, sheet: Sheet) -> None:
    """Write a page, whole or not at all."""
    from similitude.data.writing.benchmark import write_atomically
    from similitude.report.page.sheet import sheet_page

    text = sheet_page(sheet)
    write_atomically(path, lambda draft: draft.write_text(text, encoding="utf-8"))
