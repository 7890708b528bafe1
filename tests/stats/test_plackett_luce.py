from itertools import permutations

import numpy as np
import pytest
from scipy.sparse import csr_array

from similitude.stats import standard_errors
from similitude.stats.plackett_luce import Choices, _look, choice_moments, fit_utilities, newton_step
from similitude.stats.standard_errors import centred_covariance, centred_errors


def one_set(kind, size: int, count: float) -> Choices:
    return Choices(kind, np.arange(size)[None], np.ones((1, size), dtype=bool), np.array([count]))


def random_sets(kind, options: int, sets: int, seed: int = 0) -> tuple[np.ndarray, Choices]:
    """Sets of two to four options with random counts, and what might have been chosen."""
    rng = np.random.default_rng(seed)
    members = np.array([rng.choice(options, 4, replace=False) for _ in range(sets)])
    is_member = np.arange(4) < rng.integers(2, 5, sets)[:, None]
    chosen = rng.normal(0, 0.5, options)
    return chosen - chosen.mean(), Choices(kind, members, is_member, rng.integers(1, 6, sets).astype(float))


def test_a_pair_by_hand():
    # a best in 3 of 4: exp(2 d) / (exp(2 d) + 1) = 3/4 with d = u_a - u_b, so d = ln(3) / 2 and u_a = ln(3) / 4
    found = fit_utilities(np.array([2.0, -2.0]), [one_set("pair", 2, 4)], prior=0)
    np.testing.assert_allclose(found.values, [np.log(3) / 4, -np.log(3) / 4], atol=1e-8)
    # information of d is 4 n p (1 - p) = 3; u_a = d / 2, so its variance is 1/12
    expected = [[1 / 12, -1 / 12], [-1 / 12, 1 / 12]]
    np.testing.assert_allclose(centred_covariance(found.information.toarray(), 0.0), expected, atol=1e-8)


@pytest.mark.parametrize(("kind", "sign"), [("best", 1), ("worst", -1)])
def test_a_single_choice_by_hand(kind, sign: int):
    # a chosen in 3 of 4: exp(d) / (exp(d) + 1) = 3/4, so d = ln 3; chosen as worst it is the lower one
    found = fit_utilities(sign * np.array([3.0, 1.0]), [one_set(kind, 2, 4)], prior=0)
    assert found.values[0] - found.values[1] == pytest.approx(sign * np.log(3), abs=1e-5)
    assert found.values.sum() == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("kind", ["pair", "best", "worst"])
def test_totals_are_those_of_all_answers(kind):
    utilities = np.array([0.3, -1.2, 2.0])
    answers = {
        "pair": [utilities[b] - utilities[w] for b, w in permutations(range(3), 2)],
        "best": list(utilities),
        "worst": list(-utilities),
    }[kind]
    found = choice_moments(one_set(kind, 3, 1), utilities)
    assert found.log_total[0] == pytest.approx(np.log(np.exp(answers).sum()))


@pytest.mark.parametrize("kind", ["pair", "best", "worst"])
def test_gradient_and_information_are_derivatives(kind):
    chosen, sets = random_sets(kind, 6, 15)
    at = np.random.default_rng(1).normal(size=6)
    here, step = _look(at, chosen, [sets], 0.2), 1e-5
    for option, moved in enumerate(np.eye(6) * step):
        up, down = (_look(at + way * moved, chosen, [sets], 0.2) for way in (1, -1))
        assert (up.height - down.height) / (2 * step) == pytest.approx(here.slope[option], abs=1e-6)
        np.testing.assert_allclose((down.slope - up.slope) / (2 * step), here.information.toarray()[option], atol=1e-6)


def test_far_utilities_do_not_overflow():
    found = choice_moments(one_set("pair", 3, 1), np.array([800.0, 0.0, -800.0]))
    assert found.log_total[0] == pytest.approx(1600)
    np.testing.assert_allclose(found.expected, [[1, 0, -1]])


def test_the_prior_keeps_an_eternal_winner_finite():
    # slope at the maximum: 10 - 10 tanh(2 u) = prior u for u_a = -u_b = u (two options, ten answers, all for a)
    found = fit_utilities(np.array([10.0, -10.0]), [one_set("pair", 2, 10)], prior=0.1)
    u = found.values[0]
    assert 10 - 10 * np.tanh(2 * u) == pytest.approx(0.1 * u, abs=1e-6)
    assert found.steepest < 1e-6
    slack = fit_utilities(np.array([10.0, -10.0]), [one_set("pair", 2, 10)], prior=1e-6)
    assert slack.values[0] > 2 * u


