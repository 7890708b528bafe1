import json
import os
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from similitude.errors import RunError
from similitude.models.cache import AnswerStore, usual_answers
from similitude.models.cache import answer_store as answers


def told(text: str, model: str = "tiny") -> str:
    return json.dumps({"version": 1, "model": model, "text": text})


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def store(tmp_path, notes) -> AnswerStore:
    return AnswerStore(tmp_path / "cache" / "answers.sqlite", note=notes.append)


TEXTS = ["", "4", "五 ４", "\ud83d alone", "line\nline\0", "long " * 1000, told("x")]


def test_texts_come_back_as_they_were_put(store, notes):
    store.put([(f"key {place}", text) for place, text in enumerate(TEXTS)])
    assert store.get([f"key {place}" for place in range(len(TEXTS))]) == TEXTS
    assert store.get(["nothing", "key 1", "nothing"]) == [None, "4", None]
    assert notes == []


def test_nothing_is_made_before_something_is_kept(store):
    assert store.get(["a"]) == [None]
    assert (store.models(), store.size, store.clear()) == ([], 0, 0)
    assert not store.path.parent.exists()
    store.put([("a", "b")])
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700


def test_the_last_answer_under_a_key_stays(store):
    store.put([("a", "1")])
    store.put([("a", "2")])
    assert store.get(["a"]) == ["2"]


def test_long_texts_are_compressed(store):
    store.put([("a", "the same words " * 10_000)])
    assert store.size < 50_000
    assert store.get(["a"]) == ["the same words " * 10_000]


def test_a_thousand_are_looked_up_with_one_statement(store, monkeypatch):
    keys = [f"{number:064x}" for number in range(2500)]
    store.put([(key, told(key)) for key in keys])
    selects = []

    kept_connect = answers.connect

    @contextmanager
    def listening(path, layout):
        with kept_connect(path, layout) as connection:
            connection.set_trace_callback(lambda said: said.startswith("SELECT key") and selects.append(said))
            yield connection

    monkeypatch.setattr(answers, "connect", listening)
    found = store.get(keys[::-1])
    assert len(selects) == 3
    assert found == [told(key) for key in keys[::-1]]


def test_what_is_kept_is_listed_and_cleared_by_model(store):
    store.put([("a", told("1", "one")), ("b", told("2", "one")), ("c", told("3", "two")), ("d", "no JSON")])
    assert {kept.name: kept.entries for kept in store.models()} == {"one": 2, "two": 1, "": 1}
    assert store.clear(["one"]) == 2
    assert store.get(["a", "c"]) == [None, told("3", "two")]
    assert store.clear() == 2
    assert store.models() == []


def test_an_entry_that_is_damaged_is_asked_for_again(store, notes):
    store.put([("a", "one"), ("b", "two")])
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE answer SET text = ? WHERE key = 'a'", (b"tONE",))
    connection.close()
    assert store.get(["a", "b"]) == [None, "two"]
    assert notes == [f"1 damaged answers ({store.path}) were deleted; the questions will be asked again"]


def test_a_file_that_is_no_database_is_set_aside_and_kept(store, notes):
    store.path.parent.mkdir()
    store.path.write_bytes(b"not a database, but somebody may want it" * 100)
    store.put([("a", "1")])
    assert store.get(["a"]) == ["1"]
    assert store.path.with_suffix(".damaged").read_bytes().startswith(b"not a database")
    assert "renamed to" in notes[0]
    assert "0 readable answers" in notes[0]


