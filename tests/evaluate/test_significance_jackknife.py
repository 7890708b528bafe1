"""Intervals and tests from figures without each item or group."""

from dataclasses import replace

import numpy as np
import pytest
from comparisons import EVERY, comparison, comparison_for
from scipy import stats as scipy_stats

from similitude.data import Scale
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import catalogue, make_measure
from similitude.evaluate.significance import Confidence, confidence, findings
from similitude.evaluate.significance.resampler import Resampler
from similitude.evaluate.significance.tested_measure import subjects_of
from similitude.stats import (
    Units,
    expanded_level,
    jackknife_weights,
    percentile_interval,
    steiger_p_value,
    williams_p_value,
)

FIVE = Scale(low=0, high=5)
FIRST_ORDER = ("spearman", "kendall", "sigma_spearman")
"""Found from influence values, which differ from leaving out a unit by terms of second order."""


def pair(items: int = 60, seed: int = 0) -> Comparison:
    rng = np.random.default_rng(seed)
    gold = rng.uniform(0, 5, items)
    return Comparison.of_scores(gold, gold + rng.normal(0, [[0.7], [1.1]], (2, items)), FIVE)


@pytest.mark.parametrize("name", [name for name in EVERY if not any(each in name for each in FIRST_ORDER)])
def test_figures_without_each_item_are_those_of_counting_again(name: str):
    made, units = comparison_for(name), Units(40)
    found = EVERY[name].left_out(made, units)
    weights = jackknife_weights(np.arange(40), 0, 40)
    if found is not None:
        assert found == pytest.approx(EVERY[name].weighted_values(made, weights), abs=1e-9, nan_ok=True)


