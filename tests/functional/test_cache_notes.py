"""A cache that is damaged, full or in the wrong place: one note on the command line, and the same result."""

import json
import subprocess
from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert(letters, longest=128)


@pytest.fixture(params=["damaged", "truncated", "other tables", "full", "no folder"])
def trouble(request, tmp_path, monkeypatch):
    """The usual cache in trouble."""
    folder = tmp_path.parent / f"{tmp_path.name}-cache"
    folder.mkdir()
    monkeypatch.setenv("SIMILITUDE_CACHE", str(folder))
    if request.param == "damaged":
        (folder / "vectors.sqlite").write_bytes(b"garbage" * 3000)
    elif request.param == "truncated":
        (folder / "vectors.sqlite").write_bytes(b"SQLite format 3\0" + b"\x10\0" * 50)
    elif request.param == "other tables":
        import sqlite3

        connection = sqlite3.connect(folder / "vectors.sqlite")
        connection.executescript("CREATE TABLE entry (x); CREATE TABLE fact (y); PRAGMA user_version = 2;")
        connection.close()
    elif request.param == "no folder":
        folder.rmdir()
        folder.write_text("a file")
    elif subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", folder], check=False).returncode:
        pytest.skip("cannot mount a disk here")
    yield
    if request.param == "full":
        subprocess.run(["umount", "-l", folder], check=True)


@pytest.mark.parametrize("command", ["evaluate", "choose", "task"])
def test_one_note_and_the_same_result(here, pairs, bert, trouble, command, tmp_path):
    system = f"encoder({bert})"
    labelled = tmp_path / "labelled.csv"
    rows = [f"ab {n},{'ab' if n % 2 else 'cd'} {n},{n % 2}" for n in range(40)]
    labelled.write_text("\n".join(["left,right,label", *rows]))
    words = {
        "evaluate": ["evaluate", pairs, "-s", system],
        "choose": ["choose", pairs, "-s", system, "-s", "levenshtein", "--cardinality", "1:1"],
        "task": ["task", "related", labelled, "-s", system],
    }[command]
    words += ["--interest", "all", "--information", "value"] if command == "choose" else []
    found = here(*words, "--resamples", "0", "--folder", "one", "--json")
    notes = [line for line in found.err.splitlines() if "cache" in line and not line.startswith("warning")]
    assert len(notes) == 1, found.err
    assert notes[0].startswith("note: the cache")
    right = here(*words, "--resamples", "0", "--folder", "two", "--json", "--no-cache")
    assert "the cache" not in right.err
    assert json.loads(found.out)
    one, two = (sorted((tmp_path / folder).rglob("predictions/*.parquet")) for folder in ("one", "two"))
    assert len(one) == (2 if command == "choose" else 1)
    assert [pl.read_parquet(file).to_dicts() for file in one] == [pl.read_parquet(file).to_dicts() for file in two]
    assert here(*words, "--resamples", "0", "--folder", "three", "--json", "--quiet").err == ""
