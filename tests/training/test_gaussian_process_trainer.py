"""Training a Gaussian process: what can be learned is learned and kept, and a kill changes nothing."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra 'uncertain' is not installed")

import rated_words as people  # noqa: E402

from similitude.errors import ArgumentError, EstimationError, InputError, RunError, UnknownNameError  # noqa: E402
from similitude.stats import kl_divergence, pearson, spearman  # noqa: E402
from similitude.systems import make_system  # noqa: E402
from similitude.systems.uncertain.gaussian_process.posterior import PosteriorMoments  # noqa: E402
from similitude.training.checkpoints import CheckpointFolder  # noqa: E402
from similitude.training.gaussian_process.rater_noise import noise_of_means, opinion_figures  # noqa: E402
from similitude.training.gaussian_process.recipe import GprRecipe  # noqa: E402
from similitude.training.splits import SeveralData, several_training_data  # noqa: E402
from similitude.training.train import (  # noqa: E402
    GprRequest,
    train_gpr,
)
from similitude.training.uncertain.opinions import opinions_of  # noqa: E402

REQUEST = GprRequest(encoder=people.ENCODER, recipe=GprRecipe(inducing=40, components=6))
FILES = ("process.npz", "runs/losses-0.csv")


def data(items: int = 150, **changes) -> SeveralData:
    return several_training_data([people.opinions(items, **changes)], people.opinions(80, seed=1, **changes))


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


def test_the_folder_tells_all_about_the_training(tmp_path):
    trained = train_gpr(data(), REQUEST, tmp_path / "process")
    assert trained.system == f"gpr({tmp_path / 'process'})"
    assert set(trained.figures) == {"log_density", "r", "rho", "kl", "sigma_rho"}
    assert trained.figures["r"] > 0.85
    record = json.loads((tmp_path / "process" / "similitude.json").read_text())
    assert record == trained.record
    assert record["data"]["items"] == 150
    assert "gpr(THIS FOLDER)" in (tmp_path / "process" / "README.md").read_text()
    lines = (tmp_path / "process" / "runs" / "metrics.jsonl").read_text().splitlines()
    epochs = [json.loads(line) for line in lines]
    assert max(epoch["log_density"] for epoch in epochs) == pytest.approx(trained.figures["log_density"], abs=1e-5)
    left = {path.relative_to(tmp_path / "process").as_posix() for path in (tmp_path / "process").rglob("*")}
    assert left == {
        *("README.md", "process.npz", "similitude.json", "runs"),
        *(f"runs/{name}" for name in ("plan.json", "metrics.jsonl", "metrics-0.jsonl", "losses-0.csv")),
    }


def test_the_system_says_on_the_validation_items_what_the_record_does(tmp_path):
    trained = train_gpr(data(), REQUEST, tmp_path / "process")
    held_out = people.opinions(80, seed=1)
    said = make_system(trained.system).score(held_out.items)
    assert pearson(said.scores, held_out.gold.scores) == pytest.approx(trained.figures["r"], abs=1e-5)
    human, gold = held_out.gold.sigmas, held_out.gold.scores
    assert kl_divergence(gold, human, said.scores, said.sigmas).mean() == pytest.approx(trained.figures["kl"], abs=1e-4)


@pytest.mark.slow
def test_rows_in_another_order_give_the_same_process_to_the_last_bit(tmp_path):
    whole = people.opinions()
    order = np.random.default_rng(3).permutation(len(whole))
    held_out = people.opinions(80, seed=1)
    for name, benchmark in (("one", whole), ("other", whole.take(order))):
        train_gpr(several_training_data([benchmark], held_out), REQUEST, tmp_path / name)
    assert files(tmp_path / "one") == files(tmp_path / "other")


@pytest.mark.parametrize("noise", ["shared", "raters"])
@pytest.mark.slow
def test_killed_anywhere_it_goes_on_to_the_same_end(tmp_path, monkeypatch, noise):
    request = replace(REQUEST, noise=noise, recipe=replace(REQUEST.recipe, epochs=3))
    train_gpr(data(), request, tmp_path / "whole")
    save, saves = CheckpointFolder.save, []

    def save_and_die(checkpoints, progress):
        save(checkpoints, progress)
        saves.append(progress)
        raise KeyboardInterrupt

    monkeypatch.setattr(CheckpointFolder, "save", save_and_die)
    for _ in range(20):  # dies after every epoch
        try:
            train_gpr(data(), request, tmp_path / "killed")
            break
        except KeyboardInterrupt:
            assert not (tmp_path / "killed" / "similitude.json").exists()
    assert len(saves) >= 2
    assert files(tmp_path / "whole") == files(tmp_path / "killed")


def test_what_was_finished_is_not_trained_again_and_nothing_else_is_overwritten(tmp_path):
    first = train_gpr(data(), REQUEST, tmp_path / "process")
    before = files(tmp_path / "process")
    again = train_gpr(data(), REQUEST, tmp_path / "process")
    assert again.notes[-1] == "was finished before; nothing was trained"
    assert again.figures == first.figures
    assert [epoch.loss for epoch in again.history[0]] == [epoch.loss for epoch in first.history[0]]
    for other in (replace(REQUEST, noise="raters"), replace(REQUEST, recipe=GprRecipe(seed=1))):
        with pytest.raises(RunError, match="holds another training"):
            train_gpr(data(), other, tmp_path / "process")
    assert files(tmp_path / "process") == before


@pytest.mark.slow
def test_known_noise_of_raters_makes_sigma_follow_people(tmp_path):
    new = people.opinions(400, seed=7)
    figures = {}
    for noise in ("shared", "raters"):
        trained = train_gpr(data(items=400), replace(REQUEST, noise=noise), tmp_path / noise)
        said = make_system(trained.system).score(new.items)
        kl = kl_divergence(new.gold.scores, new.gold.sigmas, said.scores, said.sigmas).mean()
        figures[noise] = (float(spearman(said.sigmas, new.gold.sigmas)), float(kl))
    assert figures["raters"][0] > 0.5 > figures["shared"][0]
    assert figures["raters"][1] < figures["shared"][1]


@pytest.mark.slow
def test_recalibration_lowers_the_divergence_from_people(tmp_path):
    new = people.opinions(400, seed=7)
    kls = {}
    for how in ("none", "scale", "isotonic"):
        trained = train_gpr(data(), replace(REQUEST, recalibrate=how), tmp_path / how)
        said = make_system(trained.system).score(new.items)
        kls[how] = kl_divergence(new.gold.scores, new.gold.sigmas, said.scores, said.sigmas).mean()
        assert (trained.record["recalibration"] is None) == (how == "none")
    assert kls["scale"] < kls["none"]
    assert kls["isotonic"] < kls["none"]


def test_several_benchmarks_are_learned_on_the_scale_of_the_first(tmp_path):
    unit = people.opinions(seed=4, name="unit")
    shrunk = unit.frame.with_columns(score=unit.frame["score"] / 5, sigma=unit.frame["sigma"] / 5, ratings=None)
    unit = replace(unit, frame=shrunk, scale=type(unit.scale)(low=0, high=1))
    trained = train_gpr(several_training_data([people.opinions(), unit]), REQUEST, tmp_path / "both")
    assert trained.name == "words + unit"
    assert {"kl words", "sigma_rho unit"} <= set(trained.figures)
    system = make_system(trained.system)
    assert str(system.range) == "0..5"
    assert system.score(unit.items).scores == pytest.approx(5 * unit.gold.scores, abs=2)


def test_the_papers_features_are_asked_in_both_orders(tmp_path):
    recipe = replace(REQUEST.recipe, features="paper", components=0)
    trained = train_gpr(data(), replace(REQUEST, recipe=recipe), tmp_path / "paper")
    items = people.opinions(80, seed=1).items
    system = make_system(trained.system)
    turned = type(items).from_pairs(items.rights, items.lefts)
    np.testing.assert_array_equal(system.score(items).scores, system.score(turned).scores)
    np.testing.assert_array_equal(system.score(items).sigmas, system.score(turned).sigmas)
    assert trained.figures["r"] > 0.5


def test_the_noise_of_a_mean_by_hand():
    # Ratings 1 and 3 of 0..5: sigma 1, as a share 0.2; with two raters the mean's variance is 0.04 / 1. Ratings 0, 3,
    # 3: sigma sqrt(2), 0.08 / 2. One rating: what one rating's variance is on average, (0.08 + 0.08 x 3/2) / 2.
    ratings = [[1.0, 3.0], [0.0, 3.0, 3.0], [2.0]]
    made = people.opinions(3, ratings=ratings, score=[2.0, 2.0, 2.0], sigma=[1.0, np.sqrt(2), 0.0])
    found = noise_of_means(opinions_of([made], needs_spread=True))
    assert sorted(found) == pytest.approx(sorted([0.04, 0.04, 0.1]), rel=1e-5)


def test_figures_by_hand():
    # Two items on 0..5, predicted 0.2 and 0.6 of the scale (1 and 3), sigma 0.2 (1); gold 2 and 3, human sigmas 1, 0.
    # Log density: -ln(2 pi)/2 - (1 + 0)/2/2; KL of the first alone: (1 + 1)/2 - 1/2.
    made = people.opinions(2, ratings=[[1.0, 3.0], [3.0, 3.0]], score=[2.0, 3.0], sigma=[1.0, 0.0])
    opinions = opinions_of([made], needs_spread=False)
    order = np.argsort(opinions.gold[:, 0])
    means = np.empty(2)
    means[order] = [0.2, 0.6]
    moments = PosteriorMoments(means, np.full(2, 0.04))
    figures = opinion_figures(moments, opinions, of_people=False)
    assert figures["log_density"] == pytest.approx(-0.5 * np.log(2 * np.pi) - 0.25)
    assert figures["kl"] == pytest.approx(0.5)
    assert figures["r"] == pytest.approx(1)
    assert np.isnan(figures["sigma_rho"])
    of_people = opinion_figures(moments, opinions, of_people=True)["people_density"]
    assert of_people == pytest.approx(figures["log_density"] - 0.25)  # (1 + 0) / 2 on average over both


def test_what_cannot_be_trained_says_why_before_anything_is_computed(tmp_path):
    out = tmp_path / "process"
    for encoder, error, why in (
        ("levenshtein", ArgumentError, "system 'levenshtein' returns no vectors"),
        ("nonsense", UnknownNameError, "no system named 'nonsense'"),
    ):
        with pytest.raises(error, match=why):
            train_gpr(data(), replace(REQUEST, encoder=encoder), out)
    without = {"ratings": None, "sigma": None}
    with pytest.raises(InputError, match=r"neither ratings nor .*to learn scores alone, use --noise shared"):
        train_gpr(data(**without), replace(REQUEST, noise="raters"), out)
    with pytest.raises(InputError, match="ratings were not kept for all items"):
        train_gpr(data(ratings=None), replace(REQUEST, noise="raters"), out)
    few = several_training_data([people.opinions()], people.opinions(9, seed=1))
    with pytest.raises(InputError, match="9 validation items are too few to recalibrate on; give 10 or more"):
        train_gpr(few, replace(REQUEST, recalibrate="scale"), out)
    assert not out.exists()


def test_too_few_items_to_learn_from(tmp_path):
    with pytest.raises(EstimationError, match="15 distinct items are too few for a Gaussian process"):
        train_gpr(several_training_data([people.opinions(15)], people.opinions(20, seed=1)), REQUEST, tmp_path / "x")


def test_without_human_sigmas_it_is_recalibrated_to_its_errors(tmp_path):
    trained = train_gpr(data(ratings=None, sigma=None), replace(REQUEST, recalibrate="scale"), tmp_path / "process")
    assert trained.record["recalibration"]["items"] == 80
    assert np.isnan(trained.figures["kl"])
