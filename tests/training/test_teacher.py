"""Teaching: labels on the student's scale, by a teacher that will do."""

import json
import sys
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from teacher_fakes import DATA, TEACHER, Teacher, rated, unrated

from similitude.errors import ArgumentError, PredictionError, ScaleError, UnknownNameError
from similitude.samples import read_sample
from similitude.systems import make_system
from similitude.systems.attach_cache import fingerprint_of
from similitude.training.splits import SeveralData, several_training_data
from similitude.training.teacher import Teaching, label_pairs, teaching_plan
from similitude.training.uncertain.opinions import opinions_of

pytestmark = pytest.mark.usefixtures("teacher")


def test_the_first_item_is_asked_about_as_the_others_are(tmp_path):
    under = tuple(
        replace(part, frame=part.frame.with_columns(condition=pl.lit("the animal", pl.String))) for part in DATA.train
    )
    Teacher.asked.clear()
    label_pairs(SeveralData(under, DATA.validation), Teaching(TEACHER, 4), tmp_path)
    assert {one for items in Teacher.asked for one in items.conditions} == {None}


def test_labels_are_on_the_scale_of_the_first_data(tmp_path):
    # 8 and 2 on 0..10 are 4 and 1 on 0..5.
    lesson = label_pairs(DATA, Teaching(TEACHER, 5), tmp_path)
    assert str(lesson.benchmark.scale) == "0..5"
    assert lesson.benchmark.gold.scores.tolist() == [4.0] * 5
    assert lesson.benchmark.gold.sigmas.tolist() == [1.0] * 5
    # On 1..7 they are 1 + 0.8 * 6 = 5.8 and 0.2 * 6 = 1.2.
    turned = SeveralData(DATA.train[::-1], DATA.validation)
    lesson = label_pairs(turned, Teaching(TEACHER, 5), tmp_path / "turned")
    assert lesson.benchmark.gold.scores == pytest.approx(5.8)
    assert lesson.benchmark.gold.sigmas == pytest.approx(1.2)


def test_scores_that_stray_are_cut(tmp_path):
    lesson = label_pairs(DATA, Teaching("test-teacher(mean=12, sigma=2)", 5), tmp_path)
    assert lesson.benchmark.gold.scores.tolist() == [5.0] * 5


def test_labels_belong_to_their_pairs(tmp_path):
    lesson = label_pairs(DATA, Teaching("test-teacher(by_length=true, sigma=1)", 11), tmp_path)
    wanted = [len(left) / 14 for left in lesson.benchmark.items.lefts]  # a seventh of the length on 0..10
    assert len(set(wanted)) > 1
    assert lesson.benchmark.gold.scores == pytest.approx(wanted)


def test_progress_is_told(tmp_path, hears):
    label_pairs(DATA, Teaching(TEACHER, 6), tmp_path, listener=hears)
    assert not hears.notes
    stages = dict.fromkeys(stage for stage, _, _ in hears.told)
    assert [stage for stage in stages if not stage.startswith("teacher")] == [
        "changing rated pairs",
        "encoding texts for new pairs",
        "finding neighbours",
    ]


def test_gold_of_given_pairs_is_not_looked_at(tmp_path):
    lesson = label_pairs(DATA, Teaching(TEACHER), tmp_path, unlabelled=rated(["A car stops."], ["A bus stops."]))
    assert lesson.benchmark.gold.scores.tolist() == [4.0]
    assert lesson.benchmark.gold.ratings is None


