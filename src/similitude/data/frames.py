"""Objects as tables of the libraries that users work with: polars, pandas, plain dictionaries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from similitude.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Tabular", "pandas_frame"]


class _HasRows(Protocol):
    def rows(self) -> Iterable[Mapping[str, Any]]: ...


class _HasTable(Protocol):
    def to_polars(self) -> pl.DataFrame: ...


class Tabular:
    """A mixin for objects that are tables: ``to_polars``, ``to_pandas`` and ``to_dict``.

    A class defines ``rows()``, or it overrides ``to_polars`` if it keeps a frame anyway. One with a record for JSON
    returns that from ``to_dict``.
    """

    __slots__ = ()

    def to_polars(self: _HasRows) -> pl.DataFrame:
        """The table as a polars frame."""
        return pl.DataFrame([dict(row) for row in self.rows()], infer_schema_length=None)

    def to_pandas(self: _HasTable) -> pd.DataFrame:
        """The table as a pandas frame.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        return pandas_frame(self.to_polars())

    def to_dict(self: _HasTable) -> dict[str, Any]:
        """The table as a dictionary: column -> list of values."""
        return self.to_polars().to_dict(as_series=False)


def pandas_frame(frame: pl.DataFrame) -> pd.DataFrame:
    """The same table in pandas: numbers as NumPy arrays (missing ones nan), everything else as Python objects.

    Polars would need pyarrow for this.

    Raises:
        MissingExtraError: pandas is not installed.
    """
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise MissingExtraError("pandas", "pandas") from None
    columns = {
        name: column.to_numpy() if column.dtype.is_numeric() else column.to_list()
        for name, column in zip(frame.columns, frame.iter_columns(), strict=True)
    }
    made: pd.DataFrame = pandas.DataFrame(columns)
    return made
