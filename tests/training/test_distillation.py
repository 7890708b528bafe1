"""Teachers: what they may see, what the student learns from them, and that a kill among them changes nothing."""

import csv
import json
import string
from pathlib import Path

import numpy as np
import pytest

from similitude.data.benchmark import Benchmark
from similitude.errors import ArgumentError, EstimationError, InputError, RunError
from similitude.training import MseQuad, Recipe, Teachers, examples_of
from similitude.training.checkpoints import CheckpointFolder
from similitude.training.splits import TrainingData

torch = pytest.importorskip("torch", reason="the extra 'encoders' is not installed")
transformers = pytest.importorskip("transformers", reason="the extra 'encoders' is not installed")
pytest.importorskip("sentence_transformers", reason="the extra 'encoders' is not installed")

from similitude.training import distillation as distilling  # noqa: E402
from similitude.training import loop  # noqa: E402
from similitude.training.train import (  # noqa: E402
    SimilarityRequest,
    train_model,
)

PAIRS, HELD_OUT, FOLDS = 11, 4, 3
COLOURS = ("red", "blue", "grey", "pink")


@pytest.fixture(scope="module")
def bert(tiny_bert, letters) -> Path:
    return tiny_bert([*letters, *string.digits], intermediate_size=16)


def conditioned(first: int, count: int) -> Benchmark:
    rows = [(pair, end) for pair in range(first, first + count) for end in (0, 1)]
    return Benchmark.from_columns(
        "cars",
        scale="1..5",
        id=[f"{pair}-{end}" for pair, end in rows],
        left=[f"one {COLOURS[pair % 4]} car {pair}" for pair, _ in rows],
        right=[f"two {COLOURS[pair % 4]} cars {pair}" for pair, _ in rows],
        condition=["the number" if end else "the colour" for _, end in rows],
        score=[1 + pair % 2 if end else 5 - pair % 2 for pair, end in rows],
    )


DATA = TrainingData(conditioned(0, PAIRS), conditioned(100, HELD_OUT))


def request(bert: Path, **options) -> SimilarityRequest:
    recipe = Recipe(epochs=2, batch=8, lr=1e-3, seed=3)
    return SimilarityRequest(
        **{"model": str(bert), "recipe": recipe, "teachers": Teachers(count=FOLDS), "device": "cpu", **options}
    )


def kept_scores(folder: Path, teacher: int) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / f"runs/teacher-{teacher}.csv").read_text().splitlines()))


def all_scores(folder: Path) -> list[dict[str, str]]:
    return [row for teacher in range(1, FOLDS + 1) for row in kept_scores(folder, teacher)]


@pytest.fixture
def lessons(monkeypatch):
    """The items' gold and rows of every training that is made, and the objective."""
    seen = []

    def train(course, recipe, checkpoints, listener):
        seen.append(course)
        return honest(course, recipe, checkpoints, listener)

    honest = loop.train
    monkeypatch.setattr(loop, "train", train)
    return seen


