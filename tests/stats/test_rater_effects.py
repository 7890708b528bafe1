import numpy as np
import pytest
from scipy.stats import multivariate_normal

from similitude.stats import rater_effects, rater_scores
from similitude.stats.rater_effects import RatingList, Variances, solve_effects
from similitude.stats.rater_scores import adjusted_scores, agreement_with_others
from similitude.stats.rater_variances import _deviance, _scaled_deviance, _start, _steps, _uphill, fit_raters


def made(items: int = 8, raters: int = 4, per_item: int = 3, seed: int = 0, slope: float = 0.0) -> RatingList:
    rng = np.random.default_rng(seed)
    item = np.repeat(np.arange(items), per_item)
    rater = np.concatenate([rng.choice(raters, per_item, replace=False) for _ in range(items)])
    score, bias, spread = rng.normal(0, 1, items), rng.normal(0, 0.5, raters), rng.uniform(0.1, 0.6, raters)
    stretch = 1 + slope * rng.normal(size=raters)
    value = bias[rater] + stretch[rater] * score[item] + rng.normal(0, spread[rater])
    return RatingList(rater, item, value - value.mean(), raters, items)


VARIANCES = Variances(1.3, 0.4, np.array([0.1, 0.3, 0.2, 0.5]), np.array([1.0, 0.8, 1.2, 1.1]))


def covariance_of(ratings: RatingList, variances: Variances) -> np.ndarray:
    """Covariance of all ratings, written out."""
    slope = variances.slope[ratings.rater]
    same_item = ratings.item[:, None] == ratings.item[None]
    same_rater = ratings.rater[:, None] == ratings.rater[None]
    noise = np.diag(variances.spread[ratings.rater])
    return variances.item * slope[:, None] * slope * same_item + variances.lean * same_rater + noise


def test_the_likelihood_is_that_of_one_large_gaussian():
    # The mean enters as slope * mean with a flat prior: integrating it out of N(y; slope m, V) gives
    # -2 ln L = (n - 1) ln 2 pi + ln |V| + ln(x' V^-1 x) + the misfit at the best mean
    ratings = made()
    covariance, direction = covariance_of(ratings, VARIANCES), VARIANCES.slope[ratings.rater]
    weighted = np.linalg.solve(covariance, direction)
    best = (weighted @ ratings.value) / (weighted @ direction)
    at_best = -2 * multivariate_normal(direction * best, covariance).logpdf(ratings.value)
    expected = at_best + np.log(weighted @ direction) - np.log(2 * np.pi)
    assert solve_effects(ratings, VARIANCES).deviance == pytest.approx(expected, abs=1e-8)


def test_the_gradient_is_the_derivative():
    ratings = made(seed=4, slope=0.1)
    at = np.random.default_rng(0).normal(0, 0.3, 2 * ratings.raters + 3) + np.append(np.zeros(7), np.ones(4))
    _, gradient = _deviance(at, ratings)
    for place, step in enumerate(np.eye(len(at)) * 1e-5):
        slope = (_deviance(at + step, ratings)[0] - _deviance(at - step, ratings)[0]) / 2e-5
        assert slope == pytest.approx(gradient[place], abs=1e-4)


def test_biases_are_what_a_gaussian_predicts():
    # best linear prediction of the biases from all ratings, the mean fitted by generalised least squares
    ratings = made(seed=2)
    covariance, direction = covariance_of(ratings, VARIANCES), VARIANCES.slope[ratings.rater]
    weighted = np.linalg.solve(covariance, direction)
    rest = ratings.value - direction * (weighted @ ratings.value) / (weighted @ direction)
    with_bias = VARIANCES.lean * (np.arange(ratings.raters)[:, None] == ratings.rater[None])
    np.testing.assert_allclose(solve_effects(ratings, VARIANCES).bias, with_bias @ np.linalg.solve(covariance, rest))


def test_the_search_finds_a_maximum():
    ratings = made(items=60, raters=6, per_item=4, seed=1)
    fit = fit_raters(ratings)
    assert fit.steepest < 1e-2
    assert fit.effects.bias.sum() == pytest.approx(0, abs=1e-9)
    for change in (0.97, 1.03):
        worse = fit.variances._replace(item=fit.variances.item * change)
        assert solve_effects(ratings, worse).deviance > fit.effects.deviance - 1e-6


