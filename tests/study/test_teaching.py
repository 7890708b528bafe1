"""Teaching: labels on the student's scale, never of a pair that was rated or held out, asked for once."""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.sample import read_sample
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, PredictionError, RunError, ScaleError, UnknownNameError
from similitude.registry import Spec, spec_of
from similitude.study import changed_pairs, taught_labels
from similitude.study.teaching import Taught, Teaching, taught, teaching_plan
from similitude.study.training_data import SeveralData, several_training_data
from similitude.systems import SYSTEMS, make_system
from similitude.systems.uncertain.opinions import opinions_of

TEACHER = "test-teacher(mean=8, sigma=2)"


@dataclass(frozen=True)
class Teacher:
    """Says of every pair what it is told to, on 0..10, and counts how often it is asked."""

    name: ClassVar[str] = "test-teacher"
    summary: ClassVar[str] = "for tests"
    reads: ClassVar[frozenset[str]] = frozenset()
    asked: ClassVar[list[Items]] = []
    model: ClassVar[str] = "first"

    mean: float | None = 8.0
    sigma: float | None = None
    bounded: bool = True
    by_length: bool = False
    doubtful: str = ""

    @property
    def range(self) -> Scale | None:
        return Scale(low=0, high=10) if self.bounded else None

    @property
    def identity(self) -> Spec:
        return spec_of(self, self.name)

    def model_fingerprint(self) -> str:
        return self.model

    def score(self, items: Items) -> Predictions:
        self.asked.append(items)
        scores = np.full(len(items), np.nan if self.mean is None else self.mean)
        if self.by_length:
            scores = np.array([len(left) / 7 for left in items.lefts])
        if self.sigma is None:
            return Predictions(scores)
        return Predictions(scores, np.array([np.nan if left == self.doubtful else self.sigma for left in items.lefts]))


@pytest.fixture(autouse=True)
def teacher(monkeypatch):
    monkeypatch.setitem(SYSTEMS._makers, Teacher.name, Teacher)
    Teacher.asked.clear()


def rated(lefts: list[str], rights: list[str], name: str = "rated", scale: str = "0..5") -> Benchmark:
    half, tenth = Scale.parse(scale).at(0.5), 0.1 * Scale.parse(scale).width
    return Benchmark.from_columns(
        name, scale=scale, left=lefts, right=rights, score=[half] * len(lefts), sigma=[tenth] * len(lefts)
    )


def unrated(lefts: list[str], rights: list[str]) -> Benchmark:
    return Benchmark.from_columns("pool", left=lefts, right=rights)


DATA = SeveralData(
    (
        rated(["A dog barks.", "A man plays a guitar."], ["A dog sleeps.", "Someone plays music."]),
        rated(["It rains."], ["It snows."], "other", "1..7"),
    ),
    (rated(["A dog sleeps.", "A bird sings."], ["It rains.", "A bird flies."], "held out"),),
)
TEXTS = [text for part in DATA.train for text in part.items.texts()]


def sets(items: Items) -> list[frozenset[str]]:
    return [frozenset(pair) for pair in zip(items.lefts, items.rights, strict=True)]


RATED = [pair for part in (*DATA.train, *DATA.validation) for pair in sets(part.items)]


def by_kind(items: Items) -> dict[str, list[frozenset[str]]]:
    """The pairs by what their ids begin with."""
    kinds = [name.split("-")[0] for name in items.ids]
    return {kind: [pair for own, pair in zip(kinds, sets(items), strict=True) if own == kind] for kind in kinds}


def test_new_pairs_but_none_rated_or_held_out(tmp_path):
    # 6 texts to learn from make 15 pairs; 3 are rated, and 1 pair to validate on is of two of these texts: 11 are left.
    lesson = taught(DATA, Teaching(TEACHER, 22), tmp_path)
    made = by_kind(lesson.benchmark.items)
    every = {frozenset(pair) for pair in combinations(TEXTS, 2)}
    assert {kind: len(pairs) for kind, pairs in made.items()} == {"changed": 11, "new": 11}
    assert set(made["new"]) == every - set(RATED)
    assert len({*made["changed"]}) == 11
    assert not {*made["changed"]} & (every | {*RATED}), "a changed pair has a text that is not there"
    assert len(set(lesson.benchmark.items.ids)) == 22
    assert lesson.benchmark.name == f"taught by {TEACHER}"
    assert {name: lesson.record[name] for name in ("new_pairs", "changed_pairs")} == {
        "new_pairs": 22,
        "changed_pairs": 11,
    }
    assert "labelled 22 pairs that nobody rated (11 rated pairs changed, 11 neighbours), mean" in lesson.note


