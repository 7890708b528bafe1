"""A process with evidence: what the vectors do not tell is learned from it, kept, and asked for again."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra 'uncertain' is not installed")

from rated_words import ENCODER, LENGTHS, opinions

from similitude.data.item import Items
from similitude.errors import ArgumentError, RunError, UnknownNameError
from similitude.stats import kl_divergence, pearson
from similitude.systems import make_system
from similitude.systems.evidence import Evidence
from similitude.systems.uncertain.gaussian_process.serialization import load_process
from similitude.training.gaussian_process.recipe import GprRecipe
from similitude.training.gaussian_process.request import GprRequest
from similitude.training.splits import several_training_data
from similitude.training.train import train_gpr

RECIPE = GprRecipe(inducing=40, components=6)
BLIND = GprRequest(encoder=LENGTHS, recipe=RECIPE)
REQUEST = replace(BLIND, evidence=("overlap", ENCODER), noise="raters")


def data(items=150):
    return several_training_data([opinions(items)], opinions(80, seed=1))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("with-evidence") / "process"
    train_gpr(data(), REQUEST, out)
    return out


@pytest.fixture
def copy(folder, tmp_path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def changed(folder, **changes):
    record = json.loads((folder / "similitude.json").read_text())
    record["evidence"].update(changes)
    (folder / "similitude.json").write_text(json.dumps(record))


@pytest.mark.parametrize("source", ["overlap", "jaccard", ENCODER])
def test_what_the_encoder_does_not_see_is_learned_from_evidence(tmp_path, source):
    blind = train_gpr(data(), BLIND, tmp_path / "blind").figures["r"]
    seeing = train_gpr(data(), replace(BLIND, evidence=(source,)), tmp_path / "seeing").figures["r"]
    assert blind < 0.6  # texts of the same words are equally long
    assert seeing > 0.85


def test_the_folder_tells_its_sources_and_answers_as_in_training(folder):
    record = json.loads((folder / "similitude.json").read_text())
    assert record["evidence"]["written"] == ["overlap", ENCODER]
    kept = load_process(folder)
    assert kept.evidence.written == ("overlap", ENCODER)
    assert kept.process.evidence_widths == kept.evidence.widths
    assert record["evidence"]["numbers"] == sum(kept.evidence.widths)
    assert kept.evidence_fingerprint == kept.evidence.fingerprint()
    assert f"numbers from `overlap`, `{ENCODER}`" in (folder / "README.md").read_text()
    held_out = opinions(80, seed=1)
    said = make_system(f"gpr({folder})").score(held_out.items)
    assert pearson(said.scores, held_out.gold.scores) == pytest.approx(record["validation"]["r"], abs=1e-5)
    divergences = kl_divergence(held_out.gold.scores, held_out.gold.sigmas, said.scores, said.sigmas)
    assert divergences.mean() == pytest.approx(record["validation"]["kl"], abs=1e-4)


@pytest.mark.parametrize("features", ["symmetric", "paper"])
@pytest.mark.slow
def test_an_answer_depends_neither_on_order_nor_on_company_nor_on_side(tmp_path, features):
    recipe = replace(RECIPE, features=features, epochs=2)
    trained = train_gpr(data(), replace(REQUEST, recipe=recipe), tmp_path / "process")
    system, items = make_system(trained.system), opinions(130, seed=9).items
    whole = system.score(items)
    order = np.random.default_rng(0).permutation(130)
    np.testing.assert_array_equal(system.score(items.take(order)).sigmas, whole.sigmas[order])
    alone = system.score(items.take(np.array([70])))
    assert (alone[0].score, alone[0].sigma) == (whole[70].score, whole[70].sigma)
    turned = system.score(Items.from_pairs(items.rights, items.lefts))
    np.testing.assert_array_equal(turned.scores, whole.scores)
    np.testing.assert_array_equal(turned.sigmas, whole.sigmas)


def test_blank_texts_and_no_items_are_answered_too(folder):
    system = make_system(f"gpr({folder})")
    said = system.score(Items.from_pairs(["", "ba", ""], ["", "", "ba"]))
    assert np.isfinite(said.scores).all()
    assert said.scores[1] == said.scores[2]
    assert len(system.score(Items.from_pairs([], []))) == 0


@pytest.mark.slow
def test_only_the_same_evidence_goes_on(folder, monkeypatch):
    with monkeypatch.context() as patched:  # what was finished is not even learned again
        patched.setattr("similitude.training.gaussian_process.trainer.fit_evidence", None)
        assert train_gpr(data(), REQUEST, folder).notes[-1] == "was finished before; nothing was trained"
    for other in ((), ("overlap",), (ENCODER, "overlap")):
        with pytest.raises(RunError, match=r"holds another training \(it differs in: evidence"):
            train_gpr(data(), replace(REQUEST, evidence=other), folder)


def test_sources_whose_models_changed_do_not_go_on(folder, monkeypatch):
    monkeypatch.setattr(Evidence, "fingerprint", lambda self: "another model")
    with pytest.raises(RunError, match=r"it differs in: evidence_model\)"):
        train_gpr(data(), REQUEST, folder)


@pytest.mark.slow
def test_rows_in_another_order_give_the_same_process_to_the_last_bit(folder, tmp_path):
    whole = opinions()
    turned = whole.take(np.random.default_rng(3).permutation(len(whole)))
    train_gpr(several_training_data([turned], opinions(80, seed=1)), REQUEST, tmp_path / "other")
    assert (tmp_path / "other" / "process.npz").read_bytes() == (folder / "process.npz").read_bytes()


def test_folders_of_before_there_was_evidence_open(trained, tmp_path):
    before = Path(shutil.copytree(trained, tmp_path / "before"))
    record = json.loads((before / "similitude.json").read_text())
    assert record.pop("evidence") is None
    (before / "similitude.json").write_text(json.dumps(record))
    plan = json.loads((before / "runs" / "plan.json").read_text())
    assert not any("evidence" in name for name in plan)
    items = opinions(20, seed=3).items
    old, new = (make_system(f"gpr({folder})").score(items) for folder in (before, trained))
    np.testing.assert_array_equal(old.scores, new.scores)


class Notebook:
    def __init__(self):
        self.notes = []

    def progress(self, stage, done, total):
        """Not of interest."""

    def note(self, text):
        self.notes.append(text)


def test_a_note_says_that_the_evidence_has_changed(folder, copy):
    heard, asked = Notebook(), Items.from_pairs(["ba"], ["da"])
    make_system(f"gpr({folder})").with_listener(heard).score(asked)
    assert heard.notes == []
    changed(copy, fingerprint="another")
    make_system(f"gpr({copy})").with_listener(heard).score(asked)
    assert len(heard.notes) == 1
    assert heard.notes[0].startswith(f"the evidence of '{copy}' has changed since training")


def test_the_systems_fingerprint_follows_the_models_of_its_evidence(folder, monkeypatch):
    system = make_system(f"gpr({folder})")
    before = system.model_fingerprint()
    assert system.model_fingerprint() == before
    monkeypatch.setattr(Evidence, "fingerprint", lambda self: "another model")
    assert system.model_fingerprint() != before


def test_lost_arrays_of_evidence_are_told(copy):
    with np.load(copy / "process.npz") as stored:
        kept = {name: stored[name] for name in stored.files if not name.startswith("evidence_")}
        assert len(kept) < len(stored.files)
    np.savez(copy / "process.npz", **kept)
    with pytest.raises(ArgumentError, match=r"model '.*copy': the evidence is damaged; train it again"):
        make_system(f"gpr({copy})").score(Items.from_pairs(["ba"], ["da"]))


def test_unknown_sources_are_refused_before_there_is_a_folder(tmp_path):
    with pytest.raises(UnknownNameError, match="nonsense"):
        train_gpr(data(), replace(BLIND, evidence=("nonsense",)), tmp_path / "process")
    assert not (tmp_path / "process").exists()
