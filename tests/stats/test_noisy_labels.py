"""The mixture of right and wrong labels: posteriors by hand, and the gradient of its fit."""

from dataclasses import replace

import numpy as np
import pytest

from similitude.stats.label_noise import _Fit
from similitude.stats.label_tables import LabelNoise
from similitude.stats.noisy_labels import NoisyLabels, wrong_labels

NO_LINKS = np.zeros((0, 2), np.intp)
FLAT = LabelNoise(
    main=np.zeros((3, 2)),
    slopes=np.zeros((2, 2)),
    associations=np.array([-np.log(2.0), 0.0]),
    wrong=0.2,
    swapped=0.0,
    replacements=np.array([0.5, 0.5]),
)


def linked(*labels, kind=0):
    count = len(labels) // 2
    return NoisyLabels(
        labels=np.array(labels),
        forecasts=np.zeros(len(labels)),
        levels=2,
        links=np.arange(len(labels)).reshape(-1, 2),
        kinds=np.full(count, kind),
        swaps=(True, False),
    )


def test_two_opposed_labels_that_are_equal():
    # exp(theta) = 1/2, so J of equal answers is (1/2) / (2 (1/2 + 2)) = 0.1 each, and of different ones 0.4 each.
    # Both right: 0.8^2 x 0.1 = 0.064. The first wrong: 0.2 x 0.8 x J(0, 1) = 0.064, the second likewise. Both wrong:
    # 0.2^2 x J(0, 0) = 0.004. So the first is wrong with (0.064 + 0.004) / 0.196.
    found = wrong_labels(FLAT, linked(1, 1))
    assert found.wrong == pytest.approx([0.068 / 0.196] * 2)
    assert found.swapped == pytest.approx([0.0, 0.0])
    assert found.expected == pytest.approx([0.0, 0.0])  # the only other level


def test_two_labels_that_may_have_been_exchanged():
    # Kept with 0.75: right 0.75 x 0.64 x 0.4 = 0.192; the first wrong 0.75 x 0.16 x J(0, 0) = 0.012, the second
    # likewise; both 0.75 x 0.04 x 0.4 = 0.012. Exchanged: 0.25 x 0.4 = 0.1. Together 0.328.
    found = wrong_labels(replace(FLAT, swapped=0.25), linked(1, 0))
    assert found.wrong == pytest.approx([(0.012 + 0.012 + 0.1) / 0.328] * 2)
    assert found.swapped == pytest.approx([0.1 / 0.328] * 2)


def test_equal_labels_cannot_be_exchanged_for_the_worse():
    # 0.75 x (0.064 + 0.064 + 0.064 + 0.004) as above; exchanged 0.25 x 0.1 = 0.025, which changes nothing.
    found = wrong_labels(replace(FLAT, swapped=0.25), linked(1, 1))
    assert found.wrong == pytest.approx([0.75 * 0.068 / (0.75 * 0.196 + 0.025)] * 2)
    assert found.swapped == pytest.approx([0.0, 0.0])


def test_a_kind_of_link_without_exchange_has_none():
    assert wrong_labels(replace(FLAT, swapped=0.25), linked(1, 0, kind=1)).swapped == pytest.approx([0.0, 0.0])


def test_a_forecast_far_from_the_label_speaks_against_it():
    sloped = replace(FLAT, slopes=np.array([[2.0, 0.0], [0.0, 0.0]]))
    alone = NoisyLabels(
        labels=np.array([1, 1]), forecasts=np.array([1.0, -1.0]), levels=2, links=NO_LINKS, kinds=NO_LINKS[:, 0]
    )
    # J(1) = 1 / (1 + exp(-4)) for the first: the label was 0 with 0.2 x (1 - J(1)), and is right with 0.8 x J(1).
    high = 1 / (1 + np.exp(-4.0))
    wanted = [0.2 * (1 - high) / (0.2 * (1 - high) + 0.8 * high), 0.2 * high / (0.2 * high + 0.8 * (1 - high))]
    assert wrong_labels(sloped, alone).wrong == pytest.approx(wanted)


def test_the_gradient_of_the_fit_is_that_of_its_loss():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 5, 40)
    links = np.arange(20).reshape(-1, 2)
    data = NoisyLabels(
        labels=labels,
        forecasts=labels + rng.normal(0, 1, 40),
        levels=5,
        links=links,
        kinds=np.repeat([0, 1], [6, 4]),
        swaps=(True, False),
    )
    fit = _Fit(data)
    at = fit.start() + rng.normal(0, 0.3, len(fit.start()))
    steps = 1e-5 * np.eye(len(at))
    differences = [(fit.loss(at + step)[0] - fit.loss(at - step)[0]) / 2e-5 for step in steps]
    assert fit.loss(at)[1] == pytest.approx(differences, abs=1e-6)
