"""Logistic regression: the same model as scikit-learn's, for many problems at once."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.linear_model import LogisticRegression

from similitude.errors import EstimationError
from similitude.stats import fit_logistic, logistic, stratified_folds


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


@pytest.mark.parametrize("strength", [1.0, 0.1, 50.0])
def test_it_is_the_least_of_the_written_objective(strength):
    """The sum of log losses of the standardised values plus half the squared slopes, divided by the strength."""
    values = np.array([[1.0, 2.0, 2.5, 4.0, 7.0, 30.0], [-9.0, -5.0, -5.5, -1.0, -2.0, 500.0]])
    classes = np.array([[0, 0, 1, 1, 2, 0], [2, 1, 1, 0, 0, 2]])
    known = np.array([[True] * 5 + [False]] * 2)
    default = {} if strength == 1.0 else {"strength": strength}
    fitted = fit_logistic(values, classes, known, **default)
    np.testing.assert_allclose(fitted.centre, [16.5 / 5, -22.5 / 5])
    np.testing.assert_allclose(fitted.spread, [np.std(values[0, :5]), np.std(values[1, :5])])
    for row in range(2):
        standard = (values[row, :5] - fitted.centre[row]) / fitted.spread[row]

        def objective(found, standard=standard, row=row):
            slopes, intercepts = found.reshape(2, 3)
            log_chances = log_softmax(standard[:, None] * slopes + intercepts, axis=1)
            return -log_chances[range(5), classes[row, :5]].sum() + (slopes**2).sum() / (2 * strength)

        best = minimize(objective, np.zeros(6), tol=1e-10).x.reshape(2, 3)
        np.testing.assert_allclose(fitted.slopes[row], best[0], atol=2e-4)
        np.testing.assert_allclose(fitted.intercepts[row], best[1] - best[1].mean(), atol=2e-4)


def test_nearly_without_a_penalty_newton_steps_would_overshoot():
    """Two classes that no value separates but for one: the steepest slope is far away, and must be walked to."""
    values = np.array([[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 100.0, -80.0]])
    classes = np.array([[0, 0, 0, 1, 1, 1, 1, 0]])
    fitted = fit_logistic(values, classes, strength=1e5)
    x = (values[0] - fitted.centre[0]) / fitted.spread[0]
    odds = x * (fitted.slopes[0, 1] - fitted.slopes[0, 0]) + fitted.intercepts[0, 1] - fitted.intercepts[0, 0]
    chances = 1 / (1 + np.exp(-odds))
    # At the optimum the gradients are 0: by slope, the residuals times x are the penalty's pull.
    assert (chances - classes[0]) @ x == pytest.approx(-fitted.slopes[0, 1] / 1e5, abs=2e-6)
    assert (chances - classes[0]).sum() == pytest.approx(0, abs=1e-4)


def test_a_constant_is_not_divided_by():
    fitted = fit_logistic(np.full((1, 4), 3.0), np.array([[0, 0, 0, 1]]))
    assert fitted.spread.tolist() == [1.0]
    assert fitted.centre.tolist() == [3.0]
    # the intercepts alone say the shares: odds of 3 to 1
    assert fitted.intercepts[0, 0] - fitted.intercepts[0, 1] == pytest.approx(np.log(3), abs=1e-5)


def test_a_search_without_end_says_how_far_it_came(monkeypatch):
    monkeypatch.setattr(logistic, "TOLERANCE", 0.0)
    with pytest.raises(
        EstimationError, match=r"did not converge in 100 steps \(largest gradient \d\.\de-\d\d\); check the scores"
    ):
        fit_logistic(np.array([[0.0, 1.0, 3.0]]), np.array([[0, 1, 1]]))


def test_a_step_too_far_is_halved_where_it_is_too_far():
    """Of two problems, one step is good; the other, 6 times too long, is halved until the loss does not rise."""
    design = np.stack([np.array([[-1.0, 0.0, 1.0]] * 2), np.ones((2, 3))], axis=-1)
    data = (design, np.eye(2)[np.array([[0, 1, 1]] * 2)], np.ones((2, 3)), np.array([1.0, 0.0]))
    start = np.zeros((2, 2, 2))
    loss, _ = logistic._loss(start, *data)
    np.testing.assert_allclose(loss, 3 * np.log(2))
    good = np.array([[0.3, 0.2], [-0.3, -0.2]])
    steps = np.stack([good, 48 * good])
    losses = [logistic._loss(start - np.stack([good, 48 / 2**halved * good]), *data)[0][1] for halved in range(6)]
    halved = next(number for number, value in enumerate(losses) if value <= loss[1])
    assert halved >= 3
    found, after, chances = logistic._descend(start, steps, loss, data)
    np.testing.assert_allclose(found, [-good, -48 / 2**halved * good])
    assert after[1] == losses[halved]
    np.testing.assert_allclose(chances.sum(axis=-1), 1)


def test_problems_of_any_spread_are_fitted_together():
    values = np.array([[1.0, 2.0, 3.0, 4.0], [0.01, 0.02, 0.03, 0.04]])
    fitted = fit_logistic(values, np.array([[0, 1, 0, 1]] * 2))
    np.testing.assert_allclose(fitted.slopes[0], fitted.slopes[1])
    assert fitted.spread[1] == pytest.approx(np.std(values[1]))


def test_a_rise_by_rounding_is_no_reason_to_halve_a_step():
    """The loss counts as not risen up to 1e-10 of itself: 2,000 values of weight 1 lose 2,000 ln 2 at the start."""
    design, targets = np.ones((1, 2000, 2)), np.eye(2)[np.zeros((1, 2000), dtype=int)]
    data = (design, targets, np.ones((1, 2000)), np.zeros(2))
    step = np.array([[[0.0, 1.0], [0.0, 1.0]]])  # moves both classes alike, so no chance changes
    loss = np.array([2000 * np.log(2)])
    for fall, share in ((5e-11, 1), (2e-10, 2.0**-29)):
        found, _, _ = logistic._descend(np.zeros((1, 2, 2)), step, loss * (1 - fall), data)
        np.testing.assert_allclose(found, -share * step)


def test_the_largest_gradient_is_told(monkeypatch: pytest.MonkeyPatch):
    """At 0, with values of -1 and 1 and probabilities of 1/2, slopes have a gradient of 1 and intercepts of 0."""
    monkeypatch.setattr(logistic, "STEPS", 1)
    with pytest.raises(EstimationError, match=r"in 1 steps \(largest gradient 1\.0e\+00\)"):
        fit_logistic(np.array([[0.0, 2.0]]), np.array([[0, 1]]))
