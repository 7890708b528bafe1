import numpy as np
import pytest
from scipy.stats import multivariate_normal

from similitude.stats.vector_mixture import VectorMixture, fit_vector_mixture


def two_kinds(rows: int = 400, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    kind = rng.random(rows) < 0.3
    return np.where(kind[:, None], rng.normal(4, 0.5, (rows, 3)), rng.normal(1, 0.5, (rows, 3))), kind


def test_one_component_is_mean_and_covariance():
    rows, _ = two_kinds()
    fit = fit_vector_mixture(rows, 1, np.random.default_rng(0))
    np.testing.assert_allclose(fit.means[0], rows.mean(axis=0))
    np.testing.assert_allclose(fit.covariances[0], np.cov(rows.T, ddof=0))
    expected = multivariate_normal(rows.mean(axis=0), np.cov(rows.T, ddof=0)).logpdf(rows)
    np.testing.assert_allclose(fit.log_density(rows), expected)
    assert fit.log_likelihood == pytest.approx(expected.sum())


@pytest.mark.parametrize("covariance", ["full", "diagonal"])
def test_two_kinds_are_found(covariance):
    rows, kind = two_kinds()
    fit = fit_vector_mixture(rows, 2, np.random.default_rng(0), covariance=covariance)
    high = int(fit.means[:, 0].argmax())
    assert fit.has_converged
    assert fit.weights[high] == pytest.approx(kind.mean(), abs=0.01)
    np.testing.assert_allclose(fit.means[high], 4, atol=0.2)
    shares = fit.responsibilities(rows)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert ((shares[:, high] > 0.5) == kind).mean() > 0.99


def test_the_likelihood_never_falls():
    rows, _ = two_kinds()
    climb = [
        fit_vector_mixture(rows, 3, np.random.default_rng(1), most_rounds=n).log_likelihood
        for n in (1, 2, 4, 8, 16, 99)
    ]
    assert (np.diff(climb) > -1e-6).all()
    assert climb[-1] > climb[0]


def test_nothing_is_narrower_than_the_floor():
    flat = np.column_stack([np.arange(20.0), np.arange(20.0)])  # no spread across the diagonal
    fit = fit_vector_mixture(flat, 1, np.random.default_rng(0), floor=0.5)
    assert np.linalg.eigvalsh(fit.covariances[0]).min() == pytest.approx(0.25)


def test_density_by_hand():
    # half N(0, 1) and half N(2, 1) at 1: both have density exp(-1/2) / sqrt(2 pi) there
    mixture = VectorMixture(np.array([0.5, 0.5]), np.array([[0.0], [2.0]]), np.ones((2, 1, 1)))
    assert mixture.log_density(np.array([[1.0]]))[0] == pytest.approx(-0.5 - 0.5 * np.log(2 * np.pi))
    np.testing.assert_allclose(mixture.responsibilities(np.array([[1.0]])), [[0.5, 0.5]])
