"""The same judgements from every container and from objects in memory."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from similitude.data.reading.judgements import read_judgements

WIDE = pl.DataFrame({"Units": [1, 2, 3, 4], "coder_A": [1, 2, None, 4], "coder_B": [1, 2, 3, 5]})
LONG = pl.DataFrame({"task": ["x", "x", "y"], "worker": ["ann", "bob", "ann"], "label": ["agree", "differ", "agree"]})
TUPLES = pl.DataFrame({"items": [["x", "y"], ["y", "z"]], "best": ["x", "z"], "worst": ["y", "y"]})
LISTS = pl.DataFrame({"id": ["1"], "left": ["a"], "right": ["b"], "ratings": [[1.0, 2.0]]})


def jsonl(frame: pl.DataFrame, folder: Path) -> Path:
    frame.write_ndjson(folder / "f.jsonl")
    return folder / "f.jsonl"


def json_list(frame: pl.DataFrame, folder: Path) -> Path:
    path = folder / "f.json"
    path.write_text(json.dumps(frame.to_dicts()), encoding="utf-8")
    return path


def parquet(frame: pl.DataFrame, folder: Path) -> Path:
    frame.write_parquet(folder / "f.parquet")
    return folder / "f.parquet"


CONTAINERS: dict[str, Callable[[pl.DataFrame, Path], Any]] = {
    "JSON lines": jsonl,
    "JSON list": json_list,
    "Parquet": parquet,
    "Polars": lambda frame, _: frame,
    "records": lambda frame, _: frame.to_dicts(),
    "columns": lambda frame, _: frame.to_dict(as_series=False),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_matrix(tmp_path, container):
    judgements = read_judgements(CONTAINERS[container](WIDE, tmp_path))
    assert judgements.frame.select("item", "annotator", "value").rows() == [
        ("1", "coder_A", 1.0), ("1", "coder_B", 1.0), ("2", "coder_A", 2.0), ("2", "coder_B", 2.0),
        ("3", "coder_B", 3.0), ("4", "coder_A", 4.0), ("4", "coder_B", 5.0),
    ]  # fmt: skip
    assert judgements.provenance.readings[0].layout == "ratings-wide"


@pytest.mark.parametrize("container", CONTAINERS)
def test_words(tmp_path, container):
    judgements = read_judgements(CONTAINERS[container](LONG, tmp_path))
    assert (judgements.kind, judgements.frame["value"].to_list()) == ("category", [0.0, 1.0, 0.0])


@pytest.mark.parametrize("container", CONTAINERS)
def test_tuples(tmp_path, container):
    judgements = read_judgements(CONTAINERS[container](TUPLES, tmp_path))
    assert judgements.frame.select("items", "best", "worst").rows() == TUPLES.rows()


@pytest.mark.parametrize("container", CONTAINERS)
def test_lists_of_ratings(tmp_path, container):
    judgements = read_judgements(CONTAINERS[container](LISTS, tmp_path))
    assert judgements.frame.select("item", "annotator", "value").rows() == [("1", None, 1.0), ("1", None, 2.0)]


def test_a_packed_file(tmp_path):
    path = tmp_path / "f.csv.gz"
    path.write_bytes(gzip.compress(LONG.write_csv().encode()))
    judgements = read_judgements(path)
    assert (judgements.name, len(judgements)) == ("f", 3)


def test_an_object_can_be_named():
    judgements = read_judgements(LONG, name="mine")
    assert (judgements.name, judgements.provenance.files) == ("mine", ("mine",))
