"""OneR: by hand, against a plain loop, and many at once."""

import numpy as np
import pytest

from similitude.stats import learn_rules
from similitude.stats.one_rule import Rules


def holte(values, classes, bucket):
    """The same rule, written as the paper describes it: one member after the other."""
    order = np.argsort(values, kind="stable")
    ranges, counts, last = [], {}, None
    for place in order:
        value, label = values[place], classes[place]
        commonest = max(sorted(counts), key=lambda c: counts[c]) if counts else None
        if counts and counts[commonest] >= bucket and label != commonest and value > last:
            ranges.append(((last + value) / 2, commonest))
            counts = {}
        counts[label] = counts.get(label, 0) + 1
        last = value
    ranges.append((np.inf, max(sorted(counts), key=lambda c: counts[c])))
    return [r for r, after in zip(ranges, [*ranges[1:], (None, None)], strict=True) if r[1] != after[1]]


def classify(ranges, value):
    return next(label for cut, label in ranges if value <= cut)


def test_by_hand():
    # 1 2 3 4 5 with classes a a b a a, bucket 2: the first range is full after 1, 2; 3 is b: a cut at 2.5. Then
    # b a a: full with a at 5 (never before: b once, a twice), commonest a. Two ranges of a: one.
    rules = learn_rules(np.array([[1.0, 2, 3, 4, 5]]), np.array([[0, 0, 1, 0, 0]]), np.array([2]))
    assert rules.apply(np.array([[1.0, 2.7, 3.0, 9.0]])).tolist() == [[0, 0, 0, 0]]
    # Bucket 1: a a | b | a a.
    rules = learn_rules(np.array([[1.0, 2, 3, 4, 5]]), np.array([[0, 0, 1, 0, 0]]), np.array([1]))
    assert rules.apply(np.array([[2.4, 2.6, 3.4, 3.6]])).tolist() == [[0, 1, 1, 0]]


def test_equal_values_are_never_cut_apart():
    rules = learn_rules(np.array([[1.0, 1, 1, 1]]), np.array([[0, 0, 1, 1]]), np.array([1]))
    assert np.isinf(rules.cuts).all()


@pytest.mark.parametrize("bucket", [1, 2, 3, 6])
@pytest.mark.parametrize("seed", range(5))
def test_many_at_once_are_what_a_loop_gives(bucket, seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(7, 60)), 1)  # with ties
    classes = rng.integers(0, 4, (7, 60))
    known = rng.random((7, 60)) < 0.8
    said = learn_rules(values, classes, np.full(7, bucket), known).apply(values)
    for row in range(7):
        ranges = holte(values[row, known[row]], classes[row, known[row]], bucket)
        assert said[row].tolist() == [classify(ranges, value) for value in values[row]]


def test_neighbours_of_one_class_are_merged():
    """With buckets of 2: 0 0 | 1 0 0 | 1 1 1, of which two ranges are of class 0; the other row has no cut."""
    values = np.array([[1.0, 2, 3, 4, 5, 6, 7, 8], [1.0, 2, 3, 4, 5, 6, 7, 8]])
    rules = learn_rules(values, np.array([[0, 0, 1, 0, 0, 1, 1, 1], [1] * 8]), np.array([2, 2]))
    np.testing.assert_array_equal(rules.cuts[:, :3], [[5.5, np.inf, np.inf], [np.inf] * 3])
    np.testing.assert_array_equal(rules.classes[0, :2], [0, 1])
    assert rules.apply(np.array([[5.5, 5.6], [0.0, 99.0]])).tolist() == [[0, 1], [1, 1]]


def test_three_ranges_in_a_row_of_which_none_is_merged():
    rules = learn_rules(np.array([[1.0, 2, 3, 4, 5, 6]]), np.array([[0, 0, 1, 1, 0, 0]]), np.array([2]))
    np.testing.assert_array_equal(rules.cuts[0, :3], [2.5, 4.5, np.inf])
    np.testing.assert_array_equal(rules.classes[0, :3], [0, 1, 0])


def test_no_problem_at_all_has_no_answers():
    said = Rules(np.empty((0, 2)), np.empty((0, 2), dtype=np.intp)).apply(np.empty((0, 3)))
    assert (said.shape, said.dtype) == ((0, 3), np.intp)
