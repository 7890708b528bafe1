"""Writing judgements: what is read back is what was written, and nothing half-written is ever seen."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from similitude.data.addresses import open_judgements
from similitude.data.judgement import BEST_WORST_SCHEMA, RATING_SCHEMA
from similitude.data.judgements import Judgements
from similitude.data.provenance import Provenance
from similitude.data.reading.judgements import read_judgements
from similitude.data.reading.judgements.names import tidy_name
from similitude.data.scale import Scale
from similitude.data.writing.judgements import write_judgements
from similitude.errors import ArgumentError, UnknownNameError

FORMATS = ("jsonl", "csv")


@pytest.fixture
def best_worst() -> Judgements:
    rows = [
        ("q1", "ann", "first", 2.5, ["a", "b", "c|d"], "a", "b"),
        ("q1", "bob, jr", "second", None, ["c|d", "a", "b"], "c|d", "c|d"),
        ("q2", "丙", "first", 0.1 + 0.2, ["a a", "7", 'quo"te', "line\nbreak"], "7", "line\nbreak"),
    ]
    return Judgements(
        name="odd ids",
        frame=pl.DataFrame(rows, schema=BEST_WORST_SCHEMA, orient="row"),
        provenance=Provenance(judged_by="simulated annotators, seed 1"),
        licence="CC BY 4.0",
    )


@pytest.fixture
def ratings() -> Judgements:
    rows = [
        ("q1", "ann", "first", 2.0, "x", 0.49999999999999994, None, "students"),
        ("q2", "ann", "first", None, "x", None, False, None),
        ("q1", "bob", "second", None, "x", 5.0, True, None),
    ]
    items = pl.DataFrame({"id": ["x"], "left": ["a, b"], "right": ["c"], "context": [["t", "a, b"]]})
    return Judgements(
        name="mine",
        frame=pl.DataFrame(rows, schema=RATING_SCHEMA, orient="row"),
        scale=Scale(low=0, high=5),
        items=items,
    )


@pytest.mark.parametrize("format", FORMATS)
def test_best_worst_come_back(best_worst, tmp_path, format):
    again = read_judgements(write_judgements(best_worst, tmp_path / f"rows.{format}"))
    assert again.frame.equals(best_worst.frame)
    assert (again.name, again.licence) == ("odd ids", "CC BY 4.0")
    assert again.provenance.judged_by == "simulated annotators, seed 1"
    assert (again.items, again.scale) == (None, None)


@pytest.mark.parametrize("format", FORMATS)
def test_ratings_come_back_with_items_and_scale(ratings, tmp_path, format):
    again = read_judgements(write_judgements(ratings, tmp_path / f"rows.{format}"))
    assert again.frame.equals(ratings.frame)
    assert again.items is not None
    assert again.items.equals(ratings.items)
    assert again.scale == ratings.scale
    assert again.provenance.skipped == ()


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("part", ["dialogues", "opinions", "conditions"])
def test_the_sample_comes_back(tmp_path, format, part):
    judgements = open_judgements(f"sample:{part}")
    again = read_judgements(write_judgements(judgements, tmp_path / f"rows.{format}"))
    assert again.frame.equals(judgements.frame)
    assert again.items is not None
    assert again.items.equals(judgements.items)
    assert again.provenance.judged_by == judgements.provenance.judged_by


@pytest.mark.parametrize("format", FORMATS)
def test_unnamed_annotators_come_back(tmp_path, format):
    frame = pl.DataFrame({"items": [["a", "b"]] * 2, "best": ["a"] * 2, "worst": ["b"] * 2})
    judgements = Judgements(name="x", frame=frame)
    assert read_judgements(write_judgements(judgements, tmp_path / f"r.{format}")).frame.equals(judgements.frame)
    rated = Judgements(name="x", frame=pl.DataFrame({"item": ["a", "a"], "value": [1.0, 1.0]}))
    assert read_judgements(write_judgements(rated, tmp_path / f"s.{format}")).frame.equals(rated.frame)


names = (
    st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=1, max_size=8).map(tidy_name).filter(len)
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tuples=st.lists(st.tuples(names, st.lists(names, min_size=2, max_size=4, unique=True)), min_size=1, max_size=5),
    format=st.sampled_from(FORMATS),
)
@pytest.mark.slow
def test_any_ids_come_back(tmp_path, tuples, format):
    frame = pl.DataFrame(
        {
            "annotator": [f"{name}{at}" for at, (name, _) in enumerate(tuples)],
            "items": [items for _, items in tuples],
            "best": [items[0] for _, items in tuples],
            "worst": [items[-1] for _, items in tuples],
        }
    )
    judgements = Judgements(name="any", frame=frame)
    again = read_judgements(write_judgements(judgements, tmp_path / f"rows.{format}"))
    assert again.frame.equals(judgements.frame)


def test_items_of_an_older_file_do_not_stay_behind(ratings, best_worst, tmp_path):
    path = write_judgements(ratings, tmp_path / "rows.jsonl")
    assert (tmp_path / "rows.items.jsonl").exists()
    write_judgements(best_worst, path)
    assert not (tmp_path / "rows.items.jsonl").exists()


def test_formats_and_places_that_cannot_be_written(ratings, tmp_path):
    with pytest.raises(ArgumentError, match=r"'rows.txt' does not tell the format"):
        write_judgements(ratings, tmp_path / "rows.txt")
    with pytest.raises(UnknownNameError, match=r"no format to write judgements named 'parquet'"):
        write_judgements(ratings, tmp_path / "rows", format="parquet")
    with pytest.raises(ArgumentError, match=r"its folder does not exist"):
        write_judgements(ratings, tmp_path / "nowhere" / "rows.csv")


def test_a_failed_write_leaves_the_old_file(best_worst, tmp_path, monkeypatch):
    path = write_judgements(best_worst, tmp_path / "rows.jsonl")
    before = path.read_bytes()

    def fail(self: pl.DataFrame, target: Path) -> None:
        Path(target).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_ndjson", fail)
    with pytest.raises(ArgumentError, match=r"the disk is full"):
        write_judgements(best_worst, path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["rows.jsonl"]
