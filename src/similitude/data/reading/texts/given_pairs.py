"""`read_pairs`: pairs that exist already, as rows of their distinct texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.arguments import as_columns
from similitude.data.reading.column_names import ALIASES, PAIRS, column_error, match_columns, plain_name
from similitude.data.reading.column_types import NAME, TEXT, cast, misfit
from similitude.data.reading.containers.objects import is_object, object_tables
from similitude.data.reading.containers.table import read_tables
from similitude.data.reading.formats.huggingface import huggingface
from similitude.data.reading.problems import RowProblem, settle
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.spool import local_files
from similitude.data.reading.tables import RawTable
from similitude.data.texts import Texts

__all__ = ["GivenPairs", "read_pairs"]

SHARED = ("group", "document", "language", "domain", "source")
"""Columns that say something of both texts of a pair."""


@dataclass(frozen=True, slots=True, eq=False)
class GivenPairs:
    """Pairs that were given.

    Attributes:
        texts: the distinct texts of both sides, in order of first appearance.
        left: the row of each pair's first text.
        right: the row of each pair's second text.
        columns: the other columns of the file, one value for each pair.
    """

    texts: Texts
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    columns: Mapping[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.left)


def read_pairs(
    data: Any,
    *,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    separator: str | None = None,
    header: bool | None = None,
    sheet: str | None = None,
) -> GivenPairs:
    """Pairs from a file, from the hub, or from an object in memory.

    Args:
        data: a path, ``hf:owner/name``, a data frame, columns by name, or records.
        columns: our columns (left, right, group, document, language, domain, source) to the file's.
        encoding: the encoding of text files.
        separator: what separates the fields of a table; found out by default.
        header: whether the first row names the columns; found out by default.
        sheet: the sheet of a workbook.

    >>> found = read_pairs([("a cat", "one cat"), ("a cat", "a dog")])
    >>> found.texts.texts, found.left.tolist(), found.right.tolist()
    (['a cat', 'one cat', 'a dog'], [0, 0], [1, 2])

    Raises:
        InputError: a row is not valid, or has no two texts; the message names the place and a remedy.
    """
    chosen = as_columns(columns)
    source = BenchmarkSource(
        path=Path(), encoding=encoding, columns=chosen, separator=separator, header=header, sheet=sheet
    )
    parts = [_pairs_of(table, chosen) for table in _tables(data, source)]
    return _distinct(pl.concat(parts, how="diagonal_relaxed"))


def _tables(data: Any, source: BenchmarkSource) -> list[RawTable]:
    if is_object(data):
        return object_tables(data)
    with local_files([data]) as (local,):
        each = replace(source, path=Path(local))
        return list(huggingface().tables(each) if huggingface().fits(Sniffer.of(each)) else read_tables(each))


def _pairs_of(table: RawTable, chosen: Mapping[str, str]) -> pl.DataFrame:
    """The typed columns of a table; others keep their names behind a mark, so that no name is taken."""
    matched = _matched(list(table.columns), chosen, table.file)
    series, problems = [], list(table.problems)
    for ours, theirs in matched.items():
        kind = TEXT if ours in ("left", "right") else NAME
        values, bad = cast(table.columns[theirs], kind)
        series.append(values.alias(ours))
        problems += [
            table.problem(row, misfit(table.columns[theirs][row], theirs, kind), kind.remedy)
            for row in np.flatnonzero(bad).tolist()
        ]
    frame = pl.DataFrame(series)
    settle([*problems, *_blank(frame, table, matched)], "stop")
    others = [name for name in table.columns if name and name not in matched.values()]
    return frame.with_columns(pl.Series(f":{name}", table.columns[name], strict=False) for name in others)


def _matched(there: list[str], chosen: Mapping[str, str], where: str) -> dict[str, str]:
    if not {"left", "right"} <= set(chosen):
        plain = {plain_name(name): name for name in reversed(there)}
        pair = next((pair for pair in PAIRS if set(pair) <= set(plain)), None)
        if pair is None:
            raise column_error("no two columns are known to hold pairs of texts", there, "left", where)
        chosen = {"left": plain[pair[0]], "right": plain[pair[1]], **chosen}
    usual = {ours: ALIASES.get(ours, (ours,)) for ours in SHARED}
    return match_columns(there, chosen, usual, where)


def _blank(frame: pl.DataFrame, table: RawTable, matched: Mapping[str, str]) -> list[RowProblem]:
    return [
        table.problem(row, f"column '{matched[side]}' is blank", "every pair needs both texts")
        for side in ("left", "right")
        for row in frame[side].is_null().arg_true().to_list()
    ]


def _distinct(frame: pl.DataFrame) -> GivenPairs:
    shared = [name for name in SHARED if name in frame.columns]
    sides = [frame.select(pl.col(side).alias("text"), *shared).with_row_index("pair") for side in ("left", "right")]
    both = pl.concat([side.with_columns(pl.lit(at).alias("side")) for at, side in enumerate(sides)])
    texts = both.sort("pair", "side").drop("pair", "side").unique("text", keep="first", maintain_order=True)
    rows = texts.select("text").with_row_index("row")
    left, right = (side.join(rows, on="text", how="left", maintain_order="left")["row"] for side in sides)
    ids = pl.int_range(1, texts.height + 1).cast(pl.String).alias("id")
    others = {name[1:]: frame[name].to_numpy() for name in frame.columns if name.startswith(":")}
    numbers = (left.to_numpy().astype(np.int64), right.to_numpy().astype(np.int64))
    return GivenPairs(Texts(texts.with_columns(ids)), *numbers, others)
