"""The fit of the mixture at its default settings: shares are recovered, and probabilities mean what they say."""

from dataclasses import replace

import numpy as np
import pytest

from similitude.errors import EstimationError
from similitude.stats.label_noise import fit_label_noise
from similitude.stats.noisy_labels import NoisyLabels, wrong_labels

LEVELS = 5


def simulated(seed, share, *, pairs=500, swapped=0.0, slips=0.0):
    """Opposed pairs of labels with a good forecast, of which some are one step off, replaced by others or exchanged."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, LEVELS, pairs)
    opinion = np.stack([first, np.clip(LEVELS - 1 - first + rng.integers(-1, 2, pairs), 0, LEVELS - 1)], axis=1)
    careful = np.clip(opinion + slipped(seed, opinion.shape, slips), 0, LEVELS - 1)
    other = (careful + rng.integers(1, LEVELS, careful.shape)) % LEVELS
    given = np.where(rng.random(careful.shape) < share, other, careful)
    given = np.where(rng.random((pairs, 1)) < swapped, given[:, ::-1], given)
    data = NoisyLabels(
        labels=given.ravel(),
        forecasts=(opinion + rng.normal(0, 1.0, opinion.shape)).ravel(),
        levels=LEVELS,
        links=np.arange(2 * pairs).reshape(-1, 2),
        kinds=np.zeros(pairs, np.intp),
        swaps=(True,),
    )
    return data, (given != careful).ravel()


def slipped(seed, shape, share):
    rng = np.random.default_rng([seed, 1])
    return np.where(rng.random(shape) < share, rng.choice([-1, 1], shape), 0)


@pytest.mark.parametrize("share", [0.05, 0.2, 0.3])
def test_the_share_of_wrong_labels_is_recovered(share):
    data, wrong = simulated(1, share)
    noise, interval = fit_label_noise(data)
    assert interval.low < wrong.mean() < interval.high
    assert wrong_labels(noise, data).wrong.mean() == pytest.approx(wrong.mean(), abs=0.05)


def test_exchanged_labels_are_recovered_as_such():
    data, wrong = simulated(2, 0.0, pairs=1000, swapped=0.2)
    noise, _ = fit_label_noise(data)
    assert noise.swapped == pytest.approx(0.2, abs=0.06)
    assert noise.wrong < 0.03
    found = wrong_labels(noise, data)
    suspect = found.wrong > 0.5
    assert wrong[suspect].mean() > 0.9
    assert (found.swapped[suspect] > 0.5 * found.wrong[suspect]).mean() > 0.95


def test_a_label_one_step_off_is_not_wrong():
    data, wrong = simulated(5, 0.1, pairs=1500, slips=0.3)
    noise, interval = fit_label_noise(data)
    assert noise.slips > 0.1
    assert interval.low < wrong.mean() < interval.high
    said = wrong_labels(noise, data).wrong
    likely = said > 0.5
    assert wrong[likely].mean() == pytest.approx(said[likely].mean(), abs=0.1)


def test_right_labels_are_not_suspected():
    data, _ = simulated(3, 0.0)
    noise, interval = fit_label_noise(data)
    assert wrong_labels(noise, data).wrong.mean() < 0.03
    assert interval.low < 0.01


@pytest.mark.slow
def test_of_labels_with_a_probability_that_share_is_wrong():
    said, wrong = [], []
    for seed, share in enumerate((0.05, 0.1, 0.2, 0.3) * 2):
        data, truth = simulated(10 + seed, share)
        noise, _ = fit_label_noise(data)
        said.append(wrong_labels(noise, data).wrong)
        wrong.append(truth)
    probability, truth = np.concatenate(said), np.concatenate(wrong)
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        chosen = (probability >= low) & (probability < low + 0.2 + (low == 0.8))
        assert chosen.sum() > 60
        assert truth[chosen].mean() == pytest.approx(probability[chosen].mean(), abs=0.12)


def test_the_order_of_links_does_not_matter():
    data, _ = simulated(4, 0.2, pairs=200)
    turned = replace(data, links=data.links[::-1, ::-1])
    one, other = (wrong_labels(fit_label_noise(each)[0], each).wrong for each in (data, turned))
    assert one == pytest.approx(other, abs=2e-3)


def test_equal_labels_are_refused():
    none = np.zeros((0, 2), np.intp)
    same = NoisyLabels(labels=np.zeros(9, np.intp), forecasts=np.zeros(9), levels=1, links=none, kinds=none[:, 0])
    with pytest.raises(EstimationError, match="all labels are equal"):
        fit_label_noise(same)


def test_labels_of_pairs_that_are_always_one_high_and_one_low_have_a_fit():
    """The search once stepped to a share of 1, whose density was not finite, and stopped there."""
    counts = {(2, 0): 164, (2, 1): 334, (2, 2): 189, (3, 0): 856, (3, 1): 890, (3, 2): 402}
    counts |= {(4, 0): 1778, (4, 1): 898, (4, 2): 160}
    given = np.repeat(np.array([*counts]), [*counts.values()], axis=0)
    pairs = len(given)
    links, kinds = np.arange(2 * pairs).reshape(-1, 2), np.zeros(pairs, np.intp)
    said = NoisyLabels(
        labels=given.ravel(), forecasts=np.zeros(2 * pairs), levels=LEVELS, links=links, kinds=kinds, swaps=(True,)
    )
    noise, interval = fit_label_noise(said)
    assert noise.wrong < 0.01
    assert interval.low < 0.01 < interval.high
