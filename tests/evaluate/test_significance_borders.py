"""Evidence, decisions and findings at their borders: a p-value at the level, two units, one measure, no measure."""

import math
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from scipy.special import ndtri

from similitude.data import Scale
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import make_measure
from similitude.evaluate.measures.cumulative_gain import NormalisedDiscountedCumulativeGain
from similitude.evaluate.measures.measure import Figure
from similitude.evaluate.significance import Confidence, Evidence, confidence, decision_on
from similitude.evaluate.significance.contrast import Contrast
from similitude.evaluate.significance.effect import effect_of
from similitude.evaluate.significance.jackknife import Jackknife
from similitude.evaluate.significance.resampler import Resampler, _permuted
from similitude.evaluate.significance.tested_measure import subjects_of
from similitude.stats import Interval, Units, t_point, t_tail

FIVE = Scale(low=0, high=5)
PEARSON, MAE = make_measure("pearson"), make_measure("mae")


def plain(values, errors=0.01, freedom=np.inf, **options) -> Evidence:
    """Figures with independent errors of the same size."""
    return Evidence.of_covariance(np.array(values), np.eye(len(values)) * errors**2, freedom, **options)


def with_ends(low: float, high: float) -> Evidence:
    """Two systems, the first better by 0.25, with these ends of the interval of the difference."""
    made = plain([0.75, 0.5], freedom=10.0)
    return replace(made, lows=np.array([[0, low], [-high, 0]]), highs=np.array([[0, high], [-low, 0]]))


def pair(items: int = 60) -> Comparison:
    rng = np.random.default_rng(0)
    gold = rng.uniform(0, 5, items)
    return Comparison.of_scores(gold, gold + rng.normal(0, [[0.7], [1.1]], (2, items)), FIVE)


# A p-value at the level itself decides. 1 - (1 - p) is p for a p of at least 1/2.


def test_a_contrast_at_the_level():
    def contrast(p_value: float) -> Contrast:
        return Contrast(
            system=0,
            difference=0.1,
            interval=Interval(0.0, 0.2),
            p_value=0.5,
            is_floor=False,
            verdict="undecided",
            not_worse_p_value=p_value,
            equivalent_p_value=p_value,
        )

    at, above = contrast(0.25), contrast(0.2500001)
    assert (at.is_not_worse(0.75), at.is_equivalent(0.75)) == (True, True)
    assert (above.is_not_worse(0.75), above.is_equivalent(0.75)) == (False, False)


def test_a_verdict_at_the_level_goes_by_the_p_value_that_is_shown():
    lead = 0.01 * 2**0.5 * 0.5
    p_value = decision_on(plain([0.8, 0.8 - lead]), baseline=1).contrasts[0].p_value
    assert 0.5 < p_value < 1
    at = decision_on(plain([0.8, 0.8 - lead], level=1 - p_value), baseline=1)
    assert (at.contrasts[0].p_value, at.contrasts[0].verdict) == (p_value, "better")
    below = decision_on(plain([0.8, 0.8 - lead], level=1 - p_value + 1e-9), baseline=1)
    assert below.contrasts[0].verdict == "undecided"


def test_a_system_at_the_level_may_not_be_best():
    lead = 0.01 * 2**0.5 * 0.5
    p_value = plain([0.8, 0.8 - lead]).p_values[0, 1]
    assert 0.5 < p_value < 1
    assert decision_on(plain([0.8, 0.8 - lead], level=1 - p_value)).may_be_best == (0,)
    assert decision_on(plain([0.8, 0.8 - lead], level=1 - p_value + 1e-9)).may_be_best == (0, 1)


def test_a_system_at_the_level_is_near_the_best():
    error = 0.01 * 2**0.5
    far = [0.8, 0.8 - 2 * error]  # worse by the margin and another standard error
    p_value = decision_on(plain(far), margin=error).near_best_p_values[1]
    assert p_value == pytest.approx(t_tail(-1.0, np.inf), abs=0.001)  # with two systems there is nothing to correct
    assert decision_on(plain(far, level=1 - p_value), margin=error).near_best == (0, 1)
    assert decision_on(plain(far, level=1 - p_value + 1e-9), margin=error).near_best == (0,)