def test_an_odd_number_has_one_more_neighbour(tmp_path):
    made = by_kind(taught(DATA, Teaching(TEACHER, 5), tmp_path).benchmark.items)
    assert {kind: len(pairs) for kind, pairs in made.items()} == {"changed": 2, "new": 3}


def test_one_kind_makes_up_for_the_other(tmp_path, monkeypatch):
    # There are no more than 11 pairs of neighbours, so 30 need 19 that are changed.
    made = by_kind(taught(DATA, Teaching(TEACHER, 30), tmp_path).benchmark.items)
    assert {kind: len(pairs) for kind, pairs in made.items()} == {"changed": 19, "new": 11}
    # In one round each of 3 rated pairs is changed once: so 10 need 7 neighbours or more.
    monkeypatch.setattr(changed_pairs, "ROUNDS", 1)
    made = by_kind(taught(DATA, Teaching(TEACHER, 10), tmp_path / "round").benchmark.items)
    assert len(made["new"]) == 10 - len(made["changed"]) >= 7


def test_more_new_pairs_than_there_are(tmp_path, monkeypatch):
    # Nothing can be left out of a or b. Added are a or b: 'a a' or 'a b' beside b, 'b a' or 'b b' beside a, and 2 x 2
    # with both changed, which makes 8. No neighbours are left.
    monkeypatch.setattr(changed_pairs, "ROUNDS", 1000)
    words = SeveralData((rated(["a"], ["b"]),), DATA.validation)
    wanted = (
        r"9 new pairs cannot be made of 2 texts: there are 8 \(8 by changing rated pairs, 0 of texts as they are\); "
        "ask for 8 at most, or give more texts"
    )
    with pytest.raises(ArgumentError, match=wanted):
        taught(words, Teaching(TEACHER, 9), tmp_path)
    assert len(taught(words, Teaching(TEACHER, 8), tmp_path).benchmark) == 8


def test_a_changed_pair_is_never_one_to_validate_on_or_a_given_one(tmp_path, monkeypatch):
    # Of the 8 pairs that can be made of a and b, one is validated on, and another is given, turned round.
    monkeypatch.setattr(changed_pairs, "ROUNDS", 1000)
    words = SeveralData((rated(["a"], ["b"]),), (rated(["a b"], ["b"], "held out"),))
    pool = unrated(["b b"], ["a a"])
    lesson = taught(words, Teaching(TEACHER, 6), tmp_path, unlabelled=pool)
    made = by_kind(lesson.benchmark.items)
    assert made["unlabelled"] == [{"a a", "b b"}]
    assert len(set(made["changed"]) - {frozenset({"a a", "b b"}), frozenset({"a b", "b"})}) == 6
    with pytest.raises(ArgumentError, match="7 new pairs cannot be made of 2 texts: there are 6"):
        taught(words, Teaching(TEACHER, 7), tmp_path / "more", unlabelled=pool)


def test_labels_are_on_the_scale_of_the_first_data(tmp_path):
    # 8 and 2 on 0..10 are 4 and 1 on 0..5.
    lesson = taught(DATA, Teaching(TEACHER, 5), tmp_path)
    assert str(lesson.benchmark.scale) == "0..5"
    assert lesson.benchmark.gold.scores.tolist() == [4.0] * 5
    assert lesson.benchmark.gold.sigmas.tolist() == [1.0] * 5
    # On 1..7 they are 1 + 0.8 * 6 = 5.8 and 0.2 * 6 = 1.2.
    turned = SeveralData(DATA.train[::-1], DATA.validation)
    lesson = taught(turned, Teaching(TEACHER, 5), tmp_path / "turned")
    assert lesson.benchmark.gold.scores == pytest.approx(5.8)
    assert lesson.benchmark.gold.sigmas == pytest.approx(1.2)


