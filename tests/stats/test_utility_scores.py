import numpy as np
import pytest
from scipy.sparse import csr_array

from similitude.stats import utility_scores
from similitude.stats.utility_scores import margins, score_utilities


def laplacian(options: int, seed: int = 0) -> np.ndarray:
    """Information in which every option was compared with every other a few times."""
    weights = np.random.default_rng(seed).uniform(0.5, 2, (options, options))
    weights = np.triu(weights, 1) + np.triu(weights, 1).T
    return np.diag(weights.sum(axis=1)) - weights


def scored(utilities: np.ndarray, information: np.ndarray, parts: list[int] | None = None, prior: float = 0.1):
    size = len(utilities)
    return score_utilities(
        utilities,
        csr_array(information + prior * np.eye(size)),
        np.zeros(size, dtype=int) if parts is None else np.array(parts),
        np.random.default_rng(0),
        prior=prior,
        steepness=1.0,
    )


def test_two_options_by_hand():
    # 3 wins of 4: u = +-ln(3) / 4, margin 3/4 - 1/4; its error is that of 2 p - 1, 2 sqrt(p (1 - p) / n)
    u = np.log(3) / 4
    information = 3 * np.array([[1.0, -1.0], [-1.0, 1.0]])  # 4 n p (1 - p) = 3 for the gap
    found = scored(np.array([u, -u]), information, prior=0.0)
    np.testing.assert_allclose(found.margin, [0.5, -0.5])
    np.testing.assert_allclose(found.margin_error, 2 * np.sqrt(0.75 * 0.25 / 4))


def test_margins_by_hand():
    # so far apart that the better always wins: 3 wins, 2 wins and 1 loss, ...
    np.testing.assert_allclose(margins(np.array([0.0, 60.0, 20.0, 40.0]), 1.0), [-1, 1, -1 / 3, 1 / 3])


def test_margins_keep_the_order_and_sum_to_0():
    utilities = np.random.default_rng(1).normal(0, 3, 40)
    found = margins(utilities, 0.5)
    assert (np.argsort(found) == np.argsort(utilities)).all()
    assert found.sum() == pytest.approx(0, abs=1e-12)


def test_errors_are_those_of_redrawn_utilities():
    rng, utilities, information = np.random.default_rng(2), np.array([1.0, 0.2, -0.5, -0.7]), 20 * laplacian(4)
    found = scored(utilities, information)
    covariance = np.linalg.inv(information + 0.1 * np.eye(4))
    redrawn = np.array([margins(row, 1.0) for row in rng.multivariate_normal(utilities, covariance, 20_000)])
    np.testing.assert_allclose(found.margin_error, redrawn.std(axis=0), rtol=0.05)


def test_parts_are_scored_apart():
    utilities = np.array([1.0, 5.0, -1.0, -5.0, 0.0])
    information = np.zeros((5, 5))
    information[np.ix_([0, 2], [0, 2])] = laplacian(2)
    information[np.ix_([1, 3, 4], [1, 3, 4])] = laplacian(3)
    found = scored(utilities, information, [0, 1, 0, 1, 1])
    np.testing.assert_allclose(found.margin[[0, 2]], margins(utilities[[0, 2]], 1.0))
    np.testing.assert_allclose(found.margin[[1, 3, 4]], margins(utilities[[1, 3, 4]], 1.0))


def test_large_parts_come_to_nearly_the_same(monkeypatch: pytest.MonkeyPatch):
    utilities = np.random.default_rng(0).normal(0, 1.5, 300)
    utilities -= utilities.mean()
    information = laplacian(300)
    whole = scored(utilities, information)
    monkeypatch.setattr(utility_scores, "WHOLE_UP_TO", 100)
    large = scored(utilities, information)
    np.testing.assert_allclose(large.margin, whole.margin, atol=1e-5)
    np.testing.assert_allclose(large.utility_error, whole.utility_error)
    np.testing.assert_allclose(large.margin_error, whole.margin_error, rtol=0.05)


def test_margins_of_a_large_part_by_hand():
    """The slope of a margin is the mean of 1 - tanh^2 over the others; of three, a utility moves by 2/3."""
    utilities, errors = np.array([-1.0, 0.0, 1.0]), np.array([0.1, 0.2, 0.3])
    found = utility_scores._large_part(utilities, errors, 1.0)
    near, far = 1 - np.tanh(1) ** 2, 1 - np.tanh(2) ** 2
    slopes = np.array([near + far, near + near, near + far]) / 2
    np.testing.assert_allclose(found.margin_error, slopes * errors * 3 / 2, rtol=3e-3)
    np.testing.assert_allclose(found.margin, np.array([-1, 0, 1]) * (np.tanh(1) + np.tanh(2)) / 2, atol=1e-12)


def test_parts_of_up_to_a_thousand_options_are_small(monkeypatch: pytest.MonkeyPatch):
    for kind in ("small", "large"):
        monkeypatch.setattr(
            utility_scores, f"_{kind}_part", lambda own, *_, kind=kind: np.full((4, own.size), kind == "small")
        )
    for name in ("centred_covariance", "centred_errors"):
        monkeypatch.setattr(utility_scores, name, lambda *_: None)
    sizes = [1000, 1001, 3]
    found = score_utilities(
        np.zeros(2004),
        csr_array((2004, 2004)),
        np.repeat([0, 1, 2], sizes),
        np.random.default_rng(0),
        prior=0.1,
        steepness=1.0,
    )
    np.testing.assert_array_equal(found.margin, np.repeat([1, 0, 1], sizes))
