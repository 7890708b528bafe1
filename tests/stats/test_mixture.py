import numpy as np
import pytest
from scipy.stats import norm
from sklearn.mixture import GaussianMixture

from similitude.stats import mixture
from similitude.stats.mixture import fit_mixtures, mixture_log_density

FLOOR = 0.1


def opinions(items: int = 60, raters: int = 19, seed: int = 3) -> np.ndarray:
    """Ratings on 0..5 in steps of 0.1: some items with one camp, some with two, some with three."""
    rng = np.random.default_rng(seed)
    camps = rng.uniform(0.5, 4.5, (items, 3))
    taken = rng.integers(0, rng.integers(1, 4, items)[:, None], (items, raters))
    noisy = np.take_along_axis(camps, taken, axis=1) + rng.normal(0, 0.25, (items, raters))
    return np.clip(noisy.round(1), 0, 5)


def test_one_component_by_hand():
    # 1, 2, 3: mean 2, variance 2/3; ln L = -3/2 (ln 2 pi + ln 2/3 + 1)
    fit = fit_mixtures(np.array([[3.0, 1.0, 2.0]]), 1, floor=FLOOR)
    assert fit.weights.tolist() == [[1.0]]
    assert fit.means[0, 0] == pytest.approx(2.0, abs=1e-12)
    assert fit.sigmas[0, 0] == pytest.approx(np.sqrt(2 / 3), abs=1e-12)
    assert fit.log_likelihood[0] == pytest.approx(-1.5 * (np.log(2 * np.pi) + np.log(2 / 3) + 1), abs=1e-12)


def test_two_camps_far_apart_are_their_own_gaussians():
    # So far apart that each value belongs to one camp alone: shares 1/3 and 2/3, means 0 and 100, sigmas 1 and 2.
    fit = fit_mixtures(np.array([[-1.0, 1.0, 98.0, 102.0, 98.0, 102.0]]), 2, floor=FLOOR)
    np.testing.assert_allclose(fit.weights, [[1 / 3, 2 / 3]], atol=1e-9)
    np.testing.assert_allclose(fit.means, [[0.0, 100.0]], atol=1e-9)
    np.testing.assert_allclose(fit.sigmas, [[1.0, 2.0]], atol=1e-9)


def test_values_that_are_all_the_same_sit_on_the_floor():
    for components in (1, 2, 3):
        fit = fit_mixtures(np.full((2, 8), 3.0), components, floor=FLOOR)
        np.testing.assert_allclose(fit.means, 3.0, atol=1e-12)
        np.testing.assert_allclose(fit.sigmas, FLOOR)
        np.testing.assert_allclose(fit.weights.sum(axis=1), 1.0)
        # every value lies on the peak of N(3, 0.1)
        np.testing.assert_allclose(fit.log_likelihood, 8 * -np.log(FLOOR * np.sqrt(2 * np.pi)), atol=1e-9)


@pytest.mark.parametrize("components", [2, 3])
def test_the_likelihood_never_falls(components: int):
    samples = opinions()
    climb = np.array(
        [fit_mixtures(samples, components, floor=FLOOR, most_rounds=n).log_likelihood for n in (1, 2, 3, 5, 8, 20, 99)]
    )
    assert (np.diff(climb, axis=0) > -1e-9).all()
    assert (climb[-1] > climb[0] + 0.01).mean() > 0.2  # and many climb, however good the start


@pytest.mark.parametrize("components", [1, 2, 3])
def test_at_least_as_likely_as_scikit_learn_with_the_same_floor(components: int):
    samples = opinions(items=50)
    ours = fit_mixtures(samples, components, floor=FLOOR).log_likelihood
    theirs = []
    for row in samples:
        # reg_covar is added to each variance: their sigmas are never under our floor, so both search the same mixtures.
        peer = GaussianMixture(components, reg_covar=FLOOR**2, random_state=0, max_iter=500).fit(row[:, None])
        theirs.append(peer.score(row[:, None]) * len(row))
    assert (ours >= np.array(theirs) - 1e-3).mean() >= 0.96
    assert (ours - theirs).mean() >= 0


