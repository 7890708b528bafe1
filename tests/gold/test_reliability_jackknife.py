import numpy as np
import pytest
from scipy import stats as scipy_stats

from similitude.gold.reliability import jackknife
from similitude.gold.reliability.bootstrap import NO_INTERVALS, USUAL, Resampling
from similitude.gold.reliability.jackknife import (
    agreement_bounds,
    all_agree,
    jackknife_estimates,
    mean_estimates,
    share_estimate,
)
from similitude.stats import Bounds, wilson_interval

VALUES = np.random.default_rng(0).normal(size=30)


def mean(weights):
    return (weights @ VALUES / weights.sum(axis=1))[None]


def test_the_interval_of_a_mean_is_students():
    (found,) = jackknife_estimates(mean, 30)
    kurtosis = scipy_stats.kurtosis(VALUES, fisher=False)
    freedom = min(29, 2 * 30 / (kurtosis - 1 + 2 / 29))
    reach = scipy_stats.t.ppf(0.975, freedom) * VALUES.std(ddof=1) / 30**0.5
    assert found[:3] == pytest.approx((VALUES.mean(), VALUES.mean() - reach, VALUES.mean() + reach), abs=1e-12)
    assert mean_estimates(VALUES[None])[0] == pytest.approx(found, abs=1e-12)
    assert jackknife_estimates(mean, 30, resampling=NO_INTERVALS)[0].low != found.low


def test_without_intervals_or_a_second_unit_only_the_figure_is_known():
    one = jackknife_estimates(lambda weights: weights[:, :1].T, 1)
    assert one[0].value == 1.0
    assert np.isnan(one[0].low)
    assert np.isnan(jackknife_estimates(mean, 30, resampling=NO_INTERVALS)[0].low)
    assert np.isnan(mean_estimates(VALUES[None], resampling=NO_INTERVALS)[0].low)
    assert np.isnan(mean_estimates(np.array([[3.0]]))[0].low)
    assert np.isnan(share_estimate(1, 2, NO_INTERVALS).low)


def test_two_units_are_enough():
    # Of 1 and 3: mean 2, standard error 1, one degree of freedom.
    reach = scipy_stats.t.ppf(0.975, 1)
    (weighted,) = jackknife_estimates(lambda weights: (weights @ np.array([1.0, 3.0]) / weights.sum(axis=1))[None], 2)
    (plain,) = mean_estimates(np.array([[1.0, 3.0]]))
    for found in (weighted, plain):
        assert found[:3] == pytest.approx((2.0, 2.0 - reach, 2.0 + reach), abs=1e-9)


def test_chunks_do_not_change_the_result(monkeypatch):
    (whole,) = jackknife_estimates(mean, 30)
    monkeypatch.setattr(jackknife, "CHUNK_CELLS", 70)
    assert jackknife_estimates(mean, 30)[0][:3] == pytest.approx(whole[:3], abs=1e-14)
    assert jackknife_estimates(mean, 30, width=1000)[0][:3] == pytest.approx(whole[:3], abs=1e-14)


def test_blocks_from_a_certain_number_of_units_on(monkeypatch):
    seen = []

    def counting(weights):
        seen.append(len(weights))
        return mean(weights)

    monkeypatch.setattr(jackknife, "EXACT_UP_TO", 30)
    monkeypatch.setattr(jackknife, "BLOCKS", 10)
    jackknife_estimates(counting, 30)
    assert sum(seen) == 1 + 30
    seen.clear()
    monkeypatch.setattr(jackknife, "EXACT_UP_TO", 29)
    jackknife_estimates(counting, 30)
    assert sum(seen) == 1 + 10


def test_groups_are_units():
    groups = np.repeat(np.arange(10) * 7, 3)
    (found,) = jackknife_estimates(mean, 30, groups=groups)
    means = VALUES.reshape(10, 3).mean(axis=1)
    assert found == pytest.approx(mean_estimates(means[None])[0], abs=1e-12)


def test_each_figure_may_have_its_range():
    both = jackknife_estimates(
        lambda weights: np.concatenate([mean(weights)] * 2), 30, bounds=[Bounds(-1, 1), Bounds(-9, 9)]
    )
    (first,) = jackknife_estimates(mean, 30, bounds=Bounds(-1, 1))
    (second,) = jackknife_estimates(mean, 30, bounds=Bounds(-9, 9))
    assert both == [first, second]
    assert first != second


def test_a_figure_that_is_undefined_has_no_interval():
    (found,) = jackknife_estimates(lambda weights: np.full((1, len(weights)), np.nan), 5)
    assert np.isnan(found[:3]).all()
    assert found.reason is None


def test_means_of_rows_skip_what_is_missing_and_shares_have_wilsons_interval():
    rows = np.array([[1.0, 0.0, 1.0, 1.0, np.nan], [2.0, np.nan, np.nan, np.nan, np.nan], [np.nan] * 5])
    share, single, none = mean_estimates(rows, why="nobody")
    assert share[:3] == pytest.approx((0.75, *wilson_interval(3, 4, 0.95)[:2]))
    assert single.value == 2.0
    assert none.reason == "nobody"


def test_lower_end_if_all_agree():
    # 1 - .05^(1/10) of units, two of four answers: 4/6 of pairs; chance: .6.
    found = all_agree(np.full(10, 4.0), 0.6, 0.9)
    assert found[:3] == pytest.approx((1.0, 1 - (1 - 0.05**0.1) * 4 / 6 / 0.6, 1.0))
    assert agreement_bounds(np.array([2.0, 4.0, 3.0])) == pytest.approx((-0.5, 1.0))


def test_settings_are_used():
    wide, narrow = (jackknife_estimates(mean, 30, resampling=Resampling(level=level))[0] for level in (0.99, 0.5))
    usual = jackknife_estimates(mean, 30, resampling=USUAL)[0]
    assert wide.low < usual.low < narrow.low < narrow.high < usual.high < wide.high
