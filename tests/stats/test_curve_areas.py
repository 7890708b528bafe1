"""ROC area and average precision: by hand, against scikit-learn, with ties and weights."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from similitude import stats

YES, NO = True, False


def drawn(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Scores with many ties, labels, and weights of four resamples that hold both labels."""
    rng = np.random.default_rng(seed)
    labels = np.append(rng.random(30) < 0.3, [True, False])
    scores = (rng.normal(size=32) + labels).round(int(rng.integers(0, 3)))
    weights = rng.integers(0, 4, (4, 32)).astype(float)
    weights[:, -2:] += 1
    return scores, labels, weights


def test_auc_by_hand():
    # positives 4, 2 against negatives 3, 2, 1: 4 wins 3 pairs; 2 wins 1 (against 1), ties 1: (3 + 1.5) / 6
    scores, labels = np.array([[4.0, 2.0, 3.0, 2.0, 1.0]]), np.array([YES, YES, NO, NO, NO])
    assert stats.weighted_auc(scores, labels, np.ones((1, 5))).tolist() == [[0.75]]
    # without the 3, and the tied negative twice: (3 + (1 + 2 * 0.5)) / 6
    assert stats.weighted_auc(scores, labels, np.array([[1.0, 1, 0, 2, 1]])).tolist() == [[5 / 6]]


def test_average_precision_by_hand():
    # the level of 2 holds a positive and a negative: precision 1/1 at 4, 2/4 at 2; a positive below counts 3/5
    scores, labels = np.array([[4.0, 3.0, 2.0, 2.0, 1.0]]), np.array([YES, NO, YES, NO, YES])
    found = stats.weighted_average_precision(scores, labels, np.ones((1, 5)))
    assert found[0, 0] == pytest.approx((1 + 2 / 4 + 3 / 5) / 3, abs=1e-15)


def test_a_resample_without_a_label_is_undefined():
    scores, labels = np.array([[1.0, 2.0]]), np.array([NO, YES])
    weights = np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
    assert np.isnan(stats.weighted_auc(scores, labels, weights)).tolist() == [[True, True, False]]
    assert np.isnan(stats.weighted_average_precision(scores, labels, weights)).tolist() == [[True, False, False]]


@pytest.mark.parametrize("seed", range(12))
def test_both_agree_with_scikit_learn(seed: int):
    scores, labels, weights = drawn(seed)
    rows = np.stack([scores, -scores])
    auc = [[roc_auc_score(labels, row, sample_weight=one) for one in weights] for row in rows]
    precision = [[average_precision_score(labels, row, sample_weight=one) for one in weights] for row in rows]
    np.testing.assert_allclose(stats.weighted_auc(rows, labels, weights), auc, atol=1e-12)
    np.testing.assert_allclose(stats.weighted_average_precision(rows, labels, weights), precision, atol=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_without_each_item_is_as_if_it_was_not_drawn(seed: int):
    scores, labels, _ = drawn(seed)
    without = 1 - np.eye(scores.size)
    expected = stats.weighted_auc(scores[None], labels, without)[0]
    np.testing.assert_allclose(stats.auc_without_each(scores, labels), expected, atol=1e-12)
    expected = stats.weighted_average_precision(scores[None], labels, without)[0]
    np.testing.assert_allclose(stats.average_precision_without_each(scores, labels), expected, atol=1e-12)


def test_without_the_only_positive_item():
    scores, labels = np.array([3.0, 2.0, 1.0]), np.array([NO, YES, NO])
    assert np.isnan(stats.auc_without_each(scores, labels)).tolist() == [False, True, False]
    assert np.isnan(stats.average_precision_without_each(scores, labels)).tolist() == [False, True, False]


def test_average_precision_without_each_of_few_items_by_hand():
    # Without a positive of the tied pair, the other is alone at the top: 1. Without the negative: 2/2 at both.
    found = stats.average_precision_without_each(np.array([2.0, 2.0, 1.0]), np.array([YES, YES, NO]))
    assert found == pytest.approx([1.0, 1.0, 1.0])
    # Yes and no share the top, a yes is below. Without the first yes: 1/2 at the last; without the no: 1/1 and 2/2;
    # without the last yes: 1/2 at the top.
    found = stats.average_precision_without_each(np.array([2.0, 2.0, 1.0]), np.array([YES, NO, YES]))
    assert found == pytest.approx([0.5, 1.0, 0.5])
    # Without the no at the top, the yes below it is first; without that yes, 1/2 at the last.
    found = stats.average_precision_without_each(np.array([3.0, 2.0, 1.0]), np.array([NO, YES, YES]))
    assert found == pytest.approx([1.0, 0.5, 0.5])


def test_auc_without_each_by_hand():
    # Yes at 3 and 1, no at 2 and 1: 3 wins both, 1 ties once: 2.5 of 4.
    found = stats.auc_without_each(np.array([3.0, 1.0, 2.0, 1.0]), np.array([YES, YES, NO, NO]))
    assert found.tolist() == [0.5 / 2, 2 / 2, 1.5 / 2, 1 / 2]
