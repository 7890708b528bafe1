"""The cache under several processes, and under processes that are killed."""

import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from patience import SECONDS, until

from similitude.data.protocols import ModelKey
from similitude.models.cache import VectorStore

MODEL = ModelKey("encoder(model)", "f" * 64)

WRITER = """
import sys
from pathlib import Path
import numpy as np
from similitude.data.protocols import ModelKey
from similitude.models.cache import VectorStore

path, first, last, mark = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4])
notes = []
cache, model = VectorStore(path, note=notes.append), ModelKey("encoder(model)", "f" * 64)
mark.touch()
for start in range(first, last, 25):
    numbers = range(start, min(start + 25, last))
    rows = np.array([[n, n * 0.5, -n] + [n % 7] * 97 for n in numbers], np.float32)
    cache.put(model, [f"text {n}" for n in numbers], rows)
    found = cache.get(model, [f"text {n}" for n in numbers])
    assert all(row is not None for row in found)
assert notes == [], notes
"""


def row(number: int) -> np.ndarray:
    return np.array([number, number * 0.5, -number] + [number % 7] * 97, np.float32)


def start(path: Path, first: int, last: int, mark: Path) -> subprocess.Popen:
    command = [sys.executable, "-c", WRITER, str(path), str(first), str(last), str(mark)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def check(path: Path, count: int) -> int:
    """How many of the texts are there; each that is, is right, and nothing is said to be damaged."""
    notes: list[str] = []
    found = VectorStore(path, note=notes.append).get(MODEL, [f"text {n}" for n in range(count)])
    for number, one in enumerate(found):
        if one is not None:
            np.testing.assert_array_equal(one, row(number))
    assert notes == []
    return sum(one is not None for one in found)


def wait_for(mark: Path, process: subprocess.Popen) -> None:
    until(mark.exists, "a part of its work", process=process)


@pytest.mark.slow
def test_three_processes_write_and_read_at_once(tmp_path):
    path = tmp_path / "cache" / "vectors.sqlite"
    spans = [(0, 1500), (500, 2000), (0, 2000)]
    writers = [start(path, *span, tmp_path / f"mark{i}") for i, span in enumerate(spans)]
    for writer in writers:
        _, errors = writer.communicate(timeout=SECONDS)
        assert writer.returncode == 0, errors
    assert check(path, 2000) == 2000


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_a_writer_that_is_killed_leaves_nothing_torn(tmp_path, seed):
    path, rng, before = tmp_path / "vectors.sqlite", random.Random(seed), 0
    for turn in range(3):
        mark = tmp_path / f"mark{turn}"
        writer = start(path, 0, 10_000_000, mark)
        wait_for(mark, writer)
        time.sleep(rng.uniform(0.05, 0.4))
        writer.kill()
        writer.communicate(timeout=SECONDS)
        kept = check(path, 50_000)
        assert kept % 25 == 0  # whole transactions
        assert kept >= before
        before = kept
    assert before > 0
    VectorStore(path).put(MODEL, ["text 0"], row(0)[None])
    assert check(path, 1) == 1


@pytest.mark.slow
def test_a_reader_beside_a_writer_sees_whole_transactions(tmp_path):
    path, mark = tmp_path / "vectors.sqlite", tmp_path / "mark"
    writer = start(path, 0, 3000, mark)
    wait_for(mark, writer)
    while writer.poll() is None:
        assert check(path, 3000) % 25 == 0
    _, errors = writer.communicate()
    assert writer.returncode == 0, errors
    assert check(path, 3000) == 3000


EVALUATION = """
import signal, sys, time
from pathlib import Path
import numpy as np
from similitude.data.protocols import ModelKey
from similitude.models.cache import VectorStore
from similitude.models.encoders import vector_cache
from similitude.models.encoders.vector_cache import CachedEncoder
from similitude.models.encoders.text_model import PreparedTexts
from similitude.models.fingerprint import ModelState

class Slow:
    longest, workers, tokens, on_one_core, prepares_ahead, count = 64, 1, 64, True, True, 0

    def prepare(self, texts, prompt):
        Slow.count += len(texts)
        return PreparedTexts(list(texts), [len(text) for text in texts], np.zeros(len(texts), bool))

    def run(self, inputs, length, prompt):
        time.sleep(float(sys.argv[2]))
        return np.array([[len(text), text.count("1")] for text in inputs], np.float32)

class Mark:
    def progress(self, stage, done, total):
        if done > 200:
            Path(sys.argv[3]).touch()
            if sys.argv[4:] == ["stop"]:
                signal.pause()  # to be killed here

vector_cache._FLUSH_SECONDS = 0.05
state = ModelState("v1", ())
keeper = CachedEncoder(name="slow", load=Slow, state=lambda: state, tokens=None, texts=None,
                cache=VectorStore(Path(sys.argv[1])), listener=Mark())
texts = [f"text {n}" for n in range(2000)]
rows = keeper.rows(texts)
np.testing.assert_array_equal(rows.values, [[len(text), text.count("1")] for text in texts])
print(Slow.count)
"""


@pytest.mark.slow
def test_an_evaluation_that_is_killed_goes_on_where_it_stopped(tmp_path):
    pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
    path, mark = tmp_path / "vectors.sqlite", tmp_path / "mark"
    command = [sys.executable, "-c", EVALUATION, str(path)]
    first = subprocess.Popen([*command, "0.02", str(mark), "stop"], stdout=subprocess.DEVNULL)
    wait_for(mark, first)
    first.kill()
    first.wait(timeout=SECONDS)
    again = subprocess.run([*command, "0", str(mark)], capture_output=True, text=True, check=True, timeout=SECONDS)
    assert 0 < int(again.stdout) < 1900
