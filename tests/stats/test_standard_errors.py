"""Standard errors of utilities that sum to 0: against the inverse, written out."""

import numpy as np
import pytest
from scipy.sparse import csr_array, diags_array, eye_array

from similitude.stats import standard_errors
from similitude.stats.standard_errors import _probes, _solved, centred_covariance, centred_errors


def laplacian(options: int, seed: int = 0) -> np.ndarray:
    """Information in which options were compared with each other a few times, the later ones more often."""
    often = np.linspace(0.3, 3, options)
    weights = np.triu(np.random.default_rng(seed).uniform(0.5, 2, (options, options)) * np.outer(often, often), 1)
    return np.diag((weights + weights.T).sum(axis=1)) - weights - weights.T


def by_definition(information: np.ndarray) -> np.ndarray:
    """The inverse, which is centred on both sides."""
    centring = np.eye(len(information)) - 1 / len(information)
    return centring @ np.linalg.pinv(information) @ centring


class Ones:
    """A source of signs that are all 1; it counts them."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, int]] = []

    def choice(self, values: list[float], size: tuple[int, int]) -> np.ndarray:
        assert values == [-1.0, 1.0]
        self.shapes.append(size)
        return np.ones(size)


@pytest.mark.parametrize("prior", [0.0, 0.5])
def test_covariance_of_centred_utilities(prior: float):
    information = laplacian(5) + prior * np.eye(5)
    before = information.copy()
    np.testing.assert_allclose(centred_covariance(information, prior), by_definition(information), atol=1e-12)
    np.testing.assert_array_equal(information, before)
    errors = centred_errors(csr_array(information), prior, np.random.default_rng(0))
    np.testing.assert_allclose(errors, np.sqrt(np.diagonal(by_definition(information))))


def test_two_options_by_hand():
    """A gap with information 4 x 3 has the variance 1/12; each utility is half of the gap."""
    covariance = centred_covariance(3 * np.array([[1.0, -1.0], [-1.0, 1.0]]), 0.0)
    np.testing.assert_allclose(covariance, np.array([[1, -1], [-1, 1]]) / 12)


def test_an_option_alone_is_0_without_error():
    assert centred_covariance(np.zeros((1, 1)), 0.0).tolist() == [[0.0]]


def test_information_that_is_none_has_no_errors():
    assert np.isnan(centred_covariance(-np.eye(3), 0.0)).all()
    assert np.isnan(centred_errors(csr_array(-np.eye(3)), 0.0, np.random.default_rng(0))).all()


def test_estimated_errors_are_near_the_exact_ones():
    information = laplacian(120) + 0.1 * np.eye(120)
    exact = centred_errors(csr_array(information), 0.1, np.random.default_rng(0), exact_up_to=120)
    np.testing.assert_allclose(exact, np.sqrt(np.diagonal(by_definition(information))))
    estimated = centred_errors(csr_array(information), 0.1, np.random.default_rng(0), exact_up_to=119)
    assert 0 < np.abs(estimated / exact - 1).max() < 0.02
    assert np.abs(estimated / exact - 1).mean() < 0.005


def test_the_options_shown_most_often_are_exact_whatever_the_signs():
    information = laplacian(45) + 0.1 * np.eye(45)
    estimated = centred_errors(csr_array(information), 0.1, Ones(), exact_up_to=0)
    exact = np.sqrt(np.diagonal(by_definition(information)))
    is_exact = np.isclose(estimated, exact, rtol=1e-3)
    assert sorted(np.flatnonzero(is_exact)) == sorted(np.argsort(np.diagonal(information))[-20:])


def test_number_of_random_signs():
    signs = Ones()
    centred_errors(csr_array(laplacian(25)), 0.0, signs, exact_up_to=10)
    assert signs.shapes == [(25, 200)]
    assert [_probes(options) for options in (20_000, 20_001)] == [200, 40]


@pytest.mark.parametrize(("together", "numbers"), [(30 * 60, [60, 60, 60, 20]), (30 * 199, [199, 1]), (1, [1] * 200)])
def test_signs_are_drawn_in_pieces(monkeypatch: pytest.MonkeyPatch, together: int, numbers: list[int]):
    monkeypatch.setattr(standard_errors, "TOGETHER", together)
    information, signs = csr_array(laplacian(30) + 0.1 * np.eye(30)), Ones()
    whole = Ones()
    pieces = centred_errors(information, 0.1, signs, exact_up_to=0)
    assert [number for _, number in signs.shapes] == numbers
    monkeypatch.undo()
    np.testing.assert_allclose(pieces, centred_errors(information, 0.1, whole, exact_up_to=0))
    assert len(whole.shapes) == 1


def test_errors_of_more_than_3000_options_are_estimated(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(standard_errors, "_estimated", lambda information, rng: np.full(information.shape[0], 4.0))
    assert (centred_errors(csr_array(eye_array(3001)), 1.0, np.random.default_rng(0)) == 2).all()


@pytest.mark.parametrize("scale", [1.0, 1e4])
def test_solutions_are_centred_and_accurate_enough(scale: float):
    """Targets are centred first; a target without differences has the solution 0."""
    information = scale * laplacian(30)
    targets = np.random.default_rng(1).normal(3, 1, (30, 4))
    targets[:, 1] *= 1e-6
    targets[:, 2] = 5.0
    found = _solved(csr_array(information), targets)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-12)
    centred = targets - targets.mean(axis=0)
    missed = np.linalg.norm(information @ found - centred, axis=0)
    assert (missed <= 1e-4 * np.linalg.norm(centred, axis=0)).all()
    assert (missed[[0, 3]] > 1e-9).all()  # and no more accurate than need be
    assert (found[:, 2] == 0).all()


def test_a_target_that_is_solved_does_not_move_with_others():
    """A chain of options: a target that is spread evenly is solved sooner than one at a single place."""
    chain = diags_array([np.full(60, 2.5), np.full(59, -1.0), np.full(59, -1.0)], offsets=[0, 1, -1]).tocsr()
    even = np.tile([1.0, -1.0], 30) + np.random.default_rng(0).normal(0, 0.01, 60)
    single = np.eye(60)[0]
    alone = _solved(chain, even[:, None])[:, 0]
    np.testing.assert_allclose(_solved(chain, np.stack([even, single], axis=1))[:, 0], alone, rtol=1e-12)


def test_a_long_chain_is_solved_in_few_rounds():
    """Steepest descent would need thousands; information is large, so that all squares are far below 1."""
    chain = 1e8 * diags_array([np.full(80, 2.001), np.full(79, -1.0), np.full(79, -1.0)], offsets=[0, 1, -1]).tocsr()
    target = np.eye(80)[:, :1]
    centred = target - target.mean()
    found = _solved(chain, target)[:, 0]
    exact = np.linalg.solve(chain.toarray(), centred[:, 0])
    np.testing.assert_allclose(found, exact - exact.mean(), atol=1e-3 * np.abs(exact).max())


def test_options_shown_far_more_often_than_others_are_solved_as_accurately():
    own = np.logspace(-3, 3, 40)
    targets = np.random.default_rng(0).normal(size=(40, 1))
    exact = (targets - targets.mean()) / own[:, None]
    np.testing.assert_allclose(_solved(csr_array(np.diag(own)), targets), exact - exact.mean(), rtol=1e-9)


def test_as_many_rounds_as_options_are_enough_however_often_they_were_shown(monkeypatch):
    """Conjugate directions of six options that are centred: five rounds."""
    monkeypatch.setattr(standard_errors, "MOST_ROUNDS", 5)
    often = np.array([0.1, 0.5, 1.0, 4.0, 20.0, 50.0])
    weights = np.triu(np.outer(often, often), 1)
    information = np.diag((weights + weights.T).sum(axis=1)) - weights - weights.T
    found = _solved(csr_array(information), np.eye(6))
    np.testing.assert_allclose(found, by_definition(information), atol=1e-4 * np.abs(found).max())


class Counted:
    """Information that counts how often it is multiplied."""

    def __init__(self, information: np.ndarray) -> None:
        self.information, self.rounds = information, 0

    def diagonal(self) -> np.ndarray:
        return np.diagonal(self.information)

    def __matmul__(self, columns: np.ndarray) -> np.ndarray:
        self.rounds += 1
        return self.information @ columns


@pytest.mark.parametrize(("place", "rounds"), [(0.0, 0), (1.0, 1)])
def test_what_is_solved_takes_no_more_rounds(place: float, rounds: int):
    """A target without differences is solved at once, a direction in which all options are alike in one step."""
    information = Counted(np.eye(4) * 3 - 0.5)
    found = _solved(information, 5.0 + place * np.array([[1.0], [-1.0], [0.0], [0.0]]))
    np.testing.assert_allclose(found[:, 0], place * np.array([1, -1, 0, 0]) / 3, atol=1e-12)
    assert information.rounds == rounds