@pytest.mark.parametrize("with_slopes", [False, True])
def test_another_unit_changes_nothing_else(with_slopes: bool):
    ratings = made(items=60, raters=6, per_item=4, seed=1)
    fit = fit_raters(ratings, with_slopes=with_slopes)
    tens = fit_raters(ratings._replace(value=10 * ratings.value), with_slopes=with_slopes)
    np.testing.assert_allclose(tens.effects.bias, 10 * fit.effects.bias, rtol=1e-6)
    np.testing.assert_allclose(tens.variances.spread, 100 * fit.variances.spread, rtol=1e-6)
    np.testing.assert_allclose(tens.variances.slope, fit.variances.slope, rtol=1e-6)


def test_scores_by_hand():
    # bias 1 and -1, variances 1 and 3: item 0 rated 2 and 0 is (2 - 1) and (0 + 1): 1; item 1 rated 3 and 5 is 2 and
    # 6, weighed 1 and 1/3: (2 + 2) / (4/3) = 3; item 2, rated 4 by the first alone, is 3
    ratings = RatingList(np.array([0, 1, 0, 1, 0]), np.array([0, 0, 1, 1, 2]), np.array([2.0, 0, 3, 5, 4]), 2, 3)
    variances = Variances(1.0, 1.0, np.array([1.0, 3.0]), np.ones(2))
    effects = solve_effects(ratings, variances)._replace(bias=np.array([1.0, -1.0]), bias_covariance=np.zeros((2, 2)))
    found = adjusted_scores(ratings, variances, effects)
    np.testing.assert_allclose(found.score, [1, 3, 3])
    np.testing.assert_allclose(found.standard_error, [np.sqrt(3 / 4), np.sqrt(3 / 4), 1])
    # biases known to +-0.1 each, independent: item 2 has variance 1 + 0.01, item 0 3/4 + 0.01 (1 + 1/9) (9/16)
    vague = adjusted_scores(ratings, variances, effects._replace(bias_covariance=0.01 * np.eye(2)))
    np.testing.assert_allclose(vague.standard_error[[0, 2]] ** 2, [0.75 + 0.01 * 10 / 16, 1.01])


def test_agreement_leaves_the_rater_out():
    # rater 0 rates as the others do, rater 2 the other way round
    values = np.array([[0.0, 1, 2, 3], [0.1, 1.1, 2.1, 3.1], [3.0, 2, 1, 0]])
    item, rater = np.repeat(np.arange(4), 3), np.tile(np.arange(3), 4)
    ratings = RatingList(rater, item, values.T.ravel() - values.mean(), 3, 4)
    variances = Variances(1.0, 0.1, np.array([1.0, 1.0, 4.0]), np.ones(3))
    found = agreement_with_others(ratings, variances, solve_effects(ratings, variances))
    # without 0: (1 y1 + y2 / 4) / 1.25 rises with y1; without 2: the mean of 0 and 1
    np.testing.assert_allclose(found, [1, 1, -1])


def test_agreement_is_undefined_for_few_or_constant_ratings():
    ratings = RatingList(
        np.array([0, 1, 0, 1, 0, 1, 2]), np.array([0, 0, 1, 1, 2, 2, 2]), np.array([1.0, 1, 1, 2, 1, 3, 2]), 3, 3
    )
    variances = Variances(1.0, 1.0, np.ones(3), np.ones(3))
    found = agreement_with_others(ratings, variances, solve_effects(ratings, variances))
    assert np.isnan(found[0])  # constant
    assert np.isnan(found[2])  # one item


