"""Training that weighs labels: the loss by hand, and trainers that hand the weights to it."""

import json
import string
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError, InputError, RunError
from similitude.training import MseQuad, Recipe
from similitude.training.fold_teachers import TwoGolds
from similitude.training.objectives import MseDifference, Objective
from similitude.training.splits import SeveralData, TrainingData

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

from similitude.systems.uncertain.architecture import Architecture  # noqa: E402
from similitude.training.conditional.augmentation import Augmentation  # noqa: E402
from similitude.training.cross_fitted_scores import cross_fitted_scores  # noqa: E402
from similitude.training.loss_weights import loss_weights, weights_without_conditions  # noqa: E402
from similitude.training.train import (  # noqa: E402
    OpinionRequest,
    SimilarityRequest,
    train_model,
    train_opinions,
)
from similitude.training.uncertain.request import OpinionRecipe  # noqa: E402

SCORES, GOLD = torch.tensor([0.5, 0.2, 0.9, 0.4]), torch.tensor([1.0, 0.0, 0.5, 0.5])
WEIGHTS = torch.from_numpy(loss_weights(4, 2, labels=np.array([2.0, 0.5, 1.0, 0.0], np.float32)))


def test_squared_errors_are_weighed():
    # 2 x 0.5^2 + 0.5 x 0.2^2 + 1 x 0.4^2 + 0 = 0.5 + 0.02 + 0.16 = 0.68, over 4 items.
    assert float(MseQuad(quad=0.0)(SCORES, GOLD, weights=WEIGHTS)) == pytest.approx(0.17)


def test_a_pair_is_weighed_by_the_product_of_its_two_weights():
    # Pair 1: max(0, 0.5 - 0.3) = 0.2, times 2 x 0.5; pair 2 is a tie. The mean over pairs is 0.1.
    assert float(MseQuad(mse=0.0, quad=1.0)(SCORES, GOLD, weights=WEIGHTS)) == pytest.approx(0.1)
    both = MseQuad(mse=1.0, quad=0.5)(SCORES, GOLD, weights=WEIGHTS)
    assert float(both) == pytest.approx(0.17 + 0.05)


def test_the_weight_of_a_source_counts_once_in_a_pair():
    # Items: 0.3 x (0.25 + 0.04 + 0.16 + 0.01) / 4 = 0.0345. Pairs: 0.3 x 0.2 (not 0.09 x 0.2), over 2 pairs: 0.03.
    weights = torch.from_numpy(loss_weights(4, 2, sources=np.full(4, 0.3, np.float32)))
    assert float(MseQuad(quad=0.5)(SCORES, GOLD, weights=weights)) == pytest.approx(0.0345 + 0.5 * 0.03)


def test_items_that_a_teacher_labelled_follow_the_rated_ones():
    weights = loss_weights(4, 2, labels=np.array([0.5, 0.0], np.float32), sources=np.float32([1, 1, 0.3, 0.3]))
    np.testing.assert_allclose(weights, [[0.5, 0], [0, 0], [0.3, 0.3], [0.3, 0.3]])
    assert loss_weights(4, 2) is None


def test_the_mean_of_two_labels_is_believed_as_far_as_both():
    weights = torch.tensor([[0.5, 0.25], [0.5, 0.25], [1.0, 0.0], [0.0, 0.0]])
    dropped = torch.tensor([False, False, True, True])
    assert weights_without_conditions(weights, dropped)[:, 0].tolist() == [0.5, 0.5, 0.0, 0.0]
    assert weights_without_conditions(weights, None) is weights


def test_equal_weights_change_nothing():
    for objective in (MseQuad(), MseQuad(quad=0.0), MseQuad(mse=0.0), MseDifference()):
        assert float(objective(SCORES, GOLD, weights=torch.ones(4, 2))) == pytest.approx(float(objective(SCORES, GOLD)))


def test_weights_reach_the_objective_behind_fold_teachers():
    golds = torch.stack([GOLD, GOLD], dim=1)
    assert float(TwoGolds(MseQuad())(SCORES, golds, weights=WEIGHTS)) == float(MseQuad()(SCORES, GOLD, weights=WEIGHTS))


