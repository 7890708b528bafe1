"""Intervals and p-values from standard errors, against published values and values by hand."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from similitude.stats.pivots import (
    LinkPivot,
    SharePivot,
    SkewPivot,
    difference_interval,
    difference_p_value,
    effective_freedom,
    expanded_level,
    pivot_interval,
)

INFINITE = np.inf


def test_fisher_s_interval_of_a_correlation():
    # tanh(atanh(.8) -+ 1.96 / sqrt(17)), as scipy gives for 20 items
    low, high, reason = pivot_interval(LinkPivot(0.8, 17**-0.5, INFINITE, "fisher"), 0.95)
    x = np.random.default_rng(0).normal(size=20)
    peer = scipy_stats.pearsonr(x, x + np.random.default_rng(1).normal(size=20))
    z = np.arctanh(peer.statistic)
    made = pivot_interval(LinkPivot(float(np.tanh(z)), 17**-0.5, INFINITE, "fisher"), 0.9)
    assert made[:2] == pytest.approx(tuple(peer.confidence_interval(0.9)), abs=1e-12)
    assert (round(low, 3), round(high, 3), reason) == (0.553, 0.918, None)


def test_student_s_interval_of_a_mean():
    values = np.array([1.0, 2.0, 4.0, 7.0])
    peer = scipy_stats.t.interval(0.95, 3, values.mean(), scipy_stats.sem(values))
    pivot = LinkPivot(float(values.mean()), float(scipy_stats.sem(values)), 3, "plain")
    assert pivot_interval(pivot, 0.95)[:2] == pytest.approx(peer)


def test_the_logit_keeps_an_interval_inside_0_and_1():
    # logit(.9) = ln 9; one standard error of ln 3 below it is logit(.75), above it logit(27/28)
    low, high = LinkPivot(0.9, np.log(3), INFINITE, "logit").ends(1.0)
    assert (low, high) == pytest.approx((0.75, 27 / 28))


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # Newcombe (1998), Table I, method 3 (score)
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_s_interval_as_newcombe_prints_it(successes: int, trials: int, low: float, high: float):
    found = pivot_interval(SharePivot(successes / trials, trials, INFINITE), 0.95)
    assert found[:2] == pytest.approx((low, high), abs=5e-5)


def test_wilson_s_interval_of_all_and_of_nothing():
    low, high, _ = pivot_interval(SharePivot(1.0, 10, INFINITE), 0.95)
    assert (low, high) == pytest.approx((10 / (10 + 1.959964**2), 1.0), abs=1e-6)
    assert pivot_interval(SharePivot(0.0, 0, INFINITE), 0.95)[:2] == (0.0, 1.0)


def test_a_function_of_a_share_has_the_function_of_its_ends():
    plain = SharePivot(0.5, 20, INFINITE).ends(2.0)
    pivot = SharePivot(0.5, 20, INFINITE, lambda share: 2 * share / (1 + share))
    assert pivot.estimate == pytest.approx(2 / 3)
    assert pivot.ends(2.0) == pytest.approx(tuple(2 * end / (1 + end) for end in plain))


def test_hall_s_correction_by_hand():
    # skewness 1, n = 25: g = 1/5; the lower end at t = 2 is 3/g (cbrt(1 + g (2 - g/6)) - 1) = 15 (cbrt(1.39333) - 1)
    # standard errors below, the upper one 15 (1 - cbrt(1 - g (2 + g/6))) = 15 (1 - cbrt(.59333)) above
    pivot = SkewPivot(10.0, 0.5, 24, 1.0, 25)
    below, above = 15 * (np.cbrt(1 + 0.2 * (2 - 1 / 30)) - 1), 15 * (1 - np.cbrt(1 - 0.2 * (2 + 1 / 30)))
    assert pivot.ends(2.0) == pytest.approx((10 - 0.5 * below, 10 + 0.5 * above))
    assert below < 2 < above
    turned = SkewPivot(-10.0, 0.5, 24, -1.0, 25)
    assert turned.ends(2.0) == pytest.approx((-10 - 0.5 * above, -10 + 0.5 * below))


def test_without_skewness_it_is_student_s():
    for skewness in (0.0, 1e-7):
        assert SkewPivot(10.0, 0.5, 24, skewness, 25).ends(2.0) == pytest.approx((9.0, 11.0), abs=1e-6)


def test_zou_s_interval_of_a_difference_as_published():
    """Zou (2007): r = .396 and .179, .088 between the two, n = 66: -.093 to .517, as R's cocor gives."""
    one, other, between = 0.396, 0.179, 0.088
    shared = (between - one * other / 2) * (1 - one**2 - other**2 - between**2) + between**3
    correlation = shared / ((1 - one**2) * (1 - other**2))
    pivots = [LinkPivot(r, 63**-0.5, INFINITE, "fisher") for r in (one, other)]
    low, high, _ = difference_interval(*pivots, correlation, 0.95)
    assert (round(low, 3), round(high, 3)) == (-0.093, 0.517)
    turned = difference_interval(*pivots[::-1], correlation, 0.95)
    assert turned[:2] == pytest.approx((-high, -low))


