import hashlib
import json
import os
import time

import pytest

from similitude.errors import ArgumentError
from similitude.models import file_hashes
from similitude.models.file_hashes import hash_of_file

SIZE = 3_000_000
DAY = 24 * 3600


class Notebook(dict):
    """A memory that outlives the process."""

    def recall(self, question):
        return self.get(question)

    def remember(self, question, answer):
        self[question] = answer


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "weights"
    file.write_bytes(b"w" * SIZE)
    return file


@pytest.fixture
def clock(monkeypatch):
    """Seconds to add to the time of the machine; files of this test have settled at once."""
    ahead = [10.0]
    real = time.time
    monkeypatch.setattr(file_hashes.time, "time", lambda: real() + ahead[0])
    return ahead


@pytest.fixture
def reads(monkeypatch):
    """What is read in full."""
    found, honest = [], file_hashes._read
    monkeypatch.setattr(file_hashes, "_read", lambda path: (found.append(path.name), honest(path))[1])
    monkeypatch.setattr(file_hashes, "_known", {})
    return found


def another_process(monkeypatch) -> None:
    monkeypatch.setattr(file_hashes, "_known", {})


def overwrite(path, at: int, content: bytes) -> None:
    """Change a file in place; its size and modification time stay as they were."""
    before = path.stat()
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_a_large_file_is_read_once(path, reads, clock, monkeypatch):
    notebook = Notebook()
    first = hash_of_file(path, notebook)
    assert first == hashlib.sha256(b"w" * SIZE).hexdigest()
    assert hash_of_file(path, notebook) == first
    another_process(monkeypatch)
    assert hash_of_file(path, notebook) == first
    assert reads == ["weights"]
    another_process(monkeypatch)
    assert hash_of_file(path, None) == first
    assert reads == ["weights"] * 2


def test_a_small_file_is_read_once_a_process(tmp_path, reads, clock, monkeypatch):
    small, notebook = tmp_path / "small", Notebook()
    small.write_bytes(b"x" * (file_hashes._LARGE - 1))
    hash_of_file(small, notebook)
    hash_of_file(small, notebook)
    assert reads == ["small"]
    overwrite(small, 5, b"y")
    assert hash_of_file(small, notebook) == hashlib.sha256(small.read_bytes()).hexdigest()
    another_process(monkeypatch)
    hash_of_file(small, notebook)
    assert reads == ["small"] * 3
    assert notebook == {}


@pytest.mark.parametrize("at", [0, 70_000, SIZE - 1])
def test_a_change_in_place_with_the_same_size_and_time_is_seen_at_once(path, reads, clock, at):
    notebook = Notebook()
    before = hash_of_file(path, notebook)
    overwrite(path, at, b"v")
    after = hash_of_file(path, notebook)
    assert after != before
    assert after == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_file_in_the_same_place_with_another_inode_is_read(path, tmp_path, reads, clock):
    before = hash_of_file(path, None)
    other = tmp_path / "other"
    other.write_bytes(b"v" * SIZE)
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    other.replace(path)
    assert hash_of_file(path, None) != before


def test_a_file_that_has_just_changed_is_not_remembered(path, reads, monkeypatch):
    notebook = Notebook()
    hash_of_file(path, notebook)
    hash_of_file(path, notebook)
    assert reads == ["weights"] * 2
    assert notebook == {}
    changed = path.stat().st_ctime
    monkeypatch.setattr(file_hashes.time, "time", lambda: changed + 1.9)
    hash_of_file(path, notebook)
    assert notebook == {}
    monkeypatch.setattr(file_hashes.time, "time", lambda: changed + 2.1)
    hash_of_file(path, notebook)
    assert len(notebook) == 1


def test_blocks_are_compared_at_the_first_use_in_a_process(path, reads, clock, monkeypatch):
    """As if the file had changed without a trace: the kernel's clock was set back, say."""
    notebook = Notebook()
    hash_of_file(path, notebook)
    stat = file_hashes.FileStat.of(path.stat())
    overwrite(path, 0, b"v")
    monkeypatch.setattr(file_hashes.FileStat, "of", lambda _: stat)
    another_process(monkeypatch)
    assert hash_of_file(path, notebook) == hashlib.sha256(path.read_bytes()).hexdigest()
    assert len(reads) == 2


@pytest.mark.parametrize(("days", "times"), [(6.9, 1), (7.1, 2), (-0.1, 2)])
def test_the_whole_file_is_read_again_after_a_week_or_if_the_clock_went_back(
    path, reads, clock, monkeypatch, days, times
):
    notebook = Notebook()
    hash_of_file(path, notebook)
    clock[0] += days * DAY
    monkeypatch.setattr(file_hashes.FileStat, "has_settled", lambda stat, now: True)
    hash_of_file(path, notebook)
    assert len(reads) == times
    another_process(monkeypatch)
    hash_of_file(path, notebook)
    assert len(reads) == times


@pytest.mark.parametrize("answer", ["", "damaged", "[1]", '["a", "b", "c"]', "null", '{"a": 1}'])
def test_a_damaged_memory_is_no_memory(path, reads, clock, monkeypatch, answer):
    notebook = Notebook()
    first = hash_of_file(path, notebook)
    notebook.update(dict.fromkeys(notebook, answer))
    another_process(monkeypatch)
    assert hash_of_file(path, notebook) == first
    assert len(reads) == 2
    assert json.loads(*notebook.values())[0] == first


def test_a_file_that_is_written_all_the_time(path, monkeypatch):
    honest = file_hashes._read
    monkeypatch.setattr(file_hashes, "_read", lambda each: (honest(each), each.write_bytes(b"x" * SIZE))[0])
    with pytest.raises(ArgumentError, match="is being written; wait until the file is complete"):
        hash_of_file(path, None)


def test_without_a_change_time_a_large_file_is_read_in_every_process(path, reads, clock, monkeypatch):
    monkeypatch.setattr(file_hashes, "_HAS_CHANGE_TIME", False)
    notebook = Notebook()
    hash_of_file(path, notebook)
    hash_of_file(path, notebook)
    another_process(monkeypatch)
    hash_of_file(path, notebook)
    assert len(reads) == 2