def dense_deviance(ratings: RatingList, variances: Variances, usual: float) -> float:
    """-2 ln likelihood of one large Gaussian with the mean integrated out, plus the priors of the module."""
    covariance, direction = covariance_of(ratings, variances), variances.slope[ratings.rater]
    weighted = np.linalg.solve(covariance, direction)
    best = (weighted @ ratings.value) / (weighted @ direction)
    likelihood = -2 * multivariate_normal(direction * best, covariance).logpdf(ratings.value)
    surplus = usual / variances.spread
    priors = 2 * (surplus - np.log(surplus)).sum() + ((variances.slope - 1) ** 2).sum() / 0.25**2
    return likelihood + np.log(weighted @ direction) + priors


@pytest.mark.parametrize("with_slopes", [False, True])
def test_no_parameter_can_be_changed_for_the_better(with_slopes: bool):
    """At the end, 1 % more or less of any variance or slope makes the posterior no better; the usual spread is the
    harmonic mean of the spreads, where its own derivative is 0."""
    ratings = made(items=40, raters=5, per_item=4, seed=3, slope=0.2)
    fit = fit_raters(ratings, with_slopes=True) if with_slopes else fit_raters(ratings)
    assert (np.abs(fit.variances.slope - 1).max() > 1e-3) == with_slopes
    assert fit.steepest < 1e-3
    unit = ratings.value.std() ** 2
    usual = 1 / np.mean(1 / fit.variances.spread)
    best = dense_deviance(ratings, fit.variances, usual)
    for change in (0.99, 1.01):
        for name in ("item", "lean"):
            worse = fit.variances._replace(**{name: getattr(fit.variances, name) * change})
            assert dense_deviance(ratings, worse, usual) > best - 1e-6 * unit
        for rater in range(ratings.raters):
            factor = np.where(np.arange(ratings.raters) == rater, change, 1.0)
            worse = fit.variances._replace(spread=fit.variances.spread * factor)
            assert dense_deviance(ratings, worse, usual) > best
            if with_slopes:
                worse = fit.variances._replace(slope=fit.variances.slope * factor)
                assert dense_deviance(ratings, worse, usual) > best


def test_biases_are_relative_to_the_rest_of_the_raters():
    """They sum to 0, and so do the rows of their covariance; each is lowered in proportion to its slope."""
    ratings = made(items=60, raters=6, per_item=4, seed=1, slope=0.3)
    for with_slopes in (False, True):
        fit = fit_raters(ratings, with_slopes=with_slopes)
        plain = solve_effects(ratings, fit.variances)
        share = fit.variances.slope / fit.variances.slope.sum()
        np.testing.assert_allclose(fit.effects.bias, plain.bias - share * plain.bias.sum())
        np.testing.assert_allclose(fit.effects.bias_covariance.sum(axis=0), 0, atol=1e-9)
        np.testing.assert_allclose(fit.effects.bias_covariance, fit.effects.bias_covariance.T, atol=1e-9)
        centred = np.eye(6) - share[:, None]
        np.testing.assert_allclose(fit.effects.bias_covariance, centred @ plain.bias_covariance @ centred.T, atol=1e-12)


def test_few_steps_leave_a_slope():
    ratings = made(items=60, raters=6, per_item=4, seed=1)
    fit = fit_raters(ratings, most_rounds=1)
    assert fit.rounds == 1
    assert fit.steepest > 0.1


def test_raters_who_never_differ_are_held_by_the_bound_and_count_as_found():
    """Without any noise the variances run to the narrowest, 1e-8 of the variance of all ratings, and stay there."""
    score = np.array([1.0, 2.0, 4.0, 7.0])
    value = np.repeat(score, 2) - score.mean()
    ratings = RatingList(np.tile([0, 1], 4), np.repeat(np.arange(4), 2), value, 2, 4)
    fit = fit_raters(ratings)
    np.testing.assert_allclose(fit.variances.spread, 1e-8 * value.var(), rtol=1e-3)
    assert fit.variances.lean == pytest.approx(1e-8 * value.var(), rel=1e-3)
    assert fit.steepest < 1e-3


