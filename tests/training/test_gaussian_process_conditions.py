"""A Gaussian process under conditions: the encoder reads them, or says that it cannot."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rated_words
from conditioned_opinions import WORDS, conditioned

from similitude.data.item import Items
from similitude.errors import ArgumentError, InputError, RunError
from similitude.stats import pearson, spearman
from similitude.systems import make_system
from similitude.systems.conditional.architecture import Architecture
from similitude.systems.uncertain.architecture import Architecture as OpinionArchitecture
from similitude.training import Recipe
from similitude.training.splits import SeveralData, TrainingData

pytest.importorskip("torch", reason="the extra 'uncertain' is not installed")
pytest.importorskip("gpytorch", reason="the extra 'uncertain' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

from similitude.training.conditional.request import SimilarityRequest
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.train import GprRequest, OpinionRequest, train_gpr, train_model, train_opinions

DATA = SeveralData((conditioned(120, 0),), (conditioned(30, 1),))
SMALL = SeveralData((conditioned(16, 3),), (conditioned(8, 4),))
TEST = conditioned(50, 2)
REQUEST = GprRequest(encoder=rated_words.ENCODER, recipe=GprRecipe(inducing=60, components=12), noise="raters")
RECIPE = Recipe(epochs=1, batch=16, lr=1e-2)


@pytest.fixture(scope="module")
def bert(tiny_bert) -> Path:
    return tiny_bert(WORDS, longest=32, initializer_range=0.3)


@pytest.fixture(scope="module")
def process(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("process") / "model"
    train_gpr(DATA, REQUEST, folder)
    return folder


def test_the_condition_decides_and_without_it_less_is_known(process, tmp_path):
    blind = train_gpr(DATA, replace(REQUEST, reads="sentences"), tmp_path / "blind")
    said, unsaid = (make_system(f"gpr({folder})").score(TEST.items) for folder in (process, blind.folder))
    assert pearson(said.scores, TEST.gold.scores) > 0.9
    assert pearson(unsaid.scores, TEST.gold.scores) < 0.8
    assert spearman(said.sigmas, TEST.gold.sigmas) > 0.6
    assert abs(spearman(unsaid.sigmas, TEST.gold.sigmas)) < 0.3
    assert blind.record["encoder"]["system"] == "test-words"
    assert "reads" not in blind.record
    assert "the conditions of 300 of 300 items are not read (--reads sentences)" in blind.notes


def test_the_folder_says_how_conditions_are_read(process):
    record = json.loads((process / "similitude.json").read_text())
    assert (record["reads"], record["encoder"]["system"]) == ("all", "test-words(condition=append)")
    assert any("each sentence is encoded with its condition after it" in note for note in record["notes"])
    assert "# Similarity of two texts under a condition, by a Gaussian" in (process / "README.md").read_text()
    system = make_system(f"gpr({process})")
    assert system.reads == {"condition"}
    one, other = system.score(Items.from_pairs(["car"] * 2, ["alike far dog"] * 2, ["colour", "shape"])).scores
    assert one > other + 1
    moved = make_system(f"gpr({process}, encoder=test-words)")
    np.testing.assert_array_equal(moved.score(TEST.items).scores, system.score(TEST.items).scores)


def test_items_without_a_condition_are_not_scored(process):
    system = make_system(f"gpr({process})")
    with pytest.raises(InputError, match=r"1 of 1 items have no condition \(first: '1'\)"):
        system.score(Items.from_pairs(["car"], ["dog"]))
    with pytest.raises(ArgumentError, match="needs a condition for each pair"):
        system.similarities(["car"], ["dog"])


def test_rows_in_another_order_and_the_condition_written_out_are_the_same_process(process, tmp_path):
    rows = np.random.default_rng(3).permutation(len(DATA.train[0]))
    shuffled = SeveralData((DATA.train[0].take(rows),), DATA.validation)
    train_gpr(shuffled, replace(REQUEST, encoder="test-words(condition=append)"), tmp_path / "other")
    assert (tmp_path / "other/process.npz").read_bytes() == (process / "process.npz").read_bytes()


def test_a_finished_process_is_recalled_and_another_refused(process):
    before = (process / "process.npz").read_bytes()
    train_gpr(DATA, replace(REQUEST, encoder="test-words(condition=append)"), process)
    assert (process / "process.npz").read_bytes() == before
    with pytest.raises(RunError, match="differs in: encoder"):
        train_gpr(DATA, replace(REQUEST, reads="sentences"), process)


def test_vectors_of_a_trained_bi_encoder_under_the_condition(bert, tmp_path):
    wanted = SimilarityRequest(model=str(bert), architecture=Architecture(), recipe=RECIPE, device="cpu")
    train_model(TrainingData(SMALL.train[0], SMALL.validation[0]), wanted, tmp_path / "sentences")
    encoder = f"conditional({tmp_path / 'sentences'}, device=cpu)"
    train_gpr(SMALL, replace(REQUEST, encoder=encoder), tmp_path / "process")
    said = make_system(f"gpr({tmp_path / 'process'})").score(TEST.items)
    assert np.isfinite(said.scores).all()
    vectors = make_system(encoder).as_encoder().pair_vectors(TEST.items)
    cosines = (vectors.left * vectors.right).sum(axis=1) / np.linalg.norm(vectors.left, axis=1)
    cosines /= np.linalg.norm(vectors.right, axis=1)
    np.testing.assert_allclose(cosines, make_system(encoder).score(TEST.items).scores, atol=1e-5)


def test_vectors_of_a_model_of_opinions_that_reads_texts_alone(bert, tmp_path):
    for encoding in ("bi", "cross"):
        shape = OpinionArchitecture(encoding=encoding)
        wanted = OpinionRequest(model=str(bert), architecture=shape, recipe=RECIPE, device="cpu", ensemble=2)
        train_opinions(SMALL, wanted, tmp_path / encoding)
    train_gpr(SMALL, replace(REQUEST, encoder=f"uncertain({tmp_path / 'bi'}, device=cpu)"), tmp_path / "process")
    assert make_system(f"gpr({tmp_path / 'process'})").reads == {"condition"}
    vectors = make_system(f"uncertain({tmp_path / 'bi'}, device=cpu)").as_encoder().pair_vectors(TEST.items)
    assert vectors.left.shape == (len(TEST), 2 * 16)  # two members, side by side
    with pytest.raises(ArgumentError, match=r"reads both texts together.*--architecture bi"):
        train_gpr(SMALL, replace(REQUEST, encoder=f"uncertain({tmp_path / 'cross'})"), tmp_path / "none")


def test_evidence_that_reads_the_condition(tmp_path):
    wanted = replace(REQUEST, evidence=("test-words(condition=append)", "overlap"))
    trained = train_gpr(SMALL, wanted, tmp_path / "process")
    assert "evidence 'overlap' compares the sentences without the condition" in trained.notes
    assert make_system(trained.system).reads == {"condition"}


def test_what_does_not_suit_conditions(tmp_path):
    with pytest.raises(
        ArgumentError, match=r"encoder 'test-words\(condition=append\)' reads conditions, which --reads"
    ):
        train_gpr(SMALL, replace(REQUEST, encoder="test-words(condition=append)", reads="sentences"), tmp_path / "m")
    plain = SeveralData((rated_words.opinions(30),), (rated_words.opinions(10, seed=1),))
    with pytest.raises(InputError, match="40 of 40 items have no condition"):
        train_gpr(plain, replace(REQUEST, reads="all"), tmp_path / "m")
    with pytest.raises(InputError, match=r"have no condition.*, but the others have one"):
        train_gpr(SeveralData((*plain.train, *SMALL.train), SMALL.validation), REQUEST, tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_an_encoder_that_cannot_read_conditions(bert, tmp_path):
    wanted = SimilarityRequest(
        model=str(bert), architecture=Architecture(reads="sentences"), recipe=RECIPE, device="cpu"
    )
    train_model(TrainingData(SMALL.train[0], SMALL.validation[0]), wanted, tmp_path / "plain")
    with pytest.raises(ArgumentError, match="does not read conditions, but the items have them"):
        train_gpr(SMALL, replace(REQUEST, encoder=f"conditional({tmp_path / 'plain'})"), tmp_path / "process")