# Whole trainings of a tiny model.


def conditioned(first, count):
    rows = [(pair, end) for pair in range(first, first + count) for end in (0, 1)]
    return Benchmark.from_columns(
        "cars",
        scale="1..5",
        id=[f"{pair}-{end}" for pair, end in rows],
        left=[f"one car {pair}" for pair, _ in rows],
        right=[f"two cars {pair}" for pair, _ in rows],
        condition=["the number" if end else "the colour" for _, end in rows],
        score=[1 + pair % 2 if end else 5 - pair % 2 for pair, end in rows],
    )


DATA = TrainingData(conditioned(0, 12), conditioned(100, 4))


@pytest.fixture(scope="module")
def bert(tiny_bert, letters):
    return str(tiny_bert([*letters, *string.digits], intermediate_size=16))


def request(bert, **options):
    return SimilarityRequest(model=bert, recipe=Recipe(epochs=1, batch=8, lr=1e-2), device="cpu", **options)


@pytest.fixture
def file(tmp_path):
    """Every item of the first pair is suspect."""

    def write(name="s.csv", data=DATA.train, probability=0.9):
        suspect = data.frame["id"].str.starts_with("0-")
        table = data.frame.select("id", given_label="score").with_columns(
            suspect=suspect, wrong_probability=pl.when(suspect).then(probability).otherwise(0.1)
        )
        table.write_csv(tmp_path / name)
        return str(tmp_path / name)

    return write


def weights_of(folder):
    from safetensors.numpy import load_file

    [path] = folder.glob("**/model.safetensors")
    return load_file(path)


def test_a_dropped_label_does_not_matter(bert, file, tmp_path):
    changed = DATA.train.frame.with_columns(score=pl.when(pl.col("id") == "0-0").then(2.0).otherwise("score"))
    other = TrainingData(Benchmark(name="cars", frame=changed, scale=DATA.train.scale), DATA.validation)
    options = {"suspects_use": "drop"}
    one = train_model(DATA, request(bert, suspects=file(), **options), tmp_path / "one")
    two = train_model(other, request(bert, suspects=file("o.csv", other.train), **options), tmp_path / "two")
    plain = train_model(DATA, request(bert), tmp_path / "plain")
    first, second, third = (weights_of(each.folder) for each in (one, two, plain))
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert not all(np.array_equal(first[name], third[name]) for name in first)
    assert any("2 of 24 labels are suspect" in note for note in one.notes)
    assert "| suspect labels | 2 of 24: left out |" in (one.folder / "README.md").read_text()
    assert json.loads((one.folder / "similitude.json").read_text())["suspects"]["use"] == "drop"


def test_a_dropped_label_does_not_matter_where_conditions_are_dropped(bert, file, tmp_path):
    # The target of a pair without its conditions is the mean of its labels, of which one is wrong.
    augmentation = Augmentation(condition_dropout=0.9)
    suspects = pl.read_csv(file()).with_columns(suspect=pl.col("id") == "0-0")
    made = []
    for name, label in (("one", 5.0), ("two", 2.0)):
        changed = DATA.train.frame.with_columns(score=pl.when(pl.col("id") == "0-0").then(label).otherwise("score"))
        data = TrainingData(Benchmark(name="cars", frame=changed, scale=DATA.train.scale), DATA.validation)
        given = pl.when(pl.col("id") == "0-0").then(label).otherwise("given_label")
        suspects.with_columns(given_label=given).write_csv(tmp_path / f"{name}.csv")
        asked = request(bert, suspects=str(tmp_path / f"{name}.csv"), suspects_use="drop", augmentation=augmentation)
        made.append(weights_of(train_model(data, asked, tmp_path / name).folder))
    assert all(np.array_equal(value, made[1][name]) for name, value in made[0].items())


def test_a_training_is_not_resumed_with_other_weights(bert, file, tmp_path):
    train_model(DATA, request(bert, suspects=file()), tmp_path / "model")
    train_model(DATA, request(bert, suspects=file("same.csv")), tmp_path / "model")
    with pytest.raises(RunError, match="suspects"):
        train_model(DATA, request(bert, suspects=file("new.csv", probability=0.5)), tmp_path / "model")


