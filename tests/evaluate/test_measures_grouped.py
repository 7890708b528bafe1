"""Measures inside groups, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import Measure, make_measure, ranks_one_list, within_groups
from similitude.evaluate.measures.grouped import ChoiceAccuracy, GroupedCumulativeGain, GroupedDiscountedGain
from similitude.evaluate.measures.resampled_comparison import drawn
from similitude.stats import Units, bootstrap_weights


def made(gold, predicted, groups) -> Comparison:
    return Comparison.of_scores(np.array(gold, float), np.array(predicted, float), groups=np.array(groups))


def value(name: str, *columns) -> float:
    return make_measure(name)(made(*columns))[0].value


def test_right_and_wrong_choices():
    # groups 7, 7, 7 | 2, 2 | 5, 5: first right, second wrong, third right
    gold, groups = [1, 5, 3, 2, 4, 1, 0], [7, 7, 7, 2, 2, 5, 5]
    assert value("choice_accuracy", gold, [0, 9, 1, 8, 3, 1, 0], groups) == pytest.approx(2 / 3)


def test_a_tie_at_the_top_is_a_guess():
    # three tied, one of them right
    assert value("choice_accuracy", [1, 5, 3, 2], [9, 9, 9, 0], [0] * 4) == pytest.approx(1 / 3)


def test_where_gold_ties_any_of_the_best_is_right():
    assert value("choice_accuracy", [5, 5, 3], [1, 9, 0], [0] * 3) == 1


def test_groups_that_ask_nothing_are_left_out():
    # a group of one, a group that gold ties throughout, and one that is answered wrong
    assert value("choice_accuracy", [1, 2, 2, 1, 5], [1, 9, 0, 9, 0], [0, 1, 1, 2, 2]) == 0


@pytest.mark.parametrize("name", ["choice_accuracy", "group_ndcg"])
def test_undefined_with_a_reason(name):
    (alone,) = make_measure(name)(made([1, 2], [1, 2], [0, 1]))
    assert np.isnan(alone.value)
    assert "no group has two items" in alone.reason
    (ungrouped,) = make_measure(name)(Comparison.of_scores(np.array([1.0, 2.0]), np.array([1.0, 2.0])))
    assert ungrouped.reason == "no two items share a group"


def test_gain_inside_groups():
    # group 0 perfect: 1; group 1 ranks gold 1, 3 where 3, 1 is best: (1 + 3) / (3 + 1) = 1, for two places count alike;
    # group 2 ranks 0, 0, 4: 4 / log2(3) / 4
    gold, predicted = [3, 1, 3, 1, 4, 0, 0], [9, 1, 1, 9, 0, 8, 9]
    groups = [0, 0, 1, 1, 2, 2, 2]
    assert value("group_ndcg", gold, predicted, groups) == pytest.approx((1 + 1 + 1 / np.log2(3)) / 3)
    # only the first place: 3/3, 1/3, 0/4
    assert value("group_ndcg@1", gold, predicted, groups) == pytest.approx((1 + 1 / 3 + 0) / 3)


def test_gain_takes_the_mean_over_orders_inside_a_tie():
    # both tied: the first place holds (4 + 0) / 2 on average
    assert value("group_ndcg@1", [4, 0], [1, 1], [0, 0]) == 0.5


def test_a_group_without_gain_is_left_out():
    assert value("group_ndcg", [0, 0, 2, 1], [1, 2, 2, 1], [0, 0, 1, 1]) == 1


@pytest.mark.parametrize(("right", "error"), [(4, 0.063), (5, 0.069), (3, 0.056), (2, 0.046)])
def test_standard_errors_are_those_of_the_published_table(right, error):
    """GiCCS, Table 6: 0.133 ± 0.063, 0.166 ± 0.069, 0.100 ± 0.055 (0.0557), 0.067 ± 0.046, each of 30 dialogues."""
    wins = np.repeat([1.0, 0.0], [right, 30 - right])
    gold = np.tile([1.0, 0.0], 30)
    predicted = np.stack([wins, 1 - wins], axis=1).ravel()
    whole = Comparison.of_scores(gold, predicted, groups=np.repeat(np.arange(30), 2))
    measure = ChoiceAccuracy()
    assert measure(whole)[0].value == pytest.approx(right / 30)
    assert measure.standard_errors(whole)[0] == pytest.approx(error, abs=5e-4)
    p = right / 30
    assert measure.standard_errors(whole)[0] == pytest.approx(np.sqrt(p * (1 - p) / 29))


def test_one_group_has_no_standard_error():
    assert np.isnan(ChoiceAccuracy().standard_errors(made([1, 2], [1, 2], [0, 0])))


def test_the_order_of_groups_and_their_numbers_do_not_matter():
    rng = np.random.default_rng(0)
    gold, predicted, groups = rng.normal(size=60) + 3, rng.normal(size=60), np.repeat(np.arange(12), 5)
    order = rng.permutation(60)
    for name in ("choice_accuracy", "group_ndcg", "group_ndcg@2"):
        assert value(name, gold, predicted, groups) == pytest.approx(
            value(name, gold[order], predicted[order], 100 - groups[order])
        )


def test_a_group_drawn_twice_is_two_groups():
    # groups (0, 1) and (2, 3); the first drawn twice, the second not at all
    found = drawn(made([1, 2, 3, 4], [1, 2, 3, 4], [5, 5, 9, 9]), np.array([0, 0, 1, 1]))
    assert found.gold.tolist() == [1, 1, 2, 2]
    assert found.groups.tolist() == [0, 1, 0, 1]


MEASURES = [
    ChoiceAccuracy(),
    GroupedDiscountedGain(),
    GroupedDiscountedGain(k=2),
    GroupedCumulativeGain(k=2),
    GroupedDiscountedGain(k="avgrank"),
]


@pytest.mark.parametrize("measure", MEASURES)
def test_whole_groups_drawn_or_swapped_are_counted_as_if_written_out(measure):
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 6, 15)
    groups = rng.permutation(np.repeat(np.arange(15), sizes))
    gold = rng.integers(0, 4, groups.size).astype(float)
    predicted = rng.integers(0, 4, (3, groups.size)).astype(float)
    whole = Comparison.of_scores(gold, predicted, groups=groups)
    units = Units.of_groups(groups)
    weights = units.over_items(bootstrap_weights(units.number, 40, rng))
    slow = Measure.weighted_values(measure, whole, weights)
    np.testing.assert_allclose(measure.weighted_values(whole, weights), slow, atol=1e-12)
    swaps = units.over_items(rng.integers(0, 2, (30, units.number)).astype(float))
    slow = Measure.swapped_values(measure, whole, swaps)
    np.testing.assert_allclose(measure.swapped_values(whole, swaps), slow, atol=1e-12)


def test_written_as_it_is_read():
    assert str(make_measure("group_ndcg@3")) == "group_ndcg@3"
    from similitude.errors import ArgumentError

    with pytest.raises(ArgumentError, match="cannot rank the first 0 places"):
        make_measure("group_ndcg@0")


def test_cumulative_gain_within_groups_by_hand():
    """Group 0, by the system: gold 1 4 3; first two of 4 + 3: 5 / 7. Group 1: gold 2 0; all places: 2 / 2."""
    found = made([4, 3, 1, 0, 2], [2, 1, 3, 1, 2], [0, 0, 0, 1, 1])
    assert GroupedCumulativeGain(k=2).values(found) == pytest.approx([(5 / 7 + 1) / 2])
    assert GroupedCumulativeGain(k=1).values(found) == pytest.approx([(1 / 4 + 1) / 2])


def test_the_least_similar_first_within_groups():
    """On 0..5 the gains of gold 4 3 1 are 1 2 4; the lowest score first, the system ranks gains 2 1 4: (2 + 1) / 6."""
    found = replace(made([4, 3, 1], [2, 1, 3], [0, 0, 0]), scale=Scale(low=0, high=5))
    assert GroupedCumulativeGain(k=2, reverse=True).values(found) == pytest.approx([3 / 6])
    assert str(GroupedCumulativeGain(k=2, reverse=True)) == "group_ncg@2(reverse=true)"
    unknown = replace(found, scale=None)
    assert "gold scale is unknown" in GroupedCumulativeGain(k=2, reverse=True)(unknown)[0].reason


def test_the_mean_of_three_cuts_within_groups():
    rng = np.random.default_rng(3)
    found = made(rng.uniform(0, 5, 40), rng.uniform(0, 1, 40), np.repeat([0, 1], 20))
    each = [GroupedDiscountedGain(k=k).values(found) for k in (3, 5, 10)]
    assert GroupedDiscountedGain(k="avgrank").values(found) == pytest.approx(np.mean(each, axis=0))


def test_groups_that_are_left_out_are_counted():
    found = made([4, 3, 1, 2], [2, 1, 3, 4], [0, 0, 1, 2])
    words = ["group_ndcg: 2 of 3 groups cannot rank systems and are left out"]
    assert GroupedDiscountedGain().caveats(found) == words
    assert GroupedDiscountedGain().caveats(replace(found, groups=np.array([0, 0, 1, 1]))) == []
    assert GroupedDiscountedGain().caveats(replace(found, groups=None)) == []


def test_row_order_cannot_break_ties_within_groups():
    with pytest.raises(ArgumentError, match=r"ndcg@3\(ties=stable\) cannot be averaged over groups"):
        within_groups(make_measure("ndcg@3(ties=stable)"))
    assert str(within_groups(make_measure("ndcg@avgrank(reverse=true)"))) == "group_ndcg@avgrank(reverse=true)"
    assert [ranks_one_list(make_measure(name)) for name in ("pearson", "macro_avg(f1, ncg@3)", "group_ndcg")] == [
        False,
        True,
        False,
    ]


def test_only_whole_groups_can_be_left_out():
    whole = made([1, 2, 2, 1], [1, 2, 1, 2], [3, 3, 8, 8])
    measure = ChoiceAccuracy()
    assert measure.left_out(whole, Units(4)) is None
    assert measure.left_out(whole, Units.of_groups(np.array([0, 1, 1, 0]))) is None
    assert measure.left_out(whole, Units.of_groups(np.array([3, 3, 8, 8]))).tolist() == [[0.0, 1.0]]


def test_groups_that_count_are_the_trials_of_a_choice():
    # gold ties all of group 8; two groups are left for both systems
    whole = made([1, 2, 2, 2, 2, 1], [[1, 2, 1, 2, 1, 2], [2, 1, 1, 2, 2, 1]], [3, 3, 8, 8, 9, 9])
    assert ChoiceAccuracy().shares(whole).trials.tolist() == [2, 2]
    assert ChoiceAccuracy().values(whole).tolist() == [0.5, 0.5]


def test_one_group_swapped_is_the_other_system():
    whole = made([1, 2], [[1, 2], [2, 1]], [3, 3])
    swapped = ChoiceAccuracy().swapped_values(whole, np.array([[1.0, 1.0], [0.0, 0.0]]))
    assert swapped[0, 1].tolist() == [0, 1]
    assert swapped[1, 0].tolist() == [1, 0]
    assert swapped[0, 0].tolist() == [1, 1]