def test_the_interval_of_a_plain_difference_is_student_s():
    # errors .3 and .4 with correlation .5: variance .09 + .16 - .12 = .13
    one, other = (LinkPivot(value, error, 9, "plain") for value, error in ((2.0, 0.3), (1.0, 0.4)))
    reach = scipy_stats.t.ppf(0.975, 9) * np.sqrt(0.13)
    assert difference_interval(one, other, 0.5, 0.95)[:2] == pytest.approx((1 - reach, 1 + reach))
    assert difference_p_value(one, other, 0.5) == pytest.approx(2 * scipy_stats.t.sf(1 / np.sqrt(0.13), 9))
    assert difference_p_value(other, one, 0.5) == pytest.approx(difference_p_value(one, other, 0.5))


def test_degrees_of_freedom_are_those_of_the_lesser():
    one, other = LinkPivot(2.0, 0.3, 4, "plain"), LinkPivot(1.0, 0.3, 400, "plain")
    expected = 2 * scipy_stats.t.sf(1 / np.sqrt(0.18), 4)
    assert difference_p_value(one, other, 0.0) == pytest.approx(expected)
    assert difference_p_value(other, one, 0.0) == pytest.approx(expected)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_a_p_value_is_one_minus_the_level_at_which_the_interval_touches_0(level: float):
    other = LinkPivot(0.5, 0.1, 30, "fisher")
    for estimate in (0.55, 0.6, 0.7, 0.8):
        one = LinkPivot(estimate, 0.15, 30, "fisher")
        holds = difference_interval(one, other, 0.3, level).low <= 0
        assert holds == (difference_p_value(one, other, 0.3) >= 1 - level)


def test_equal_estimates_and_certain_differences():
    certain = [LinkPivot(value, 0.0, 9, "plain") for value in (1.0, 2.0)]
    assert difference_p_value(*certain, 0.0) < 1e-20
    assert difference_p_value(certain[0], certain[0], 0.0) == 1
    assert difference_p_value(LinkPivot(1.0, 0.0, 9, "plain"), LinkPivot(1.0 + 1e-14, 0.0, 9, "plain"), 0.0) == 1


def test_a_difference_smaller_than_the_correction_for_skewness_is_no_difference():
    # at quantile 0 Hall's interval lies beside the mean, so that a tiny difference is inside at every level
    one, other = SkewPivot(1.0, 0.5, 9, 3.0, 10), SkewPivot(1.0 - 1e-6, 0.1, 9, 0.0, 10)
    assert difference_p_value(one, other, 0.0) == 1


def test_a_percentile_interval_is_expanded_for_few_units():
    # Hesterberg (2015): 2 Phi(sqrt(5/4) t) - 1 with t = 2.7764 of 4 degrees of freedom
    assert expanded_level(0.95, 5) == pytest.approx(2 * scipy_stats.norm.cdf(np.sqrt(1.25) * 2.776445) - 1, abs=1e-6)
    assert 0.95 < expanded_level(0.95, 2000) < 0.9503


def test_one_trial_tells_something():
    # 1 of 1: z^2 / (1 + z^2) of the way
    low, high, _ = pivot_interval(SharePivot(1.0, 1, INFINITE), 0.95)
    assert (low, high) == pytest.approx((1 / (1 + 1.959964**2), 1.0), abs=1e-6)
    assert high <= 1


