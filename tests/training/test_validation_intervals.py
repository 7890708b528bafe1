"""Intervals of validation figures."""

import math

import numpy as np
import pytest
from scipy.stats import kurtosis, t

from similitude.training.validation_intervals import correlation_intervals, intervals_record, opinion_intervals


def test_the_interval_of_a_mean_is_students():
    # The jackknife's standard error of a mean is s / sqrt(n). The mean of crps over items is such a mean: with equal
    # sigmas, the crps of an error of 0 is the same everywhere, so take errors that differ.
    gold, means = np.array([0.0, 0.1, 0.4, 0.5, 0.9, 0.7]), np.array([0.1, 0.1, 0.2, 0.9, 0.6, 0.4])
    sigmas = human = np.full(6, 0.1)
    from similitude.stats import crps

    values = 5 * crps(gold, means, sigmas)
    low, high = opinion_intervals(gold, human, means, sigmas, 5.0)["crps"]
    assert (low + high) / 2 == pytest.approx(values.mean())
    error = values.std(ddof=1) / math.sqrt(6)
    # Satterthwaite's degrees of freedom: 2 n / (kurtosis - 1 + 2 / (n - 1)), at most n - 1.
    freedom = min(2 * 6 / (kurtosis(values, fisher=False) - 1 + 2 / 5), 5)
    assert (high - low) / 2 == pytest.approx(error * t.ppf(0.975, freedom), rel=1e-6)


def test_items_of_one_group_count_as_one():
    rng = np.random.default_rng(0)
    gold = rng.normal(size=100)
    scores = gold + rng.normal(size=100)
    once = correlation_intervals(scores, gold, [str(item) for item in range(100)])
    twice = correlation_intervals(np.tile(scores, 2), np.tile(gold, 2), [str(item) for item in range(100)] * 2)
    assert twice["pearson"] == pytest.approx(once["pearson"], abs=0.01)  # the same people, asked twice
    alone = correlation_intervals(np.tile(scores, 2), np.tile(gold, 2), [str(item) for item in range(200)])
    assert alone["pearson"][1] - alone["pearson"][0] < 0.8 * (once["pearson"][1] - once["pearson"][0])


def test_what_has_no_interval_is_left_out():
    few = correlation_intervals(np.arange(4.0), np.array([0.0, 2, 1, 3]), list("abcd"))
    assert all(math.isnan(end) for ends in few.values() for end in ends)
    constant = correlation_intervals(np.zeros(9), np.arange(9.0), list("abcdefghi"))
    assert intervals_record({"spearman": math.nan}, constant) == {}
    assert intervals_record({"r": 0.5}, {"r": (0.25, 0.75), "kl": (1.0, 2.0)}) == {
        "validation_intervals": {"level": 0.95, "r": [0.25, 0.75]}
    }


def test_opinions_have_intervals_around_their_figures():
    rng = np.random.default_rng(1)
    gold, human = rng.uniform(size=60), rng.uniform(0.05, 0.2, size=60)
    means, sigmas = gold + rng.normal(scale=0.1, size=60), human + rng.uniform(0, 0.1, size=60)
    found = opinion_intervals(gold, human, means, sigmas, 5.0)
    assert set(found) == {"r", "rho", "kl", "crps", "sigma_rho"}
    assert found["r"][0] < np.corrcoef(gold, means)[0, 1] < found["r"][1]
    assert set(opinion_intervals(gold, human, means, None, 5.0)) == {"r", "rho"}
