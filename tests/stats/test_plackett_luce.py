from itertools import permutations

import numpy as np
import pytest
from scipy.sparse import csr_array

from similitude.stats import standard_errors
from similitude.stats.plackett_luce import Choices, _look, _shortened, choice_moments, fit_utilities, newton_step
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


def test_a_step_that_overshoots_is_halved():
    """One answer for each of two options, far from the top at (3, -3), with a prior of .5.

    The log-likelihood is -2 log(e^6 + e^-6) = -12, less .25 x 18; it has next to no curvature there, so that the Newton
    step is (2 + 3 x .5) / .5 = 7 downwards, to -16 - .25 x 32: lower than before. Half of it goes to -.5.
    """
    utilities, given = np.array([3.0, -3.0]), (np.zeros(2), [one_set("pair", 2, 2)], 0.5)
    here = _look(utilities, *given)
    assert here.height == pytest.approx(-16.5, abs=1e-4)
    moved, found = _shortened(utilities, newton_step(here.information, here.slope), here.height, *given)
    np.testing.assert_allclose(moved, [-0.5, 0.5], atol=1e-3)
    assert found.height == _look(moved, *given).height


def test_next_to_the_top_the_whole_step_is_taken_whatever_rounding_says():
    utilities, given = np.array([1e-8, -1e-8]), (np.zeros(2), [one_set("pair", 2, 2)], 0.5)
    here = _look(utilities, *given)
    moved, _ = _shortened(utilities, newton_step(here.information, here.slope), here.height, *given)
    np.testing.assert_allclose(moved, 0, atol=1e-10)


def test_rounds_are_newton_steps():
    """Two of three answers for an option: the first step is 1 / (2 x 3), as each choice has the variance 1 at 0."""
    fit = fit_utilities(np.array([1.0, -1.0]), [one_set("pair", 2, 3)], prior=0, most_rounds=1)
    np.testing.assert_allclose(fit.values, [1 / 6, -1 / 6])
    assert fit.rounds == 1
    whole = fit_utilities(np.array([1.0, -1.0]), [one_set("pair", 2, 3)], prior=0)
    np.testing.assert_allclose(whole.values, [np.log(2) / 4, -np.log(2) / 4], atol=1e-6)


def test_the_steepest_gradient_counts():
    """At 0 every option is expected as often best as worst, so that the gradient is what was chosen."""
    sets = [one_set("pair", 3, 4)]
    assert fit_utilities(np.array([2.0, -0.5, -1.5]), sets, prior=0, most_rounds=0).steepest == 2
    fit = fit_utilities(np.array([2.0, 0.0, -2.0]), sets, prior=0)
    assert fit.steepest < 1e-6
    assert fit.values[0] > 0.1


def test_an_option_that_was_never_shown_stays_where_the_prior_has_it():
    fit = fit_utilities(np.array([1.0, -1.0, 0.0]), [one_set("pair", 2, 3)], prior=0.5)
    assert fit.values[2] == 0
    assert fit.information.toarray()[2].tolist() == [0, 0, 0.5]


@pytest.mark.parametrize("kind", ["pair", "best"])
def test_sets_of_very_different_heights_do_not_disturb_each_other(kind):
    """In the second set, both options are as likely, though e^-2000 is less than the least number there is."""
    sets = Choices(kind, np.array([[0, 1], [2, 3]]), np.ones((2, 2), dtype=bool), np.ones(2))
    found = choice_moments(sets, np.array([1000.0, -1000.0, 0.0, 0.0]))
    np.testing.assert_allclose(found.expected, [[1, -1 if kind == "pair" else 0], [0 if kind == "pair" else 0.5] * 2])
    assert found.log_total[1] == pytest.approx(np.log(2))


def test_options_shown_far_more_often_than_others_are_solved_as_accurately():
    """Without the preconditioner, residuals of the frequent options hide those of the others."""
    own = np.logspace(-6, 6, 40)
    step = np.random.default_rng(0).normal(size=40)
    np.testing.assert_allclose(newton_step(csr_array(np.diag(own)), own * step), step, rtol=1e-9)
