"""Reading predictions: one number per line, or a table with id, score and sigma."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.prediction import Predictions
from similitude.data.reading.column_names import find_column
from similitude.data.reading.column_types import NAME, NUMBER, ColumnKind, cast, misfit
from similitude.data.reading.files import opening_bytes, read_bytes
from similitude.data.reading.json_text import read_json_lines
from similitude.data.reading.problems import settle
from similitude.data.reading.separated_text import Dialect, separated_table
from similitude.data.reading.tables import RawTable, numbered
from similitude.data.reading.text_decoder import load_text
from similitude.errors import ColumnError, InputError

__all__ = ["read_predictions"]

IDS = ("id", "item", "pair_id", "uuid", "index")
SCORES = ("score", "prediction", "predicted", "similarity", "value", "cosine", "output")
SIGMAS = ("sigma", "std", "sd", "standard_deviation", "uncertainty")
PLAIN = Dialect(separator="\t", quoted=False, header=("score", "confidence"), widths=frozenset({1, 2}))
"""The output of systems at SemEval: one score per line, and sometimes a confidence, which is not used."""


def read_predictions(path: str | Path, ids: Sequence[str], encoding: str = "utf-8") -> Predictions:
    """Predictions for the items with these ids, in this order.

    A table with an id column is matched by id; otherwise there must be one row for each item, in order. An empty score
    is nan.

    Args:
        path: a text file with one number per line, or CSV, TSV, JSONL or Parquet with a column of scores.
        ids: the ids of the items.
        encoding: the encoding of text files.

    Raises:
        InputError: a value is not a number, an item has no prediction or two, or the numbers of rows differ.
    """
    table = _table(Path(path), encoding)
    settle(table.problems, "stop")
    scores, sigmas = _numbers(table, SCORES), _numbers(table, SIGMAS)
    if scores is None:
        there = ", ".join(table.columns)
        raise ColumnError("no column of scores", where=table.file, remedy=f"call it 'score'; columns there: {there}")
    order = _order(table, ids)
    return Predictions(scores[order], None if sigmas is None else sigmas[order])


def _table(path: Path, encoding: str) -> RawTable:
    start = opening_bytes(path, 4) if path.is_file() else read_bytes(path)[:4]
    if start == b"PAR1":
        frame = pl.read_parquet(path)
        return RawTable(
            file=path.name,
            columns=dict(frame.to_dict()),
            starts=numbered(frame.height),
            ends=numbered(frame.height),
            unit="row",
        )
    if start.lstrip()[:1] == b"{":
        return read_json_lines(path, encoding)
    text = load_text(path, encoding)
    first = text.lines[0].strip()
    if _is_number(first.partition("\t")[0]):
        return separated_table(text, PLAIN)
    return separated_table(text, Dialect(separator="\t" if "\t" in first else ","))


def _is_number(written: str) -> bool:
    try:
        float(written)
    except ValueError:
        return False
    return True


def _numbers(table: RawTable, names: Iterable[str]) -> NDArray[np.float64] | None:
    name = find_column(table.columns, names)
    return None if name is None else _cast(table, name, NUMBER).fill_null(float("nan")).to_numpy()


def _cast(table: RawTable, name: str, kind: ColumnKind) -> pl.Series:
    values, bad = cast(table.columns[name], kind)
    for row in np.flatnonzero(np.asarray(bad)).tolist():
        what = misfit(table.columns[name][row], name, kind)
        raise InputError(what, where=table.where(row), remedy="correct this value")
    return values


def _order(table: RawTable, ids: Sequence[str]) -> NDArray[np.intp]:
    """The row of each item in the table."""
    name = find_column(table.columns, IDS)
    if name is None:
        if len(table) != len(ids):
            raise InputError(
                f"{len(table):,} predictions for {len(ids):,} items",
                where=table.file,
                remedy="give one per line for every item of the gold file, or a table with an id column",
            )
        return np.arange(len(ids))
    return _order_by_id(table, _cast(table, name, NAME).to_list(), ids)


def _order_by_id(table: RawTable, there: Sequence[str], ids: Sequence[str]) -> NDArray[np.intp]:
    rows: dict[str, int] = {}
    for row, name in enumerate(there):
        if rows.setdefault(name, row) != row:
            raise InputError(
                f"more than one prediction has the id '{name}'",
                where=table.where(row),
                remedy="give one prediction per item",
            )
    missing = [name for name in ids if name not in rows]
    if missing:
        shown = ", ".join(f"'{name}'" for name in missing[:3]) + (", ..." if len(missing) > 3 else "")
        raise InputError(
            f"no prediction for {len(missing):,} of {len(ids):,} items ({shown})",
            where=table.file,
            remedy="predict every item, with the ids of the gold file",
        )
    return np.array([rows[name] for name in ids], dtype=np.intp)
