"""Best-worst answers of annotators of whom some click at random."""

from itertools import permutations

import numpy as np
import pytest

from similitude.stats.annotator_choices import ChoiceList, _grid, fit_annotators

UTILITIES = np.linspace(-1.5, 1.5, 12)
CLICKERS = (2, 7)


def chances_of(utilities: np.ndarray, items: np.ndarray) -> tuple[list[tuple[int, int]], np.ndarray]:
    """All pairs of best and worst of a set, and how likely each is: exp(u_best - u_worst), normalised."""
    pairs = list(permutations(items.tolist(), 2))
    weights = np.exp([utilities[best] - utilities[worst] for best, worst in pairs])
    return pairs, weights / weights.sum()


def simulated(answers: int = 50, seed: int = 0) -> ChoiceList:
    """Eight annotators, of whom two click at random; sets of three or four of twelve options."""
    rng = np.random.default_rng(seed)
    members = np.array([rng.choice(12, 4, replace=False) for _ in range(40)])
    is_member = np.ones((40, 4), dtype=bool)
    is_member[::5, 3] = False
    rows = []
    for annotator in range(8):
        for _ in range(answers):
            number = rng.integers(40)
            pairs, chances = chances_of(2 * UTILITIES, members[number][is_member[number]])
            drawn = rng.integers(len(pairs)) if annotator in CLICKERS else rng.choice(len(pairs), p=chances)
            rows.append((number, *pairs[drawn], annotator))
    set_of, best, worst, annotator = np.array(rows).T
    return ChoiceList(members, is_member, set_of, best, worst, annotator, 12, 8)


def test_random_clickers_are_found_and_utilities_recovered():
    fit = fit_annotators(simulated(), prior=0.1)
    assert fit.has_converged
    assert fit.change < 1e-3
    clicks = np.isin(np.arange(8), CLICKERS)
    assert (fit.random_clicking[clicks] > 0.9).all()
    assert (fit.random_clicking[~clicks] < 0.1).all()
    assert (fit.attention[~clicks] > 0.8).all()
    assert (fit.attention[clicks] < 0.2).all()
    assert np.corrcoef(fit.utilities, UTILITIES)[0, 1] > 0.97
    # the prior counts one clicker among ten more annotators: (1 + 2) / (10 + 8)
    assert fit.clickers == pytest.approx(3 / 18, abs=0.06)
    assert ((fit.attentive >= 0) & (fit.attentive <= 1)).all()


def test_at_the_end_attentive_answers_are_those_that_are_expected():
    """By option, what attentive answers chose minus what they are expected to choose is the pull of the prior."""
    given, prior = simulated(), 0.5
    fit = fit_annotators(given, prior=prior)
    slope = -prior * fit.utilities
    for number, best, worst, weight in zip(given.set_of, given.best, given.worst, fit.attentive, strict=True):
        slope[best] += weight
        slope[worst] -= weight
        pairs, chances = chances_of(fit.utilities, given.members[number][given.is_member[number]])
        for (high, low), chance in zip(pairs, chances, strict=True):
            slope[high] -= weight * chance
            slope[low] += weight * chance
    # a step of a thousandth, times an information of about a hundred for each option
    assert np.abs(slope).max() < 0.3
    assert fit.utilities.sum() == pytest.approx(0, abs=1e-9)


def test_a_stronger_prior_pulls_to_the_middle():
    weak, strong = (fit_annotators(simulated(), prior=prior).utilities for prior in (0.1, 20.0))
    assert np.abs(strong).max() < 0.7 * np.abs(weak).max()


def test_information_is_symmetric_and_holds_the_prior():
    """Without the prior, a common shift changes nothing: rows sum to it."""
    fit = fit_annotators(simulated(), prior=0.5)
    information = fit.information.toarray()
    np.testing.assert_allclose(information, information.T, atol=1e-9)
    np.testing.assert_allclose(information.sum(axis=1), 0.5, atol=1e-6)
    assert np.linalg.eigvalsh(information).min() > 0


def test_rounds_are_told_and_can_end():
    told: list[tuple[int, int]] = []
    fit = fit_annotators(simulated(), prior=0.1, rounds=2, tell=lambda done, rounds: told.append((done, rounds)))
    assert told == [(1, 2), (2, 2)]
    assert (fit.rounds, fit.has_converged) == (2, False)
    whole = fit_annotators(simulated(), prior=0.1)
    assert 3 < whole.rounds < 200


def test_attention_is_summed_over_sixteen_values():
    # Beta(9, 1) has the distribution function x^9: between k / 16 and (k + 1) / 16 lie ((k + 1)^9 - k^9) / 16^9.
    attention, log_chances = _grid()
    assert attention.tolist() == [(2 * k + 1) / 32 for k in range(16)]
    np.testing.assert_allclose(log_chances, [np.log(((k + 1) ** 9 - k**9) / 16**9) for k in range(16)])