def test_scores_that_stray_are_cut(tmp_path):
    lesson = taught(DATA, Teaching("test-teacher(mean=12, sigma=2)", 5), tmp_path)
    assert lesson.benchmark.gold.scores.tolist() == [5.0] * 5


def test_labels_belong_to_their_pairs(tmp_path):
    lesson = taught(DATA, Teaching("test-teacher(by_length=true, sigma=1)", 11), tmp_path)
    wanted = [len(left) / 14 for left in lesson.benchmark.items.lefts]  # a seventh of the length on 0..10
    assert len(set(wanted)) > 1
    assert lesson.benchmark.gold.scores == pytest.approx(wanted)


def test_given_pairs_without_those_that_are_known(tmp_path):
    pool = unrated(
        ["A dog sleeps.", "It rains.", "A car stops.", "It snows.", "A bus stops."],
        ["A dog barks.", "A dog sleeps.", "A bus stops.", "It hails.", "A car stops."],
    )
    # The first is rated and the second validated on, both turned round; the last is the third turned round.
    lesson = taught(DATA, Teaching(TEACHER), tmp_path, unlabelled=pool)
    assert lesson.benchmark.items.ids == ["unlabelled-3", "unlabelled-4"]
    assert lesson.record == {
        "teacher": TEACHER,
        "model": "first",
        "new_pairs": 0,
        "changed_pairs": 0,
        "unlabelled_pairs": 2,
        "left_out": 3,
        "mean_score": 4.0,
        "mean_sigma": 1.0,
    }
    assert lesson.note == (
        f"{TEACHER} labelled 2 pairs that nobody rated (2 that were given), mean 4.00 and sigma 1.00 on average "
        "(runs/taught.csv); 3 given pairs were left out: they are learned from or validated on, or came before"
    )
    with pytest.raises(ArgumentError, match="pool: all 2 pairs are learned from or validated on already"):
        taught(DATA, Teaching(TEACHER), tmp_path / "none", unlabelled=pool.take(np.array([0, 1])))


def test_a_given_pair_is_not_made_a_second_time(tmp_path):
    pool = unrated(["It snows."], ["A dog barks."])  # one of the 11 that could be made of texts as they are
    lesson = taught(DATA, Teaching(TEACHER, 20), tmp_path, unlabelled=pool)
    assert len(set(sets(lesson.benchmark.items))) == 21
    assert (lesson.record["new_pairs"], lesson.record["unlabelled_pairs"]) == (20, 1)
    assert "21 pairs that nobody rated (10 rated pairs changed, 10 neighbours, 1 that were given)" in lesson.note


def test_progress_is_told(tmp_path):
    told = []

    class Hears:
        def progress(self, stage, done, total):
            told.append(stage)

        def note(self, text):
            raise AssertionError(text)

    taught(DATA, Teaching(TEACHER, 6), tmp_path, listener=Hears())
    assert [stage for stage in dict.fromkeys(told) if not stage.startswith("teacher")] == [
        "changing rated pairs",
        "encoding texts for new pairs",
        "finding neighbours",
    ]


def test_gold_of_given_pairs_is_not_looked_at(tmp_path):
    lesson = taught(DATA, Teaching(TEACHER), tmp_path, unlabelled=rated(["A car stops."], ["A bus stops."]))
    assert lesson.benchmark.gold.scores.tolist() == [4.0]
    assert lesson.benchmark.gold.ratings is None