@pytest.mark.parametrize("cells", [1, 7, 12])
def test_items_in_pieces_are_items_at_once(monkeypatch, cells: int):
    ratings = made(items=9, seed=6)
    whole = solve_effects(ratings, VARIANCES)
    scores = adjusted_scores(ratings, VARIANCES, whole)
    monkeypatch.setattr(rater_effects, "CELLS_AT_ONCE", cells)
    monkeypatch.setattr(rater_scores, "CELLS_AT_ONCE", cells)
    pieces = solve_effects(ratings, VARIANCES)
    for name in ("fitted_variance", "squared_noise", "noise_by_item", "squared_item", "bias"):
        np.testing.assert_allclose(getattr(pieces, name), getattr(whole, name))
    np.testing.assert_allclose(adjusted_scores(ratings, VARIANCES, pieces), scores)


def test_scores_by_hand_with_slopes_and_unsure_biases():
    """Item 0 by both raters: weights 1 / 0.5 and 4 / 2, (1 * (3 - 1) / 0.5 + 2 * (4 - 0) / 2) / 4 = 2; item 1 by the
    first alone: 5 - 1. The biases add variance: pulls 2 and 1 with covariance [[.1, .02], [.02, .3]], over 4^2."""
    ratings = RatingList(np.array([0, 1, 0]), np.array([0, 0, 1]), np.array([3.0, 4.0, 5.0]), 2, 2)
    variances = Variances(1.0, 1.0, np.array([0.5, 2.0]), np.array([1.0, 2.0]))
    effects = solve_effects(ratings, variances)._replace(
        bias=np.array([1.0, 0.0]), bias_covariance=np.array([[0.1, 0.02], [0.02, 0.3]])
    )
    found = adjusted_scores(ratings, variances, effects)
    np.testing.assert_allclose(found.score, [2.0, 4.0])
    noise = (4 * 0.1 + 2 * 2 * 0.02 + 0.3) / 16
    np.testing.assert_allclose(found.standard_error, np.sqrt([1 / 4 + noise, 1 / 2 + 4 * 0.1 / 4]))


def test_agreement_with_others_by_hand():
    """Equal spreads and no biases, so the others' score of an item is their mean.

    Rater 0 rated items 0 to 2 with 1, 2, 4; the others say 1.5, 2, 6; r of these. Item 3 nobody else rated. Rater 1
    shares three items with constant ratings, rater 3 two items only, rater 4 none, rater 5 does not occur.
    """
    rows = [(0, 0, 1.0), (1, 0, 2.0), (2, 0, 1.0), (0, 1, 2.0), (1, 1, 2.0), (2, 1, 2.0), (0, 2, 4.0), (1, 2, 2.0)]
    rows += [(2, 2, 10.0), (0, 3, 50.0), (4, 4, 3.0), (2, 5, 1.0), (3, 5, 9.0), (2, 6, 2.0), (3, 6, 7.0)]
    rater, item, value = (np.array(column) for column in zip(*rows, strict=True))
    ratings = RatingList(rater, item, value, 6, 8)
    variances = Variances(1.0, 1.0, np.ones(6), np.ones(6))
    effects = solve_effects(ratings, variances)._replace(bias=np.zeros(6))
    found = agreement_with_others(ratings, variances, effects)
    assert found[0] == pytest.approx(np.corrcoef([1, 2, 4], [1.5, 2, 6])[0, 1])
    assert found[2] == pytest.approx(np.corrcoef([1, 2, 10, 1, 2], [1.5, 2, 3, 9, 7])[0, 1])
    assert np.isnan(found[[1, 3, 4, 5]]).all()


def test_agreement_weighs_raters_by_their_precision_and_slope():
    """The others' score is sum(a (y - b) / v) / sum(a^2 / v): of 1 (a 2, v 1, b 1) and 4 (a 1, v .5) it is 8/6."""
    value = np.array([[1.0, 1.0, 4.0], [2.0, 5.0, 1.0], [3.0, 2.0, 7.0]]).ravel()
    ratings = RatingList(np.tile([0, 1, 2], 3), np.repeat(np.arange(3), 3), value, 3, 3)
    variances = Variances(1.0, 1.0, np.array([1.0, 1.0, 0.5]), np.array([1.0, 2.0, 1.0]))
    effects = solve_effects(ratings, variances)._replace(bias=np.array([0.0, 1.0, 0.0]))
    others = [(2 * (b - 1) + 2 * c) / 6 for b, c in ((1, 4), (5, 1), (2, 7))]
    found = agreement_with_others(ratings, variances, effects)
    assert found[0] == pytest.approx(np.corrcoef([1, 2, 3], others)[0, 1])


