import numpy as np
import pytest
from scipy import stats as scipy_stats

from similitude.stats import (
    Bounds,
    Interval,
    acceleration,
    bca_interval,
    bias_corrected_interval,
    bias_correction,
    holding,
    jackknife_interval,
    jackknife_weights,
    pearson_features,
    pearson_from_sums,
    percentile_interval,
    rounding_of,
    t_quantile,
    weighted_sums,
    wilson_interval,
)
from similitude.stats.intervals import _shared_variance


def test_percentiles_by_hand():
    # 0..200: 2.5 % of 200 steps is 5
    assert percentile_interval(np.arange(201.0), 0.95)[:2] == pytest.approx((5.0, 195.0))


def test_bias_by_hand():
    # 1 of 4 below, 2 of 4 at the figure and counted half: a share of 1/2, of which z is 0
    assert bias_correction(np.array([1.0, 2.0, 2.0, 3.0]), 2.0) == 0
    # 3 of 4 below: z of 0.75
    assert bias_correction(np.array([1.0, 1.0, 1.0, 3.0]), 2.0) == pytest.approx(0.6744897501960817)


def test_rounding_does_not_pass_for_bias():
    assert bias_correction(np.array([0.1 + 0.2, 0.3, 0.2, 0.4]), 0.3) == 0


def test_acceleration_by_hand():
    # mean 1, influences 1 1 -2: cubes add up to -6, squares to 6: -6 / (6 * 6^1.5)
    assert acceleration(np.array([0.0, 0.0, 3.0])) == pytest.approx(-1 / 6**1.5)


def test_bca_without_bias_and_acceleration_is_the_percentile_interval():
    distribution = np.arange(201.0)
    found = bca_interval(distribution, 100.0, np.array([1.0, 2.0, 3.0]), 0.95)
    assert found == pytest.approx((5.0, 195.0, None))


def test_bca_by_hand():
    # 60 % lie below: z0 = 0.25335; without acceleration the ends are Phi(2 z0 -+ 1.95996) = Phi(-1.45327), Phi(2.46666)
    distribution = np.arange(1001.0)
    found = bca_interval(distribution, 600.0, np.array([1.0, 2.0, 3.0]), 0.95)
    assert found.low == pytest.approx(1000 * 0.07307, abs=0.6)
    assert found.high == pytest.approx(1000 * 0.99318, abs=0.6)


@pytest.mark.parametrize(
    ("distribution", "figure", "jackknife", "reason"),
    [
        ([1.0, 1.0, 1.0], 1.0, [1.0, 1.0, 1.0], "nearly all resamples give the same figure"),
        ([1.0, 2.0, 3.0], 4.0, [1.0, 2.0, 4.0], "all resamples lie on one side of the figure"),
        ([1.0, 2.0, 3.0], 2.0, [1.0, 1.0, 1.0], "the figure is the same whatever is left out"),
        ([1.0, 2.0, 3.0], 2.0, [], "the figure is the same whatever is left out"),
    ],
)
def test_where_bca_cannot_be_had_there_is_the_percentile_interval_and_a_reason(distribution, figure, jackknife, reason):
    found = bca_interval(np.array(distribution), figure, np.array(jackknife), 0.9)
    assert found[:2] == percentile_interval(np.array(distribution), 0.9)[:2]
    assert found.reason == f"percentile interval: {reason}"


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
def test_ends_are_those_of_scipy_on_the_same_resamples(method: str, theirs: str):
    rng = np.random.default_rng(5)
    x = rng.normal(size=25)
    y = x + rng.normal(size=25)

    def pearson(a, b, axis=-1):
        return scipy_stats.pearsonr(a, b, axis=axis).statistic

    expected = scipy_stats.bootstrap(
        (x, y), pearson, paired=True, n_resamples=999, method=theirs, rng=np.random.default_rng(7)
    ).confidence_interval
    drawn = np.random.default_rng(7).integers(0, 25, (999, 25))
    weights = np.array([np.bincount(row, minlength=25) for row in drawn], dtype=float)
    features = pearson_features(x, y[None])
    distribution = pearson_from_sums(weighted_sums(features, weights))[0]
    left_out = pearson_from_sums(weighted_sums(features, jackknife_weights(np.arange(25), 0, 25)))[0]
    figure = scipy_stats.pearsonr(x, y).statistic
    ours = percentile_interval(distribution, 0.95)
    if method == "bca":
        ours = bca_interval(distribution, figure, left_out, 0.95)
    assert ours[:2] == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_jackknife_interval_of_a_bounded_figure_by_hand():
    # Figures without each of four units: .5, .5, .6, .8: mean .6, deviations .1, .1, 0, -.2: sum of squares .06.
    # SE = sqrt(3 / 4 * .06) = .2121; kurtosis = (.0001 + .0001 + .0016) / 4 / .015^2 = 2; df = 8 / (1 + 2/3) > 3.
    left_out = np.array([0.5, 0.5, 0.6, 0.8])
    t, error = 3.182446305, 0.75**0.5 * 0.06**0.5
    plain = jackknife_interval(0.6, left_out, 0.95)
    assert plain[:2] == pytest.approx((0.6 - t * error, 0.6 + t * error), abs=1e-8)
    # Between 0 and 1: log(.6 / .4) -+ t * SE / (.6 * .4).
    ends = np.log(1.5) + np.array([-1, 1]) * t * error / 0.24
    bounded = jackknife_interval(0.6, left_out, 0.95, Bounds(0, 1))
    assert bounded[:2] == pytest.approx(1 / (1 + np.exp(-ends)), abs=1e-8)
    # Between -1 and 1 it is Fisher's z: atanh(.6) -+ t * SE / (1 - .36).
    fisher = np.tanh(np.arctanh(0.6) + np.array([-1, 1]) * t * error / 0.64)
    assert jackknife_interval(0.6, left_out, 0.95, Bounds())[:2] == pytest.approx(fisher, abs=1e-8)
    assert bounded.reason is None


