"""The cache that Python uses by default, which is that of the command line."""

import inspect

import numpy as np
import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.models.cache import VectorStore, default_caches, usual_answers, usual_cache
from similitude.study.disagreement_ranking import expect_disagreement
from similitude.study.five_settings.study import run_five_settings
from similitude.study.predictiveness.study import run_predictiveness
from similitude.study.prompt_grid.study import run_prompt_grid
from similitude.systems import make_system
from similitude.systems.attach_cache import attach_chosen, chosen_answers, chosen_cache
from similitude.training.train import train_gpr, train_opinions

pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")
LEFTS, RIGHTS = ["ab ba", "abc", "cab a", "bb", "c a b"] * 3, ["ab", "cab", "a a a", "bbb", "abcabc"] * 3


@pytest.fixture(scope="module")
def bert(tiny_bert, letters):
    return tiny_bert(letters)


@pytest.fixture
def data(tmp_path):
    file = tmp_path / "pairs.csv"
    rows = [f"{left} {n},{right},{n % 5}" for n, (left, right) in enumerate(zip(LEFTS, RIGHTS, strict=True))]
    file.write_text("\n".join(["left,right,score", *rows]))
    return file


def test_run_fills_the_usual_cache_and_finds_its_vectors_there(bert, data, monkeypatch):
    first = sim.run(data, [f"encoder({bert})"], ["spearman"], resamples=0)
    (kept,) = usual_cache().models()
    assert kept.entries > 10
    monkeypatch.setattr("similitude.systems.encoders.sentence_encoder.open_model", None)  # would fail if it loaded one
    monkeypatch.setattr("similitude.models.encoders.vector_cache.MODEL._held", None)
    again = sim.run(data, [f"encoder({bert})"], ["spearman"], resamples=0)
    assert again.predictions[0].scores.tolist() == first.predictions[0].scores.tolist()


def test_none_means_none(bert, data):
    sim.run(data, [f"encoder({bert})"], ["spearman"], resamples=0, cache=None, answers=None)
    assert not usual_cache().path.exists()


def test_a_cache_that_is_handed_over_is_used(bert, data, tmp_path):
    own = VectorStore(tmp_path / "own.sqlite")
    sim.run(data, [f"encoder({bert})"], ["spearman"], resamples=0, cache=own)
    assert len(own.models()) == 1
    assert not usual_cache().path.exists()


def test_a_system_keeps_its_own_cache_unless_another_is_handed_over(bert, tmp_path):
    own, other = VectorStore(tmp_path / "own"), VectorStore(tmp_path / "other")
    system = make_system(f"encoder({bert})").with_cache(own)
    assert attach_chosen([system], "usual", "usual", None)[0].cache is own
    assert attach_chosen([system], None, None, None)[0].cache is own
    assert attach_chosen([system], other, None, None)[0].cache.path == other.path
    assert attach_chosen([make_system(f"encoder({bert})")], "usual", None, None)[0].cache == usual_cache()


def test_answers_are_chosen_likewise(monkeypatch):
    assert chosen_answers("usual") == usual_answers()
    assert chosen_answers(None) is None
    monkeypatch.setenv("SIMILITUDE_CACHE", "off")
    assert chosen_answers("usual") is None
    assert chosen_cache("usual") is None
    assert default_caches() == (None, None)


@pytest.fixture
def damaged(bert, data):
    """The usual cache, full of garbage."""
    sim.run(data, [f"encoder({bert})"], ["spearman"], resamples=0)
    store = usual_cache()
    store.path.write_bytes(b"garbage" * 3000)
    return store


def test_what_is_wrong_with_it_is_told_once_and_the_run_is_right(bert, data, damaged, hears):
    right = sim.run(data, [f"encoder({bert})"], ["spearman"], resamples=0, cache=None)
    found = sim.run(data, [f"encoder({bert})"], ["spearman"], resamples=0, listener=hears)
    np.testing.assert_array_equal(found.predictions[0].scores, right.predictions[0].scores)
    (note,) = [note for note in hears.notes if "cache" in note]
    assert "the cache was damaged" in note
    assert not any("cache" in note for record in found.systems for note in record.notes)


def test_without_a_listener_it_is_a_warning(bert, data, damaged):
    with pytest.warns(UserWarning, match="the cache was damaged"):
        sim.run(data, [f"encoder({bert})"], ["spearman"], resamples=0)


def test_choose_and_disagreement_use_it_too(bert, data):
    requirements = sim.Requirements(cardinality="1:1", interest="all", information="value")
    sim.choose(data, [f"encoder({bert})", "levenshtein"], requirements, resamples=0)
    (before,) = usual_cache().models()
    with pytest.raises(ArgumentError, match="does not predict how far people differ"):
        expect_disagreement(sim.read(data), f"encoder({bert}, similarity=dot, pooling=cls)")
    assert len(usual_cache().models()) == 2
    assert before.name == f"encoder({bert})"


def test_every_function_with_a_cache_uses_the_usual_one():
    """Seen by signature, so that one that is added later is not forgotten."""
    for function in (
        sim.run,
        sim.run_suite,
        sim.task,
        expect_disagreement,
        run_predictiveness,
        run_five_settings,
        run_prompt_grid,
    ):
        for name, parameter in inspect.signature(function).parameters.items():
            assert name not in ("cache", "answers") or parameter.default == "usual", function
    for function in (train_opinions, train_gpr):
        assert inspect.signature(function).parameters["cache"].default == "usual"