class TestWhoCanTeach:
    @pytest.mark.parametrize("system", ["levenshtein", "test-teacher"])
    def test_not_one_without_sigma(self, tmp_path, system):
        wanted = rf"teacher '{system}' does not predict how far people differ; use one that does, such as uncertain"
        with pytest.raises(ArgumentError, match=wanted):
            label_pairs(DATA, Teaching(system, 5), tmp_path)
        assert not list(tmp_path.iterdir())
        assert len(Teacher.asked) <= 1, "it is refused before all pairs are asked about"

    def test_not_one_that_doubts_whether_it_doubts(self, tmp_path):
        pool = unrated(["A car stops.", "A car goes."], ["A bus stops.", "A bus goes."])
        wanted = r"people differ over 1 of 2 pairs, first 'A car goes\.' and 'A bus goes\.'; use one that does"
        with pytest.raises(ArgumentError, match=wanted):
            label_pairs(DATA, Teaching("test-teacher(sigma=1, doubtful='A car goes.')", 0), tmp_path, unlabelled=pool)

    def test_not_one_without_a_score_or_a_range(self, tmp_path):
        with pytest.raises(PredictionError, match=r"gave no number for 'A dog barks\.' and 'A dog sleeps\.'"):
            label_pairs(DATA, Teaching("test-teacher(mean=none, sigma=1)", 5), tmp_path)
        with pytest.raises(ArgumentError, match=r"declares no range, so its scores cannot be mapped to 0\.\.5"):
            label_pairs(DATA, Teaching("test-teacher(bounded=false, sigma=1)", 5), tmp_path)
        with pytest.raises(UnknownNameError, match="no system named 'test-teecher'"):
            label_pairs(DATA, Teaching("test-teecher", 5), tmp_path)

    def test_nothing_to_teach(self, tmp_path):
        with pytest.raises(ArgumentError, match="no pairs for the teacher to label; give --new-pairs N or"):
            label_pairs(DATA, Teaching(TEACHER), tmp_path)
        with pytest.raises(ArgumentError, match="cannot make -5 new pairs"):
            Teaching(TEACHER, -5)
        bare = SeveralData((replace(DATA.train[0], scale=None),), DATA.validation)
        with pytest.raises(ScaleError, match=r"rated: the scale of its scores is unknown; declare it"):
            label_pairs(bare, Teaching(TEACHER, 5), tmp_path)

    def test_nowhere_to_write(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(ArgumentError, match="cannot be created: Not a directory; choose another --folder"):
            label_pairs(DATA, Teaching(TEACHER, 5), tmp_path / "file")


def test_the_plan_of_a_training():
    pool = unrated(["a"], ["b"])
    assert teaching_plan(Teaching(TEACHER, 5), pool) == {
        "teacher": TEACHER,
        "model": fingerprint_of(make_system(TEACHER)),
        "pairs": 5,
        "unlabelled": pool.fingerprint,
    }
    assert teaching_plan(Teaching("levenshtein"), None) == {
        "teacher": "levenshtein",
        "model": None,
        "pairs": 0,
        "unlabelled": None,
    }


def test_a_student_can_learn_from_it(tmp_path):
    data = several_training_data([read_sample("opinions")])
    lesson = label_pairs(data, Teaching(TEACHER, 50), tmp_path)
    opinions = opinions_of((*data.train, lesson.benchmark), needs_spread=True)
    assert opinions.origins[-1] == (f"taught by {TEACHER}", 50)
    assert opinions.gold[-50:, :2] == pytest.approx(np.array([[0.8, 0.2]] * 50))


def test_a_real_teacher(tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="the extra 'uncertain' is not installed")
    from similitude.training.gaussian_process.recipe import GprRecipe
    from similitude.training.train import GprRequest, train_gpr

    people = sys.modules.get("rated_words") or __import__("rated_words")
    data = several_training_data([people.opinions(120)], people.opinions(40, seed=1))
    request = GprRequest(encoder=people.ENCODER, recipe=GprRecipe(inducing=30, components=6, epochs=3), noise="raters")
    system = train_gpr(data, request, tmp_path / "large").system
    lesson = label_pairs(data, Teaching(system, 60), tmp_path / "small")
    said = make_system(system).score(lesson.benchmark.items)
    assert lesson.benchmark.gold.scores == pytest.approx(np.clip(said.scores, 0, 5))
    assert lesson.benchmark.gold.sigmas == pytest.approx(said.sigmas)
    told = json.loads((tmp_path / "small" / "runs" / "taught.json").read_text())
    assert told["depends_on"]["model"] == make_system(system).model_fingerprint() == lesson.record["model"]
