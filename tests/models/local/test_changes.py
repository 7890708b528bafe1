"""Language models on this machine whose files change: between two calls, and during one."""

import json
import os
import shutil

import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.models.cache import AnswerStore
from similitude.models.language.answer_cache import score_choices
from similitude.models.language.local import loader, open_local
from similitude.models.language.protocol import Message, ModelChoice

CHOICES = [ModelChoice(messages=(Message("user", f"say {n}"),), options=("a", "b")) for n in range(3)]


@pytest.fixture
def folder(tiny, tmp_path):
    return shutil.copytree(tiny("llama"), tmp_path / "model")


@pytest.fixture
def answers(tmp_path):
    return AnswerStore(tmp_path / "answers.sqlite")


def change(folder) -> None:
    """Other weights in the same place, of the same size and with the same modification time."""
    weights, before = folder / "model.safetensors", (folder / "model.safetensors").stat()
    content = weights.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    numbers = np.frombuffer(content[start:], np.float32) * 1.5
    with weights.open("r+b") as file:
        file.write(content[:start] + numbers.astype(np.float32).tobytes())
    os.utime(weights, ns=(before.st_atime_ns, before.st_mtime_ns))


def totals(model, answers=None) -> list[float]:
    return [one.total for found in score_choices(model, CHOICES, answers) for one in found]


def fresh(folder, tmp_path) -> list[float]:
    loader.NETWORK.clear()
    return totals(open_local(str(folder), device="cpu", store=tmp_path / "fresh"))


def test_weights_that_change_between_two_calls_of_one_object(folder, answers, tmp_path):
    model = open_local(str(folder), device="cpu", store=tmp_path)
    before = totals(model, answers)
    change(folder)
    after = totals(model, answers)
    assert after != before
    assert after == fresh(folder, tmp_path)
    assert totals(open_local(str(folder), device="cpu", store=tmp_path), answers) == after


def test_a_tokeniser_that_changes_between_two_calls(tiny, chat_template, answers, tmp_path):
    folder = shutil.copytree(tiny("llama", template=chat_template), tmp_path / "chat")
    model = open_local(str(folder), device="cpu", chat=True, store=tmp_path)
    before = totals(model, answers)
    for path in (folder / "chat_template.jinja", folder / "tokenizer_config.json"):
        if path.exists():
            path.write_text(path.read_text().replace("<turn>{{ m['role'] }}:", "{{ m['role'] }}<turn>:"))
    after = totals(model, answers)
    assert after != before
    assert after == totals(open_local(str(folder), device="cpu", chat=True, store=tmp_path / "fresh"))


@pytest.mark.parametrize("moment", ["load_network", "_totals"])
def test_weights_that_change_during_a_call(folder, answers, tmp_path, monkeypatch, moment):
    model, left = open_local(str(folder), device="cpu", store=tmp_path), iter([1])
    loader.NETWORK.clear()
    if moment == "load_network":
        honest = loader.load_network

        def load(*how):
            found = honest(*how)
            for _ in left:
                change(folder)
            return found

        monkeypatch.setattr("similitude.models.language.local.model.load_network", load)
    else:
        totals_of = type(model)._totals

        def surprised(*how):
            for one in totals_of(*how):
                yield one
                for _ in left:
                    change(folder)

        monkeypatch.setattr(type(model), "_totals", surprised)
    found = totals(model, answers)
    monkeypatch.undo()
    assert found == fresh(folder, tmp_path)
    assert totals(open_local(str(folder), device="cpu", store=tmp_path), answers) == found


def test_weights_that_change_all_the_time(folder, answers, tmp_path, monkeypatch):
    honest = loader.load_network
    monkeypatch.setattr(
        "similitude.models.language.local.model.load_network", lambda *how: (honest(*how), change(folder))[0]
    )
    loader.NETWORK.clear()
    with pytest.raises(ArgumentError, match="its files changed while it was loaded or used"):
        totals(open_local(str(folder), device="cpu", store=tmp_path), answers)
    assert answers.get(["x"]) == [None]
    assert answers.models() == []


def test_the_window_is_that_of_the_files_now(folder, tmp_path):
    model = open_local(str(folder), device="cpu", store=tmp_path)
    before = model.window
    config = folder / "config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"max_position_embeddings": 99}))
    assert (before, model.window) == (256, 99)
