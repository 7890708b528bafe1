"""A process over a real sentence encoder: its vectors, its cache, and its folder that may move or change."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from similitude.data.item import Items
from similitude.errors import ArgumentError
from similitude.models.cache.vector_store import VectorStore
from similitude.systems import make_system
from similitude.systems.encoders.similarity import paired_cosines
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.splits import several_training_data

RECIPE = GprRecipe(inducing=20, components=4, epochs=2)


@pytest.fixture(scope="module")
def encoder(bert, tmp_path_factory) -> Path:
    """A copy that a test may move."""
    return Path(shutil.copytree(bert, tmp_path_factory.mktemp("encoder") / "bert"))


def train(encoder: Path, rated, out: Path, cache=None, **asked):
    from similitude.training.train import GprRequest, train_gpr

    data = several_training_data([rated(60)], rated(30, seed=1))
    request = GprRequest(encoder=f"encoder({encoder})", recipe=RECIPE, **asked)
    return train_gpr(data, request, out, cache=cache)


def _never(*_):
    raise AssertionError("all vectors are in the cache")


@pytest.mark.parametrize("written", ["use", "encoder({bert})", "encoder({bert}, prompt_left='a:')"])
def test_the_vectors_of_pairs_are_those_that_are_compared(bert, pairs, written):
    system = make_system(written.format(bert=bert))
    lefts, rights = [*pairs[0], ""], [*pairs[1], "x"]
    left, right = system.pair_vectors(Items.from_pairs(lefts, rights))
    assert len(left) == len(right) == len(lefts)
    places = np.arange(len(lefts))
    cosines = paired_cosines(np.concatenate([left, right]), places, places + len(lefts))
    assert cosines == pytest.approx(system.similarities(lefts, rights), abs=1e-12)
    assert not left[-1].any()


def test_vectors_are_kept_and_found_again(encoder, rated, tmp_path, monkeypatch):
    cache = VectorStore(tmp_path / "vectors.sqlite", limit=10**8)
    trained = train(encoder, rated, tmp_path / "process", cache)
    items = rated(60).items
    plain = make_system(trained.system).score(items)
    from similitude.systems.encoders import sentence_encoder

    monkeypatch.setattr(sentence_encoder.SentenceEncoder, "load", _never)
    kept = make_system(trained.system).with_cache(cache).score(items)
    np.testing.assert_array_equal(kept.scores, plain.scores)
    np.testing.assert_array_equal(kept.sigmas, plain.sigmas)


@pytest.mark.slow
def test_a_source_of_evidence_keeps_and_finds_its_vectors_too(encoder, rated, tmp_path, monkeypatch):
    from similitude.systems.encoders import sentence_encoder

    cache = VectorStore(tmp_path / "vectors.sqlite", limit=10**8)
    trained = train(encoder, rated, tmp_path / "process", cache, evidence=("overlap", f"encoder({encoder})"))
    items = rated(60).items
    plain = make_system(trained.system).score(items)
    monkeypatch.setattr(sentence_encoder.SentenceEncoder, "load", _never)
    kept = make_system(trained.system).with_cache(cache).score(items)
    np.testing.assert_array_equal(kept.scores, plain.scores)


def test_an_encoder_that_moved_can_be_named_anew(encoder, rated, tmp_path):
    moved = Path(shutil.copytree(encoder, tmp_path / "before"))
    trained = train(moved, rated, tmp_path / "process")
    items = rated(10, seed=3).items
    expected = make_system(trained.system).score(items).scores
    moved.rename(tmp_path / "after")
    with pytest.raises(ArgumentError, match="no such folder"):
        make_system(trained.system).score(items)
    again = make_system(f"gpr({trained.folder}, encoder='encoder({tmp_path / 'after'})')")
    assert make_system(str(again.identity)) == again
    np.testing.assert_array_equal(again.score(items).scores, expected)