RANKED = ("spearman", "kendall", "ncg", "ndcg", "auc", "average_precision")
"""With groups, found from single items to first order; but nDCG inside groups is a mean over groups."""


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, measure in EVERY.items()
        if "group_" in name or not (measure.sampling == "learned" or any(each in name for each in RANKED))
    ],
)
def test_figures_without_each_group_are_those_of_counting_again(name: str):
    made, units = comparison(), Units.of_groups(np.arange(40) // 5)
    found = EVERY[name].left_out(made, units)
    weights = units.over_items(jackknife_weights(np.arange(8), 0, 8))
    assert (found is None) == (EVERY[name].sampling not in ("fisher", "logit", "plain", "skewed", "share"))
    if found is not None:
        assert found == pytest.approx(EVERY[name].weighted_values(made, weights), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", ["spearman", "kendall", "sigma_spearman", "ndcg", "ndcg(reverse=true)"])
@pytest.mark.parametrize("groups", [None, np.arange(400) // 4])
def test_figures_to_first_order_have_the_same_spread(name: str, groups):
    made = replace(comparison(400), groups=None)
    units = Units(400) if groups is None else Units.of_groups(groups)
    found = make_measure(name).left_out(made, units)
    again = make_measure(name).weighted_values(
        made, units.over_items(jackknife_weights(np.arange(units.number), 0, units.number))
    )
    assert found.std(axis=1) == pytest.approx(again.std(axis=1), rel=0.04)
    assert (np.array([np.corrcoef(*both)[0, 1] for both in zip(found, again, strict=True)]) > 0.97).all()


def test_the_interval_of_a_mean_error_is_student_s_corrected_for_skewness():
    made = pair()
    errors = np.abs(made.predicted[0] - made.gold)
    low, high, reason = confidence(made, [make_measure("mae")]).intervals[0][0]
    # the errors have heavier tails than normal ones: excess kurtosis k, 2 / (2/59 + k/60) degrees of freedom
    k = scipy_stats.kurtosis(errors)
    t, error = scipy_stats.t.ppf(0.975, 2 / (2 / 59 + max(k, 0) / 60)), scipy_stats.sem(errors)
    g = scipy_stats.skew(errors) / np.sqrt(60)
    below = 3 / g * (np.cbrt(1 + g * (t - g / 6)) - 1)
    above = 3 / g * (1 - np.cbrt(1 - g * (t + g / 6)))
    assert (low, high) == pytest.approx((errors.mean() - below * error, errors.mean() + above * error))
    assert reason is None


def test_the_interval_of_a_correlation_is_symmetric_on_fisher_s_scale():
    low, high, _ = confidence(pair(), [make_measure("pearson")]).intervals[0][0]
    (figure, _) = make_measure("pearson")(pair())
    assert (np.arctanh(low) + np.arctanh(high)) / 2 == pytest.approx(np.arctanh(figure.value))
    without = [np.corrcoef(np.delete(pair().gold, i), np.delete(pair().predicted[0], i))[0, 1] for i in range(60)]
    error = np.sqrt(59 / 60 * np.square(np.arctanh(without) - np.arctanh(without).mean()).sum())
    reach = scipy_stats.t.ppf(0.975, 2 / (2 / 59 + scipy_stats.kurtosis(without) / 60)) * error
    assert high == pytest.approx(np.tanh(np.arctanh(figure.value) + reach))


def shares(yes: int, right: int, items: int = 20) -> Comparison:
    """Gold is low for all; the system calls the first ``yes`` low... and gold agrees on ``right`` of these."""
    gold = np.where(np.arange(items) < right, 1.0, 4.0)
    return Comparison.of_scores(gold, np.where(np.arange(items) < yes, 1.0, 4.0), FIVE)


def test_the_interval_of_a_share_is_wilson_s():
    # 9 of 10 pairs that the system calls low are low
    made = shares(yes=10, right=9)
    peer = scipy_stats.binomtest(9, 10).proportion_ci(method="wilson")
    assert confidence(made, [make_measure("precision_low")]).intervals[0][0][:2] == pytest.approx(tuple(peer))
    # all of 20 items but one are the same in gold and system
    peer = scipy_stats.binomtest(19, 20).proportion_ci(method="wilson")
    for name in ("accuracy_low", "accuracy_3bin"):
        assert confidence(made, [make_measure(name)]).intervals[0][0][:2] == pytest.approx(tuple(peer))
    # all 9 low pairs are found
    peer = scipy_stats.binomtest(9, 9).proportion_ci(method="wilson")
    assert confidence(made, [make_measure("recall_low")]).intervals[0][0][:2] == pytest.approx(tuple(peer))
    # 9 of the 10 pairs that either calls low: F1 = 2 s / (1 + s)
    low, high = scipy_stats.binomtest(9, 10).proportion_ci(method="wilson")
    found = confidence(made, [make_measure("f1_low")]).intervals[0][0]
    assert found[:2] == pytest.approx((2 * low / (1 + low), 2 * high / (1 + high)))


def test_with_groups_a_share_counts_as_many_trials_as_its_error_is_worth():
    """Each of 40 items three times, as groups: 40 trials, not 120, and Student's t with 39 degrees of freedom."""
    rng = np.random.default_rng(0)
    gold = np.where(rng.random(40) < 0.5, 1.0, 4.0)
    system = np.where(rng.random(40) < 0.75, gold, 5 - gold)
    once = Comparison.of_scores(gold, system, FIVE)
    thrice = Comparison.of_scores(np.repeat(gold, 3), np.repeat(system, 3), FIVE)
    (figure,) = make_measure("accuracy_low")(once)
    found = confidence(thrice, [make_measure("accuracy_low")], groups=np.repeat(np.arange(40), 3)).intervals[0][0]
    p, t = figure.value, scipy_stats.t.ppf(0.975, 39)
    trials = 39  # p (1 - p) / (p (1 - p) / 39), the variance of a mean with 39 in the denominator
    square = t**2 / trials
    middle, reach = (p + square / 2) / (1 + square), np.sqrt(square * p * (1 - p) + square**2 / 4) / (1 + square)
    assert found[:2] == pytest.approx((middle - reach, middle + reach))


def test_a_perfect_share_in_groups_counts_no_more_trials_than_groups():
    made = shares(yes=20, right=20)
    found = confidence(made, [make_measure("recall_low")], groups=np.arange(20) // 5).intervals[0][0]
    square = scipy_stats.t.ppf(0.975, 3) ** 2 / 4
    assert found[:2] == pytest.approx((1 / (1 + square), 1.0))


def test_a_figure_at_the_end_of_its_range():
    gold = np.arange(1.0, 31.0)
    made = Comparison.of_scores(gold, np.stack([gold, -gold]), Scale(low=0, high=31))
    sure = confidence(made, [make_measure("spearman"), make_measure("pearson"), make_measure("f1_macro_3bin")])
    reason = "the figure is the same whichever of the items is left out"
    # 30 of 30: Wilson's interval with Student's t; the others are opposed to gold
    square = scipy_stats.t.ppf(0.975, 29) ** 2 / 30
    assert sure.intervals[0][2] == (pytest.approx(1 / (1 + square)), 1.0, reason)
    assert sure.intervals[0][:2] == ((pytest.approx(2 / (1 + square) - 1), 1.0, reason),) * 2
    assert sure.intervals[1][0] == (-1.0, pytest.approx(1 - 2 / (1 + square)), reason)
    # at t, both reach 2 s / (1 + s) with s = t^2 / 30, together sqrt(2) times that: all of the difference of 2 at
    # s / (1 + s) = 1 / sqrt(2), where s = 1 + sqrt(2)
    expected = 2 * scipy_stats.t.sf(np.sqrt(30 * (1 + np.sqrt(2))), 29)
    assert sure.p_values[0, 0, 1] == pytest.approx(expected)
    assert [row[0].letters for row in sure.ranks] == ["a", "b"]


@pytest.mark.parametrize("name", ["accuracy", "mcc", "f1_binary", "cost"])
def test_a_perfect_figure_at_learned_thresholds_has_wilson_s_interval(name):
    labels = np.tile([0.0, 0, 0, 1, 1], 5)
    (low, high, reason) = confidence(
        Comparison.of_scores(labels, labels), [make_measure(name)], method="jackknife"
    ).intervals[0][0]
    assert high - low > 0.1
    assert reason == "the figure is the same whichever of the items is left out"


def test_rounding_puts_no_figure_outside_its_interval():
    gold, scores = np.array([1.0, 4.0, 2.5]), np.array([5.1, -1.6, -1.6])
    made = Comparison.of_scores(gold, scores)
    found = confidence(made, [make_measure("ndcg@3")], groups=np.array([0, 1, 1]), method="jackknife")
    assert found.intervals[0][0].low <= make_measure("ndcg@3")(made)[0].value <= found.intervals[0][0].high


def test_intervals_stay_inside_the_range():
    rng = np.random.default_rng(0)
    gold = rng.uniform(0, 5, 12)
    made = replace(
        Comparison.of_scores(gold, gold + 0.01 * rng.normal(size=12), FIVE), predicted_sigma=np.full((1, 12), 0.01)
    )
    names = ("ece", "ece_wang2022", "mse", "mae")
    for name, (low, high, _) in zip(names, confidence(made, list(map(make_measure, names))).intervals[0], strict=True):
        assert make_measure(name).low <= low < high <= make_measure(name).high


def test_too_many_undefined_figures_give_no_interval():
    # of 12 items one is low in gold, so that recall without it is undefined: 1 of 12 may be, 2 of 12 may not
    gold = np.append(np.full(11, 4.0), 1.0)
    system = np.append(2.0, gold[1:])
    made = Comparison.of_scores(gold, system, FIVE)
    assert confidence(made, [make_measure("f1")]).intervals[0][0].reason == (
        "without 1 of the items the measure is undefined"
    )
    short = Comparison.of_scores(gold[-6:], gold[-6:], FIVE)
    sure = confidence(short, [make_measure("f1")])
    assert sure.intervals[0][0].reason == "without 1 of 6 items the measure is undefined"
    assert np.isnan(sure.intervals[0][0].low)


@pytest.mark.parametrize("name", [str(measure) for measure in catalogue()])
def test_p_values_agree_with_the_intervals_of_differences(name: str):
    made = replace(comparison(60, 3, seed=4), groups=np.arange(60) // 5)
    if "two labels" in make_measure(name).requires:
        made = replace(made, gold=np.where(made.gold > 2.5, 5.0, 0.0))
    sure = confidence(made, [make_measure(name)], groups=made.groups)
    usual = {"cut": "percentile", "unknown": "bca", "learned": "bc"}.get(make_measure(name).sampling, "jackknife")
    assert sure.methods[0] == usual
    for one, other in ((0, 1), (0, 2), (1, 2)):
        low, high, _ = sure.differences[0][one][other]
        opposite = sure.differences[0][other][one]
        assert opposite[:2] == pytest.approx((-high, -low))
        assert np.isnan(low) or (low <= 0 <= high) == (sure.p_values[0, one, other] > 1 - 0.95)


def test_differences_of_a_system_without_a_figure():
    made = pair(30)
    flat = Comparison.of_scores(made.gold, np.vstack([made.predicted, np.ones((1, 30))]), FIVE)
    (differences,) = confidence(flat, [make_measure("pearson")]).differences
    assert differences[0][2].reason == "one of the two has no figure"
    assert differences[0][0] == (0.0, 0.0, "a system and itself")
    assert np.isfinite(differences[0][1].low)


def test_methods_and_tests_by_measure():
    names = ["pearson", "ndcg@10", "ndcg", "hmean(pearson,ncg@3)", "f1_low"]
    measures = list(map(make_measure, names))
    usual = confidence(pair(), measures)
    assert usual.methods == ("jackknife", "percentile", "jackknife", "percentile", "jackknife")
    assert usual.tests == ("jackknife", "bootstrap", "jackknife", "bootstrap", "jackknife")
    assert usual.resamples == 2000
    drawn = confidence(pair(), measures, resamples=50)
    assert drawn.methods == ("bca", "percentile", "bca", "percentile", "bca")
    assert set(drawn.tests) == {"bootstrap"}
    assert drawn.resamples == 50
    assert confidence(pair(), measures[:1]).resamples == 0
    both = confidence(pair(), measures[:1], test="bootstrap")
    assert (both.methods, both.tests, both.resamples) == (("jackknife",), ("bootstrap",), 2000)
    assert set(confidence(pair(), measures, method="jackknife").methods) == {"jackknife"}


def test_williams_and_steiger_on_pearson_and_spearman():
    made = pair()
    measures = [make_measure("pearson"), make_measure("spearman")]
    for name, test in (("williams", williams_p_value), ("steiger", steiger_p_value)):
        sure = confidence(made, measures, test=name)
        for place, change in enumerate((np.asarray, scipy_stats.rankdata)):
            rows = [change(row) for row in (made.gold, *made.predicted)]
            found = np.corrcoef(rows)
            assert sure.p_values[place, 0, 1] == pytest.approx(test(found[0, 1], found[0, 2], found[1, 2], 60))
        words = {"williams": "Williams' test", "steiger": "Steiger's test"}[name]
        assert sure.notes == (f"{words} is made for Pearson's r: on spearman it is approximate",)
        assert sure.resamples == 0


def test_williams_is_corrected_as_the_others_are():
    made = pair()
    crowd = Comparison.of_scores(made.gold, np.vstack([made.predicted, made.predicted[:1]]), FIVE)
    one, many = (confidence(each, [make_measure("pearson")], test="williams").p_values for each in (made, crowd))
    assert many[0, 0, 1] == pytest.approx(one[0, 0, 1], rel=0.01), "the third is the first again"
    assert many[0, 0, 2] == 1


def test_what_williams_cannot_test_is_refused():
    measures = [make_measure("pearson"), make_measure("kendall"), make_measure("mae")]
    with pytest.raises(ArgumentError, match="no correlation: kendall, mae; measure -m pearson or -m spearman alone"):
        confidence(pair(), measures, test="williams")
    with pytest.raises(ArgumentError, match="Steiger's test takes items as independent, but items share groups"):
        confidence(pair(), measures[:1], test="steiger", groups=np.arange(60) // 2)


def test_sigma_correlations_can_be_tested_too():
    made = comparison(60, 2)
    sure = confidence(made, [make_measure("sigma_pearson")], test="steiger")
    known = np.isfinite(made.gold_sigma)
    found = np.corrcoef([made.gold_sigma[known], *made.predicted_sigma[:, known]])
    assert sure.p_values[0, 0, 1] == pytest.approx(steiger_p_value(found[0, 1], found[0, 2], found[1, 2], known.sum()))


@pytest.mark.parametrize("test", ["bootstrap", "permutation"])
def test_the_smallest_p_value_of_resampling_is_marked(test: str):
    gold = np.random.default_rng(0).uniform(0, 5, 100)
    rows = gold + np.random.default_rng(1).normal(0, [[0.1], [3.0], [3.0]], (3, 100))
    sure = confidence(Comparison.of_scores(gold, rows, FIVE), [make_measure("mae")], test=test, resamples=199)
    assert sure.is_floor[0].tolist() == [[False, True, True], [True, False, False], [True, False, False]]
    assert 2 / 200 < sure.p_values[0, 0, 1] < 3 / 200, "three pairs whose errors are correlated"
    assert Confidence.from_record(sure.record()).is_floor.tolist() == sure.is_floor.tolist()
    assert not confidence(Comparison.of_scores(gold, rows, FIVE), [make_measure("mae")]).is_floor.any()


def test_a_record_of_an_earlier_version_can_be_read():
    record = confidence(pair(), [make_measure("mae")], resamples=50).record()
    for name in ("methods", "tests", "differences", "is_floor"):
        del record[name]
    old = Confidence.from_record(record | {"method": "bca", "test": "bootstrap"})
    assert (old.methods, old.tests, old.differences) == (("bca",), ("bootstrap",), ())
    assert old.is_floor.shape == (1, 2, 2)


@pytest.mark.parametrize("groups", [None, np.arange(600) // 3])
@pytest.mark.parametrize("name", ["ndcg@10", "ncg@3", "ndcg@avgrank(ties=stable)", "ndcg@5(reverse=true)"])
def test_drawing_only_the_items_that_matter_gives_the_same_distribution(monkeypatch, name: str, groups):
    rng = np.random.default_rng(0)
    gold = rng.uniform(0, 5, 600).round(1)
    made = Comparison.of_scores(gold, (gold + rng.normal(0, 1, (2, 600))).round(1), FIVE)
    units = Units(600) if groups is None else Units.of_groups(groups)
    few = make_measure(name).decisive_items(made, units)
    assert few.size < 450
    whole = confidence(made, [make_measure(name)], groups=groups)
    monkeypatch.setattr(findings, "MANY_UNITS", 100)
    part = confidence(made, [make_measure(name)], groups=groups)
    for one, other in zip(whole.intervals, part.intervals, strict=True):
        assert one[0][:2] == pytest.approx(other[0][:2], abs=0.025)
    assert part.p_values[0, 0, 1] == pytest.approx(whole.p_values[0, 0, 1], abs=0.05)
    assert whole.p_values[0, 0, 1] != part.p_values[0, 0, 1]


def test_a_measure_that_depends_on_all_items_draws_them_all():
    made = pair()
    for name in ("ndcg", "mae", "spearman"):
        assert make_measure(name).decisive_items(made, Units(60)) is None


def test_progress_is_told_of_every_way():
    calls = []
    measures = [make_measure(name) for name in ("pearson", "ndcg@10", "spearman")]
    confidence(pair(), measures, progress=lambda *call: calls.append(call))
    # 2,000 resamples for nDCG@10; 60 items left out for the two others
    assert calls[-1] == ("resampling", 2120, 2120)


def test_a_share_of_one_trial_has_an_interval():
    """Without the only pair that the system calls low, precision is undefined; one trial still tells something."""
    made = Comparison.of_scores(np.array([1.0, 4.0, 4.0]), np.array([1.0, 4.0, 4.0]), FIVE)
    low, high, reason = confidence(made, [make_measure("precision_low")]).intervals[0][0]
    peer = scipy_stats.binomtest(1, 1).proportion_ci(method="wilson")
    assert (low, high, reason) == (pytest.approx(peer.low), 1.0, None)
    # in groups there is one trial too, and Student's t has 2 degrees of freedom
    square = scipy_stats.t.ppf(0.975, 2) ** 2
    twice = made.of_systems([0])
    found = confidence(twice, [make_measure("precision_low")], groups=np.arange(3)).intervals[0][0]
    assert found[:2] == (pytest.approx(1 / (1 + square)), 1.0)


def test_a_percentile_interval_of_a_cut_is_expanded_as_for_12_units():
    made, measure = pair(200), make_measure("ndcg@10")
    drawn = Resampler(subjects_of(made, [measure]), Units(200), 200, 0).bootstrap(2000)[0][0]
    found = confidence(made, [measure]).intervals[0][0]
    assert found[:2] == pytest.approx(percentile_interval(drawn, expanded_level(0.95, 12))[:2])
    plain = confidence(made, [make_measure("mae")], method="percentile", resamples=2000)
    drawn = Resampler(subjects_of(made, [make_measure("mae")]), Units(200), 200, 0).bootstrap(2000)[0]
    expanded = expanded_level(0.95, 200)
    assert plain.intervals[0][0][:2] == pytest.approx(percentile_interval(drawn[0], expanded)[:2])
    difference = plain.differences[0][0][1]
    assert difference[:2] == pytest.approx(percentile_interval(drawn[0] - drawn[1], expanded)[:2])
    few = confidence(pair(8), [measure]).intervals[0][0]
    drawn = Resampler(subjects_of(pair(8), [measure]), Units(8), 8, 0).bootstrap(2000)[0][0]
    assert few[:2] == pytest.approx(percentile_interval(drawn, expanded_level(0.95, 8))[:2])
