"""Coefficients of agreement on categories, against the values that the R package irrCAC documents."""

import numpy as np
import pytest

from similitude.errors import ArgumentError, UnknownNameError
from similitude.gold.reliability.categories import (
    Coefficient,
    brennan_prediger,
    category_weights,
    classified_counts,
    classified_matrix,
    classified_ratings,
    coefficient_estimate,
    cohen_coefficient,
    conger,
    fleiss,
    gwet,
    krippendorff,
    observed_agreement,
    score_estimate,
    share_estimate,
)

NAN = np.nan
RAW = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, NAN],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
)
"""cac.raw4raters: four raters, twelve subjects, of which the last has one rating."""

TABLE = np.array([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
"""cont3x3abstractors: two raters, a hundred subjects."""

COUNTS = np.array(
    [
        [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0],
        [2, 0, 4, 0, 0], [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6],
        [1, 0, 0, 5, 0], [1, 1, 0, 4, 0], [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1],
    ]
)  # fmt: skip
"""distrib.6raters: six raters, fifteen subjects, five categories."""


def pairs_of(table):
    rows, columns = np.nonzero(table)
    times = table[rows, columns]
    return classified_matrix(np.stack([np.repeat(rows, times), np.repeat(columns, times)]).astype(float))


# Coefficient, weights, value, standard error: overview.html and weighting.html of irrCAC, and its README.
PUBLISHED_RAW = [
    (observed_agreement, "identity", 0.81818, 0.12561),
    (gwet, "identity", 0.77544, 0.14295),
    (fleiss, "identity", 0.76117, 0.15302),
    (krippendorff, "identity", 0.74342, 0.14548),
    (conger, "identity", 0.76282, 0.14917),
    (brennan_prediger, "identity", 0.77273, 0.14472),
    (observed_agreement, "quadratic", 0.97538, 0.09062),
    (gwet, "quadratic", 0.91400, 0.10396),
    (fleiss, "quadratic", 0.86494, 0.14603),
    (conger, "quadratic", 0.85771, 0.14367),
    (brennan_prediger, "quadratic", 0.90152, 0.11089),
]


@pytest.mark.parametrize(("coefficient", "weights", "value", "error"), PUBLISHED_RAW)
def test_raw_ratings(coefficient, weights, value, error):
    found = coefficient(classified_matrix(RAW), weights)
    assert found.value == pytest.approx(value, abs=5.1e-6)
    assert found.standard_error == pytest.approx(error, abs=5.1e-6)


@pytest.mark.parametrize(
    ("coefficient", "weights", "observed", "chance"),
    [
        (gwet, "identity", 0.8181818, 0.1903212),
        (fleiss, "identity", 0.8181818, 0.2387153),
        (krippendorff, "identity", 0.805, 0.24),
        (conger, "identity", 0.8181818, 0.2334252),
        (gwet, "quadratic", 0.9753788, 0.7137044),
        (krippendorff, "quadratic", 0.9735938, 0.825),
        (conger, "quadratic", 0.9753788, 0.8269638),
        (brennan_prediger, "quadratic", 0.9753788, 0.75),
    ],
)
def test_observed_agreement_and_chance(coefficient, weights, observed, chance):
    found = coefficient(classified_matrix(RAW), weights)
    assert (found.observed, found.chance) == pytest.approx((observed, chance), abs=5.1e-8)


@pytest.mark.parametrize(("weights", "value", "error"), [("linear", 0.859, 0.117), ("ordinal", 0.899, 0.107)])
def test_ac2_with_other_weights(weights, value, error):
    found = gwet(classified_matrix(RAW), weights)
    assert (found.value, found.standard_error) == pytest.approx((value, error), abs=5.1e-4)


# The functions for contingency tables divide by n, those for raw ratings by n - 1, as ours do except for Cohen's.
PUBLISHED_TABLE = [
    (cohen_coefficient, "identity", 0.7964094, 0.05891072, 1.0),
    (fleiss, "identity", 0.7962397, 0.05905473, 0.99),
    (gwet, "identity", 0.8493305, 0.04321747, 0.99),
    (brennan_prediger, "identity", 0.835, 0.04693346, 0.99),
    (krippendorff, "identity", 0.7972585, 0.05905473, 0.99),
    (observed_agreement, "identity", 0.89, 0.03128898, 0.99),
    (cohen_coefficient, "quadratic", 0.8921569, 0.03535151, 1.0),
    (fleiss, "quadratic", 0.8921093, 0.03539506, 0.99),
    (gwet, "quadratic", 0.9402369, 0.01792019, 0.99),
    (brennan_prediger, "quadratic", 0.9175, 0.02346673, 0.99),
    (krippendorff, "quadratic", 0.8926487, 0.03539506, 0.99),
    (observed_agreement, "quadratic", 0.9725, 0.007822244, 0.99),
]


@pytest.mark.parametrize(("coefficient", "weights", "value", "error", "share"), PUBLISHED_TABLE)
def test_two_raters(coefficient, weights, value, error, share):
    found = coefficient(pairs_of(TABLE), weights)
    assert found.value == pytest.approx(value, abs=5.1e-8)
    assert found.standard_error * share**0.5 == pytest.approx(error, abs=5.1e-9)


@pytest.mark.parametrize(
    ("coefficient", "weights", "value", "error"),
    [
        (gwet, "identity", 0.4448007, 0.08418757),
        (fleiss, "identity", 0.4139265, 0.08119291),
        (brennan_prediger, "identity", 0.4388889, 0.08312142),
        (gwet, "quadratic", 0.4837438, 0.1058227),
        (fleiss, "quadratic", 0.2511909, 0.1457381),
        (brennan_prediger, "quadratic", 0.4177778, 0.1067493),
    ],
)
def test_counts(coefficient, weights, value, error):
    found = coefficient(classified_counts(COUNTS), weights)
    assert (found.value, found.standard_error) == pytest.approx((value, error), abs=5.1e-8)


def test_alpha_of_counts():
    assert krippendorff(classified_counts(COUNTS)).value == pytest.approx(0.4204384, abs=5.1e-8)
    assert krippendorff(classified_counts(COUNTS), "quadratic").value == pytest.approx(0.259511, abs=5.1e-7)


def test_weights():
    values = np.array([1.0, 2.0, 4.0])
    assert category_weights(values, "identity").tolist() == np.eye(3).tolist()
    # Distances 1, 2 and 3; squares 1, 4, 9; with C(m, 2) over C(3, 2), categories in between count and values do not.
    assert category_weights(values, "linear")[0] == pytest.approx([1, 2 / 3, 0])
    assert category_weights(values, "linear")[1] == pytest.approx([2 / 3, 1, 1 / 3])
    assert category_weights(values, "quadratic")[1] == pytest.approx([8 / 9, 1, 5 / 9])
    assert category_weights(values, "ordinal")[1] == pytest.approx([2 / 3, 1, 2 / 3])
    assert category_weights(np.array([3.0]), "linear").tolist() == [[1.0]]
    assert category_weights(np.array([0.1, 0.2, 0.3]), "linear")[0] == pytest.approx([1, 0.5, 0])
    with pytest.raises(UnknownNameError, match="cubic"):
        category_weights(values, "cubic")


def test_cohen_leaves_out_items_of_one_rater_and_conger_does_not():
    two = RAW[:2]
    both = two[:, ~np.isnan(two).any(axis=0)]
    assert cohen_coefficient(classified_matrix(two)).value == pytest.approx(
        cohen_coefficient(classified_matrix(both)).value
    )
    assert cohen_coefficient(classified_matrix(two)).items == 9
    assert conger(classified_matrix(two)).items == 10
    assert conger(classified_matrix(both)).value == pytest.approx(cohen_coefficient(classified_matrix(both)).value)


def test_cohen_is_for_two():
    with pytest.raises(ValueError, match="there are 4"):
        cohen_coefficient(classified_matrix(RAW))


def test_the_error_for_intervals_is_that_of_leaving_one_out():
    # With single ratings the published error is larger; the jackknife tells which one is right.
    answers = classified_matrix(RAW)
    for coefficient in (observed_agreement, gwet, fleiss, conger):
        found = coefficient(answers)
        left_out = [coefficient(answers.of_items(np.arange(12) != place)).value for place in range(12)]
        jackknife = np.sqrt(11 / 12 * np.sum((np.array(left_out) - np.mean(left_out)) ** 2))
        assert found.interval_error == pytest.approx(jackknife, rel=0.15)
        assert found.standard_error > found.interval_error
    paired = answers.of_items(answers.is_paired)
    for coefficient in (observed_agreement, gwet, fleiss, conger):
        found = coefficient(paired)
        assert found.standard_error == pytest.approx(found.interval_error)


def test_possible_categories_that_nobody_chose_count_for_gwet_and_brennan_prediger():
    item, label = np.repeat(np.arange(4), 2), np.array([0.0, 0, 1, 1, 0, 1, 0, 0])
    few, more = (classified_ratings(item, label, possible=np.arange(size, dtype=float)) for size in (2, 4))
    assert fleiss(few).value == fleiss(more).value
    # P = 3/4; Pe = 1/2 and 1/4. Shares 5/8 and 3/8: Pe = 2 * 15/64 = 15/32, and a third of it with four categories.
    assert (brennan_prediger(few).value, brennan_prediger(more).value) == pytest.approx((0.5, 2 / 3))
    assert gwet(few).chance == pytest.approx(15 / 32)
    assert gwet(more).chance == pytest.approx(15 / 96)


def test_where_all_say_the_same_only_kappas_are_undefined():
    answers = classified_ratings(np.repeat(np.arange(5), 2), np.zeros(10), possible=np.array([0.0, 1.0]))
    assert gwet(answers).value == brennan_prediger(answers).value == observed_agreement(answers).value == 1
    for coefficient in (fleiss, krippendorff):
        assert "all answers are the same" in coefficient(answers).reason
    alone = classified_ratings(np.repeat(np.arange(5), 2), np.zeros(10))
    for coefficient in (gwet, brennan_prediger):
        assert "only one category" in coefficient(alone).reason


def test_undefined_says_why():
    assert "no item has two answers" in fleiss(classified_matrix(np.array([[1.0, 2.0]]))).reason
    assert "only one item has two answers" in fleiss(classified_counts(np.array([[2, 0], [1, 0]]))).reason
    assert "not named" in conger(classified_counts(COUNTS)).reason
    twice = classified_ratings(np.repeat(np.arange(3), 2), np.array([0.0, 1, 1, 1, 0, 0]), np.zeros(6, int))
    assert "only one annotator" in conger(twice).reason
    apart = classified_matrix(np.array([[1.0, 2, NAN, NAN], [2, NAN, 1, 2]]))
    assert "answers of both" in cohen_coefficient(apart).reason


@pytest.mark.parametrize("table", [[1, 2], [[1.5, 2], [1, 1]], [[-1, 2], [1, 1]], [[NAN, 2], [1, 1]]])
def test_a_table_holds_counts(table):
    with pytest.raises(ArgumentError, match="not a table of counts"):
        classified_counts(np.array(table))


def test_interval():
    # t(29) at .975 is 2.0452; atanh .5 = .5493; half a width is 2.0452 * .1 / .75 = .27270.
    found = coefficient_estimate(Coefficient(0.5, 0.3, 0.1, 0.8, 0.6, 40, 30), 0.95)
    assert (found.low, found.high) == pytest.approx((np.tanh(0.54931 - 0.27270), np.tanh(0.54931 + 0.27270)), abs=1e-5)


def test_interval_if_no_answer_disagrees():
    # 20 items without a disagreement: a share of .025^(1/20) = .8316 is still possible; (.8316 - .5) / .5.
    found = coefficient_estimate(Coefficient(1.0, 0.0, 0.0, 1.0, 0.5, 20, 20), 0.95)
    assert (found.low, found.high) == pytest.approx((0.66313, 1.0), abs=1e-5)
    assert "all items agree" in found.reason
    assert coefficient_estimate(Coefficient(1.0, 0.0, 0.0, 1.0, 0.9, 2, 2), 0.95).low == -1


def test_no_interval_at_the_lower_end():
    found = coefficient_estimate(Coefficient(-1.0, 0.1, 0.1, 0.0, 0.5, 20, 20), 0.95)
    assert (found.value, np.isnan(found.low)) == (-1.0, True)
    assert "end of its range" in found.reason


def test_interval_of_a_share():
    # .8 * .2 / .1^2 = 16 answers; t(9) at .975 is 2.26216, t^2 = 5.11736: (.8 + .15992) / 1.31984 = .72731;
    # 2.26216 * sqrt(.01 + 5.11736 / 1024) / 1.31984 = .20989.
    found = share_estimate(0.8, 0.1, 10, 0.95)
    assert (found.low, found.high) == pytest.approx((0.72731 - 0.20989, 0.72731 + 0.20989), abs=2e-5)
    # No error: 20 answers of 20 items, t(19) = 2.09302: 20 / (20 + 4.38075).
    assert share_estimate(1.0, 0.0, 20, 0.95)[1:3] == pytest.approx((0.82032, 1.0), abs=1e-5)
    assert share_estimate(0.0, 0.0, 20, 0.95)[1:3] == pytest.approx((0.0, 1 - 0.82032), abs=1e-5)
    assert share_estimate(0.5, 0.0, 20, 0.95).low == pytest.approx(share_estimate(0.5, 0.05**0.5 / 2, 20, 0.95).low)
    assert np.isnan(share_estimate(0.5, 0.0, 1, 0.95).low)


def test_interval_of_agreement_corrected_for_chance():
    # Observed .8 with an error of .25 * .4 = .1; the ends of that share, minus .6, over .4.
    found = score_estimate(Coefficient(0.5, 0.3, 0.25, 0.8, 0.6, 12, 10), 0.95)
    ends = share_estimate(0.8, 0.1, 10, 0.95)
    assert (found.low, found.high) == pytest.approx(((ends.low - 0.6) / 0.4, (ends.high - 0.6) / 0.4))
    assert score_estimate(Coefficient(*[NAN] * 5, 3, 1, "why"), 0.95).reason == "why"


def test_many_categories_take_no_matrix():
    # 40,000 words: a matrix of words x words would hold 1.6 billion numbers.
    rng = np.random.default_rng(0)
    words = np.repeat(np.arange(40_000.0), 2)
    words[rng.choice(80_000, 8_000, replace=False)] = 0
    found = fleiss(classified_ratings(np.repeat(np.arange(40_000), 2), words))
    assert found.value == pytest.approx(found.observed, abs=0.02)


def test_random_answers_give_zero_and_order_of_rows_does_not_matter():
    rng = np.random.default_rng(0)
    item, rater = np.repeat(np.arange(5000), 4), np.tile(np.arange(4), 5000)
    label = rng.choice(3, p=[0.6, 0.3, 0.1], size=20_000).astype(float)
    answers = classified_ratings(item, label, rater)
    order = rng.permutation(20_000)
    turned = classified_ratings(item[order], label[order], rater[order])
    for coefficient in (fleiss, conger, krippendorff):
        assert coefficient(answers).value == pytest.approx(0, abs=0.02)
        assert coefficient(answers)[:3] == pytest.approx(coefficient(turned)[:3], abs=1e-12)


def test_a_share_of_all_has_an_interval_that_ends_at_one():
    for items in range(2, 300):
        assert share_estimate(1.0, 0.0, items, 0.95).high == 1.0
        assert share_estimate(0.0, 0.0, items, 0.95).low == 0.0