class TestAskedOnce:
    def first(self, folder: Path) -> Taught:
        return taught(DATA, Teaching("test-teacher(by_length=true, sigma=0.3)", 9), folder)

    def test_a_second_call_reads_the_same_labels_to_the_last_bit(self, tmp_path):
        before = self.first(tmp_path)
        assert [len(items) for items in Teacher.asked] == [1, 9], "one item to see whether it will do, then all"
        Teacher.asked.clear()
        again = self.first(tmp_path)
        assert not Teacher.asked
        assert again.benchmark.frame.equals(before.benchmark.frame)
        assert again.benchmark.fingerprint == before.benchmark.fingerprint
        assert (again.record, again.note) == (before.record, before.note)

    def test_the_file_is_for_everybody(self, tmp_path):
        lesson = self.first(tmp_path)
        table = pl.read_csv(tmp_path / "runs" / "taught.csv")
        assert table.columns == ["id", "left", "right", "score", "sigma"]
        assert table["score"].to_list() == lesson.benchmark.gold.scores.tolist()
        assert table["sigma"].to_list() == [0.15] * 9

    def test_texts_of_all_kinds_come_back(self, tmp_path):
        pool = unrated(['say "no",\r\nor yes', " blank ", "-1.5"], ["null", "a\nb", "\t# 5"])
        before = taught(DATA, Teaching(TEACHER), tmp_path, unlabelled=pool)
        assert taught(DATA, Teaching(TEACHER), tmp_path, unlabelled=pool).benchmark.frame.equals(before.benchmark.frame)
        assert before.benchmark.items.lefts == pool.items.lefts

    def test_killed_between_the_files_it_asks_again(self, tmp_path):
        before = self.first(tmp_path)
        (tmp_path / "runs" / "taught.json").unlink()
        Teacher.asked.clear()
        assert self.first(tmp_path).benchmark.frame.equals(before.benchmark.frame)
        assert [len(items) for items in Teacher.asked] == [1, 9]

    @pytest.mark.parametrize(
        ("name", "options"),
        [
            ("teacher", {"teaching": Teaching("test-teacher(mean=7, sigma=2)", 9)}),
            ("pairs", {"teaching": Teaching(TEACHER, 8)}),
            ("seed", {"seed": 1}),
            ("unlabelled", {"unlabelled": unrated(["a"], ["b"])}),
            ("validation", {"data": SeveralData(DATA.train, DATA.train[1:])}),
            ("train", {"data": SeveralData(DATA.train[:1], DATA.validation)}),
        ],
    )
    def test_another_teaching_is_refused(self, tmp_path, name, options):
        usual = {"data": DATA, "teaching": Teaching(TEACHER, 9), "folder": tmp_path}
        taught(**usual)
        wanted = rf"taught\.csv: holds the labels of another teaching \(it differs in: {name}\); choose another --out"
        with pytest.raises(RunError, match=wanted):
            taught(**(usual | options))

    def test_another_model_under_the_same_name_is_refused(self, tmp_path, monkeypatch):
        self.first(tmp_path)
        monkeypatch.setattr(Teacher, "model", "second")
        with pytest.raises(RunError, match="it differs in: model"):
            self.first(tmp_path)

    def test_damaged_labels_are_named(self, tmp_path):
        self.first(tmp_path)
        labels, about = (tmp_path / "runs" / name for name in ("taught.csv", "taught.json"))
        whole = about.read_text()
        about.write_text(whole.replace('"left_out": 0', '"left_out": 1'))
        with pytest.raises(RunError, match=r"taught\.csv: the teacher's labels are damaged; remove .*taught\.json"):
            self.first(tmp_path)
        for damage in (whole[:-40], "[]", "{}"):
            about.write_text(damage)
            with pytest.raises(RunError, match=r"taught\.json: the teacher's labels are damaged; remove"):
                self.first(tmp_path)
        about.write_text(whole)
        labels.write_text(labels.read_text()[:-3])
        with pytest.raises(RunError, match=r"taught\.csv: the teacher's labels are damaged; remove .*taught\.json"):
            self.first(tmp_path)
        labels.unlink()
        with pytest.raises(RunError, match=r"taught\.csv: the teacher's labels are gone; remove .*taught\.json"):
            self.first(tmp_path)


