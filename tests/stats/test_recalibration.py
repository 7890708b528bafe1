"""Standard deviations corrected on a development split: the best factor, and the best rising function."""

import json

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar

from similitude.errors import ArgumentError, EstimationError
from similitude.stats import kl_divergence, negative_log_density
from similitude.stats.recalibration import FLOOR, _groups, fit_isotonic, fit_scaling, recalibration_from_record


def opinions(items=400, seed=0):
    """Predictions whose sigma is right up to a curve, and the people they are held against."""
    rng = np.random.default_rng(seed)
    true = rng.uniform(0.2, 1.5, items)
    means = rng.normal(2.5, 1.0, items)
    human_sigmas = 0.6 * true
    human_means = means + 0.8 * true * rng.normal(size=items)  # 0.6^2 + 0.8^2 = 1: in all, a spread of ``true``
    return means, true**2, human_means, human_sigmas, true


def mean_kl(sigmas, columns):
    means, _, human_means, human_sigmas, _ = columns
    return kl_divergence(human_means, human_sigmas, means, sigmas).mean()


def test_the_factor_by_hand():
    # (h^2 + d^2) / s^2: five items (3^2 + 4^2) / 5^2 = 1, five (0.6^2 + 0.8^2) / 0.5^2 = 4; the mean is 2.5.
    repeated = [np.repeat(column, 5) for column in ([1.0, 0.0], [5.0, 0.5], [5.0, 0.8], [3.0, 0.6])]
    assert fit_scaling(*repeated).factor == pytest.approx(np.sqrt(2.5))
    # Without human sigmas: 16/25 and 0.64/0.25; the mean is 1.6.
    assert fit_scaling(*repeated[:3]).factor == pytest.approx(np.sqrt(1.6))


def test_isotonic_by_hand():
    # v of the four groups, from the least sigma up: 4, 1, 9, 16. The first two violate and are pooled to 2.5, with the
    # knot at the mean of their sigmas; between knots the variance is on the line, beyond them it stays.
    sigmas, human = (np.repeat(column, 10) for column in ([0.1, 0.2, 0.3, 0.4], [2.0, 1.0, 3.0, 4.0]))
    fitted = fit_isotonic(np.zeros(40), sigmas, np.zeros(40), human, items_a_knot=10)
    assert fitted.sigmas == pytest.approx([0.15, 0.3, 0.4])
    assert fitted.variances == pytest.approx([2.5, 9.0, 16.0])
    asked = np.array([0.01, 0.15, 0.225, 0.35, 9.0])
    assert fitted.apply(asked) ** 2 == pytest.approx([2.5, 2.5, 5.75, 12.5, 16.0])


def test_no_other_factor_is_better():
    columns = opinions()
    found = minimize_scalar(lambda factor: mean_kl(factor * columns[1], columns), bounds=(0.1, 10), method="bounded")
    fitted = fit_scaling(*columns[:4])
    assert fitted.factor == pytest.approx(found.x, rel=1e-4)
    assert mean_kl(fitted.apply(columns[1]), columns) <= found.fun + 1e-12


def test_without_human_sigmas_the_surprise_at_gold_is_least():
    means, sigmas, gold = opinions()[:3]
    found = minimize_scalar(
        lambda factor: negative_log_density(gold, means, factor * sigmas).mean(), bounds=(0.1, 10), method="bounded"
    )
    assert fit_scaling(means, sigmas, gold).factor == pytest.approx(found.x, rel=1e-4)


