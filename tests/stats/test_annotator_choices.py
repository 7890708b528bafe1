"""Best-worst answers of annotators of whom some click at random."""

from itertools import permutations

import numpy as np
import pytest

from similitude.stats.annotator_choices import AnnotatorFit, ChoiceList, _grid, _Model, _People, fit_annotators

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


# Three options; a set of two and a set of three, whose places are one more than they need. Two annotators with three
# answers each; in the empty place of the first set stands an option that is named in its answers.
FEW = ChoiceList(
    members=np.array([[0, 1, 0, 0], [2, 0, 1, 1]]),
    is_member=np.array([[True, True, False, False], [True, True, True, False]]),
    set_of=np.array([0, 0, 1, 1, 1, 0]),
    best=np.array([0, 0, 0, 1, 2, 1]),
    worst=np.array([1, 1, 2, 2, 0, 0]),
    annotator=np.array([0, 0, 0, 1, 1, 1]),
    options=3,
    annotators=2,
)


def gaps_of(given: ChoiceList, utilities: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per answer: how likely it is, choice minus expected choice by option, and the covariance of choices."""
    likely, gaps, covariances = [], [], []
    for number, best, worst in zip(given.set_of, given.best, given.worst, strict=True):
        pairs, chances = chances_of(utilities, given.members[number][given.is_member[number]])
        vectors = np.array([np.eye(given.options)[high] - np.eye(given.options)[low] for high, low in pairs])
        at, mean = pairs.index((best, worst)), chances @ vectors
        likely.append(chances[at])
        gaps.append(vectors[at] - mean)
        covariances.append((vectors - mean).T * chances @ (vectors - mean))
    return np.array(likely), np.array(gaps), np.array(covariances)


def first_judgement(given: ChoiceList, prior: float) -> tuple[AnnotatorFit, np.ndarray]:
    """The fit after two rounds, of which the second judges, and the utilities by which it judges."""
    start = fit_annotators(given, prior=prior, rounds=1)
    assert np.abs(start.utilities).max() < 0.25
    return fit_annotators(given, prior=prior, rounds=2), start.utilities


def test_annotators_are_judged_by_their_answers_as_if_each_were_not_there():
    """One Newton step back: the log-probability of an answer falls by the sum of gap^2 / information of the option."""
    prior = 2.0
    fit, utilities = first_judgement(FEW, prior)
    likely, gaps, _ = gaps_of(FEW, utilities)
    information = gaps_of(FEW, np.zeros(3))[2].sum(axis=0).diagonal() + prior  # of the first round
    pairs = np.array([2, 2, 6, 6, 6, 2])
    odds = pairs * likely * np.exp(-(gaps**2 / information).sum(axis=1))
    attention, log_chances = _grid()
    mixed = 1 + attention * (odds[:, None] - 1)
    for annotator in (0, 1):
        own = np.flatnonzero(FEW.annotator == annotator)
        weights = np.exp(log_chances) * mixed[own].prod(axis=0)
        clicking = 0.1 / (0.1 + 0.9 * weights.sum())
        weights *= (1 - clicking) / weights.sum()
        assert fit.random_clicking[annotator] == pytest.approx(clicking)
        assert fit.attention[annotator] == pytest.approx(weights @ attention)
        by_answer = attention * odds[own][:, None] / mixed[own]
        np.testing.assert_allclose(fit.attentive[own], by_answer @ weights)
    # one clicker among ten more annotators
    assert fit.clickers == pytest.approx((fit.random_clicking.sum() + 1) / 12)


def test_nobody_is_judged_before_the_utilities_settle():
    """Four of four answers for the first of two options: the first Newton step is 4 / (2 x 4 + prior) = .4."""
    given = FEW._replace(
        set_of=np.zeros(4, int), best=np.zeros(4, int), worst=np.ones(4, int), annotator=np.arange(4) % 2
    )
    first = fit_annotators(given, prior=2.0, rounds=1)
    np.testing.assert_allclose(first.utilities, [0.4, -0.4, 0.0])
    assert first.change == pytest.approx(0.4)
    second = fit_annotators(given, prior=2.0, rounds=2)
    for fit in (first, second):
        assert fit.attention.tolist() == [1, 1]
        assert fit.random_clicking.tolist() == [0, 0]
        assert fit.clickers == 0.1
        assert not fit.has_converged


def test_annotators_are_judged_even_if_utilities_never_move():
    """One answer for each side: utilities are 0 from the first round on, and nothing tells clicking from attention."""
    given = FEW._replace(set_of=np.zeros(2, int), best=np.array([0, 1]), worst=np.array([1, 0]), annotator=np.arange(2))
    fit = fit_annotators(given, prior=1.0)
    assert fit.has_converged
    np.testing.assert_allclose(fit.utilities, 0, atol=1e-12)
    assert (fit.random_clicking > 0.05).all()
    assert (fit.attention < 0.9).all()


def test_the_largest_change_of_an_annotator_counts():
    before = _People(np.array([0.5, 0.9]), np.array([0.1, 0.2]), 0.1, True)
    assert before.change_to(_People(np.array([0.6, 0.9]), np.array([0.1, 0.5]), 0.1, True)) == pytest.approx(0.3)
    assert before.change_to(_People(np.array([0.1, 0.8]), np.array([0.1, 0.2]), 0.1, True)) == pytest.approx(0.4)


TWO = FEW._replace(set_of=np.zeros(2, int), best=np.array([0, 1]), worst=np.array([1, 0]), annotator=np.arange(2))


def test_a_step_that_overshoots_is_halved():
    """One answer for each of two options, far from the top at (3, -3), with a prior of .5.

    The log-likelihood is -2 log(e^6 + e^-6) = -12, less .25 x 18; it has next to no curvature there, so that the Newton
    step is (2 + 3 x .5) / .5 = 7 downwards, to -16 - .25 x 32: lower than before. Half of it goes to -.5.
    """
    utilities = np.array([3.0, -3.0, 0.0])
    model = _Model(TWO, 0.5)
    step = model.step(model.moments(utilities), utilities, np.ones(2))
    np.testing.assert_allclose(step, [-3.5, 3.5, 0.0], rtol=1e-3, atol=1e-9)


def test_the_prior_counts_in_the_height_of_a_step():
    """At (1, -1) with a prior of 8, the whole Newton step is taken, though it lowers the likelihood of the answers.

    Both answers say that the first option is best. Expected is tanh 2 = .964, the variance .0707: the slope is
    2 - 1.928 - 8 and the information 4 x .0707 + 8, which makes the step -.957.
    """
    utilities = np.array([1.0, -1.0, 0.0])
    model = _Model(TWO._replace(best=np.zeros(2, int), worst=np.ones(2, int)), 8.0)
    step = model.step(model.moments(utilities), utilities, np.ones(2))
    np.testing.assert_allclose(step, [-0.957, 0.957, 0.0], atol=1e-3)


def test_next_to_the_top_the_whole_step_is_taken_whatever_rounding_says():
    utilities = np.array([1e-8, -1e-8, 0.0])
    model = _Model(TWO, 0.5)
    step = model.step(model.moments(utilities), utilities, np.ones(2))
    np.testing.assert_allclose(step, -utilities, rtol=1e-3, atol=1e-12)


def test_information_loses_what_is_unknown_about_attention():
    """Louis (1982): attentive x covariance of choices, minus attentive x (1 - attentive) x gap x gap, and the prior."""
    fit = fit_annotators(FEW, prior=0.5)
    _, gaps, covariances = gaps_of(FEW, fit.utilities)
    lost = np.einsum("a,ao,ap->op", fit.attentive * (1 - fit.attentive), gaps, gaps)
    expected = np.einsum("a,aop->op", fit.attentive, covariances) - lost + 0.5 * np.eye(3)
    np.testing.assert_allclose(fit.information.toarray(), expected, atol=1e-9)


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
    told.clear()
    fit_annotators(FEW, prior=1.0, tell=lambda done, rounds: told.append((done, rounds)))
    assert told[0] == (1, 200)
    assert (fit.rounds, fit.has_converged) == (2, False)
    whole = fit_annotators(simulated(), prior=0.1)
    assert 3 < whole.rounds < 200


def test_attention_is_summed_over_sixteen_values():
    # Beta(9, 1) has the distribution function x^9: between k / 16 and (k + 1) / 16 lie ((k + 1)^9 - k^9) / 16^9.
    attention, log_chances = _grid()
    assert attention.tolist() == [(2 * k + 1) / 32 for k in range(16)]
    np.testing.assert_allclose(log_chances, [np.log(((k + 1) ** 9 - k**9) / 16**9) for k in range(16)])
