from itertools import combinations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability import rater_pairs
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.pairwise import pairwise_correlation
from similitude.stats import Bounds, jackknife_interval

NAN = np.nan
KINDS = ("pearson", "spearman")
PEERS = {"pearson": scipy_stats.pearsonr, "spearman": scipy_stats.spearmanr}


def by_loop(values, kind, least=3) -> float:
    found = []
    for one, other in combinations(values, 2):
        there = ~np.isnan(one) & ~np.isnan(other)
        a, b = one[there], other[there]
        if there.sum() >= least and np.ptp(a) > 0 and np.ptp(b) > 0:
            found.append(PEERS[kind](a, b).statistic)
    return float(np.mean(found))


def made(seed, missing, raters=5, items=25):
    rng = np.random.default_rng(seed)
    values = np.round(rng.uniform(0, 5, items) + rng.normal(0, 1, (raters, items)))
    values[rng.random(values.shape) < missing] = NAN
    return values


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_equals_a_loop_over_pairs(kind, missing):
    for seed in range(5):
        values = made(seed, missing)
        found = pairwise_correlation(values, kind, resampling=NO_INTERVALS)
        assert found.estimate.value == pytest.approx(by_loop(values, kind), abs=1e-12)
        assert (found.pairs, found.left_out) == (10, 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("missing", [0.0, 0.2, 0.6])
def test_interval_is_that_of_items_left_out(kind, missing, monkeypatch):
    monkeypatch.setattr(rater_pairs, "ROWS", 50)  # several blocks
    values = made(3, missing, items=40)
    found = pairwise_correlation(values, kind, resampling=Resampling(level=0.9)).estimate
    rated = np.flatnonzero((~np.isnan(values)).sum(axis=0) >= 2)
    left_out = np.array([by_loop(np.delete(values, item, axis=1), kind) for item in rated])
    expected = jackknife_interval(by_loop(values, kind), left_out, 0.9, Bounds(-1, 1))
    assert (found.low, found.high) == pytest.approx(expected[:2], abs=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_simulated_truth_is_covered(kind):
    truth = 0.5 if kind == "pearson" else 6 / np.pi * np.arcsin(0.25)
    rng, held, samples = np.random.default_rng(0), 0, 300
    for _ in range(samples):
        values = rng.normal(size=20) + rng.normal(size=(3, 20))
        _, low, high, _ = pairwise_correlation(values, kind).estimate
        held += low <= truth <= high
    assert 0.92 <= held / samples <= 0.98


def test_pairs_that_share_too_little_or_do_not_vary_are_left_out_and_counted():
    # Raters 0 and 1 share four items; rater 2 shares two with either; rater 3 gives 2 throughout.
    values = np.array([[1, 2, 3, 4, NAN], [1, 3, 2, 4, NAN], [1, 2, NAN, NAN, 3], [2, 2, 2, 2, 2]])
    found = pairwise_correlation(values, "spearman")
    assert found.estimate.value == pytest.approx(0.8)  # 1 - 6 * 2 / (4 * 15)
    assert (found.pairs, found.left_out, found.shared) == (1, 5, 4.0)
    assert pairwise_correlation(values, "spearman", least_shared=2).pairs == 3


def test_leniency_and_order_of_raters_and_items_do_not_matter():
    values, rng = made(0, 0.2), np.random.default_rng(0)
    changed = values * np.array([[1], [2], [0.5], [3], [1]]) + np.array([[0], [5], [-1], [2], [9]])
    changed = changed[rng.permutation(5)][:, rng.permutation(25)]
    for kind in KINDS:
        one, other = (pairwise_correlation(v, kind, resampling=NO_INTERVALS).estimate.value for v in (values, changed))
        assert one == pytest.approx(other, abs=1e-12)


def test_simulated_truth_is_recovered():
    # Item of variance 1 plus noise of variance 1: any two raters correlate by 1 / 2.
    rng = np.random.default_rng(0)
    values = rng.normal(size=20_000) + rng.normal(size=(4, 20_000))
    found = pairwise_correlation(values, resampling=Resampling(resamples=200)).estimate
    assert found.low < 0.5 < found.high
    assert found.high - found.low < 0.03


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([[1, 2, 3]], "only one rater"),
        ([[NAN, NAN]], "there are no ratings"),
        ([[1, 2, NAN], [NAN, 2, 3]], "no two raters rated 3 items in common"),
        ([[1, 2, 3], [2, 2, 2]], "in every pair of raters one gave all shared items the same value"),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_undefined_says_why(values, why, kind):
    found = pairwise_correlation(np.array(values, dtype=float), kind)
    assert np.isnan(found.estimate.value)
    assert found.pairs == 0
    assert why in found.estimate.reason


def test_bad_arguments_are_refused():
    with pytest.raises(UnknownNameError, match="kendall"):
        pairwise_correlation(np.ones((2, 3)), "kendall")
    with pytest.raises(ArgumentError, match="at least 2"):
        pairwise_correlation(np.ones((2, 3)), least_shared=1)