def test_pooling_is_the_optimum_of_the_divergence_too_not_of_squares_alone():
    # Twelve distinct sigmas, each on 3 items: the knots and their pooled values against a constrained search over
    # twelve log variances that rise (sums of squares of free steps) under the mean KL itself.
    rng = np.random.default_rng(3)
    sigmas = np.repeat(np.linspace(0.1, 1.2, 12), 3)
    means, gold, human = np.zeros(36), rng.normal(0, 0.2 + 0.8 * sigmas), rng.uniform(0.2, 0.5, 36)
    where = np.repeat(np.arange(12), 3)

    def loss(parameters):
        log_variances = parameters[0] + np.concatenate([[0.0], np.cumsum(parameters[1:] ** 2)])
        return kl_divergence(gold, human, means, np.exp(0.5 * log_variances[where])).mean()

    starts = [np.concatenate([[start], np.full(11, step)]) for start in (-1.0, 0.0) for step in (0.1, 0.4)]
    best = min(minimize(loss, start, method="BFGS", options={"gtol": 1e-9}).fun for start in starts)
    fitted = fit_isotonic(means, sigmas, gold, human, items_a_knot=3)
    assert 1 < len(fitted.sigmas) < 12
    steps = pooled_by_hand((gold - means) ** 2 + human**2, where)
    assert np.unique(steps) == pytest.approx(fitted.variances)
    pooled = kl_divergence(gold, human, means, np.sqrt(steps[where])).mean()
    assert pooled == pytest.approx(best, abs=1e-6)


def pooled_by_hand(values, where):
    """Adjacent violators pooled in the plainest way: means of blocks, merged while one is below its left neighbour."""
    blocks = [[values[where == place]] for place in range(where.max() + 1)]
    place = 0
    while place < len(blocks) - 1:
        if np.concatenate(blocks[place]).mean() > np.concatenate(blocks[place + 1]).mean():
            blocks[place : place + 2] = [blocks[place] + blocks[place + 1]]
            place = max(place - 1, 0)
        else:
            place += 1
    return np.concatenate([[np.concatenate(block).mean()] * len(block) for block in blocks])


@pytest.mark.parametrize("fit", [fit_scaling, fit_isotonic])
def test_what_is_scaled_or_shifted_or_shuffled_stays_the_same(fit):
    means, sigmas, gold, human, _ = opinions()
    plain = fit(means, sigmas, gold, human).apply(sigmas)
    assert fit(7 * means, 7 * sigmas, 7 * gold, 7 * human).apply(7 * sigmas) == pytest.approx(7 * plain)
    assert fit(means + 3, sigmas, gold + 3, human).apply(sigmas) == pytest.approx(plain)
    assert fit(means, 10 * sigmas, gold, human).apply(10 * sigmas) == pytest.approx(plain)  # the result, not the start
    order = np.random.default_rng(1).permutation(len(means))
    shuffled = fit(*(column[order] for column in (means, sigmas, gold, human)))
    assert shuffled.apply(sigmas) == pytest.approx(plain)


def test_isotonic_depends_on_the_order_of_sigmas_alone():
    means, sigmas, gold, human, _ = opinions()
    direct = fit_isotonic(means, sigmas, gold, human)
    turned = fit_isotonic(means, np.exp(3 * sigmas), gold, human)
    assert turned.variances == pytest.approx(direct.variances)


def test_the_truth_is_recovered():
    columns = opinions(items=20_000)
    means, said, gold, human, true = columns
    isotonic, scaling = fit_isotonic(means, said, gold, human), fit_scaling(means, said, gold, human)
    inner = np.quantile(said, [0.1, 0.3, 0.5, 0.7, 0.9])
    assert isotonic.apply(inner) == pytest.approx(np.sqrt(inner), rel=0.08)  # said is true squared
    assert fit_scaling(means, true / 3, gold, human).factor == pytest.approx(3, rel=0.02)
    new = opinions(items=20_000, seed=9)
    kls = [mean_kl(sigmas, new) for sigmas in (new[4], isotonic.apply(new[1]), scaling.apply(new[1]), new[1])]
    assert kls == sorted(kls)
    assert kls[1] < kls[0] + 0.005


def test_sigmas_that_mean_nothing_become_one_constant():
    rng = np.random.default_rng(5)
    said = rng.uniform(0.1, 1.0, 500)
    fitted = fit_isotonic(
        np.zeros(500), said, rng.normal(0, 1.1 - said), None
    )  # the larger said, the smaller the error
    assert len(fitted.sigmas) == 1
    assert np.ptp(fitted.apply(said)) == 0