def test_degrees_of_freedom_by_hand():
    # one of 16 values differs: mean 1/4, deviations -1/4 and 15/4; squares add up to 15/16 + 225/16 = 15, fourth powers
    # to 15/256 + 50625/256 = 50640/256; kurtosis (50640/256/16) / (15/16)^2 = 14.0667, excess 11.0667
    assert effective_freedom(np.array([0.0] * 15 + [4.0])) == pytest.approx(2 / (2 / 15 + 11.066667 / 16))
    # two values alike often have a kurtosis of 1, less than the 3 of normal values
    assert effective_freedom(np.array([1.0, 2.0] * 5)) == 9
    assert effective_freedom(np.ones(7)) == 6


def test_rounding_does_not_lead_a_share_beyond_0_and_1():
    ends = [SharePivot(1.0, trials, INFINITE).ends(1.96)[1] for trials in range(1, 100)]
    assert max(ends) == 1.0
    ends = [SharePivot(0.0, trials, INFINITE).ends(1.96)[0] for trials in range(1, 100)]
    assert min(ends) == 0.0


def test_the_difference_of_two_systems_that_never_differ_has_no_width():
    """Fisher's z is asymmetric: r = .8 with 20 items lies in .55..0.92. Zou's formula leaves .13 for the difference."""
    pivot = LinkPivot(0.8, 17**-0.5, np.inf, "fisher")
    assert difference_interval(pivot, pivot, 1.0, 0.95)[:2] == pytest.approx((0, 0), abs=1e-9)
    near = LinkPivot(0.79, 17**-0.5, np.inf, "fisher")
    low, high, _ = difference_interval(pivot, near, 0.99, 0.95)
    assert high - low < 0.1
    assert low < 0.01 < high


def test_shares_keep_their_width_however_much_they_share():
    one = SharePivot(0.9, 20, np.inf)
    low, high = one.ends(1.959964)
    (below, above, _) = difference_interval(one, one, 1.0, 0.95)
    assert above == pytest.approx((0.9 - low) - (high - 0.9), abs=1e-6)
    assert below == pytest.approx(-above)


def test_what_is_not_shared_counts_in_full():
    """Without correlation, and with a negative one, the formula is Zou's."""
    one, other = LinkPivot(0.8, 0.2, np.inf, "fisher"), LinkPivot(0.6, 0.3, np.inf, "fisher")
    (low, high), (other_low, other_high) = one.ends(1.959964), other.ends(1.959964)
    below, above = 0.8 - low, other_high - 0.6
    for correlation in (0.0, -0.4):
        reach = (below**2 + above**2 - 2 * correlation * below * above) ** 0.5
        assert difference_interval(one, other, correlation, 0.95).low == pytest.approx(0.2 - reach, abs=1e-5)
    half = (0.5 * (below**2 + above**2) + 0.5 * max(below - (0.6 - other_low), high - 0.8 - above, key=abs) ** 2) ** 0.5
    assert difference_interval(one, other, 0.5, 0.95).low == pytest.approx(0.2 - half, abs=1e-5)


def test_a_p_value_falls_no_more_beyond_a_thousand_standard_errors():
    """With one degree of freedom, Student's t is Cauchy's distribution: 2 / (pi x) is beyond x on both sides."""
    sure, unsure = LinkPivot(0.0, 0.0, 1, "plain"), LinkPivot(1.0, 1.0, 1, "plain")
    for reach, expected in ((999.5, 2 / (np.pi * 999.5)), (1000.5, 2 / (np.pi * 1000)), (5000.0, 2 / (np.pi * 1000))):
        far = LinkPivot(reach, 1.0, 1, "plain")
        assert difference_p_value(far, sure, 0.0) == pytest.approx(expected, rel=1e-5)
    assert difference_p_value(unsure, sure, 0.0) == pytest.approx(0.5)


def test_shared_errors_of_skewed_means_move_both_the_same_way():
    """Two means with the same errors that are shared altogether differ by a certain amount; shares do not."""
    one, other = SkewPivot(2.0, 0.5, 24, 1.5, 25), SkewPivot(1.0, 0.5, 24, 1.5, 25)
    assert difference_interval(one, other, 1.0, 0.95)[:2] == pytest.approx((1.0, 1.0))
    low, high, _ = difference_interval(SharePivot(0.9, 20, 19), SharePivot(0.9, 20, 19), 1.0, 0.95)
    assert low < -0.05 < 0.05 < high