def test_the_fit_is_what_its_parameters_say():
    samples = opinions()
    fit = fit_mixtures(samples, 3, floor=FLOOR)
    density = mixture_log_density(samples, fit.weights, fit.means, fit.sigmas)
    np.testing.assert_allclose(density.sum(axis=1), fit.log_likelihood, atol=1e-9)
    assert (fit.sigmas >= FLOOR).all()
    assert (np.diff(fit.means, axis=1) >= 0).all()
    np.testing.assert_allclose(fit.weights.sum(axis=1), 1.0)
    np.testing.assert_allclose((fit.weights * fit.means).sum(axis=1), samples.mean(axis=1), atol=1e-3)
    assert fit.has_converged.all()


def test_neither_the_order_of_values_nor_other_samples_matter():
    samples, rng = opinions(items=20), np.random.default_rng(0)
    fit = fit_mixtures(samples, 2, floor=FLOOR)
    shuffled = fit_mixtures(rng.permuted(samples, axis=1), 2, floor=FLOOR)
    alone = fit_mixtures(samples[7:8], 2, floor=FLOOR)
    np.testing.assert_allclose(shuffled.means, fit.means, atol=1e-9)
    np.testing.assert_allclose(alone.means[0], fit.means[7], atol=1e-9)


def test_another_scale_gives_the_same_camps():
    samples = opinions(items=20)
    fit, moved = fit_mixtures(samples, 2, floor=FLOOR), fit_mixtures(10 * samples + 7, 2, floor=10 * FLOOR)
    np.testing.assert_allclose(moved.means, 10 * fit.means + 7, atol=1e-6)
    np.testing.assert_allclose(moved.sigmas, 10 * fit.sigmas, atol=1e-6)
    np.testing.assert_allclose(moved.weights, fit.weights, atol=1e-6)


def test_more_components_are_never_less_likely():
    samples = opinions()
    fits = [fit_mixtures(samples, number, floor=FLOOR).log_likelihood for number in (1, 2, 3)]
    assert (fits[1] >= fits[0] - 1e-6).all()
    assert (fits[2] >= fits[1] - 1e-3).mean() > 0.95


def test_what_did_not_converge_says_so():
    assert not fit_mixtures(opinions(), 3, floor=FLOOR, most_rounds=2).has_converged.all()


def test_long_samples_are_cut_at_few_places_only():
    rng = np.random.default_rng(0)
    long = np.concatenate([rng.normal(1, 0.3, 3000), rng.normal(4, 0.3, 2000)])[None]
    fit = fit_mixtures(long, 2, floor=FLOOR)
    np.testing.assert_allclose(fit.means, [[1, 4]], atol=0.05)
    np.testing.assert_allclose(fit.weights, [[0.6, 0.4]], atol=0.02)


def test_a_narrow_camp_beside_a_wide_one_is_found_wherever_it_stands():
    """Least squares would divide the wide camp; the second start, by likelihood, finds four values within 0.03."""
    plain, narrow = [1.0, 1.1, 1.2, 1.3, 4.0, 4.1, 4.2, 4.3], [-0.02, 0.0, 0.01, 0.01, 1.66, 2.72, 3.75, 3.78]
    fit = fit_mixtures(np.array([plain, narrow, plain]), 2, floor=0.01)
    np.testing.assert_allclose(fit.weights, 0.5, atol=1e-3)
    np.testing.assert_allclose(fit.means, [[1.15, 4.15], [0.0, 2.9775], [1.15, 4.15]], atol=1e-2)
    np.testing.assert_allclose(fit.sigmas[1], [np.std(narrow[:4]), np.std(narrow[4:])], rtol=1e-2)
    assert fit.has_converged.dtype == bool
    assert fit.has_converged.all()