def test_heavy_tails_cost_degrees_of_freedom():
    # One unit decides: deviations 9, -1 x 9 of ten: kurtosis (6561 + 9) / 10 / 9^2 = 8.111, df = 20 / (7.111 + 2/9).
    left_out = np.array([-9.0] + [1.0] * 9)
    low, high, _ = jackknife_interval(0.0, left_out, 0.9)
    freedom, error = 20 / (73 / 9 - 1 + 2 / 9), (0.9 * 90) ** 0.5
    assert high == pytest.approx(t_quantile(0.9, freedom) * error, abs=1e-9)
    assert low == -high


def test_a_figure_on_or_beyond_its_bound_is_treated_as_unbounded():
    left_out = np.array([0.9, 1.0, 1.1])
    for bounds in (Bounds(0, 1), Bounds(1, 2), Bounds(0, 0.5)):
        assert jackknife_interval(1.0, left_out, 0.95, bounds) == jackknife_interval(1.0, left_out, 0.95)


def test_no_jackknife_interval_says_why():
    low, high, reason = jackknife_interval(0.5, np.array([0.5, np.nan, 0.6]), 0.95)
    assert np.isnan([low, high]).all()
    assert reason == "no interval: without 1 of its 3 units the figure is undefined"
    assert jackknife_interval(0.5, np.array([0.4]), 0.95).reason == "no interval: there is only one unit"
    same = jackknife_interval(0.5, np.full(4, 0.5), 0.95)
    assert same == (0.5, 0.5, "the figure is the same whichever unit is left out")


def test_wilson_interval_is_that_of_scipy():
    for successes, number in ((0, 7), (7, 7), (3, 20), (1, 2)):
        expected = scipy_stats.binomtest(successes, number).proportion_ci(0.9, method="wilson")
        assert wilson_interval(successes, number, 0.9)[:2] == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert wilson_interval(0, 7, 0.9).low == 0.0
    assert wilson_interval(7, 7, 0.9).high == 1.0


