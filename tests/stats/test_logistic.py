"""Logistic regression: the same model as scikit-learn's, for many problems at once."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from similitude.stats import fit_logistic, stratified_folds


@pytest.mark.parametrize("number", [2, 4])
def test_it_is_scikit_learns_model(number):
    rng = np.random.default_rng(number)
    classes = rng.integers(0, number, (3, 120))
    values = classes + rng.normal(0, 1.0, classes.shape)
    known = rng.random(classes.shape) < 0.7
    ours = fit_logistic(values, classes, known)
    for row in range(3):
        x = ((values[row] - ours.centre[row]) / ours.spread[row])[:, None]
        peer = LogisticRegression(tol=1e-10, max_iter=1000).fit(x[known[row]], classes[row, known[row]])
        if number > 2:  # with two classes theirs holds back one slope, ours two, each half as steep
            slopes = peer.coef_[:, 0]
            np.testing.assert_allclose(ours.slopes[row] - ours.slopes[row].mean(), slopes - slopes.mean(), atol=1e-3)
        assert (ours.apply(values)[row] == peer.predict(x)).mean() > 0.98


def test_a_constant_says_the_commonest_class():
    said = fit_logistic(np.zeros((1, 5)), np.array([[1, 1, 1, 0, 2]])).apply(np.zeros((1, 5)))
    assert said.tolist() == [[1] * 5]


def test_classes_that_can_be_cut_apart_do_not_run_away():
    fitted = fit_logistic(np.array([[0.0, 0.1, 9.9, 10.0]]), np.array([[0, 0, 1, 1]]))
    assert np.isfinite(fitted.slopes).all()
    assert fitted.apply(np.array([[0.05, 9.95]])).tolist() == [[0, 1]]


def test_folds_spread_every_class():
    classes = np.repeat([0, 1, 2], [50, 23, 10])
    folds = stratified_folds(classes, 10, np.random.default_rng(0))
    for each, least in ((0, 5), (1, 2), (2, 1)):
        counts = np.bincount(folds[classes == each], minlength=10)
        assert set(counts) <= {least, least + 1}
    assert np.ptp(np.bincount(folds)) <= 1