def test_a_decision_keeps_its_margin():
    assert decision_on(plain([0.8, 0.7]), margin=0.25).margin == 0.25
    assert decision_on(plain([0.8, 0.7])).margin is None


def test_a_single_system_is_the_best():
    found = decision_on(plain([0.8, np.nan]))
    assert found.may_be_best == (0,)


# How many units a contrast needs


def needed(lead: float, critical: float) -> float:
    """More than 100 units, in standard errors of the difference."""
    return 100 * ((critical + float(ndtri(0.8))) / lead) ** 2 - 100


def test_an_undecided_contrast_says_what_it_would_take():
    error = 0.01 * 2**0.5
    one = decision_on(plain([0.8, 0.8 + error], units=100), baseline=0).contrasts[0]
    assert one.verdict == "undecided"
    assert one.more_units == math.ceil(needed(1.0, 1.96) / 10) * 10  # 684.9: rounded up to two digits
    assert decision_on(plain([0.8, 0.8 + 3 * error], units=100), baseline=0).contrasts[0].more_units is None


def test_what_is_decided_is_no_longer_counted():
    """Of three comparisons two are clear: the last has to exceed what one comparison has to, 1.96 and not 2.3."""
    error = 0.01 * 2**0.5
    found = decision_on(plain([0.8, 0.8 + 9 * error, 0.8 - 9 * error, 0.8 + error], units=100), baseline=0)
    last = next(each for each in found.contrasts if each.system == 3)
    assert last.verdict == "undecided"
    assert last.more_units == pytest.approx(needed(1.0, 1.96), rel=0.04)
    assert needed(1.0, 2.3) > 1.2 * needed(1.0, 1.96)


# Evidence


def test_evidence_of_a_covariance_says_no_more_than_it_knows():
    found = plain([0.8, 0.7])
    assert (found.units, found.are_groups, found.higher_is_better, found.level) == (0, False, True, 0.95)
    assert found.is_floor.dtype == np.bool_
    assert not found.is_floor.any()


