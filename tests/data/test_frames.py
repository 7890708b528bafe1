"""Objects as tables of polars, pandas and plain Python."""

import sys

import polars as pl
import pytest

from similitude.data.frames import Tabular, pandas_frame
from similitude.errors import MissingExtraError


class Made(Tabular):
    def rows(self):
        yield {"name": "a", "value": 1.5, "tags": None}
        yield {"name": "b", "value": None, "tags": ["x", "y"]}


def test_rows_become_the_same_table_everywhere() -> None:
    frame = Made().to_polars()
    assert frame.to_dicts() == list(Made().rows())
    assert Made().to_dict() == {"name": ["a", "b"], "value": [1.5, None], "tags": [None, ["x", "y"]]}
    pandas = Made().to_pandas()
    assert list(pandas.columns) == ["name", "value", "tags"]
    assert pandas["value"].dtype == "float64"
    assert pandas["value"].isna().tolist() == [False, True]
    assert pandas["tags"][1] == ["x", "y"]


def test_a_late_value_counts_for_the_type_of_its_column() -> None:
    class Late(Tabular):
        def rows(self):
            yield from ({"value": None} for _ in range(200))
            yield {"value": 0.5}

    assert Late().to_polars()["value"].dtype == pl.Float64


def test_pandas_needs_no_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    made = pandas_frame(pl.DataFrame({"ids": ["a"], "many": [[1, 2]], "on": [True], "count": [3]}))
    assert made.to_dict("list") == {"ids": ["a"], "many": [[1, 2]], "on": [True], "count": [3]}


def test_without_pandas_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        MissingExtraError, match=r"pandas is not installed; in your clone of Similitude: pip install '\.\[pandas\]'"
    ):
        Made().to_pandas()