def test_units_that_share_parts_are_not_independent():
    # Units of two parts each, in pairs of the same deviation: 0 and 1 share part 1, 1 and 2 part 2, 3 stands alone.
    unit, part = np.repeat(np.arange(4), 2), np.array([0, 1, 1, 2, 2, 3, 4, 5])
    left_out = np.array([0.3, 0.4, 0.3, 0.0])
    apart = left_out.mean() - left_out
    products = apart @ apart + 2 * (apart[0] * apart[1] + apart[1] * apart[2])
    # Six parts, two to a unit: due to parts is the sum of products of pairs, times 4/3 / (1/3); kept (6 - 2)^2 / 30.
    parts = (products - apart @ apart) * (8 / 6) / (8 / 6 - 1)
    variance = products + parts * (30 / 16 - 1)
    by_part = np.bincount(part, apart[unit])
    kurtosis = (by_part**4).mean() / (by_part**2).mean() ** 2
    freedom = min(5, 12 / (kurtosis - 1 + 2 / 5), 6 - 2)
    found = jackknife_interval(0.25, left_out, 0.9, shared=(unit, part))
    reach = t_quantile(0.9, freedom) * (3 / 4 * variance) ** 0.5
    assert variance > apart @ apart
    assert found[:2] == pytest.approx((0.25 - reach, 0.25 + reach), abs=1e-12)


def test_units_that_share_nothing_or_deviate_oppositely_are_as_if_independent():
    left_out = np.array([0.1, 0.4, 0.2, 0.5])
    alone = jackknife_interval(0.3, left_out, 0.95)
    assert jackknife_interval(0.3, left_out, 0.95, shared=(np.arange(4), np.arange(4))) == alone
    opposite = (np.repeat(np.arange(4), 2), np.array([0, 1, 0, 1, 2, 3, 2, 3]))
    assert jackknife_interval(0.3, left_out, 0.95, shared=opposite) == alone
    everywhere = (np.arange(4), np.zeros(4, dtype=int))  # one part in all units: nothing can be said about parts
    assert jackknife_interval(0.3, left_out, 0.95, shared=everywhere) == alone


def test_where_the_bias_is_undefined_there_is_the_percentile_interval_and_a_reason():
    same = bias_corrected_interval(np.ones(3), 1.0, 0.9)
    assert same == (1.0, 1.0, "percentile interval: nearly all resamples give the same figure")
    beside = bias_corrected_interval(np.array([1.0, 2.0, 3.0]), 4.0, 0.9)
    assert beside[:2] == pytest.approx((1.1, 2.9))
    assert beside.reason == "percentile interval: all resamples lie on one side of the figure"


def test_equal_up_to_rounding_is_relative_above_one():
    assert [rounding_of(value) for value in (0.0, 0.5, 1.5, -10.0)] == [1e-12, 1e-12, 1.5e-12, 1e-11]


def test_acceleration_of_two_units_is_zero_and_does_not_depend_on_the_scale():
    assert acceleration(np.array([1.0, 2.0])) == pytest.approx(0, abs=1e-12)
    # deviations from the mean 1: 1, 1, -2; -6 / (6 x 6^1.5), the other way round
    for scale in (1.0, 1e120, 1e-6):
        assert acceleration(scale * np.array([0.0, 0.0, 3.0])) == pytest.approx(-1 / 6**1.5)


def test_two_units_have_one_degree_of_freedom():
    # deviations 1 and -1: sqrt(1 / 2 x 2) = 1, times the quantile of Student's t, tan(.475 pi)
    reach = np.tan(0.475 * np.pi)
    assert jackknife_interval(2.0, np.array([1.0, 3.0]), 0.95) == pytest.approx((2 - reach, 2 + reach, None))


def test_a_unit_that_shares_nothing_counts_once():
    """Units 0 and 1 share a part, and have one each of their own: 1 + 1 - 2 x 1 x 1; and unit 2 has none: 4."""
    variance, _ = _shared_variance(np.array([1.0, -1, 2]), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 2]))
    assert variance == pytest.approx(4)


def test_an_interval_is_widened_to_a_figure_outside_it_and_says_so() -> None:
    assert holding(Interval(0.2, 0.4), 0.3) == Interval(0.2, 0.4)
    assert holding(Interval(0.2, 0.4), 0.1)[:2] == (0.1, 0.4)
    assert holding(Interval(0.2, 0.4), 0.5) == Interval(
        0.2, 0.5, "widened: nearly all resamples lie on one side of the figure"
    )
    assert holding(Interval(0.2, 1 - 1e-16), 1.0) == Interval(0.2, 1.0)  # rounding needs no reason
    undefined = Interval(np.nan, np.nan, "no resample")
    assert holding(undefined, 0.5) is undefined
