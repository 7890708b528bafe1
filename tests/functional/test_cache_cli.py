import json
import re
from functools import partial

import numpy as np
import pytest

from similitude.data.protocols import ModelKey
from similitude.errors import ArgumentError
from similitude.models.cache import VectorStore, usual_answers, usual_cache


@pytest.fixture
def kept(tmp_path, monkeypatch) -> VectorStore:
    monkeypatch.setenv("SIMILITUDE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SIMILITUDE_CACHE_LIMIT", "2GB")
    cache = usual_cache()
    cache.put(ModelKey("encoder(org/small)", "a" * 64), ["one", "two"], np.ones((2, 4), np.float32))
    cache.put(ModelKey("encoder(org/large)", "b" * 64), ["one"], np.ones((1, 8), np.float32))
    return cache


@pytest.fixture
def call(run_command):
    return partial(run_command, "cache")


@pytest.fixture
def answered(kept):
    answers = usual_answers()
    answers.put([(name, json.dumps({"model": f"{name[0]} at host", "text": "4"})) for name in ("a1", "a2", "b1")])
    return answers


def test_show_says_where_and_how_much(call, kept):
    shown = call("show")
    assert shown.exit_code == 0
    assert f"{kept.path}: 3 entries" in shown.stdout
    assert "of 2.0 GB" in shown.stdout
    for words in ("encoder(org/small)", "encoder(org/large)", "aaaaaaaaaaaa", "32 bytes"):
        assert words in shown.stdout


def test_show_as_json(call, kept):
    told = json.loads(call("show", "--json").stdout)
    assert told["path"] == str(kept.path)
    assert told["entries"] == 3
    assert told["limit"] == 2_000_000_000
    assert 0 < told["bytes"] < 1_000_000
    assert {model["name"]: model["entries"] for model in told["models"]} == {
        "encoder(org/small)": 2,
        "encoder(org/large)": 1,
    }


def test_clear_one_model(call, kept):
    assert call("clear", "--model", "org/small", "--yes").stdout == "deleted 2 entries\n"
    assert [model.name for model in kept.models()] == ["encoder(org/large)"]
    assert call("clear", "--model", "bbbb", "-y").stdout == "deleted 1 entry\n"


def test_clear_asks_first(call, kept):
    refused = call("clear", typed="n\n", at_terminal=True)
    assert refused.exit_code == 1
    assert "Delete 3 entries?" in refused.stderr
    assert len(kept.models()) == 2
    assert "deleted 3 entries" in call("clear", typed="y\n", at_terminal=True).stdout
    assert kept.models() == []


def test_clear_a_model_that_is_not_there(call, kept):
    with pytest.raises(ArgumentError, match=re.escape("models there: encoder(org/large), encoder(org/small)")):
        call("clear", "--model", "nothing", "--yes")


def test_a_cache_that_is_off_or_empty(call, monkeypatch, tmp_path):
    monkeypatch.setenv("SIMILITUDE_CACHE", "off")
    assert call("show").stdout == "The cache is off.\n"
    assert json.loads(call("show", "--json").stdout)["path"] is None
    assert call("clear", "--yes").stdout == "deleted 0 entries\n"
    monkeypatch.setenv("SIMILITUDE_CACHE", str(tmp_path / "new"))
    assert "0 entries, 0 bytes of" in call("show").stdout
    assert "0 answers, 0 bytes\n" in call("show").stdout
    assert not (tmp_path / "new").exists()


def test_answers_are_shown(call, answered):
    shown = call("show").stdout
    assert f"{answered.path}: 3 answers" in shown
    assert "a at host" in shown
    told = json.loads(call("show", "--json").stdout)["answers"]
    assert told["path"] == str(answered.path)
    assert told["entries"] == 3
    assert {model["name"]: model["entries"] for model in told["models"]} == {"a at host": 2, "b at host": 1}


def test_answers_are_not_cleared_unless_that_is_said(call, kept, answered):
    assert call("clear", "--yes").stdout == "deleted 3 entries\n"
    assert sum(model.entries for model in answered.models()) == 3
    assert kept.models() == []


def test_clear_answers_and_nothing_else(call, kept, answered):
    assert call("clear", "--answers", "--model", "a at", "--yes").stdout == "deleted 2 answers\n"
    assert answered.get(["a1", "b1"])[0] is None
    assert answered.get(["b1"]) != [None]
    refused = call("clear", "--answers", typed="n\n", at_terminal=True)
    assert refused.exit_code == 1
    assert "Delete 1 answer? To get them back, the models must be asked again." in refused.stderr
    assert call("clear", "--answers", "-y").stdout == "deleted 1 answer\n"
    assert len(kept.models()) == 2


def test_clear_answers_of_a_model_that_is_not_there(call, answered):
    with pytest.raises(ArgumentError, match=re.escape("models there: a at host, b at host")):
        call("clear", "--answers", "--model", "nobody", "--yes")