def test_a_climb_that_is_cut_short_says_how_steep_it_still_is():
    assert fit_utilities(np.array([2.0, -2.0]), [one_set("pair", 2, 4)], prior=0, most_rounds=1).steepest > 1e-3


@pytest.mark.parametrize("prior", [0.0, 0.3])
def test_covariance_is_the_pseudoinverse(prior: float):
    chosen, sets = random_sets("pair", 8, 30)
    information = _look(np.zeros(8), chosen, [sets], prior).information
    centring = np.eye(8) - 1 / 8
    expected = np.linalg.pinv(centring @ information.toarray() @ centring)
    np.testing.assert_allclose(centred_covariance(information.toarray(), prior), expected, atol=1e-12)
    errors = centred_errors(information, prior, np.random.default_rng(0))
    np.testing.assert_allclose(errors, np.sqrt(np.diagonal(expected)))


def test_errors_of_many_options_are_estimated_well():
    _, sets = random_sets("pair", 300, 3000)
    information, rng = _look(np.zeros(300), np.zeros(300), [sets], 0.1).information, np.random.default_rng(0)
    exact = centred_errors(information, 0.1, rng)
    estimated = centred_errors(information, 0.1, rng, exact_up_to=10)
    assert np.abs(estimated / exact - 1).max() < 0.03
    assert not np.array_equal(estimated, exact)


def test_a_newton_step_solves_its_equation():
    _, sets = random_sets("pair", 60, 200)
    information = _look(np.random.default_rng(0).normal(size=60), np.zeros(60), [sets], 0.1).information
    slope = np.random.default_rng(1).normal(size=60)
    gap = slope - information @ newton_step(information, slope)
    assert np.linalg.norm(gap) < 2e-8 * np.linalg.norm(slope)
    rough = slope - information @ newton_step(information, slope, accuracy=1e-2)
    assert 1e-5 < np.linalg.norm(rough) / np.linalg.norm(slope) < 2e-2


def test_without_curvature_there_is_no_step():
    assert newton_step(csr_array((2, 2)), np.array([1.0, -1.0])).tolist() == [0.0, 0.0]


def test_solutions_by_hand():
    # 3 (x - y) = 1 and x + y = 0; a target that is the same everywhere is only a shift, which is removed.
    information = csr_array(3 * np.array([[1.0, -1.0], [-1.0, 1.0]]))
    found = standard_errors._solved(information, np.array([[1.0, 5.0], [-1.0, 5.0]]))
    np.testing.assert_allclose(found, [[1 / 6, 0], [-1 / 6, 0]], atol=1e-15)


def test_fewer_signs_are_drawn_for_very_many_options_only(monkeypatch: pytest.MonkeyPatch):
    _, sets = random_sets("pair", 50, 300)
    information = _look(np.zeros(50), np.zeros(50), [sets], 0.1).information

    def estimated(many: int) -> list[float]:
        monkeypatch.setattr(standard_errors, "MANY", many)
        return centred_errors(information, 0.1, np.random.default_rng(0), exact_up_to=10).tolist()

    assert estimated(50) == estimated(51)
    assert estimated(50) != estimated(49)


@pytest.mark.parametrize("together", [10, 350])
def test_signs_are_solved_for_few_at_a_time_where_memory_is_short(together: int, monkeypatch: pytest.MonkeyPatch):
    _, sets = random_sets("pair", 50, 500)
    information = _look(np.zeros(50), np.zeros(50), [sets], 0.1).information
    exact = centred_errors(information, 0.1, np.random.default_rng(0))
    monkeypatch.setattr(standard_errors, "TOGETHER", together)
    estimated = centred_errors(information, 0.1, np.random.default_rng(0), exact_up_to=10)
    np.testing.assert_allclose(estimated, exact, rtol=0.03)


def test_there_are_no_more_rounds_than_allowed():
    assert fit_utilities(np.array([2.0, -2.0]), [one_set("pair", 2, 4)], prior=0, most_rounds=0).values.tolist() == [
        0,
        0,
    ]