class TestWhoCanTeach:
    @pytest.mark.parametrize("system", ["levenshtein", "test-teacher"])
    def test_not_one_without_sigma(self, tmp_path, system):
        wanted = rf"teacher '{system}' does not say how far people would differ; take one that does, such as uncertain"
        with pytest.raises(ArgumentError, match=wanted):
            taught(DATA, Teaching(system, 5), tmp_path)
        assert not list(tmp_path.iterdir())
        assert len(Teacher.asked) <= 1, "it is refused before all pairs are asked about"

    def test_not_one_that_doubts_whether_it_doubts(self, tmp_path):
        pool = unrated(["A car stops.", "A car goes."], ["A bus stops.", "A bus goes."])
        wanted = r"would differ over 1 of 2 pairs, first 'A car goes\.' and 'A bus goes\.'; take one that does"
        with pytest.raises(ArgumentError, match=wanted):
            taught(DATA, Teaching("test-teacher(sigma=1, doubtful='A car goes.')", 0), tmp_path, unlabelled=pool)

    def test_not_one_without_a_score_or_a_range(self, tmp_path):
        with pytest.raises(PredictionError, match=r"gave no number for 'A dog barks\.' and 'A dog sleeps\.'"):
            taught(DATA, Teaching("test-teacher(mean=none, sigma=1)", 5), tmp_path)
        with pytest.raises(ArgumentError, match=r"declares no range: what it says cannot be brought to 0\.\.5"):
            taught(DATA, Teaching("test-teacher(bounded=false, sigma=1)", 5), tmp_path)
        with pytest.raises(UnknownNameError, match="no system named 'test-teecher'"):
            taught(DATA, Teaching("test-teecher", 5), tmp_path)

    def test_nothing_to_teach(self, tmp_path):
        with pytest.raises(ArgumentError, match="no pairs for the teacher to label; give --new-pairs N or"):
            taught(DATA, Teaching(TEACHER), tmp_path)
        with pytest.raises(ArgumentError, match="cannot make -5 new pairs"):
            Teaching(TEACHER, -5)
        bare = SeveralData((replace(DATA.train[0], scale=None),), DATA.validation)
        with pytest.raises(ScaleError, match=r"rated: the scale of its scores is not known; declare it"):
            taught(bare, Teaching(TEACHER, 5), tmp_path)

    def test_nowhere_to_write(self, tmp_path):
        (tmp_path / "file").write_text("")
        with pytest.raises(ArgumentError, match="cannot be made: Not a directory; choose another --out"):
            taught(DATA, Teaching(TEACHER, 5), tmp_path / "file")


def test_the_plan_of_a_training():
    pool = unrated(["a"], ["b"])
    assert teaching_plan(Teaching(TEACHER, 5), pool) == {
        "teacher": TEACHER,
        "model": "first",
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
    lesson = taught(data, Teaching(TEACHER, 50), tmp_path)
    opinions = opinions_of((*data.train, lesson.benchmark), needs_spread=True)
    assert opinions.origins[-1] == (f"taught by {TEACHER}", 50)
    assert opinions.gold[-50:, :2] == pytest.approx(np.array([[0.8, 0.2]] * 50))


def test_a_real_teacher(tmp_path, monkeypatch):
    pytest.importorskip("torch", reason="the extra 'uncertain' is not installed")
    from similitude.study.gpr_training import GprRequest, train_gpr
    from similitude.systems.uncertain.gaussian_process.recipe import GprRecipe

    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "systems" / "uncertain" / "gaussian_process"))
    people = sys.modules.get("rated_words") or __import__("rated_words")
    data = several_training_data([people.opinions(120)], people.opinions(40, seed=1))
    request = GprRequest(encoder=people.ENCODER, recipe=GprRecipe(inducing=30, components=6, epochs=3), noise="raters")
    system = train_gpr(data, request, tmp_path / "large").system
    lesson = taught(data, Teaching(system, 60), tmp_path / "small")
    said = make_system(system).score(lesson.benchmark.items)
    assert lesson.benchmark.gold.scores == pytest.approx(np.clip(said.scores, 0, 5))
    assert lesson.benchmark.gold.sigmas == pytest.approx(said.sigmas)
    told = json.loads((tmp_path / "small" / "runs" / "taught.json").read_text())
    assert told["depends_on"]["model"] == make_system(system).model_fingerprint() == lesson.record["model"]


def test_of_several_processes_one_asks_and_the_others_wait(tmp_path, monkeypatch):
    monkeypatch.setattr(taught_labels, "LOOK_SECONDS", 0.01)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(taught, DATA, Teaching(TEACHER, 4), tmp_path, asks=False)
        time.sleep(0.1)
        assert not waiting.done()
        assert not Teacher.asked
        asking = taught(DATA, Teaching(TEACHER, 4), tmp_path)
        asked = len(Teacher.asked)
        assert waiting.result(timeout=10).benchmark.frame.equals(asking.benchmark.frame)
    assert len(Teacher.asked) == asked > 0
