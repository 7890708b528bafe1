"""Cross-validated rules: folds, the choice of a bucket size, and scores that lie on a threshold."""

from dataclasses import replace

import numpy as np
import pytest

from similitude import stats
from similitude.errors import InputError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures.threshold import BinaryAccuracy
from similitude.evaluate.tasks import classifiers
from similitude.evaluate.tasks.classifiers import Folds, check_classes, make_folds
from similitude.evaluate.tasks.outcome import learned_outcome


def test_folds_are_as_many_as_the_smallest_class_has_members():
    names, rng = ("a", "b", "unused"), np.random.default_rng(0)
    few = make_folds(np.repeat([0, 1], [9, 20]), names, rng, "made")
    assert (few.number, few.notes) == (9, ("9 folds instead of 10: class 'a' has 9 members",))
    enough = make_folds(np.repeat([0, 1], [20, 10]), names, rng, "made")
    assert (enough.number, enough.notes) == (10, ())
    assert np.bincount(enough.of_member).tolist() == [3] * 10
    assert enough.training().sum(axis=1).tolist() == [27] * 10
    assert not enough.training()[enough.of_member, np.arange(30)].any()


def test_classes_that_cannot_be_tested():
    assert check_classes(np.array([0, 0, 1, 1]), ("a", "b", "c"), "made").tolist() == [2, 2, 0]
    with pytest.raises(InputError, match="class 'b' has one member, which cannot be both trained on and tested"):
        check_classes(np.array([0, 0, 1]), ("a", "b"), "made")
    with pytest.raises(InputError, match="all members are of one class"):
        check_classes(np.array([1, 1, 1]), ("a", "b"), "made")


def test_inner_folds_part_the_training_members():
    classes, folds = np.tile([0, 1], 15), Folds(np.repeat(np.arange(3), 10), 3)
    inner = classifiers._inner_folds(classes, folds, np.random.default_rng(0))
    for row, learned in zip(inner, folds.training(), strict=True):
        assert np.bincount(row[learned]).tolist() == [4] * 5
        assert (row[~learned] == 0).all()


@pytest.mark.parametrize(
    ("members", "buckets"),
    [
        (5, [1]),
        (9, [1]),
        (10, [1, 2]),
        (15, [1, 2, 3]),
        (20, [1, 2, 3, 4]),
        (25, [1, 2, 3, 4]),
        (320, [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64]),
    ],
)
def test_buckets_hold_at_most_a_quarter_of_the_training_members(monkeypatch, members: int, buckets: list[int]):
    tried = []

    def accuracy(values, classes, training, inner, sizes):
        tried.append(sizes.tolist())
        return np.zeros((len(training), sizes.size), dtype=int)

    monkeypatch.setattr(classifiers, "_inner_accuracy", accuracy)
    folds = Folds(np.arange(members) % 5, 5)  # of 9 members, 7 are trained on at least
    classifiers._one_rule(np.arange(members) / members, np.arange(members) % 2, folds, np.zeros((5, members), int))
    assert tried == [buckets]


def test_of_equally_good_buckets_the_largest_is_taken(monkeypatch):
    right = np.array([[3, 5, 4], [5, 5, 4], [1, 2, 2], [5, 4, 3], [2, 2, 2]])
    chosen = []
    learn = stats.learn_rules

    def learned(values, classes, sizes, training):
        chosen.append(sizes.tolist())
        return learn(values, classes, sizes, training)

    monkeypatch.setattr(classifiers, "_inner_accuracy", lambda *_: right)
    monkeypatch.setattr(classifiers.stats, "learn_rules", learned)
    folds = Folds(np.arange(15) % 5, 5)
    classifiers._one_rule(np.arange(15) / 15, np.arange(15) % 2, folds, np.zeros((5, 15), int))
    assert chosen == [[2, 2, 3, 1, 3]]


def test_a_score_on_the_threshold_is_below_it():
    # Fold 0 learns 1, half-way from 0 to 2, for fold 1; fold 1 learns 3 for fold 0. The score 1 is not above 1; 2 is
    # missed.
    made = Comparison.of_scores(np.array([0.0, 1, 0, 1]), np.array([0.0, 2, 1, 5]))
    made = replace(made, folds=np.array([0, 0, 1, 1]))
    found = learned_outcome(BinaryAccuracy(), made, "accuracy", {})
    assert found.values.tolist() == [0.75]
    assert BinaryAccuracy().values(made).tolist() == [0.75]
    # hits, false, positive, all
    assert found.parts[0].tolist() == [[0, 0, 0, 1], [0, 0, 1, 1], [0, 0, 0, 1], [1, 0, 1, 1]]


def test_accuracy_in_inner_folds_is_that_of_rules_learned_one_by_one():
    rng = np.random.default_rng(0)
    classes = np.tile([0, 1], 15)
    values, folds, buckets = classes + rng.normal(0, 0.8, 30), Folds(np.arange(30) // 2 % 3, 3), np.array([1, 2, 4])
    inner = classifiers._inner_folds(classes, folds, rng)
    found = classifiers._inner_accuracy(values, classes, folds.training(), inner, buckets)
    for fold, learned in enumerate(folds.training()):
        for place, size in enumerate(buckets.tolist()):
            right = 0
            for part in range(5):
                tested = learned & (inner[fold] == part)
                rule = stats.learn_rules(values[None], classes[None], np.array([size]), (learned & ~tested)[None])
                right += int((rule.apply(values[None])[0] == classes)[tested].sum())
            assert found[fold, place] == right
