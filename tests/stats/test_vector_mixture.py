import numpy as np
import pytest
from scipy.stats import multivariate_normal

from similitude.stats.vector_mixture import VectorMixture, _first_shares, fit_vector_mixture


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


@pytest.mark.parametrize("rounds", [0, 1, 3, 500])
def test_the_likelihood_is_that_of_the_mixture_that_is_returned(rounds: int):
    rows, _ = two_kinds(rows=60)
    fit = fit_vector_mixture(rows, 3, np.random.default_rng(1), most_rounds=rounds, tolerance=1e-9)
    assert fit.log_likelihood == pytest.approx(fit.log_density(rows).sum())
    assert fit.has_converged == (rounds == 500)


def test_the_best_of_several_starts_is_kept():
    rows = np.random.default_rng(4).normal(size=(30, 2)) * [1, 3]
    rng = np.random.default_rng(0)
    single = [fit_vector_mixture(rows, 4, rng).log_likelihood for _ in range(6)]
    assert max(single) > min(single) + 0.1
    best = fit_vector_mixture(rows, 4, np.random.default_rng(0), starts=6)
    assert best.log_likelihood == pytest.approx(max(single))


def test_at_the_end_each_component_is_the_weighted_moments_of_all_rows():
    rows = np.random.default_rng(4).normal(size=(40, 2)) * [1, 3]
    fit = fit_vector_mixture(rows, 2, np.random.default_rng(0), tolerance=1e-12, most_rounds=5000)
    shares = fit.responsibilities(rows)
    densities = [w * multivariate_normal(m, c).pdf(rows) for w, m, c in zip(*fit[:3], strict=True)]
    np.testing.assert_allclose(shares, (densities / np.sum(densities, axis=0)).T, rtol=1e-9)
    np.testing.assert_allclose(fit.weights, shares.mean(axis=0), atol=1e-5)
    for component in range(2):
        weights = shares[:, component]
        np.testing.assert_allclose(fit.means[component], np.average(rows, axis=0, weights=weights), atol=1e-4)
        expected = np.cov(rows.T, aweights=weights, ddof=0)
        np.testing.assert_allclose(fit.covariances[component], expected, atol=1e-3)


def test_dimensions_may_be_independent_within_a_component():
    rows = np.random.default_rng(4).normal(size=(40, 2)) @ np.array([[1.0, 0.9], [0.0, 0.5]])
    fit = fit_vector_mixture(rows, 1, np.random.default_rng(0), covariance="diagonal")
    np.testing.assert_allclose(fit.covariances[0], np.diag(rows.var(axis=0)))


def test_the_least_spread_without_a_word_is_a_thousandth():
    fit = fit_vector_mixture(np.zeros((9, 2)), 2, np.random.default_rng(0))
    np.testing.assert_allclose(fit.covariances, [np.eye(2) * 1e-6] * 2)
    assert fit.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("unit", [1.0, 1e-3])
def test_rows_that_stand_apart_are_told_apart_from_any_start(unit: float):
    rows = np.array([[0.0, 0.0], [0.0, 1.0], [50.0, 0.0], [50.0, 1.0], [0.0, 80.0], [0.0, 81.0]])
    for seed in range(20):
        fit = fit_vector_mixture(unit * rows, 3, np.random.default_rng(seed), floor=0.1 * unit)
        assert sorted(map(tuple, (fit.means / unit).round(6).tolist())) == [(0.0, 0.5), (0.0, 80.5), (50.0, 0.5)]


class Picked:
    """Picks these rows, in place of random ones."""

    def __init__(self, *rows: int) -> None:
        self.rows = list(rows)

    def integers(self, rows: int) -> int:
        return self.rows.pop(0)

    def choice(self, rows: int, p: np.ndarray) -> int:
        return self.rows.pop(0)


def test_a_row_alone_is_a_cluster():
    # from 60 and 100, the clusters are 60 61 62 and 100
    shares = _first_shares(np.array([[100.0], [60.0], [61.0], [62.0]]), 2, Picked(1, 0))
    assert shares.tolist() == [[0, 1], [1, 0], [1, 0], [1, 0]]


def test_a_cluster_without_rows_stays_where_it_is():
    # from 20 twice and 3: the second gets no row, as the first of equally near ones does, and stays at 20, where it is
    # nearest to 20 once the first has moved to 20.5; at 0 it would get the row at 1
    shares = _first_shares(np.array([[20.0], [21.0], [1.0], [3.0]]), 3, Picked(0, 0, 3))
    assert shares.argmax(axis=1).tolist() == [1, 0, 2, 2]


def test_a_cluster_that_shrinks_to_one_row_moves_there():
    # from rows 2, 4 and 1: row 4 goes to the third cluster after one round, which leaves row 8 alone in the second;
    # its mean (4, 4) is then nearest to row 5, and (5, 5) after it to row 9
    rows = [[0, 10], [11, 0], [3, 11], [1, 7], [9, 0], [6, 6], [11, 10], [4, 8], [4, 4], [5, 7]]
    shares = _first_shares(np.array(rows, dtype=float), 3, Picked(2, 4, 1))
    assert shares.argmax(axis=1).tolist() == [0, 2, 0, 0, 2, 1, 0, 0, 1, 1]


def test_an_empty_component_weighs_a_billionth():
    fit = fit_vector_mixture(np.zeros((9, 2)), 2, np.random.default_rng(0), most_rounds=0)
    np.testing.assert_allclose(np.sort(fit.weights), [1e-9, 1], rtol=1e-6)


def test_one_start_without_a_word():
    rows = np.random.default_rng(4).normal(size=(30, 2)) * [1, 3]
    by_starts = [
        [fit_vector_mixture(rows, 4, np.random.default_rng(seed), **given).log_likelihood for seed in range(4)]
        for given in ({}, {"starts": 1}, {"starts": 2})
    ]
    assert by_starts[0] == by_starts[1] != by_starts[2]


def test_the_climb_ends_when_a_round_gains_less_than_the_tolerance_per_row():
    rows = two_kinds(rows=60)[0] + np.random.default_rng(5).normal(0, 1.5, (60, 3))
    path = [
        fit_vector_mixture(rows, 2, np.random.default_rng(1), tolerance=-np.inf, most_rounds=n).log_likelihood
        for n in range(40)
    ]
    gains = np.diff(path) / len(rows)
    last = 1 + int(np.argmax(gains < 1e-3))
    assert 2 < last < 30
    assert fit_vector_mixture(rows, 2, np.random.default_rng(1), tolerance=1e-3).log_likelihood == path[last]
