"""Raw tables of judgements, from JSON lines or separated text."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.column_names import find_column
from similitude.data.reading.format import BenchmarkSource
from similitude.data.reading.json_text import read_json_lines
from similitude.data.reading.judgements.column_names import ALIASES
from similitude.data.reading.separated_text import read_headed
from similitude.data.reading.sniffer import SEPARATORS, Sniffer
from similitude.data.reading.tables import Column, RawTable

__all__ = ["header_of", "read_table", "sample_rows", "separator_of", "some_rows", "some_values"]

SAMPLED_LINES = 200


def read_table(source: BenchmarkSource) -> RawTable:
    """The raw columns of a file with JSON lines, or with a header and rows."""
    sniffer = Sniffer(source.path, encoding=source.encoding, columns=source.columns)
    if sniffer.looks_like_json:
        return read_json_lines(source.path, source.encoding)
    return read_headed(source.path, separator_of(sniffer), source.encoding)


def separator_of(sniffer: Sniffer) -> str:
    """The separator that gives the first line the most known columns and, among equals, the most columns."""
    return max(SEPARATORS, key=lambda separator: _known_columns(sniffer.fields(separator)))


def header_of(sniffer: Sniffer) -> list[str]:
    """The column names, or the keys of the first object; empty for folders."""
    if sniffer.is_folder or sniffer.on_hub:
        return []
    return list(sniffer.first_object) or sniffer.fields(separator_of(sniffer))


def sample_rows(sniffer: Sniffer) -> list[list[str]]:
    """Those of the first rows below the header that have as many fields as it."""
    separator, width = separator_of(sniffer), len(header_of(sniffer))
    lines = [line for line in re.split("\r?\n|\r", sniffer.text) if line][: SAMPLED_LINES + 1]
    try:
        rows = list(csv.reader(lines, delimiter=separator))[1:]
    except csv.Error:
        return []
    return [row for row in rows if len(row) == width]


def some_rows(table: RawTable, which: NDArray[np.bool_]) -> RawTable:
    """Some rows of a table, with all its problems."""
    places = np.flatnonzero(which).tolist()
    return replace(
        table,
        columns={name: some_values(column, which) for name, column in table.columns.items()},
        starts=table.starts[which],
        ends=table.ends[which],
        labels=None if table.labels is None else [table.labels[at] for at in places],
    )


def some_values(column: Column, which: NDArray[np.bool_]) -> Column:
    """Some values of a column."""
    if isinstance(column, pl.Series):
        return column.filter(pl.Series(which))
    return [column[at] for at in np.flatnonzero(which).tolist()]


def _known_columns(fields: Sequence[str]) -> tuple[int, int]:
    known = sum(find_column(fields, names) is not None for names in ALIASES.values())
    return known, len(fields)
