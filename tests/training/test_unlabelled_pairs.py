"""Which pairs a teacher labels: half of each kind, and none that was rated or held out."""

from itertools import combinations

import numpy as np
import pytest
from teacher_fakes import DATA, RATED, TEACHER, TEXTS, by_kind, rated, sets, unrated

from similitude.errors import ArgumentError
from similitude.training import text_augmentation as changed_pairs
from similitude.training.splits import SeveralData
from similitude.training.teacher import Teaching, label_pairs

pytestmark = pytest.mark.usefixtures("teacher")


def test_new_pairs_but_none_rated_or_held_out(tmp_path):
    # 6 texts to learn from make 15 pairs; 3 are rated, and 1 pair to validate on is of two of these texts: 11 are left.
    lesson = label_pairs(DATA, Teaching(TEACHER, 22), tmp_path)
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
    assert "labelled 22 unrated pairs (11 rated pairs changed, 11 neighbours), mean" in lesson.note


def test_an_odd_number_has_one_more_neighbour(tmp_path):
    made = by_kind(label_pairs(DATA, Teaching(TEACHER, 5), tmp_path).benchmark.items)
    assert {kind: len(pairs) for kind, pairs in made.items()} == {"changed": 2, "new": 3}


def test_one_kind_makes_up_for_the_other(tmp_path, monkeypatch):
    # There are no more than 11 pairs of neighbours, so 30 need 19 that are changed.
    made = by_kind(label_pairs(DATA, Teaching(TEACHER, 30), tmp_path).benchmark.items)
    assert {kind: len(pairs) for kind, pairs in made.items()} == {"changed": 19, "new": 11}
    # In one round each of 3 rated pairs is changed once: so 10 need 7 neighbours or more.
    monkeypatch.setattr(changed_pairs, "ROUNDS", 1)
    made = by_kind(label_pairs(DATA, Teaching(TEACHER, 10), tmp_path / "round").benchmark.items)
    assert len(made["new"]) == 10 - len(made["changed"]) >= 7


def test_more_new_pairs_than_there_are(tmp_path, monkeypatch):
    # Nothing can be left out of a or b. Added are a or b: 'a a' or 'a b' beside b, 'b a' or 'b b' beside a, and 2 x 2
    # with both changed, which makes 8. No neighbours are left.
    monkeypatch.setattr(changed_pairs, "ROUNDS", 1000)
    words = SeveralData((rated(["a"], ["b"]),), DATA.validation)
    wanted = (
        r"9 new pairs cannot be made from 2 texts: there are 8 \(8 by changing rated pairs, 0 of unchanged texts\); "
        "request at most 8, or give more texts"
    )
    with pytest.raises(ArgumentError, match=wanted):
        label_pairs(words, Teaching(TEACHER, 9), tmp_path)
    assert len(label_pairs(words, Teaching(TEACHER, 8), tmp_path).benchmark) == 8
    assert len(label_pairs(words, Teaching(TEACHER, 9, fewer_pairs=True), tmp_path / "all").benchmark) == 8


def test_a_changed_pair_is_never_one_to_validate_on_or_a_given_one(tmp_path, monkeypatch):
    # Of the 8 pairs that can be made of a and b, one is validated on, and another is given, turned round.
    monkeypatch.setattr(changed_pairs, "ROUNDS", 1000)
    words = SeveralData((rated(["a"], ["b"]),), (rated(["a b"], ["b"], "held out"),))
    pool = unrated(["b b"], ["a a"])
    lesson = label_pairs(words, Teaching(TEACHER, 6), tmp_path, unlabelled=pool)
    made = by_kind(lesson.benchmark.items)
    assert made["unlabelled"] == [{"a a", "b b"}]
    assert len(set(made["changed"]) - {frozenset({"a a", "b b"}), frozenset({"a b", "b"})}) == 6
    with pytest.raises(ArgumentError, match="7 new pairs cannot be made from 2 texts: there are 6"):
        label_pairs(words, Teaching(TEACHER, 7), tmp_path / "more", unlabelled=pool)


def test_given_pairs_without_those_that_are_known(tmp_path):
    pool = unrated(
        ["A dog sleeps.", "It rains.", "A car stops.", "It snows.", "A bus stops."],
        ["A dog barks.", "A dog sleeps.", "A bus stops.", "It hails.", "A car stops."],
    )
    # The first is rated and the second validated on, both turned round; the last is the third turned round.
    lesson = label_pairs(DATA, Teaching(TEACHER), tmp_path, unlabelled=pool)
    assert lesson.benchmark.items.ids == ["unlabelled-3", "unlabelled-4"]
    assert lesson.record["model"].startswith("first; source "), "the code of a system that is not ours counts"
    assert {**lesson.record, "model": "first"} == {
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
        f"{TEACHER} labelled 2 unrated pairs (2 given by the user), mean 4.00 and sigma 1.00 on average "
        "(runs/taught.csv); 3 given pairs were left out: they are in the training or validation data, or repeated"
    )
    with pytest.raises(ArgumentError, match="pool: all 2 pairs are in the training or validation data"):
        label_pairs(DATA, Teaching(TEACHER), tmp_path / "none", unlabelled=pool.take(np.array([0, 1])))


def test_a_given_pair_is_not_made_a_second_time(tmp_path):
    pool = unrated(["It snows."], ["A dog barks."])  # one of the 11 that could be made of unchanged texts
    lesson = label_pairs(DATA, Teaching(TEACHER, 20), tmp_path, unlabelled=pool)
    assert len(set(sets(lesson.benchmark.items))) == 21
    assert (lesson.record["new_pairs"], lesson.record["unlabelled_pairs"]) == (20, 1)
    assert "21 unrated pairs (10 rated pairs changed, 10 neighbours, 1 given by the user)" in lesson.note
