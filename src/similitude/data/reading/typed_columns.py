"""Typed columns of a benchmark from raw ones; a value that does not fit is a problem of its row, with its remedy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import numpy as np
import polars as pl

from similitude.data.benchmark import BENCHMARK_SCHEMA
from similitude.data.reading.cell_values import CellValues
from similitude.data.reading.column_types import KINDS, cast, misfit
from similitude.data.reading.members import member_names
from similitude.data.reading.problems import RowProblem, listing
from similitude.data.reading.tables import Column, RawTable

__all__ = ["plain_numbers", "typed_columns"]

NUMBERS_OF_GOLD = ("score", "sigma", "ratings", "standard_error")
"""Columns in which a code may mean that a number is missing."""

DECIMAL_POINT = re.compile(r"^\s*[+-]?\d*\.\d+\s*$")
DECIMAL_COMMA = re.compile(r"^\s*[+-]?\d+,\d+\s*$")
THOUSANDS = re.compile(r"^\s*[+-]?[1-9]\d{0,2}([.,]\d{3})+([.,]\d*)?\s*$")
PERCENT = re.compile(r"^\s*[+-]?\d*[.,]?\d+\s*%\s*$")
LONGEST_WORD = 30
"""Longer values of a column of scores are no labels."""


def plain_numbers(raw: Mapping[str, Column], cells: CellValues) -> tuple[dict[str, Column], dict[str, int]]:
    """The raw columns without codes for missing numbers, and the codes that occur."""
    plain, missing = dict(raw), Counter[str]()
    for name in NUMBERS_OF_GOLD:
        if name in raw:
            plain[name], found = cells.plain(raw[name])
            missing.update(found)
    return plain, dict(missing)


def typed_columns(
    table: RawTable, raw: Mapping[str, Column], matched: Mapping[str, str], cells: CellValues
) -> tuple[pl.DataFrame, list[RowProblem]]:
    """The typed columns, and the problems of values that do not fit.

    Args:
        table: where the values come from.
        raw: our names to raw columns, without codes for missing numbers.
        matched: our names to the file's.
        cells: how numbers and missing numbers are written.
    """
    columns: dict[str, pl.Series] = {}
    problems: list[RowProblem] = []
    for name in BENCHMARK_SCHEMA:
        if name in raw:
            kind = KINDS[name]
            columns[name], misfits = cast(raw[name], kind)
            labels = _two_labels(raw[name]) if name == "score" and misfits.any() else None
            for row in np.flatnonzero(misfits):
                written = table.columns[matched[name]][int(row)]
                what = misfit(written, matched[name], kind)
                remedy = _member_remedy(written, name, matched[name]) or labels
                remedy = remedy or _remedy(written, name, kind.remedy, cells)
                problems.append(table.problem(int(row), what, remedy))
    return pl.DataFrame(columns), problems


def _member_remedy(written: object, name: str, column: str) -> str | None:
    """How to name one member of an object in a cell; None for other cells."""
    if not isinstance(written, dict) or not written:
        return None
    return f"name one of its members ({listing(member_names(column, written))}) with --column {name}=NAME"


def _two_labels(column: Column) -> str | None:
    """How to write a column of two labels, such as yes and no; None if it holds something else."""
    found: dict[str, None] = {}
    for cell in column:
        word = "" if cell is None else str(cell).strip()
        if not word:
            continue
        if len(word) > LONGEST_WORD or not (isinstance(cell, bool) or word[0].isalpha()):
            return None
        found[word] = None
        if len(found) > 2:
            return None
    return (
        f"write 1 for the label that means similar and 0 for the other: {', '.join(found)}" if len(found) == 2 else None
    )


def _remedy(written: object, name: str, usual: str, cells: CellValues) -> str:
    """How to read a list, a number that is written with a comma, or a word that means that a number is missing."""
    if name in ("left", "right") and isinstance(written, list | pl.Series):
        return "give each pair a row of its own; lists that are whole columns are read from a JSON document (.json)"
    if name not in ("left", "right", "score"):
        usual += f", or leave the whole column out with --column {name}="
    if name not in NUMBERS_OF_GOLD or not isinstance(written, str):
        return usual
    if cells.decimal == "," and DECIMAL_POINT.match(written):
        return "write it with a decimal comma; if the file has decimal points, leave out --decimal"
    if PERCENT.match(written):
        return "write the number without the sign of percent"
    if THOUSANDS.match(written):
        comma = "; if the comma stands before decimals: --decimal ','" if DECIMAL_COMMA.match(written) else ""
        return f"write it without separators of thousands{comma}"
    if DECIMAL_COMMA.match(written):
        return "write it with a decimal point; if the file has decimal commas: --decimal ','"
    word = written.strip()
    if len(word.split()) != 1:
        return usual
    code = word if re.fullmatch(r"[a-z]+|[A-Z]{2,}|-?\d+", word) else f"'{word}'"
    return f"{usual}; if {word} means that it is missing: --missing {code}"
