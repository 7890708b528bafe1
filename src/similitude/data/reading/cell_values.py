"""Cells of numbers as a file writes them: codes for what is missing, and decimal commas."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import polars as pl

from similitude.data.reading.tables import Column

__all__ = ["NO_VALUE", "CellValues", "PlainCells"]

NO_VALUE = ("na", "n/a", "#n/a", "<na>", "nan", "null", "*", ".", "-", "–", "?")
"""What programs and people write, in lower case, where there is no number."""

COMMA_NUMBER = r"^\s*[+-]?\d+(?:,\d+)?(?:[eE][+-]?\d+)?\s*$"
POINT_NUMBER = re.compile(r"^\s*[+-]?\d*\.\d+\s*$")


class PlainCells(NamedTuple):
    """A column as it is converted to numbers.

    Attributes:
        column: the cells, null where a code means that the value is missing.
        missing: each code that occurs, to the number of its cells.
    """

    column: Column
    missing: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CellValues:
    """How numbers and missing numbers are written in a file.

    Attributes:
        missing: codes for values that are missing, as they are written; ``-1`` also stands for ``-1.0``.
        decimal: the character before the decimals, a point or a comma.
    """

    missing: tuple[str, ...] = ()
    decimal: str = "."

    def plain(self, column: Column) -> PlainCells:
        """The column without codes, and with decimal points."""
        if not self.missing and self.decimal == ".":
            return PlainCells(column, {})
        if isinstance(column, pl.Series) and not column.dtype.is_nested() and column.dtype != pl.Object:
            return self._plain_series(column)
        return self._plain_values(list(column))

    def _plain_series(self, series: pl.Series) -> PlainCells:
        coded = self._is_code(series)
        counts = Counter(str(value) for value in series.filter(coded).to_list())
        plain = series.set(coded, None) if counts else series
        return PlainCells(self._with_points(plain), dict(counts))

    def _is_code(self, series: pl.Series) -> pl.Series:
        words = [code.strip() for code in self.missing]
        if series.dtype.is_numeric():
            return self._is_number_code(series.cast(pl.Float64))
        texts = series.cast(pl.String).str.strip_chars()
        numbers = self._with_points(texts).cast(pl.Float64, strict=False)
        return texts.is_in(words).fill_null(value=False) | self._is_number_code(numbers)

    def _is_number_code(self, numbers: pl.Series) -> pl.Series:
        coded = numbers.is_in(self._numbers())
        if any(math.isnan(code) for code in self._numbers()):
            coded = coded | numbers.is_nan()
        return coded.fill_null(value=False)

    def _with_points(self, series: pl.Series) -> pl.Series:
        """Texts with decimal points; a text that has a decimal point already is left as a misfit."""
        if self.decimal == "." or series.dtype != pl.String:
            return series
        return (
            series.to_frame("it")
            .select(
                pl.when(pl.col("it").str.contains(COMMA_NUMBER))
                .then(pl.col("it").str.replace(",", ".", literal=True))
                .when(pl.col("it").str.contains(POINT_NUMBER.pattern))
                .then(pl.lit("a decimal point: ") + pl.col("it"))
                .otherwise("it")
            )
            .to_series()
            .alias(series.name)
        )

    def _plain_values(self, values: Sequence[Any]) -> PlainCells:
        counts: Counter[str] = Counter()
        return PlainCells([self._plain_value(value, counts) for value in values], dict(counts))

    def _plain_value(self, value: Any, counts: Counter[str]) -> Any:
        if isinstance(value, pl.Series):
            value = value.to_list()
        if isinstance(value, list):
            return [plain for each in value if (plain := self._plain_value(each, counts)) is not None]
        if value is None or isinstance(value, bool) or not isinstance(value, str | int | float):
            return value
        if self._is_one_code(value):
            counts[str(value)] += 1
            return None
        comma = self.decimal == "," and isinstance(value, str) and re.match(COMMA_NUMBER, value)
        return value.replace(",", ".") if comma and isinstance(value, str) else value

    def _is_one_code(self, value: str | float) -> bool:
        written = str(value).strip()
        number = _number(written.replace(",", ".") if self.decimal == "," else written)
        return written in {code.strip() for code in self.missing} or number in self._numbers()

    def _numbers(self) -> list[float]:
        return [number for code in self.missing if (number := _number(code)) is not None]


def _number(written: str) -> float | None:
    try:
        return float(written)
    except ValueError:
        return None
