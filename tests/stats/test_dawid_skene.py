"""The model of Dawid and Skene, written out."""

import numpy as np
import pytest

from similitude.stats.dawid_skene import LabelList, _extrapolated, _State, fit_dawid_skene


def simulated(items: int = 60, seed: int = 0) -> tuple[LabelList, np.ndarray]:
    """Four annotators, three labels; the last calls half of the 2s a 1; some answers are missing."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, items, p=[0.5, 0.3, 0.2])
    right = np.array([0.9, 0.8, 0.7, 0.9])
    rows = []
    for annotator in range(4):
        for item in range(items):
            label = truth[item] if rng.random() < right[annotator] else rng.integers(3)
            label = 1 if annotator == 3 and label == 2 and rng.random() < 0.5 else label
            if item == 0 or rng.random() < 0.9:
                rows.append((annotator, item, label))
    annotator, item, label = np.array(rows).T
    return LabelList(annotator, item, label, 4, items, 3), truth


def posterior_by_definition(given: LabelList, shares: np.ndarray, confusion: np.ndarray) -> tuple[np.ndarray, float]:
    joint = np.tile(shares, (given.items, 1))
    for annotator, item, label in zip(given.annotator, given.item, given.label, strict=True):
        joint[item] *= confusion[annotator, :, label]
    return joint / joint.sum(axis=1, keepdims=True), float(np.log(joint.sum(axis=1)).sum())


def parameters_by_definition(given: LabelList, posterior: np.ndarray, prior: float) -> tuple[np.ndarray, np.ndarray]:
    shares = posterior.sum(axis=0) + prior
    confusion = np.tile(prior + np.eye(3), (4, 1, 1))
    for annotator, item, label in zip(given.annotator, given.item, given.label, strict=True):
        confusion[annotator, :, label] += posterior[item]
    return shares / shares.sum(), confusion / confusion.sum(axis=2, keepdims=True)


@pytest.mark.parametrize("prior", [0.5, 2.0])
def test_the_first_round_starts_from_the_votes(prior: float):
    given, _ = simulated()
    votes = np.zeros((given.items, 3))
    np.add.at(votes, (given.item, given.label), 1)
    shares, confusion = parameters_by_definition(given, votes / votes.sum(axis=1, keepdims=True), prior)
    fit = fit_dawid_skene(given, rounds=1) if prior == 0.5 else fit_dawid_skene(given, prior=prior, rounds=1)
    np.testing.assert_allclose(fit.shares, shares)
    np.testing.assert_allclose(fit.confusion, confusion)
    np.testing.assert_allclose(fit.posterior, posterior_by_definition(given, shares, confusion)[0])
    assert (fit.rounds, fit.has_converged) == (1, False)


def test_at_the_end_parameters_and_posterior_follow_from_each_other():
    given, truth = simulated()
    fit = fit_dawid_skene(given)
    assert fit.has_converged
    assert 5 < fit.rounds < 2000
    posterior, likelihood = posterior_by_definition(given, fit.shares, fit.confusion)
    np.testing.assert_allclose(fit.posterior, posterior)
    shares, confusion = parameters_by_definition(given, fit.posterior, 0.5)
    np.testing.assert_allclose(fit.shares, shares, atol=1e-3)
    np.testing.assert_allclose(fit.confusion, confusion, atol=1e-3)
    priors = 0.5 * np.log(fit.shares).sum() + ((0.5 + np.eye(3)) * np.log(fit.confusion)).sum()
    assert fit.log_posterior == pytest.approx(likelihood + priors)
    assert (fit.posterior.argmax(axis=1) == truth).mean() > 0.85
    assert fit.confusion[3, 2, 1] > 0.25


def test_every_round_makes_the_parameters_likelier():
    given, _ = simulated(seed=2)
    climbed = [fit_dawid_skene(given, rounds=rounds).log_posterior for rounds in range(1, 14, 3)]
    assert (np.diff(climbed) > 0).all()


def test_many_answers_do_not_underflow():
    """2,000 answers to each of two items: no probability is left of the product, but the log of it is."""
    given = LabelList(
        np.repeat(np.arange(1000), 4), np.tile([0, 0, 1, 1], 1000), np.tile([0, 0, 1, 1], 1000), 1000, 2, 2
    )
    fit = fit_dawid_skene(given)
    np.testing.assert_allclose(fit.posterior, [[1, 0], [0, 1]], atol=1e-9)
    assert np.isfinite(fit.log_posterior)


def extrapolated(*log_odds: tuple[float, ...]) -> np.ndarray:
    """The log odds of the second label, extrapolated from those of three rounds, one per item."""
    states = [_State(np.ones(2), np.ones((1, 2, 2)), np.exp([[0.0, each] for each in row]), 0.0) for row in log_odds]
    found = _extrapolated(*states).posterior
    np.testing.assert_allclose(found.sum(axis=1), 1)
    return np.log(found[:, 1] / found[:, 0])


def test_rounds_that_slow_down_evenly_are_extrapolated_to_their_end():
    # From 3 and 5 to 1, half of the way in each round.
    np.testing.assert_allclose(extrapolated((3.0, 5.0), (2.0, 3.0), (1.5, 2.0)), [1.0, 1.0])
    # From 4 to 0, a fourth of the way in each round.
    np.testing.assert_allclose(extrapolated((4.0, 0.0), (3.0, 0.0), (2.25, 0.0)), [0.0, 0.0], atol=1e-12)


def test_an_extrapolation_stands_for_2_to_about_64_rounds():
    # The second round goes back: its end is where two rounds led.
    np.testing.assert_allclose(extrapolated((1.0,), (3.0,), (2.0,)), [2.0])
    # A hundredth of the way from 1 to 0: 1 - 2 * 64 / 100 + 64^2 / 100^2; and rounds that do not slow down at all.
    np.testing.assert_allclose(extrapolated((1.0,), (0.99,), (0.9801,)), [0.1296], rtol=1e-9)
    np.testing.assert_allclose(extrapolated((0.0,), (-0.0625,), (-0.125,)), [-8.0])
    np.testing.assert_allclose(extrapolated((0.5,), (0.5,), (0.5,)), [0.5])


def test_next_to_impossible_labels_are_not_extrapolated():
    # 1e-20 and 1e-15 count as 1e-12, so nothing has moved.
    logs = [(np.log(chance),) for chance in (1e-20, 1e-15, 1e-13)]
    np.testing.assert_allclose(extrapolated(*logs), [np.log(1e-12)])


def test_the_gain_is_that_of_three_rounds_per_answer():
    given, _ = simulated()
    first, second = (fit_dawid_skene(given, rounds=rounds) for rounds in (1, 4))
    assert (first.gain, second.rounds) == (np.inf, 4)
    assert second.gain == pytest.approx((second.log_posterior - first.log_posterior) / given.label.size)


def test_labels_and_annotators_that_do_not_occur():
    """The last annotator gives only the first label, and nobody the last one."""
    given = LabelList(np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([0, 1, 0]), 2, 2, 3)
    fit = fit_dawid_skene(given)
    assert fit.posterior.argmax(axis=1).tolist() == [0, 1]
    assert fit.confusion.shape == (2, 3, 3)
    np.testing.assert_allclose(fit.posterior.sum(axis=1), 1)


def test_an_item_with_very_many_answers_beside_one_with_few():
    """1,000 contradictory answers have a probability of about e^-1400, below the least number there is."""
    label = np.append(np.arange(2000) % 2, 0)
    item = np.append(np.zeros(2000, dtype=int), 1)
    fit = fit_dawid_skene(LabelList(np.zeros(2001, dtype=int), item, label, 1, 2, 2))
    np.testing.assert_allclose(fit.posterior.sum(axis=1), 1)
    assert fit.log_posterior == pytest.approx(-2000 * np.log(2), rel=0.01)


def test_extrapolation_over_a_great_distance_is_finite():
    """100 items head for their label steadily, which makes the step 64; one wavers, by .2 and back: 64^2 x -.4."""
    steady = [np.array([[1 - loser, loser]] * 100) for loser in (1e-2, 1e-7, 1e-12)]
    wavering = [np.array([[share, 1 - share]]) for share in (0.5, 0.6, 0.5)]
    states = [
        _State(np.ones(2), np.ones((1, 2, 2)), np.concatenate(parts), 0.0)
        for parts in zip(steady, wavering, strict=True)
    ]
    found = _extrapolated(*states).posterior
    np.testing.assert_allclose(found[:100], [[1, 0]] * 100, atol=1e-12)
    np.testing.assert_allclose(found[100], [0, 1], atol=1e-12)
