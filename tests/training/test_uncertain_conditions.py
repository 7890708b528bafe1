"""Opinions under conditions: what is learned, what is kept, and what is refused."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from conditioned_opinions import WORDS, conditioned

import similitude as sim
from similitude.data.item import Items
from similitude.errors import ArgumentError, InputError, RunError
from similitude.models.cache import VectorStore
from similitude.stats import pearson, spearman
from similitude.systems import make_system
from similitude.systems.conditional.architecture import SIDE_TEMPLATE, TEMPLATE
from similitude.systems.uncertain.architecture import Architecture
from similitude.training import Recipe
from similitude.training.checkpoints import CheckpointFolder
from similitude.training.splits import SeveralData
from similitude.training.teacher import Teaching

pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

from similitude.training.train import OpinionRequest, train_opinions

RECIPE = Recipe(epochs=1, batch=16, lr=1e-2, weight_decay=0.0)
LEARNS = replace(RECIPE, epochs=8)
DATA = SeveralData((conditioned(150, 0),), (conditioned(30, 1),))
SMALL = SeveralData((conditioned(16, 3),), (conditioned(8, 4),))
TEST = conditioned(50, 2)


@pytest.fixture(scope="module")
def bert(tiny_bert) -> Path:
    return tiny_bert(WORDS, longest=32, initializer_range=0.3)


@pytest.fixture(scope="module")
def language_model(tiny_language_model) -> Path:
    return tiny_language_model(num_hidden_layers=1)


def request(model: Path, recipe: Recipe = RECIPE, **options) -> OpinionRequest:
    names = ("encoding", "template", "side_template", "head")
    shape = {"dropout": 0.0} | {name: options.pop(name) for name in names if name in options}
    return OpinionRequest(model=str(model), architecture=Architecture(**shape), recipe=recipe, device="cpu", **options)


def said_by(folder: Path, items: Items = TEST.items, more: str = ""):
    return make_system(f"uncertain({folder}, device=cpu{more})").score(items)


def shape_of(folder: Path) -> dict:
    return json.loads((folder / "similitude.json").read_text())["architecture"]


class TestWhatIsLearned:
    @pytest.mark.parametrize("encoding", ["cross", "bi", "joint"])
    @pytest.mark.slow
    def test_the_condition_decides_and_without_it_less_is_known(self, bert, tmp_path, encoding):
        for reads in ("auto", "sentences"):
            train_opinions(DATA, request(bert, LEARNS, encoding=encoding, reads=reads), tmp_path / reads)
        said, blind = said_by(tmp_path / "auto"), said_by(tmp_path / "sentences")
        assert pearson(said.scores, TEST.gold.scores) > 0.95
        assert spearman(said.sigmas, TEST.gold.sigmas) > 0.6
        # Of a pair that is alike in one respect alone, which is every second, a blind model can only say the middle.
        assert pearson(blind.scores, TEST.gold.scores) < 0.8
        assert abs(spearman(blind.sigmas, TEST.gold.sigmas)) < 0.3
        asked = ["colour", "shape"]
        far = Items.from_pairs(["car"] * 2, ["alike far dog"] * 2, asked)
        alike, unlike = said_by(tmp_path / "auto", far).scores
        assert alike > unlike + 1.5
        same, as_well = said_by(tmp_path / "sentences", far).scores
        assert same == as_well


@pytest.fixture(scope="module")
def trained(bert, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("conditioned") / "model"
    train_opinions(SMALL, request(bert, encoding="joint"), folder)
    return folder


class TestWhatIsKept:
    def test_the_folder_says_that_the_condition_is_read(self, trained):
        assert shape_of(trained)["reads"] == "all"
        assert shape_of(trained)["mark"] == "[SEP]"
        assert make_system(f"uncertain({trained})").reads == {"condition"}
        assert (
            "# Similarity of two texts under a condition, and how far people differ"
            in (trained / "README.md").read_text()
        )

    def test_an_item_does_not_depend_on_the_others_nor_on_the_order_of_texts(self, trained):
        together = said_by(trained)
        alone = said_by(trained, TEST.items.take(np.array([7])))
        assert alone.scores[0] == pytest.approx(together.scores[7], abs=1e-5)
        turned = Items(TEST.items.frame.rename({"left": "right", "right": "left"}))
        np.testing.assert_allclose(said_by(trained, turned).scores, together.scores, atol=1e-5)

    def test_the_validation_figures_are_those_of_the_system(self, trained):
        figures = json.loads((trained / "similitude.json").read_text())["validation"]
        held_out = SMALL.validation[0]
        assert figures["r"] == pytest.approx(
            pearson(said_by(trained, held_out.items).scores, held_out.gold.scores), abs=1e-3
        )

    def test_a_cache_knows_conditions_apart(self, trained, tmp_path):
        pair = Items.from_pairs(["car"] * 2, ["alike far dog"] * 2, ["colour", "shape"])
        plain = said_by(trained, pair).scores
        with_cache = make_system(f"uncertain({trained}, device=cpu)").with_cache(VectorStore(tmp_path / "kept"))
        for place in (0, 1, 0, 1):
            assert with_cache.score(pair.take(np.array([place]))).scores[0] == pytest.approx(plain[place], abs=1e-6)
        assert abs(plain[0] - plain[1]) > 1e-4

    def test_in_python(self, bert, tmp_path):
        model = sim.train.uncertain(
            SMALL.train[0],
            model=bert,
            out=tmp_path / "model",
            architecture="bi",
            epochs=1,
            device="cpu",
            validation=SMALL.validation[0],
            quiet=True,
        )
        one, other = (model("car", "alike far dog", condition=asked) for asked in ("colour", "shape"))
        assert one != other
        with pytest.raises(InputError, match="1 of 1 items have no condition"):
            model("car", "alike far dog")
        with pytest.raises(ArgumentError, match="needs a condition for each pair"):
            model.inner_system.similarities(["car"], ["dog"])
        assert "reads the condition" in repr(model.system)

    def test_passes_and_members(self, bert, tmp_path):
        wanted = request(bert, encoding="bi", ensemble=2)
        wanted = replace(wanted, architecture=replace(wanted.architecture, dropout=0.2))
        train_opinions(SMALL, wanted, tmp_path / "model")
        several = said_by(tmp_path / "model", more=", passes=3")
        again = said_by(tmp_path / "model", TEST.items.take(np.arange(5)), ", passes=3")
        np.testing.assert_allclose(again.scores, several.scores[:5], atol=1e-5)


class TestGoingOn:
    def test_no_order_of_rows_leaks(self, bert, trained, tmp_path):
        rows = np.random.default_rng(0).permutation(len(SMALL.train[0]))
        shuffled = SeveralData((SMALL.train[0].take(rows),), SMALL.validation)
        train_opinions(shuffled, request(bert, encoding="joint"), tmp_path / "other")
        for file in ("model.safetensors", "head.safetensors"):
            assert (tmp_path / "other" / file).read_bytes() == (trained / file).read_bytes()

    def test_the_same_model_after_a_kill(self, bert, tmp_path, monkeypatch):
        wanted = request(bert, replace(RECIPE, epochs=3), encoding="joint")
        train_opinions(SMALL, wanted, tmp_path / "whole")
        honest, count = CheckpointFolder.save, iter(range(100))

        def dies(self, progress):
            honest(self, progress)
            if next(count) == 1:
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(CheckpointFolder, "save", dies)
            with pytest.raises(KeyboardInterrupt):
                train_opinions(SMALL, wanted, tmp_path / "killed")
        train_opinions(SMALL, wanted, tmp_path / "killed")
        for file in ("model.safetensors", "head.safetensors"):
            assert (tmp_path / "killed" / file).read_bytes() == (tmp_path / "whole" / file).read_bytes()

    def test_sentences_alone_are_planned_and_kept_as_before_there_were_conditions(self, bert, tmp_path):
        """What a folder of an earlier version says, which must go on and load."""
        train_opinions(SMALL, request(bert, reads="sentences"), tmp_path / "model")
        known = {"encoding", "pooling", "head", "components", "bins", "hidden", "dropout", "floor", "low", "high"}
        known |= {"separator", "evidence", "template"}
        plan = json.loads((tmp_path / "model" / "runs" / "plan.json").read_text())
        assert set(plan["architecture"]) == set(shape_of(tmp_path / "model")) == known
        assert "reads" not in plan
        with pytest.raises(RunError, match=r"another training \(it differs in: architecture reads\)"):
            train_opinions(SMALL, request(bert), tmp_path / "model")


class TestLanguageModels:
    @pytest.mark.parametrize(
        ("encoding", "written", "expected"),
        [
            ("cross", {}, {"template": TEMPLATE}),
            ("bi", {}, {"template": "", "side_template": SIDE_TEMPLATE}),
            ("cross", {"template": "{condition}: {left} / {right}"}, {"template": "{condition}: {left} / {right}"}),
            ("bi", {"side_template": "{text} as to {condition}"}, {"side_template": "{text} as to {condition}"}),
        ],
    )
    def test_templates_have_a_place_for_the_condition(self, language_model, tmp_path, encoding, written, expected):
        train_opinions(SMALL, request(language_model, encoding=encoding, **written), tmp_path / "model")
        assert shape_of(tmp_path / "model").items() >= expected.items()
        one, other = said_by(
            tmp_path / "model", Items.from_pairs(["car"] * 2, ["alike far dog"] * 2, ["colour", "shape"])
        ).scores
        assert one != other


class TestEvidence:
    def test_a_source_is_told_the_condition_if_it_reads_it(self, bert, tmp_path):
        written = ("use(condition=append)", "overlap")
        found = train_opinions(SMALL, request(bert, encoding="cross", evidence=written), tmp_path / "model")
        assert "evidence 'overlap' compares the sentences without the condition" in found.notes
        assert not any("'use" in note for note in found.notes)
        system = make_system(f"uncertain({tmp_path / 'model'}, device=cpu)")
        gather = system.load(system.load_options).gather
        rows = gather([("car", "dog[SEP]colour"), ("car", "dog[SEP]shape"), ("car", "dog[SEP]colour")])
        of_items = system.evidence.of(Items.from_pairs(["car"] * 2, ["dog"] * 2, ["colour", "shape"]))
        np.testing.assert_allclose(rows[:2], of_items, atol=1e-5)
        np.testing.assert_array_equal(rows[0], rows[2])
        is_overlap = np.array([name.startswith("overlap") for name in system.evidence.names])
        assert (rows[0, is_overlap] == rows[1, is_overlap]).all()
        assert not np.allclose(rows[0, ~is_overlap], rows[1, ~is_overlap])


class TestRefusals:
    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({"teaching": Teaching("uncertain(x)", 8)}, "a teacher labels pairs without conditions.*--reads sentences"),
            (
                {"encoding": "cross", "template": "{left} {right}"},
                r"--template .*\{left\} and \{right\} and \{condition\}",
            ),
            (
                {"encoding": "cross", "template": "{left} {right} {condition}", "reads": "sentences"},
                "conditions are not read",
            ),
            ({"encoding": "cross", "evidence": ("use(condition=append)",), "reads": "sentences"}, "reads conditions"),
            ({"encoding": "cross", "side_template": "{text} {condition}"}, "--side-template shows a text.*alone"),
            ({"encoding": "bi", "template": "{left} {right} {condition}"}, "'bi' reads texts alone"),
        ],
    )
    def test_what_does_not_suit_conditions(self, bert, tmp_path, options, told):
        with pytest.raises(ArgumentError, match=told):
            train_opinions(SMALL, request(bert, **options), tmp_path / "model")

    def test_pairs_for_a_teacher_with_conditions_that_nobody_reads(self, bert, tmp_path):
        plain = replace(SMALL.train[0], frame=SMALL.train[0].frame.with_columns(condition=None))
        wanted = request(bert, teaching=Teaching("uncertain(x)"))
        with pytest.raises(InputError, match=r"asked: 16 of 16 unlabelled pairs have a condition"):
            train_opinions(SeveralData((plain,), (plain,)), wanted, tmp_path / "m", unlabelled=conditioned(8, 9))

    def test_only_some_items_have_one(self, bert, tmp_path):
        frame = SMALL.train[0].frame
        some = replace(
            SMALL.train[0],
            frame=frame.with_columns(condition=pl.when(pl.int_range(pl.len()) < 5).then(None).otherwise("condition")),
        )
        with pytest.raises(InputError, match=r"asked: 5 of 48 items have no condition.*--reads sentences"):
            train_opinions(SeveralData((some,), SMALL.validation), request(bert), tmp_path / "model")
        assert not (tmp_path / "model").exists()

    def test_items_without_a_condition_are_not_scored(self, trained):
        with pytest.raises(InputError, match=r"1 of 1 items have no condition \(first: '1'\)"):
            said_by(trained, Items.from_pairs(["car"], ["dog"]))
