"""Intervals at the end of the range of a measure: perfect, opposed and constant systems, few items or groups."""

from dataclasses import replace

import numpy as np
import pytest

from similitude import stats
from similitude.data.scale import Scale
from similitude.evaluate.comparison import Comparison, Sources
from similitude.evaluate.measures import catalogue, make_measure
from similitude.evaluate.significance import confidence
from similitude.evaluate.significance.decision import decision_on
from similitude.evaluate.significance.evidence import Evidence

NAMES = (*map(str, catalogue()), "ndcg@10", "ncg@3")
SAMPLES = {
    "graded": ((2, 1), (3, 1), (5, 1), (40, 1), (10, 5), (12, 4), (12, 2), (41, 20)),
    "labels": ((3, 1), (10, 1), (10, 5), (12, 2)),
}


def nearly_perfect(*, wrong: int) -> np.ndarray:
    """60 negative and 60 positive items; one positive scores lower than so many negatives."""
    scores = np.arange(120.0)
    scores[60] = 59.5 - wrong
    return scores


@pytest.mark.parametrize("wrong", [1, 4, 20])
@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_a_nearly_perfect_system_is_told_from_a_useless_one(wrong: int, size: int):
    """One pair in 3,600 is wrong: the interval reached from 0 to 1 once, since without one group no pair was."""
    labels = np.repeat([0.0, 1.0], 60)
    useless = np.random.default_rng(size).normal(size=120)
    made = Comparison.of_scores(labels, np.stack([nearly_perfect(wrong=wrong), useless]))
    groups = None if size == 1 else np.arange(120) % (120 // size)
    sure = confidence(made, [make_measure("auc"), make_measure("average_precision")], groups=groups)
    for place in range(2):
        low, high, _ = sure.intervals[0][place]
        assert 0.65 < low < high <= 1.0
        low, high, _ = sure.differences[place][0][1]
        assert 0 < low < high < 0.8
        assert sure.p_values[place, 0, 1] < 0.05


def made_of(items: int, size: int, *, labels: bool) -> Comparison:
    """A perfect, a constant, an almost perfect, an opposed, a poor system, and one that is wrong once."""
    rng, groups = np.random.default_rng(100 * items + size), np.arange(items) // size
    gold = np.where(rng.random(items) < 0.5, 5.0, 0.0) if labels else np.round(rng.random(items) * 5, 1)
    gold[:2] = 5, 0
    poor = np.clip(gold + 2 * rng.normal(size=items), 0, 5)
    once = np.where(np.arange(items) == 0, 5 - gold, gold)
    rows = np.stack([gold, np.full(items, 2.5), gold + 0.01 * rng.normal(size=items), 5 - gold, poor, once])
    made = Comparison(
        gold=gold,
        predicted=rows,
        scale=Scale(low=0, high=5),
        is_on_scale=np.ones(len(rows), dtype=bool),
        gold_sigma=np.full(items, 0.5),
        predicted_sigma=0.5 + 0.1 * rng.random(rows.shape),
        groups=groups if size > 1 else None,
        sources=Sources(groups % 2, ("a", "b")),
    )
    folds = stats.grouped_folds(gold, groups, stats.scattered(groups), 5) if labels else None
    return replace(made, folds=folds)


@pytest.mark.parametrize(("kind", "items", "size"), [(kind, *each) for kind in SAMPLES for each in SAMPLES[kind]])
def test_an_interval_holds_its_figure_within_the_range_or_says_why_there_is_none(kind: str, items: int, size: int):
    made = made_of(items, size, labels=kind == "labels")
    measures = [measure for name in NAMES if (measure := make_measure(name)).is_defined_on(made)]
    sure = confidence(made, measures, groups=made.groups, resamples=None)
    for column, measure in enumerate(measures):
        figures = [figure.value for figure in measure(made)]
        for row, value in enumerate(figures):
            check(sure.intervals[row][column], value, (measure.low, measure.high), measure)
            reach = measure.high - measure.low
            for other in range(row):
                difference = sure.differences[column][row][other]
                check(difference, value - figures[other], (-reach, reach), measure)
                if not np.isnan(difference.low):
                    p_value, is_apart = sure.p_values[column, row, other], difference.low > 0 or difference.high < 0
                    assert (p_value <= 1 - 0.95) == is_apart, (measure, row, other)


def check(interval: stats.Interval, value: float, ends: tuple[float, float], measure) -> None:
    low, high, reason = interval
    if np.isnan(low) or np.isnan(value):
        assert np.isnan(high), measure
        assert reason, measure
    else:
        assert ends[0] - 1e-9 <= low <= value + 1e-9, measure
        assert value - 1e-9 <= high <= ends[1] + 1e-9, measure
        assert high - low > 1e-9 or reason or value == 0, measure  # equal systems may differ by 0 always


@pytest.mark.parametrize("items", [2, 3, 8])
def test_equal_errors_of_a_few_items_tell_as_much_as_the_sign_test(items: int):
    gold = np.linspace(0, 5, items)
    made = Comparison.of_scores(gold, np.stack([gold, gold + 0.5]), Scale(low=0, high=6))
    sure = confidence(made, [make_measure("mae")])
    low, high, reason = sure.differences[0][0][1]
    assert (low, high) == pytest.approx((-0.5, -0.5 if items == 8 else 0.0)), "so few items are not sure of the sign"
    assert reason == "the difference is the same whichever of the items is left out"
    assert sure.p_values[0, 0, 1] == pytest.approx(2 ** (1 - items))  # all signs alike, of 2 ** items, on both sides


def test_shares_of_two_groups_move_together_by_chance():
    """Of 10 items in two groups, 7 and 3 are right; two groups always correlate by 1 or -1."""
    gold = np.array([1.0, 1, 1, 1, 1, 1, 1, 4, 4, 4])
    made = Comparison.of_scores(gold, np.stack([np.full(10, 1.0), np.full(10, 4.0)]), Scale(low=0, high=5))
    low, high, _ = confidence(made, [make_measure("accuracy_low")], groups=np.arange(10) // 5).differences[0][0][1]
    assert -1 <= low < 0 < 0.4 < high <= 1


def test_a_p_value_belongs_to_the_first_interval_that_holds_0():
    """A larger quantile may move two estimates nearer to each other; a wider interval still holds all narrower ones."""
    one, other = stats.LinkPivot(0.99997, 0.6, 1.0, "fisher"), stats.LinkPivot(0.6, 0.05, 1.0, "fisher")
    level = 1 - stats.difference_p_value(one, other, 0.99)
    for larger in (level + 1e-6, level + 0.001):
        assert stats.difference_interval(one, other, 0.99, larger).low <= 0
    assert stats.difference_interval(one, other, 0.99, level - 1e-6).low > 0


def test_a_perfect_system_is_told_from_systems_that_never_vary():
    """Both conditions of a pair get the same score from a system that reads none, so its area is .5 without any pair.

    All three figures are the same without each group. The p-values of the differences decide, times three pairs.
    """
    groups = np.repeat(np.arange(24), 2)
    gold = np.tile([0.0, 1.0], 24)
    rng = np.random.default_rng(0)
    scores = np.stack([gold, np.repeat(rng.normal(size=24), 2), np.repeat(rng.normal(size=24), 2)])
    made, auc = Comparison.of_scores(gold, scores), make_measure("auc")
    sure = confidence(made, [auc], groups=groups)
    evidence = Evidence.of_confidence(sure, 0, auc.values(made), higher_is_better=True)
    found = decision_on(evidence)
    assert found.may_be_best == (0,)
    single = evidence.single_p_values
    assert evidence.p_values[0, 1] <= 3 * max(single[0, 1], single[0, 2]) + 1e-9


@pytest.mark.parametrize("asked", ["auto", "bca", "jackknife"])
def test_a_bootstrap_interval_of_a_rank_correlation_near_1_holds_it(asked: str):
    # gold in steps of .1: resamples repeat items, and with them fewer ties of gold are broken by the system
    rng = np.random.default_rng(7)
    gold = np.round(rng.uniform(0, 5, 200), 1)
    scores, measure = gold + rng.normal(0, 0.02, 200), make_measure("spearman")
    near = Comparison.of_scores(gold, scores[None])
    [[interval]] = confidence(near, [measure], method=asked, resamples=300).intervals
    assert interval.low <= measure(near)[0].value <= interval.high


def test_wilson_s_interval_of_a_perfect_figure_ends_at_it_in_spite_of_rounding():
    for groups in range(2, 200):
        interval = stats.pivot_interval(stats.SharePivot(1.0, groups, groups - 1), 0.95)
        assert interval.high == 1.0
        assert stats.pivot_interval(stats.SharePivot(0.0, groups, groups - 1), 0.95).low == 0.0