def test_a_file_of_other_data_is_refused_before_anything_is_trained(bert, file, tmp_path):
    with pytest.raises(InputError, match="lacks 24 of the 24 items"):
        train_model(DATA, request(bert, suspects=file(data=DATA.validation)), tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_use_of_suspects_without_suspects_is_refused(bert, tmp_path):
    with pytest.raises(ArgumentError, match="--suspects-use drop has no effect without suspects; add --suspects FILE"):
        train_model(DATA, request(bert, suspects_use="drop"), tmp_path / "model")
    opinions = OpinionRequest(model=bert, architecture=Architecture(head="point"), suspects_use="drop")
    with pytest.raises(ArgumentError, match="--suspects-use drop has no effect"):
        train_opinions(SeveralData((DATA.train,), (DATA.validation,)), opinions, tmp_path / "model", cache=None)


def test_validation_labels_that_are_all_equal_are_refused(bert, tmp_path):
    equal = Benchmark(name="equal", frame=DATA.validation.frame.with_columns(score=3.0), scale=DATA.validation.scale)
    wanted = "equal: all 8 labels to validate on are equal: no correlation is defined, so that no epoch can be chosen"
    with pytest.raises(InputError, match=wanted):
        train_model(TrainingData(DATA.train, equal), request(bert), tmp_path / "model")
    opinions = OpinionRequest(model=bert, architecture=Architecture(head="point"))
    with pytest.raises(InputError, match=wanted):
        train_opinions(SeveralData((DATA.train,), (equal,)), opinions, tmp_path / "model", cache=None)
    assert not (tmp_path / "model").exists()


@dataclass(frozen=True)
class Own(Objective):
    """An objective that takes no weights."""

    name: ClassVar[str] = "own"
    meaning: ClassVar[str] = "squares"

    def loss(self, scores, gold, order):
        return (scores - gold).square().mean()


def test_an_objective_that_takes_no_weights_is_refused(bert, file):
    with pytest.raises(ArgumentError, match="objective own does not weigh items, so that --suspects has no effect"):
        request(bert, suspects=file(), objective=Own())


def test_opinions_are_weighed(bert, file, tmp_path):
    from similitude.training.uncertain.trainer import OpinionTrainer

    asked = OpinionRequest(
        model=bert,
        recipe=OpinionRecipe(epochs=1, batch=8),
        architecture=Architecture(head="point"),
        device="cpu",
        suspects=file(),
        suspects_use="drop",
    )
    trainer = OpinionTrainer(SeveralData((DATA.train,), (DATA.validation,)), asked)
    weights = dict(zip(trainer.train.items.ids, trainer.weights.values.tolist(), strict=True))
    assert {name for name, weight in weights.items() if weight == 0} == {"0-0", "0-1"}
    assert sum(weights.values()) == pytest.approx(24)
    with pytest.raises(ArgumentError, match="about one benchmark"):
        train_opinions(SeveralData((DATA.train,) * 2, (DATA.validation,)), asked, tmp_path / "model", cache=None)


def test_cross_fitted_scores_do_not_depend_on_the_labels_of_their_fold(bert):
    examples, scores = cross_fitted_scores(DATA.train, request(bert), 3)
    assert np.isfinite(scores).all()
    assert len(examples) == len(scores) == 24
    # Another label of one item changes the scores of other folds, but not of its own: pair 3 is in one fold.
    changed = DATA.train.frame.with_columns(score=pl.when(pl.col("id") == "3-0").then(1.5).otherwise("score"))
    other, again = cross_fitted_scores(Benchmark(name="cars", frame=changed, scale=DATA.train.scale), request(bert), 3)
    assert other.benchmark.items.ids == examples.benchmark.items.ids
    same = {name for name, one, two in zip(examples.benchmark.items.ids, scores, again, strict=True) if one == two}
    assert {"3-0", "3-1"} <= same
    assert len(same) == 8