@pytest.fixture(scope="module")
def whole(bert, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "model"
    train_model(DATA, request(bert), folder)
    return folder


@pytest.mark.parametrize("objective", [MseQuad(), MseQuad(quad=0.0)])
def test_every_item_is_scored_once_by_a_teacher_that_never_saw_its_pair(bert, tmp_path, lessons, objective):
    train_model(DATA, request(bert, objective=objective), tmp_path / "model")
    *teachers, student = lessons
    assert len(teachers) == FOLDS
    ordered = examples_of(DATA.train, in_pairs=objective.needs_pairs).benchmark.items.ids
    item_of = dict(zip(map(tuple, student.rows.tolist()), ordered, strict=True))  # no two have the same texts
    assert len(item_of) == 2 * PAIRS
    for number, course in enumerate(teachers, 1):
        seen = {item_of[tuple(row)] for row in course.rows.tolist()}
        scored = {row["item"] for row in kept_scores(tmp_path / "model", number)}
        pairs = {item.partition("-")[0] for item in scored}
        assert len(scored) == 2 * len(pairs)  # both conditions, whether or not the objective needs them together
        assert not {item.partition("-")[0] for item in seen} & pairs
        assert seen | scored == set(ordered)
    # 11 pairs among 3: 4, 4 and 3 are scored.
    assert sorted(len(course.gold) // 2 for course in teachers) == [7, 7, 8]
    ids = [row["item"] for row in all_scores(tmp_path / "model")]
    assert sorted(ids) == sorted(DATA.train.items.ids)


def test_the_student_learns_from_the_blend_and_orders_by_gold(bert, tmp_path, lessons):
    teachers = Teachers(count=FOLDS, weight=0.7)
    train_model(DATA, request(bert, teachers=teachers), tmp_path / "model")
    rows = all_scores(tmp_path / "model")
    blended = sorted(0.3 * float(row["gold"]) + 0.7 * min(1.0, max(0.0, float(row["score"]))) for row in rows)
    learned = lessons[-1].gold.numpy()
    np.testing.assert_allclose(np.sort(learned[:, 0]), blended, atol=1e-6)
    np.testing.assert_array_equal(np.sort(learned[:, 1]), np.sort((np.array(DATA.train.gold.scores) - 1) / 4))
    assert all(course.gold.ndim == 1 for course in lessons[:-1])


@pytest.mark.parametrize("moment", ["between teachers", "inside a teacher", "before its scores", "in the student"])
@pytest.mark.slow
def test_a_kill_changes_nothing(bert, whole, tmp_path, monkeypatch, moment):
    class Killed(BaseException):
        pass

    def dies(when, honest):
        calls = iter(range(1000))

        def call(*arguments):
            if next(calls) == when:
                raise Killed
            return honest(*arguments)

        return call

    # Two epochs a training, one saving an epoch: teachers save at 0..5, the student at 6 and 7.
    where = {
        "between teachers": (CheckpointFolder, "clear", 0),
        "inside a teacher": (CheckpointFolder, "save", 3),
        "before its scores": (distilling, "_write_scores", 1),
        "in the student": (CheckpointFolder, "save", 7),
    }
    owner, name, when = where[moment]
    with monkeypatch.context() as patch:
        patch.setattr(owner, name, dies(when, getattr(owner, name)))
        with pytest.raises(Killed):
            train_model(DATA, request(bert), tmp_path / "model")
    assert not (tmp_path / "model/similitude.json").exists()
    train_model(DATA, request(bert), tmp_path / "model")
    for file in ("model.safetensors", "runs/teacher-1.csv", "runs/teacher-3.csv", "runs/losses-3.csv"):
        assert (tmp_path / "model" / file).read_bytes() == (whole / file).read_bytes(), file


def test_finished_teachers_are_not_trained_again(bert, tmp_path, monkeypatch, lessons):
    honest = loop.train

    def third_dies(course, recipe, checkpoints, listener):
        if len(lessons) == 2:
            raise KeyboardInterrupt
        return honest(course, recipe, checkpoints, listener)

    monkeypatch.setattr(loop, "train", third_dies)
    with pytest.raises(KeyboardInterrupt):
        train_model(DATA, request(bert), tmp_path / "model")
    monkeypatch.setattr(loop, "train", honest)
    before = (tmp_path / "model/runs/teacher-1.csv").stat().st_mtime_ns
    train_model(DATA, request(bert), tmp_path / "model")
    assert len(lessons) == 2 + 2  # the third teacher and the student
    assert (tmp_path / "model/runs/teacher-1.csv").stat().st_mtime_ns == before


def test_the_folder_says_how_it_was_made(bert, whole):
    record = json.loads((whole / "similitude.json").read_text())
    assert {name: record["teachers"][name] for name in ("count", "weight")} == {"count": 3, "weight": 0.5}
    assert set(record["teachers"]["out_of_fold"]) == {"spearman", "pearson"}
    assert any("each trained without the items that it scored" in note for note in record["notes"])
    card = (whole / "README.md").read_text()
    assert "| learned from | 0.5 x gold + 0.5 x the teachers' scores |" in card
    told = [json.loads(line) for line in (whole / "runs/metrics.jsonl").read_text().splitlines()]
    assert [line.get("teacher") for line in told] == [1, 1, 2, 2, 3, 3, None, None]
    assert not list(whole.rglob("*.pt"))
    assert [path.name for path in whole.rglob("*.safetensors")] == ["model.safetensors"]
    again = train_model(DATA, request(bert), whole)
    assert "nothing was trained" in again.notes[-1]
    assert {seed: len(epochs) for seed, epochs in again.history.items()} == {3: 2}
    with pytest.raises(RunError, match="differs in: teachers"):
        train_model(DATA, request(bert, teachers=Teachers()), whole)


def test_students_are_averaged_over_seeds_and_teachers_trained_once(bert, tmp_path, lessons):
    told = []

    class Ear:
        def progress(self, stage, done, total):
            told.append(stage)

        def note(self, text):
            told.append(text)

    done = train_model(DATA, request(bert, seeds=2), tmp_path / "model", Ear())
    assert len(lessons) == FOLDS + 2
    assert set(done.history) == {3, 4}
    assert {"teacher 1 of 3, epoch 1 of 2", "teacher 3 of 3, epoch 2 of 2", "student, epoch 2 of 2"} < set(told)


def test_without_teachers_nothing_is_different(bert, tmp_path, lessons):
    train_model(DATA, request(bert, teachers=Teachers()), tmp_path / "model")
    assert len(lessons) == 1
    assert "teachers" not in json.loads((tmp_path / "model/similitude.json").read_text())
    assert "teachers" not in json.loads((tmp_path / "model/runs/plan.json").read_text())


class TestMistakes:
    def test_fewer_pairs_than_teachers(self, bert, tmp_path):
        wanted = request(bert, teachers=Teachers(count=PAIRS + 1))
        with pytest.raises(InputError, match="11 sentence pairs cannot be divided among 12 teachers"):
            train_model(DATA, wanted, tmp_path / "model")
        assert not (tmp_path / "model").exists()

    def test_an_objective_that_takes_nothing_from_them(self, bert, tmp_path):
        with pytest.raises(ArgumentError, match="quad cannot use teachers"):
            train_model(DATA, request(bert, objective=MseQuad(mse=0.0, quad=1.0)), tmp_path / "model")

    def test_a_loss_that_is_no_number_names_the_teacher(self, bert, tmp_path):
        wild = Recipe(epochs=2, batch=8, lr=1e30, seed=3, clip=0.0, warmup=0.0)
        with pytest.raises(EstimationError, match="teacher 1 of 3: the loss is not a number"):
            train_model(DATA, request(bert, recipe=wild), tmp_path / "model")

    @pytest.mark.parametrize("damage", ["item,gold,score\na,1.0,x\n", "item,gold,score\na,1.0,0.5\n", "item\na\n", ""])
    def test_damaged_scores(self, bert, tmp_path, monkeypatch, damage):
        def stops(*arguments):
            raise KeyboardInterrupt

        monkeypatch.setattr(loop, "train", stops)
        with pytest.raises(KeyboardInterrupt):
            train_model(DATA, request(bert), tmp_path / "model")
        (tmp_path / "model/runs/teacher-1.csv").write_text(damage)
        with pytest.raises(RunError, match="a teacher's scores are damaged"):
            train_model(DATA, request(bert), tmp_path / "model")