def test_at_the_end_each_component_is_the_weighted_moments_of_all_values():
    samples = opinions(items=40, raters=5)
    fit = fit_mixtures(samples, 3, floor=0.3, tolerance=1e-13, most_rounds=20_000)
    densities = fit.weights[:, None] * norm.pdf(samples[..., None], fit.means[:, None], fit.sigmas[:, None])
    shares = densities / densities.sum(axis=2, keepdims=True)
    held = shares.sum(axis=1)
    assert (held < 1).any()
    means = (shares * samples[..., None]).sum(axis=1) / held
    variances = (shares * (samples[..., None] - means[:, None]) ** 2).sum(axis=1) / held
    np.testing.assert_allclose(fit.weights, held / 5, atol=1e-4)
    np.testing.assert_allclose(fit.means, means, atol=1e-3)
    np.testing.assert_allclose(fit.sigmas, np.maximum(np.sqrt(variances), 0.3), atol=1e-3)
    np.testing.assert_allclose(fit.log_likelihood, np.log(densities.sum(axis=2)).sum(axis=1))


def test_little_is_left_to_gain_where_a_search_has_converged():
    samples = opinions(items=200)
    default = fit_mixtures(samples, 3, floor=0.1)
    longer = fit_mixtures(samples, 3, floor=0.1, tolerance=1e-9, most_rounds=20_000)
    assert np.median(longer.log_likelihood - default.log_likelihood) < 1e-3


def test_one_round_is_not_enough():
    fit = fit_mixtures(opinions(items=3), 2, floor=0.1, tolerance=1e-12, most_rounds=2)
    assert not fit.has_converged.any()
    expected = mixture_log_density(opinions(items=3), fit.weights, fit.means, fit.sigmas).sum(axis=1)
    np.testing.assert_allclose(fit.log_likelihood, expected)


@pytest.mark.parametrize("cells", [1, 100, 38 * 3])
def test_samples_are_fitted_in_pieces_as_at_once(monkeypatch, cells: int):
    samples = opinions(items=7)
    whole = fit_mixtures(samples, 2, floor=0.1)
    monkeypatch.setattr(mixture, "CELLS_AT_ONCE", cells)
    for piecewise, expected in zip(fit_mixtures(samples, 2, floor=0.1), whole, strict=True):
        np.testing.assert_allclose(piecewise, expected, rtol=1e-9)


def test_a_value_far_from_all_components_has_its_log_density():
    found = mixture_log_density(np.array([[0.0, 100.0]]), np.array([[1.0]]), np.array([[0.0]]), np.array([[1.0]]))
    np.testing.assert_allclose(found, [[norm.logpdf(0), norm.logpdf(100)]])


def test_a_round_that_gains_nothing_is_the_last_even_without_tolerance():
    # One component is found at once: the second round gains exactly 0.
    fit = fit_mixtures(np.array([[1.0, 3.0], [2.0, 6.0]]), 1, floor=FLOOR, tolerance=0.0)
    assert fit.has_converged.tolist() == [True, True]


def test_one_component_begins_where_it_ends():
    """The mean and standard deviation of all values are the best Gaussian; no round is needed to find them."""
    samples = np.array([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])
    fit = fit_mixtures(samples, 1, floor=FLOOR, most_rounds=0)
    assert fit.weights.tolist() == [[1], [1]]
    np.testing.assert_allclose(fit.means[:, 0], samples.mean(axis=1))
    np.testing.assert_allclose(fit.sigmas[:, 0], samples.std(axis=1))


def test_one_round_gives_the_moments_of_the_shares():
    """Weight, mean and variance of each component, the values weighted by their posterior probabilities."""
    values = np.array([0.0, 1.0, 1.5, 4.0, 6.0])
    start = mixture._Components(*(np.array(column)[:, None] for column in ([0.4, 0.6], [1.0, 3.0], [1.0, 2.0])))
    likelihood, found = mixture._em_round(values[:, None], start, 1e-3)
    joint = np.array([0.4 * norm(1, 1).pdf(values), 0.6 * norm(3, 2).pdf(values)])
    assert likelihood[0] == pytest.approx(np.log(joint.sum(axis=0)).sum())
    for place, shares in enumerate(joint / joint.sum(axis=0)):
        mean = np.average(values, weights=shares)
        sigma = np.sqrt(np.average((values - mean) ** 2, weights=shares))
        expected = [shares.mean(), mean, sigma]
        assert [column[place, 0] for column in found] == pytest.approx(expected)