def test_agreement_with_others_does_not_depend_on_the_unit():
    ratings = made(items=12, seed=8)
    effects = solve_effects(ratings, VARIANCES)
    plain = agreement_with_others(ratings, VARIANCES, effects)
    small = ratings._replace(value=ratings.value / 1000)
    scaled = Variances(1.3e-6, 0.4e-6, VARIANCES.spread / 1e6, VARIANCES.slope)
    np.testing.assert_allclose(agreement_with_others(small, scaled, solve_effects(small, scaled)), plain, rtol=1e-6)


def test_a_parameter_is_held_by_a_bound_that_it_would_cross():
    # At the lower end, and a millionth of it away, a rising deviance is held; half-way, or falling, it is not.
    ends = np.array([[0.0, 1.0]] * 7 + [[2.0, 2.0]])
    searched = np.array([0.0, 5e-7, 0.0, 0.5, 1.0, 1 - 5e-7, 1.0, 2.0])
    gradient = np.array([3.0, 3.0, -3.0, 3.0, -3.0, -3.0, 3.0, 3.0])
    assert _uphill(searched, gradient, ends).tolist() == [0, 0, -3, 3, 0, 0, 3, 0]
    near = _uphill(np.array([2e-6, 1 - 2e-6]), np.array([3.0, -3.0]), ends[:2])
    assert near.tolist() == [3, -3]


def test_the_search_begins_with_half_of_the_variance_in_items():
    start, ends = _start(2, with_slopes=False)
    np.testing.assert_allclose(start, [*np.log([0.4, 0.4, 0.5, 0.1, 0.4]), 1, 1])
    np.testing.assert_allclose(ends, [[np.log(1e-8), np.log(1e2)]] * 5 + [[1, 1]] * 2)
    assert _start(2, with_slopes=True)[1][5:].tolist() == [[-np.inf, np.inf]] * 2


def test_steps_are_standard_errors():
    """The log of a variance of n values has the variance 2 / n, a slope 1 / n; priors count as two and one more."""
    ratings = RatingList(np.array([0, 1, 0]), np.array([0, 0, 1]), np.zeros(3), 2, 2)
    by_rater, of_all, slopes = [2 / 4, 2 / 3], [2 / 2, 2 / 2, 2 / 4], [1 / 3, 1 / 2]
    np.testing.assert_allclose(_steps(ratings), np.sqrt([*by_rater, *of_all, *slopes]))


def test_a_rater_who_rated_nothing_changes_no_score():
    rater, item, value = np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]), np.array([1.0, 2.0, 4.0, 6.0])
    found = []
    for raters in (2, 3):
        ratings = RatingList(rater, item, value, raters, 2)
        variances = Variances(1.0, 0.5, np.ones(raters), np.ones(raters))
        found.append(adjusted_scores(ratings, variances, solve_effects(ratings, variances)))
    np.testing.assert_allclose(found[0], found[1])


def test_the_scaled_gradient_is_the_derivative_by_the_scaled_parameters():
    ratings, steps = made(), np.linspace(0.2, 0.9, 11)
    at = _start(4, with_slopes=True)[0] / steps
    gradient = _scaled_deviance(at, ratings, steps)[1]
    for place in (0, 4, 10):
        up, down = (_scaled_deviance(at + sign * 1e-5 * np.eye(11)[place], ratings, steps)[0] for sign in (1, -1))
        assert gradient[place] == pytest.approx((up - down) / 2e-5, rel=1e-4)


def test_a_small_gradient_away_from_a_bound_is_one():
    ends = np.array([[0.0, 1.0], [0.0, 1.0]])
    assert _uphill(np.array([1.0, 0.0]), np.array([0.5, -0.5]), ends).tolist() == [0.5, -0.5]
    assert _uphill(np.array([0.0, 1.0]), np.array([0.5, -0.5]), ends).tolist() == [0.0, 0.0]