def test_evidence_of_groups():
    measures, values = [PEARSON], np.array([0.9, 0.8])
    grouped = confidence(pair(), measures, groups=np.arange(60) // 5)
    found = Evidence.of_confidence(grouped, 0, values, higher_is_better=True)
    assert (found.are_groups, found.units) == (True, 12)
    alone = Evidence.of_confidence(confidence(pair(), measures), 0, values, higher_is_better=True)
    assert (alone.are_groups, alone.units) == (False, 60)


def test_a_system_without_a_variance_is_not_known():
    made = plain([0.9, 0.8, 0.7])
    covariance = made.covariance.copy()
    covariance[0] = covariance[:, 0] = np.nan
    assert replace(made, covariance=covariance).known == [1, 2]
    assert replace(made, values=np.array([0.9, np.nan, 0.7])).known == [0, 2]


def test_equal_figures_keep_the_order_of_the_systems():
    values = np.where(np.arange(50) == 30, 0.9, 0.5)
    assert plain(values).known == [30, *(row for row in range(50) if row != 30)]


def test_a_lead_of_one_is_a_lead():
    found = plain([2.0, 1.0], errors=0.5).statistics
    assert found == pytest.approx(np.array([[0, 2**0.5], [-(2**0.5), 0]]))


def test_standard_errors_on_both_sides_of_a_lead():
    """The ends lie t standard errors away; where an interval misses its figure, half its width counts on both sides."""
    reach = t_point(0.025, 10)
    for low, high, below, above in (
        (0.0, 0.75, 0.25, 0.5),
        (0.25, 0.75, 0.0, 0.5),
        (-0.25, 0.25, 0.5, 0.0),
        (0.375, 0.875, 0.25, 0.25),
        (-0.5, 0.125, 0.3125, 0.3125),
    ):
        down, up = with_ends(low, high).errors
        assert (down[0, 1], up[0, 1]) == pytest.approx((below / reach, above / reach))
        assert (down[1, 0], up[1, 0]) == pytest.approx((above / reach, below / reach))


# Effects


def test_no_effect_at_the_end_of_a_correlation_s_range():
    for values in ([1.0, 0.5], [0.5, 1.0], [-1.0, 0.5], [0.5, np.nan], [np.nan, 0.5]):
        assert effect_of(PEARSON, plain(values), 0, 1) is None
    assert effect_of(PEARSON, plain([0.75, -0.75]), 0, 1).value == pytest.approx(2 * np.arctanh(0.75))


def test_no_effect_where_systems_never_differ():
    same = Evidence.of_covariance(np.array([1.0, 1.0]), np.ones((2, 2)), 10.0, units=20)
    assert effect_of(MAE, same, 0, 1) is None


# Findings


def test_two_items_are_enough_for_an_interval():
    made = Comparison.of_scores(np.array([1.0, 2.0]), np.array([[1.5, 2.25], [1.0, 4.0]]), FIVE)
    ((interval,), _) = confidence(made, [MAE]).intervals
    assert interval.low < 0.375 < interval.high  # errors 1/2 and 1/4


def test_one_item_and_one_measure():
    made = Comparison.of_scores(np.array([1.0]), np.array([[1.5], [1.0]]), FIVE)
    found = confidence(made, [MAE])
    assert [row[0].reason for row in found.intervals] == ["only 1 item: there is nothing to resample"] * 2
    assert np.isnan(found.covariances).all()
    assert found.covariances.shape == (1, 2, 2)


def test_a_measure_that_no_system_has():
    made = Comparison.of_scores(np.arange(9.0), np.ones((2, 9)))
    for method in ("auto", "bca"):
        found = confidence(made, [PEARSON], method=method, resamples=None if method == "auto" else 20)
        assert [row[0].reason for row in found.intervals] == ["all predictions are the same"] * 2
        assert np.isnan(found.p_values).all()


def test_the_test_that_is_asked_for_is_made():
    by_jackknife = confidence(pair(), [PEARSON], method="jackknife", test="bootstrap", resamples=99)
    by_bootstrap = confidence(pair(), [PEARSON], method="bca", test="bootstrap", resamples=99)
    np.testing.assert_array_equal(by_jackknife.p_values, by_bootstrap.p_values)
    assert by_jackknife.p_values[0, 0, 1] * 100 == pytest.approx(round(by_jackknife.p_values[0, 0, 1] * 100))


def test_without_a_measure_there_is_nothing_at_a_floor():
    found = confidence(pair(), [])
    assert (found.is_floor.shape, found.is_floor.dtype) == ((0, 2, 2), np.bool_)


@dataclass(frozen=True, repr=False)
class Few(NormalisedDiscountedCumulativeGain):
    """nDCG@10 that remembers what it was asked."""

    asked: list = field(default_factory=list)

    def decisive_items(self, comparison, units):
        self.asked.append(units.number)
        return np.arange(5)

    def weighted_values(self, comparison, weights):
        self.asked.append(weights.sum(axis=1))
        return np.zeros((comparison.systems, len(weights)))


def wide(items: int) -> Comparison:
    gold = np.arange(float(items))
    return Comparison.of_scores(gold, np.stack([gold, -gold]))


def test_from_20000_units_on_a_measure_of_few_items_draws_only_those():
    """Each of 20,000 draws hits the five with a chance of 1 in 4,000: five times, give or take."""
    few, total = Few(k=10), []
    confidence(
        wide(20_000), [few, PEARSON], method="percentile", resamples=40, progress=lambda *said: total.append(said)
    )
    number, hits = few.asked
    assert number == 20_000
    assert hits.min() < 5 < hits.max()
    assert 3.5 < hits.mean() < 6.5
    assert total[-1] == ("resampling", 80, 80)  # those of the five, and those of all items


def test_one_system_of_many_units_draws_few_items_too():
    few = Few(k=10)
    confidence(Comparison.of_scores(np.arange(20_000.0), np.arange(20_000.0)), [few], method="percentile", resamples=2)
    assert few.asked[0] == 20_000


def test_below_20000_units_all_are_drawn():
    few = Few(k=10)
    confidence(wide(19_999), [few], method="percentile", resamples=3)
    (hits,) = few.asked
    assert hits.tolist() == [19_999] * 3


# Jackknife, permutations, records


def test_a_covariance_needs_two_units_on_which_all_are_known():
    """Nine systems are undefined without one of ten units each, so that all are known without the tenth alone."""
    left_out = np.linspace(0.4, 0.6, 90).reshape(9, 10)
    left_out[np.arange(9), np.arange(9)] = np.nan
    rng = np.random.default_rng(0)
    gold = rng.uniform(0, 5, 10)
    (subject,) = subjects_of(Comparison.of_scores(gold, rng.uniform(0, 5, (9, 10)), FIVE), [PEARSON])
    assert np.isnan(Jackknife(subject, left_out, False).covariance).all()
    left_out[8, 8] = 0.5  # now the ninth unit counts as well: of two figures x and y, (x - y)^2 / 4
    found = Jackknife(subject, left_out, False).covariance
    assert found[8, 8] == pytest.approx((left_out[8, 9] - 0.5) ** 2 / 4)


def test_a_figure_that_is_undefined_too_often_has_no_difference():
    left_out = np.array([np.linspace(0.4, 0.6, 10), [np.nan] * 2 + [0.5, 0.6] * 4])
    (subject,) = subjects_of(pair(10), [PEARSON])
    found = Jackknife(subject, left_out, False)
    low, high, reason = found.difference(0, 1, 0.95)
    assert np.isnan([low, high, found.p_value(0, 1), found.p_value(1, 0)]).all()
    assert reason == "one of the two figures has no interval"


def test_a_swap_that_changes_nothing_reaches_the_difference_whatever_the_rounding():
    """All errors are in one group: whether it is swapped or not, the difference of the two means is the same."""
    rng = np.random.default_rng(0)
    errors = np.concatenate([rng.uniform(0, 1e7, 37), np.zeros(3)])
    made = Comparison.of_scores(np.zeros(40), np.stack([np.zeros(40), errors]), Scale(low=0, high=1e7))
    groups = np.repeat([0, 1], [37, 3])
    assert confidence(made, [MAE], groups=groups, test="permutation", resamples=50).p_values[0, 0, 1] == 1.0


def test_the_larger_figure_says_what_is_rounding():
    """Of figures up to 3 million, differences that fall short by 2 millionths are the same, by 4 millionths less."""

    class Swapped:
        def swapped_values(self, comparison, swaps):
            swapped = np.zeros((2, 2, 2))
            swapped[1, 0] = 2e6 - np.array([2e-6, 4e-6])
            return swapped

    (subject,) = subjects_of(pair(10), [MAE])
    large = replace(subject, measure=Swapped(), figures=(Figure(1e6), Figure(3e6)))
    found = _permuted(large, np.zeros((2, 10)))
    assert (found.exceeding[0, 1], found.defined[0, 1]) == (1, 2)


def test_permutations_are_counted_in_whole_numbers():
    made = Comparison.of_scores(np.arange(9.0), np.stack([np.arange(9.0), np.arange(9.0) ** 2, np.ones(9)]), FIVE)
    constant = Comparison.of_scores(np.arange(9.0), np.ones((2, 9)))
    subjects = [*subjects_of(made, [PEARSON]), *subjects_of(constant, [PEARSON])]
    some, none = Resampler(subjects, Units(9), 9, seed=0).permutations(7)
    assert {counts.dtype for counts in (*some, *none)} == {np.dtype(np.intp)}
    assert (some.defined[0, 1], some.defined.shape, none.defined.shape) == (7, (2, 2), (0, 0))


def test_records_keep_notes_and_say_what_was_unknown():
    made = Comparison.of_scores(np.arange(6.0), np.array([[1.0, 0, 2, 4, 3, 5]]))
    sure = replace(confidence(made, [PEARSON]), notes=("so", "and so"))
    assert Confidence.from_record(sure.record()).notes == ("so", "and so")
    record = {name: value for name, value in sure.record().items() if name not in ("is_floor", "freedoms")}
    old = Confidence.from_record(record)
    assert (old.is_floor.tolist(), old.is_floor.dtype) == ([[[False]]], np.bool_)
    np.testing.assert_array_equal(old.freedoms, [[np.nan]])
