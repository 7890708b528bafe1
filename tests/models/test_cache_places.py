"""The cache in places that refuse it: a full disk, and a folder that cannot be written."""

import os
import resource
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

from similitude.data.protocols import ModelKey
from similitude.errors import RunError
from similitude.models.cache import AnswerStore, VectorStore

MODEL = ModelKey("encoder(model)", "f" * 64)
TEXTS = [f"text {i}" for i in range(50)]
ROWS = np.random.default_rng(0).normal(size=(50, 7)).astype(np.float32)
MANY = np.ones((50, 3000), np.float32)
IS_ROOT = os.name == "posix" and os.geteuid() == 0


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 200 kB; skipped where none can be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", folder], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("cannot mount a disk here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture
def refused(tmp_path):
    """Makes a folder read-only for this process, which gives up its rights as root meanwhile."""
    done = []

    def refuse(folder: Path) -> None:
        tmp_path.chmod(0o755)
        for above in tmp_path.parents[:3]:
            if above.stat().st_uid == os.getuid() and above.name.startswith("p"):
                above.chmod(0o755)
        folder.chmod(0o555)
        for file in folder.iterdir():
            file.chmod(0o444)
        if IS_ROOT:
            os.seteuid(65534)
        done.append(folder)

    yield refuse
    if IS_ROOT:
        os.seteuid(0)
    for folder in done:
        folder.chmod(0o755)


def test_a_full_disk_gives_one_note_and_what_was_there_is_read(small_disk):
    notes: list[str] = []
    cache = VectorStore(small_disk / "vectors.sqlite", note=notes.append)
    cache.put(MODEL, TEXTS, ROWS)
    for _ in range(3):
        cache.put(MODEL, [f"other {text}" for text in TEXTS], MANY)
    (note,) = notes
    assert "cannot be written (database or disk is full)" in note
    assert "continuing without it" in note
    np.testing.assert_array_equal(np.stack(cache.get(MODEL, TEXTS)), ROWS)
    with pytest.raises(OSError, match="No space left"):
        (small_disk / "filler").write_bytes(b"x" * 1_000_000)
    fresh: list[str] = []
    again = VectorStore(cache.path, note=fresh.append)
    found = again.get(MODEL, TEXTS)
    assert all(row is None or np.array_equal(row, right) for row, right in zip(found, ROWS, strict=True))
    again.put(MODEL, TEXTS, ROWS)
    assert len(fresh) == 1


def test_a_limit_on_the_size_of_files(tmp_path):
    notes: list[str] = []
    cache = VectorStore(tmp_path / "vectors.sqlite", note=notes.append)
    cache.put(MODEL, TEXTS, ROWS)
    before, heard = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        for _ in range(2):
            cache.put(MODEL, [f"other {text}" for text in TEXTS], MANY)
        np.testing.assert_array_equal(np.stack(cache.get(MODEL, TEXTS)), ROWS)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, heard)
    assert len(notes) == 1
    assert "cannot be written" in notes[0]


@pytest.mark.parametrize("with_log", [False, True])
def test_a_read_only_folder_is_read_with_one_note(tmp_path, refused, with_log):
    folder = tmp_path / "cache"
    VectorStore(folder / "vectors.sqlite").put(MODEL, TEXTS, ROWS)
    if with_log:  # as a process leaves it that was killed: with entries that are in the log alone
        code = (
            "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('PRAGMA wal_autocheckpoint = 0');"
            "c.execute('INSERT INTO fact VALUES (1, 2)'); c.commit(); os._exit(1)"
        )
        subprocess.run(["python3", "-c", code, folder / "vectors.sqlite"], check=False)
        assert (folder / "vectors.sqlite-wal").stat().st_size
    notes: list[str] = []
    cache = VectorStore(folder / "vectors.sqlite", note=notes.append)
    refused(folder)
    for _ in range(2):
        found = cache.get(MODEL, TEXTS)
        assert all(row is None or np.array_equal(row, right) for row, right in zip(found, ROWS, strict=True))
        assert with_log or None not in [row if row is None else 1 for row in found]
        cache.put(MODEL, [f"other {text}" for text in TEXTS], MANY)
        cache.remember("question", "answer")
    (note,) = notes
    assert "cannot be " in note


def test_a_folder_in_which_nothing_can_be_made(tmp_path, refused):
    (tmp_path / "cache").mkdir()
    notes: list[str] = []
    refused(tmp_path / "cache")
    cache = VectorStore(tmp_path / "cache" / "below" / "vectors.sqlite", note=notes.append)
    cache.put(MODEL, TEXTS, ROWS)
    assert cache.get(MODEL, TEXTS) == [None] * 50
    assert len(notes) == 1


def test_a_damaged_file_that_cannot_be_renamed(tmp_path, refused):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "vectors.sqlite").write_bytes(b"garbage" * 3000)
    notes: list[str] = []
    refused(tmp_path / "cache")
    cache = VectorStore(tmp_path / "cache" / "vectors.sqlite", note=notes.append)
    for _ in range(2):
        assert cache.get(MODEL, TEXTS) == [None] * 50
        cache.put(MODEL, TEXTS, ROWS)
    assert len(notes) == 1


def test_answers_in_a_read_only_folder_are_read_with_one_note_and_none_is_lost_unnoticed(tmp_path, refused):
    AnswerStore(tmp_path / "cache" / "answers.sqlite").put([("a", "1")])
    notes: list[str] = []
    answers = AnswerStore(tmp_path / "cache" / "answers.sqlite", note=notes.append)
    refused(tmp_path / "cache")
    assert answers.get(["a", "b"]) == ["1", None]
    assert answers.get(["a"]) == ["1"]
    (note,) = notes
    assert "those that it has are used" in note
    with pytest.raises(RunError, match="cannot store the answers"):
        answers.put([("b", "2")])