def test_what_can_be_read_of_a_damaged_file_is_taken_over(store, notes):
    keys = [f"key {number}" for number in range(2000)]
    for start in range(0, 2000, 500):
        store.put([(key, f"answer to {key} {'x' * 100}") for key in keys[start : start + 500]])
    size = store.path.stat().st_size
    with store.path.open("r+b") as file:  # a few pages in the middle
        file.seek(size // 2 // 4096 * 4096)
        file.write(b"\xff" * 4096 * 3)
    found = store.get(keys)
    good = sum(text is not None for text in found)
    assert 1800 < good < 2000
    assert f"its {good:,} readable answers were copied to a new file" in notes[0]
    assert all(text in (None, f"answer to {key} {'x' * 100}") for key, text in zip(keys, found, strict=True))
    assert store.path.with_suffix(".damaged").stat().st_size == size
    store.put([("new", "1")])
    assert store.get(["new"]) == ["1"]


def test_a_second_damaged_file_does_not_take_the_place_of_the_first(store):
    store.path.parent.mkdir()
    for content in (b"first" * 1000, b"second" * 1000):
        store.path.write_bytes(content)
        store.put([("a", "1")])
    aside = sorted(path.name for path in store.path.parent.glob("*damaged*"))
    assert aside == ["answers.damaged", "answers.damaged-2"]


def test_a_folder_that_cannot_be_written_is_told_with_a_remedy(tmp_path):
    (tmp_path / "file").write_text("in the way")
    store = AnswerStore(tmp_path / "file" / "answers.sqlite")
    with pytest.raises(RunError, match="SIMILITUDE_CACHE"):
        store.put([("a", "1")])


def test_a_full_disk_is_told_before_more_is_paid_for(store, monkeypatch):
    store.put([("a", "1")])
    connect = answers.connect

    def full(path, tables):
        context = connect(path, tables)

        class Full:
            def __enter__(self):
                connection = context.__enter__()
                connection.execute("PRAGMA max_page_count = 4").fetchall()
                return connection

            def __exit__(self, *error):
                return context.__exit__(*error)

        return Full()

    monkeypatch.setattr(answers, "connect", full)
    with pytest.raises(RunError, match="database or disk is full"):
        store.put([(f"key {number}", os.urandom(500).hex()) for number in range(500)])
    monkeypatch.undo()
    assert store.get(["a", "key 1"]) == ["1", None]


def test_threads_keep_and_read_at_once(store, notes):
    def work(worker: int) -> bool:
        for number in range(15):
            store.put([(f"{worker} {number}", told(str(number)))])
            if store.get([f"{worker} {number}"]) != [told(str(number))]:
                return False
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(4)))
    assert store.models()[0].entries == 60
    assert notes == []


WRITER = """
import sys
from pathlib import Path
from similitude.models.cache import AnswerStore

notes, store = [], AnswerStore(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    store.put([(f"key {number}", f"answer {number}")])
    print(number, flush=True)
"""


def start(path, first: int, last: int) -> subprocess.Popen:
    command = [sys.executable, "-c", WRITER, str(path), str(first), str(last)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_processes_keep_at_once(store):
    writers = [start(store.path, first, first + 40) for first in (0, 20, 60)]
    for writer in writers:
        _, errors = writer.communicate(timeout=60)
        assert writer.returncode == 0, errors
    assert store.get([f"key {number}" for number in range(100)]) == [f"answer {number}" for number in range(100)]


def test_what_was_acknowledged_survives_a_kill(store):
    acknowledged = 0
    for turn in (1, 2):
        with start(store.path, 0, 100_000) as writer:
            lines = [writer.stdout.readline() for _ in range(8 * turn)]
            writer.kill()
            lines += [line for line in writer.stdout if line.endswith("\n")]
        acknowledged = max(acknowledged, *map(int, lines))
        numbers = range(acknowledged + 1)
        assert store.get([f"key {number}" for number in numbers]) == [f"answer {number}" for number in numbers]
    assert acknowledged >= 15


def test_it_lies_beside_the_vectors_or_nowhere(monkeypatch, tmp_path):
    monkeypatch.setenv("SIMILITUDE_CACHE", str(tmp_path))
    assert usual_answers() == AnswerStore(tmp_path / "answers.sqlite")
    monkeypatch.setenv("SIMILITUDE_CACHE_LIMIT", "0")
    assert usual_answers() is None
    monkeypatch.delenv("SIMILITUDE_CACHE_LIMIT")
    monkeypatch.setenv("SIMILITUDE_CACHE", "off")
    assert usual_answers() is None
