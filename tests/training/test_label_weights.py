"""Weights of labels from a file of suspects: the right rows, or a clear refusal."""

import numpy as np
import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError, InputError
from similitude.training.label_weights import label_weights

DATA = Benchmark.from_columns(
    "cars", scale="1..5", id=["a", "b", "c"], left=["1", "2", "3"], right=["4", "5", "6"], score=[1.0, 3.5, 5.0]
)
TABLE = pl.DataFrame(
    {
        "id": ["x", "c", "a", "b"],
        "given_label": [2.0, 5.0, 1.0, 3.5],
        "wrong_probability": [0.1, 0.8, 0.2, 0.5],
        "suspect": [False, True, False, True],
        "reason": ["", "far", "", "odd, very"],
    }
)


@pytest.fixture(params=[".csv", ".jsonl", ".parquet"])
def file(request, tmp_path):
    path = tmp_path / f"suspects{request.param}"
    writers = {".csv": TABLE.write_csv, ".jsonl": TABLE.write_ndjson, ".parquet": TABLE.write_parquet}
    writers[request.param](path)
    return str(path)


def written(tmp_path, table):
    table.write_csv(tmp_path / "s.csv")
    return str(tmp_path / "s.csv")


def test_weights_are_probabilities_of_being_right_with_mean_1(file):
    # Right with 0.8, 0.5 and 0.2 in the order of the data; their mean is 0.5.
    assert label_weights(DATA, file, "weigh").values == pytest.approx([1.6, 1.0, 0.4])


def test_suspects_are_dropped(file):
    found = label_weights(DATA, file, "drop")
    assert found.values == pytest.approx([3.0, 0.0, 0.0])
    assert found.record["suspects"] == 2
    assert "2 of 3 labels are suspect" in found.note


def test_the_record_tells_other_weights_apart(tmp_path, file):
    other = written(tmp_path, TABLE.with_columns(wrong_probability=pl.lit(0.3)))
    one, changed = (label_weights(DATA, each, "weigh").record for each in (file, other))
    assert one["fingerprint"] != changed["fingerprint"]


def test_a_file_about_other_items(tmp_path):
    path = written(tmp_path, TABLE.filter(pl.col("id") != "b"))
    with pytest.raises(InputError, match=r"lacks 1 of the 3 items of cars, first 'b'.*data suspects"):
        label_weights(DATA, path, "weigh")


def test_a_file_about_other_labels(tmp_path):
    path = written(tmp_path, TABLE.with_columns(given_label=pl.Series([2.0, 5.0, 1.5, 3.5])))
    with pytest.raises(InputError, match=r"item 'a' has 1.5 there, 1 in cars \(1 labels differ\)"):
        label_weights(DATA, path, "weigh")


@pytest.mark.parametrize("bad", [1.5, -0.1, None, float("nan")])
def test_a_probability_that_is_none(tmp_path, bad):
    path = written(tmp_path, TABLE.with_columns(wrong_probability=pl.Series([0.1, bad, 0.2, 0.5])))
    with pytest.raises(InputError, match="no probability from 0 to 1 for item 'c'"):
        label_weights(DATA, path, "weigh")


def test_an_item_twice(tmp_path):
    with pytest.raises(InputError, match="lists item 'x' twice"):
        label_weights(DATA, written(tmp_path, pl.concat([TABLE, TABLE.head(1)])), "weigh")


def test_nothing_is_left(tmp_path):
    with pytest.raises(InputError, match="every label is suspect"):
        label_weights(DATA, written(tmp_path, TABLE.with_columns(suspect=pl.lit(True))), "drop")


def test_what_is_no_file_of_suspects(tmp_path):
    (tmp_path / "other.csv").write_text("left,right\na,b\n")
    with pytest.raises(InputError, match="is not a file of suspects"):
        label_weights(DATA, str(tmp_path / "other.csv"), "weigh")
    with pytest.raises(InputError, match=r"missing\.csv"):
        label_weights(DATA, str(tmp_path / "missing.csv"), "weigh")
    with pytest.raises(ArgumentError, match=r"notes\.txt.*\.csv, \.jsonl, \.parquet"):
        label_weights(DATA, str(tmp_path / "notes.txt"), "weigh")


def test_whole_numbers_as_ids_and_labels(tmp_path):
    data = Benchmark.from_columns("n", scale="1..5", id=["1", "2"], left=["a", "b"], right=["c", "d"], score=[1, 5])
    table = pl.DataFrame({"id": [1, 2], "given_label": [1, 5], "wrong_probability": [0, 1], "suspect": [False, True]})
    assert label_weights(data, written(tmp_path, table), "weigh").values == pytest.approx(np.array([2.0, 0.0]))
