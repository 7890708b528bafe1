"""A file that we wrote says what it was made from, and every row of a file is kept or listed."""

from __future__ import annotations

import gzip
import os

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import similitude as sim

PAIRS = 'question1,question2,label\n"A, b",c,4\nd,e,1.5\nf,g,-1\nh,i,\n'
SUFFIXES = ("csv", "jsonl", "parquet")


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return path


def _origin(benchmark):
    return [note for note in benchmark.provenance.notes if "made from" in note]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_of_ours_says_what_it_was_made_from(pairs, tmp_path, suffix):
    first = sim.read(pairs, missing=["-1"])
    again = sim.read(sim.write(first, tmp_path / f"ours.{suffix}"))
    (note,) = _origin(again)
    assert "pairs.csv" in note
    assert "left = question1" in note
    assert "-1 means missing" in note
    assert "ours.provenance.json" in note
    assert _origin(first) == []


def test_a_file_that_was_changed_says_nothing(pairs, tmp_path):
    path = sim.write(sim.read(pairs, missing=["-1"]), tmp_path / "ours.csv")
    path.write_text(path.read_text().replace("A, b", "A, bcd"))
    assert _origin(sim.read(path)) == []


def test_what_lies_beside_a_file_is_not_read_as_data(pairs, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    sim.write(sim.read(pairs, missing=["-1"]), folder / "ours.csv")
    (folder / "ours.items.jsonl").write_text("")
    found = sim.read(folder)
    assert len(found) == 4
    assert any("ours.provenance.json" in note for note in found.provenance.notes)


BAD = {
    "too few fields": "only one\n",
    "too many fields": "a,b,3,4\n",
    "an open quote": '"a,b,3\n',
    "text behind a quote": '"a" b,c,3\n',
    "no number": "a,b,much\n",
    "no text": ",b,3\n",
    "off the scale": "a,b,7\n",
    "all of them": 'only one\na,b,3,4\n"a" b,c,3\na,b,much\n,b,3\na,b,7\n',
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_every_row_is_kept_or_listed(tmp_path, bad):
    path = tmp_path / "a.csv"
    path.write_text("left,right,score\na b,c d,1\n" + bad + "e f,g h,5\n")
    found = sim.read(path, on_error="skip", scale="0..5")
    (reading,) = found.provenance.readings
    assert reading.kept == len(found) == 2
    assert reading.rows == reading.kept + len(found.provenance.skipped)
    assert reading.rows == 2 + bad.count("\n")


TEXTS = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), min_size=1, max_size=8).filter(
    lambda text: bool(text.strip())
)
SCORES = st.none() | st.floats(0, 5, allow_subnormal=False) | st.integers(0, 5).map(float)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(TEXTS, TEXTS, SCORES), min_size=1, max_size=12),
    declared=st.booleans(),
    order=st.permutations([*SUFFIXES, "huggingface"]),
)
@pytest.mark.slow
def test_three_rounds_through_every_container_change_nothing(tmp_path, rows, declared, order):
    """What was inferred stays inferred, what was declared stays declared, and no text or score changes."""
    columns = dict(zip(("left", "right", "score"), map(list, zip(*rows, strict=True)), strict=True))
    columns["score"] = pl.Series(columns["score"], dtype=pl.Float64)
    first = sim.Benchmark.from_columns("any", scale="0..5" if declared else None, **columns)
    folder = tmp_path / os.urandom(8).hex()
    folder.mkdir()
    current = first
    for at, kind in enumerate(order * 3):
        path = folder / (f"{at}" if kind == "huggingface" else f"{at}.{kind}")
        sim.write(current, path, format=kind)
        if kind in ("csv", "jsonl"):
            packed = path.with_name(f"{path.name}.gz")
            packed.write_bytes(gzip.compress(path.read_bytes()))
            assert sim.read(packed).fingerprint == first.fingerprint
        current = sim.read(path)
        assert current.frame.equals(first.frame)
        assert current.fingerprint == first.fingerprint
        assert current.scale == first.scale
