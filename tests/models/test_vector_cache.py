"""Looking up, computing, keeping: with a model that counts letters, so that what was computed can be counted too."""

import threading
from collections.abc import Sequence

import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.models.encoders import vector_cache as keeping
from similitude.models.encoders.text_model import PreparedTexts
from similitude.models.encoders.vector_cache import CachedEncoder
from similitude.models.fingerprint import ModelState

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")

TEXTS = sorted({f"{'ab' * (i % 23)}{'c' * (i % 7)}{i}" for i in range(300)})


class Letters:
    """How often a, b and c occur; fails as torch does when a batch is larger than there is memory for."""

    longest, workers, tokens, on_one_core, prepares_ahead = 32, 2, 64, True, True

    def __init__(self, rows_that_fit: int = 10_000, error: Exception | None = None) -> None:
        self.prepared: list[str] = []
        self.sizes: list[int] = []
        self.rows_that_fit, self.error = rows_that_fit, error or torch.OutOfMemoryError("CUDA out of memory.")

    def prepare(self, texts: Sequence[str], prompt: str) -> PreparedTexts:
        self.prepared += texts
        full = [prompt + text for text in texts]
        return PreparedTexts(
            [text[: self.longest] for text in full],
            [min(len(text), self.longest) or 1 for text in full],
            np.array([len(text) > self.longest for text in full]),
        )

    def run(self, inputs: Sequence[str], length: int, prompt: int) -> np.ndarray:
        assert all(len(text) <= length for text in inputs)
        if len(inputs) > self.rows_that_fit:
            raise self.error
        self.sizes.append(len(inputs))
        return np.array([[text.count(letter) for letter in "abc"] for text in inputs], np.float32)


class Shelf(dict):
    """A cache in memory."""

    def get(self, model, texts):
        return [dict.get(self, (model.fingerprint, text)) for text in texts]

    def put(self, model, texts, rows):
        self.update({(model.fingerprint, text): row for text, row in zip(texts, rows, strict=True)})


class Ear:
    def __init__(self, stop_at: int | None = None) -> None:
        self.notes, self.stages, self.stop_at = [], [], stop_at

    def progress(self, stage: str, done: int, total: int) -> None:
        self.stages.append((stage, done, total))
        if self.stop_at is not None and done >= self.stop_at:
            raise KeyboardInterrupt

    def note(self, text: str) -> None:
        self.notes.append(text)


def keeper(model, cache=None, listener=None, **options) -> CachedEncoder:
    options = {"tokens": None, "texts": None, "state": lambda: ModelState("v1", ())} | options
    keeping.MODEL.clear()
    return CachedEncoder(name="letters", load=lambda: model, cache=cache, listener=listener, **options)


def counts(texts, prompt="") -> np.ndarray:
    return np.array([[(prompt + text)[:32].count(letter) for letter in "abc"] for text in texts], np.float32)


def test_rows_come_back_in_order():
    rows = keeper(Letters()).rows(TEXTS)
    np.testing.assert_array_equal(rows.values, counts(TEXTS))
    assert rows.cut_to.tolist() == [32 if len(text) > 32 else 0 for text in TEXTS]
    assert keeper(Letters()).rows([]).values.shape == (0, 1)


def test_only_what_is_missing_is_computed():
    shelf, first, second = Shelf(), Letters(), Letters()
    keeper(first, shelf).rows(TEXTS[:100])
    rows = keeper(second, shelf).rows(TEXTS)
    assert sorted(second.prepared) == sorted(TEXTS[100:])
    np.testing.assert_array_equal(rows.values, counts(TEXTS))
    third = Letters()
    np.testing.assert_array_equal(keeper(third, shelf).rows(TEXTS[::-1]).values, counts(TEXTS[::-1]))
    assert third.prepared == []
    assert keeper(third, shelf).rows(TEXTS).cut_to.tolist() == rows.cut_to.tolist()


def test_a_prompt_makes_it_another_text():
    shelf = Shelf()
    keeper(Letters(), shelf).rows(["ab", "b"])
    model = Letters()
    assert keeper(model, shelf).rows(["b"], prompt="a").values.tolist() == [[1, 1, 0]]
    assert model.prepared == ["b"]


@pytest.mark.parametrize("stop_at", [1, 100, 299])
def test_an_interruption_keeps_what_was_done(stop_at):
    shelf, model = Shelf(), Letters()
    with pytest.raises(KeyboardInterrupt):
        keeper(model, shelf, Ear(stop_at)).rows(TEXTS)
    kept = len(shelf)
    assert stop_at <= kept <= len(TEXTS)
    again = Letters()
    np.testing.assert_array_equal(keeper(again, shelf).rows(TEXTS).values, counts(TEXTS))
    assert len(again.prepared) == len(TEXTS) - kept


def test_rows_are_kept_as_they_come(monkeypatch):
    monkeypatch.setattr(keeping, "_FLUSH_SECONDS", -1.0)
    shelf, sizes = Shelf(), []
    ear = Ear()
    ear.progress = lambda stage, done, total: sizes.append(len(shelf))
    keeper(Letters(), shelf, ear).rows(TEXTS)
    assert len(set(sizes)) > 10


def test_many_texts_are_tokenised_in_chunks(monkeypatch):
    monkeypatch.setattr(keeping, "_CHUNK", 64)
    ear = Ear()
    np.testing.assert_array_equal(keeper(Letters(), Shelf(), ear).rows(TEXTS).values, counts(TEXTS))
    assert ear.stages[0] == ("loading the model", 0, 300)
    assert ear.stages[-1] == ("encoding", 300, 300)
    assert [done for _, done, _ in ear.stages] == sorted(done for _, done, _ in ear.stages)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB."),
        RuntimeError("[enforce fail at alloc_cpu.cpp:121] DefaultCPUAllocator: can't allocate memory: you tried to"),
        RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate 1000000 bytes."),
        MemoryError(),
    ],
    ids=["gpu", "cpu", "windows", "python"],
)
def test_out_of_memory_halves_the_batch_and_goes_on(error):
    model, ear = Letters(rows_that_fit=5, error=error), Ear()
    rows = keeper(model, Shelf(), ear, tokens=1024).rows(TEXTS)
    np.testing.assert_array_equal(rows.values, counts(TEXTS))
    assert max(model.sizes) <= 5
    (note,) = ear.notes
    assert note.startswith("memory ran out: batches were halved until they fitted, to ")


def test_no_memory_for_a_single_text():
    with pytest.raises(ArgumentError, match="not enough memory for a single text of 32 tokens"):
        keeper(Letters(rows_that_fit=0)).rows(TEXTS)


def test_other_errors_are_not_mistaken_for_it():
    with pytest.raises(RuntimeError, match="expected scalar type"):
        keeper(Letters(rows_that_fit=0, error=RuntimeError("expected scalar type Half"))).rows(TEXTS)


def test_torch_is_left_as_it_was():
    before, threads = torch.get_num_threads(), threading.active_count()
    keeper(Letters()).rows(TEXTS)
    assert torch.get_num_threads() == before
    assert threading.active_count() == threads