def test_one_lucky_item_claims_no_certainty():
    columns = opinions(items=200)
    means, said, gold = columns[0], columns[1].copy(), columns[2].copy()
    gold[0], said[0] = means[0], 0.0001
    lone = fit_isotonic(means, said, gold, items_a_knot=1)
    usual = fit_isotonic(means, said, gold)
    rms = np.sqrt(np.mean((gold - means) ** 2))
    assert lone.apply(said[:1])[0] == pytest.approx(np.sqrt(FLOOR) * rms)
    assert usual.apply(said[:1])[0] > 0.1 * rms


def test_equal_sigmas_are_never_separated_and_a_small_rest_joins_its_neighbour():
    said = np.concatenate([np.full(40, 0.1), np.full(30, 0.2), np.full(5, 0.3)])
    human = np.concatenate([np.full(40, 1.0), np.full(30, 2.0), np.full(5, 3.0)])
    fitted = fit_isotonic(np.zeros(75), said, np.zeros(75), human)
    assert len(fitted.sigmas) == 2
    assert fitted.variances == pytest.approx([1.0, (30 * 4 + 5 * 9) / 35])


def test_items_on_which_all_agree_are_left_out_unless_kept():
    means, sigmas, gold, human, _ = opinions(items=60)
    human[:20] = 0.0
    dropped = fit_scaling(means, sigmas, gold, human)
    assert dropped.items == 40
    assert dropped.factor == fit_scaling(means[20:], sigmas[20:], gold[20:], human[20:]).factor
    assert fit_scaling(means, sigmas, gold, human, zero_variance="keep").items == 60


def test_items_without_a_known_human_sigma_are_left_out():
    means, sigmas, gold, human, _ = opinions(items=60)
    human[:20] = np.nan
    for zero_variance in ("drop", "keep"):
        assert fit_scaling(means, sigmas, gold, human, zero_variance=zero_variance).items == 40


@pytest.mark.parametrize("fit", [fit_scaling, fit_isotonic])
def test_from_the_record_it_is_the_same(fit):
    means, sigmas, gold, human, _ = opinions()
    fitted = fit(means, sigmas, gold, human)
    again = recalibration_from_record(json.loads(json.dumps(fitted.record(), allow_nan=False)))
    assert again.apply(sigmas).tolist() == fitted.apply(sigmas).tolist()
    assert np.isnan(again.apply(np.array([np.nan]))).all()


@pytest.mark.parametrize("record", [{}, {"kind": "magic"}, {"kind": "scaling"}, {"kind": "isotonic", "sigmas": "x"}])
def test_another_record_is_refused(record):
    with pytest.raises(ArgumentError, match="cannot be read"):
        recalibration_from_record(record)


def test_what_cannot_be_fitted_says_why():
    few, ones, zeros = np.ones(9), np.ones(60), np.zeros(60)
    with pytest.raises(EstimationError, match="9 items are too few to fit a factor"):
        fit_scaling(few, few, few, few)
    with pytest.raises(EstimationError, match="20 items are too few to fit an isotonic map; recalibrate on 50 or more"):
        fit_isotonic(ones[:20], ones[:20], ones[:20], ones[:20])
    with pytest.raises(EstimationError, match="0 items are too few"):
        fit_scaling(ones, ones, ones, zeros)
    for fit in (fit_scaling, fit_isotonic):
        with pytest.raises(EstimationError, match="all items are predicted without error"):
            fit(ones, ones, ones)
        with pytest.raises(ArgumentError, match="60 predicted sigmas are not above 0"):
            fit(ones, zeros, ones, ones)
        with pytest.raises(ArgumentError, match="gold scores hold something that is not a number"):
            fit(ones, ones, np.full(60, np.nan), ones)
        with pytest.raises(ArgumentError, match="below 0"):
            fit(ones, ones, ones, -ones)
        with pytest.raises(ArgumentError, match="have different shapes"):
            fit(ones, ones, few, ones)


