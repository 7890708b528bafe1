"""``sim.train``, for real: frames in, a model out that is a system, resumes, and is saved."""

import gc
import string
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import similitude as sim

pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> str:
    return str(tiny_bert([*letters, *string.punctuation]))


def conditions(pairs: int, seed: int) -> pl.DataFrame:
    """Two rows a pair: the colour is the same, the number is not."""
    rng = np.random.default_rng(seed)
    colours, numbers = ["red", "blue", "grey", "pink"], ["one", "two", "six", "ten"]
    rows = []
    for pair in range(pairs):
        colour, (first, second) = rng.choice(colours), rng.choice(numbers, 2, replace=False)
        sides = {"left": f"{first} {colour} cars {seed}{pair}", "right": f"{second} {colour} cars {seed}{pair}"}
        rows += [{**sides, "condition": "the colour", "score": 5.0}, {**sides, "condition": "the number", "score": 1.0}]
    return pl.DataFrame(rows)


@pytest.fixture(scope="module")
def trained(bert, tmp_path_factory) -> sim.train.Model:
    return sim.train.conditional(
        conditions(24, seed=1), model=bert, out=tmp_path_factory.mktemp("models") / "mine", epochs=2, batch=8
    )


@pytest.mark.slow
class TestConditional:
    def test_a_frame_becomes_a_model_with_folder_card_and_figures(self, trained):
        assert trained.folder.name == "mine"
        assert (trained.folder / "model.safetensors").is_file()
        assert trained.card.startswith("---\n")
        assert "# Similarity under a condition" in trained.card
        assert trained.figures.keys() == {"spearman", "pearson"}
        assert repr(trained).startswith(f"<Model conditional({trained.folder}): spearman ")
        assert repr(trained).endswith("on 4 validation items>")
        assert [note for note in trained.notes if "held out for validation" in note]

    def test_it_is_evaluated_under_its_name(self, trained):
        run = trained.evaluate(conditions(10, seed=2), ["spearman", "pearson"], resamples=0)
        assert [record.label for record in run.systems] == ["mine"]
        assert [str(measure) for measure in run.measures] == ["spearman", "pearson"]
        assert run["mine", "spearman"] == pytest.approx(
            sim.run(conditions(10, seed=2), trained.trained.system, ["spearman"], resamples=0).figures[0][0].value
        )

    def test_it_is_a_system(self, trained):
        test = conditions(10, seed=2)
        run = sim.run(test, {"before": "levenshtein", "after": trained}, ["spearman"], resamples=0)
        assert run["after", "spearman"] == trained.evaluate(test, ["spearman"], resamples=0)["mine", "spearman"]

    def test_it_scores_one_pair_and_two_lists(self, trained):
        one = trained("one red car", "two red cars", condition="the colour")
        two = trained(["one red car"] * 2, ["two red cars"] * 2, condition=["the colour", "the number"])
        assert two[0] == pytest.approx(one)
        assert two[0] != two[1]

    def test_the_same_call_trains_nothing(self, trained, bert):
        again = sim.train.conditional(conditions(24, seed=1), model=bert, out=trained.folder, epochs=2, batch=8)
        assert again.notes[-1] == "was finished before; nothing was trained"
        assert again.figures == trained.figures

    def test_another_training_in_its_folder_is_refused_in_python_words(self, trained, bert):
        with pytest.raises(sim.errors.RunError, match=r"holds another training \(it differs in: .*recipe.*out="):
            sim.train.conditional(conditions(24, seed=1), model=bert, out=trained.folder, epochs=3, batch=8)

    def test_a_notebook_shows_figures_and_curves(self, trained):
        shown = trained._repr_html_()
        assert "bi-encoder from" in shown
        assert shown.count("<svg") == 2
        assert "items/s" in shown

    def test_it_is_loaded_from_its_folder(self, trained):
        loaded = sim.train.load(trained.folder)
        assert loaded.figures == trained.figures
        assert loaded("a", "b", condition="c") == trained("a", "b", condition="c")

    def test_a_folder_without_a_model_is_refused(self, tmp_path):
        with pytest.raises(sim.errors.RunError, match="holds no trained model"):
            sim.train.load(tmp_path)


@pytest.mark.slow
def test_a_model_without_a_folder_goes_with_its_object_unless_it_is_saved(bert, tmp_path, monkeypatch):
    model = sim.train.pairs(conditions(24, seed=3), model=bert, epochs=1, batch=8, quiet=True)
    folder = model.folder
    assert folder.is_dir()
    assert repr(model).endswith("; temporary>")
    kept = model.save(tmp_path / "kept")
    with pytest.raises(sim.errors.RunError, match="exists already"):
        model.save(tmp_path / "kept")
    said = model("one red car", "two red cars")
    monkeypatch.setenv("SIMILITUDE_CACHE", str(tmp_path / "cache"))
    model.evaluate(conditions(6, seed=4), ["mae"], resamples=0)
    assert not (tmp_path / "cache").exists(), "nobody will ask for its vectors again"
    kept.evaluate(conditions(6, seed=4), ["mae"], resamples=0)
    assert (tmp_path / "cache").exists()
    del model
    gc.collect()
    assert not folder.exists()
    assert kept("one red car", "two red cars") == said


@pytest.mark.slow
def test_several_frames_are_learned_from_together(bert):
    opinions = sim.read("sample:opinions").to_pandas()
    model = sim.train.uncertain(
        [opinions[:30], sim.read("sample:opinions")], model=bert, epochs=1, batch=16, head="gaussian", quiet=True
    )
    assert model.trained.record["data"]["items"] == 27 + 54
    assert model.trained.system.startswith("uncertain(")


def test_a_failed_training_leaves_no_folder_behind(bert, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(sim.errors.InputError):
        sim.train.conditional(pl.DataFrame({"left": ["a"] * 9, "right": ["b"] * 9, "score": range(9)}), model=bert)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("model", [None, 3, object()])
def test_a_model_to_start_from_is_named(model):
    with pytest.raises(sim.errors.ArgumentError, match=r"sim\.train\.pairs: model= is .*; name a folder, or a model"):
        sim.train.pairs(conditions(4, seed=0), model=model)


def test_the_folder_of_a_path_is_the_same(bert, tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(sim.errors.RunError, match="is a file"):
        sim.train.pairs(conditions(24, seed=3), model=Path(bert), out=tmp_path / "taken")