def test_sizes_of_groups_weigh_when_they_are_pooled():
    """Ten items at sigma 1 with spread 9, thirty at sigma 2 with spread 1: pooled, (10 * 9 + 30 * 1) / 40 = 3."""
    said, true = np.repeat([1.0, 2.0], [10, 30]), np.repeat([3.0, 1.0], [10, 30])
    fitted = fit_isotonic(np.zeros(40), said, np.zeros(40), true, items_a_knot=10)
    np.testing.assert_allclose(fitted.variances, [3.0])
    np.testing.assert_allclose(fitted.sigmas, [(10 * 1 + 30 * 2) / 40])


def test_groups_are_filled_before_the_next_begins():
    """By threes, seven different sigmas are groups of 3 and 4: the seventh alone is too small."""
    said = np.arange(1.0, 8.0).repeat(2)
    fitted = fit_isotonic(np.zeros(14), said, np.zeros(14), said, items_a_knot=6)
    np.testing.assert_allclose(fitted.sigmas, [2.0, 5.5])
    np.testing.assert_allclose(fitted.variances, [14 / 3, (16 + 25 + 36 + 49) / 4])
    # exactly two groups of one knot's size, and one group where the last would be too small
    np.testing.assert_allclose(fit_isotonic(*_exact(12), items_a_knot=6).sigmas, [1.0, 2.0])
    assert (
        fit_isotonic(np.zeros(12), np.repeat([1.0, 2.0], [8, 4]), np.zeros(12), np.ones(12), items_a_knot=6).sigmas.size
        == 1
    )


def _exact(number: int) -> tuple[np.ndarray, ...]:
    said = np.repeat([1.0, 2.0], number // 2)
    return np.zeros(number), said, np.zeros(number), said


def test_items_on_which_all_agree_are_dropped_without_a_word():
    people = np.r_[np.full(50, 2.0), np.zeros(50)]
    means, said = np.zeros(100), np.tile([1.0, 2.0], 50)
    for fit in (fit_scaling, fit_isotonic):
        assert fit(means, said, means, people).items == 50
        assert fit(means, said, means, people, zero_variance="keep").items == 100


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (0, np.nan, "predicted means hold something that is not a number"),
        (2, np.inf, "gold scores hold something that is not a number"),
        (1, 0.0, "1 predicted sigmas are not above 0"),
        (3, -1.0, "a human sigma is below 0 or infinite"),
        (3, np.inf, "a human sigma is below 0 or infinite"),
    ],
)
def test_one_bad_value_among_many_is_said(place: int, value: float, message: str):
    columns = [np.zeros(20), np.full(20, 0.5), np.zeros(20), np.ones(20)]
    columns[place][7] = value
    with pytest.raises(ArgumentError, match=message):
        fit_scaling(*columns)


def test_columns_of_two_dimensions_are_refused():
    with pytest.raises(ArgumentError, match=r"different shapes: \(2, 10\), \(2, 10\), \(2, 10\)"):
        fit_scaling(*(np.ones((2, 10)) for _ in range(3)))


def test_groups_by_hand():
    assert _groups(np.arange(7.0), 3).tolist() == [0, 0, 0, 1, 1, 1, 1]
    assert _groups(np.arange(9.0), 3).tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert _groups(np.array([1.0, 1, 1, 1, 2, 3, 4]), 3).tolist() == [0, 0, 0, 0, 1, 1, 1]
    assert _groups(np.array([2.0, 1.0]), 3).tolist() == [0, 0]


def test_a_small_rest_joins_the_only_other_group():
    assert _groups(np.array([1.0, 2.0, 3.0]), 2).tolist() == [0, 0, 0]
    assert _groups(np.array([1.0, 2.0, 3.0, 4.0]), 2).tolist() == [0, 0, 1, 1]
