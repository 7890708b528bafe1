"""Measures on a few items, counted by hand."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import poisson

from similitude.data import Scale
from similitude.errors import ArgumentError
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import catalogue, make_measure
from similitude.evaluate.measures.catalogue import DEFAULT_MEASURES, DISTRIBUTION_MEASURES, FAMILIES
from similitude.stats import Units

FIVE = Scale(low=0, high=5)
# On 0..5 low is below 1.5 and high above 3.5; both borders themselves are in the middle.
GOLD = np.array([0.0, 1.0, 1.5, 2.0, 3.5, 4.0, 5.0, 5.0])
#               low  low  mid  mid  mid  high high high
SYSTEM = np.array([1.0, 2.0, 1.0, 2.0, 3.5, 3.0, 4.0, 4.5])
#                  low  mid  low  mid  mid  mid  high high


def figure(written: str, gold=GOLD, system=SYSTEM, scale=FIVE) -> float:
    return make_measure(written)(Comparison.of_scores(np.array(gold), np.array(system), scale))[0].value


@pytest.mark.parametrize(
    ("written", "value"),
    [
        # low: both say so of one item, the system alone of one, gold alone of one, neither of five
        ("accuracy_low", 6 / 8),
        ("precision_low", 1 / 2),
        ("recall_low", 1 / 2),
        ("f1_low", 1 / 2),
        # high: both of two, gold alone of one, neither of five
        ("accuracy_high", 7 / 8),
        ("precision_high", 1.0),
        ("recall_high", 2 / 3),
        ("f1_high", 4 / 5),
        # up to 2, exclusive: gold 0, 1, 1.5; the system 1 and 1: two of both, one of gold alone
        ("recall_low(border=2)", 2 / 3),
        ("precision_low(border=2)", 1.0),
        ("precision_high(border=2)", 1.0),
        ("recall_high(border=2)", 1.0),
        ("accuracy_3bin", 5 / 8),
        # errors 1, 1, -.5, 0, 0, -1, -1, -.5
        ("mae", 5 / 8),
        ("mse", (4 * 1 + 2 * 0.25) / 8),
    ],
)
def test_figures_by_hand(written: str, value: float):
    assert figure(written) == pytest.approx(value)


def test_f1_of_three_bins_by_hand():
    """Low 1/2; middle: both of two, the system alone of two, gold alone of one: 4/7; high 4/5."""
    assert figure("f1_macro_3bin") == pytest.approx((1 / 2 + 4 / 7 + 4 / 5) / 3)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("precision_high", "the system calls no pair high"),
        ("recall_low", "no gold pair is low"),
        ("f1_low", "no pair is low, neither in gold nor for the system"),
    ],
)
def test_nobody_says_yes(written: str, reason: str):
    middle = Comparison.of_scores(np.array([2.0, 3.0]), np.array([2.0, 3.0]), FIVE)
    (found,) = make_measure(written)(middle)
    assert np.isnan(found.value)
    assert found.reason == reason
    assert make_measure(f"{written}(when_empty=0.25)")(middle)[0].value == 0.25
    assert str(make_measure(f"{written}(when_empty=0.25)")) == f"{written}(when_empty=0.25)"


def test_names_and_meanings_of_low_and_high():
    assert make_measure("recall_high(border=4)").meaning == "share of the high pairs that the system finds"
    assert str(make_measure("recall_high(border=4)")) == "recall_high(border=4.0)"
    assert make_measure("f1_low").meaning == "harmonic mean of precision and recall for low pairs"


def test_which_side_is_constant_is_said():
    for written in ("pearson", "spearman", "kendall"):
        flat = make_measure(written)(Comparison.of_scores(np.array([1.0, 1.0]), np.array([1.0, 2.0])))
        assert flat[0].reason == "all gold scores are the same"
        flat = make_measure(written)(Comparison.of_scores(np.array([1.0, 2.0]), np.array([1.0, 1.0])))
        assert flat[0].reason == "all predictions are the same"
        assert make_measure(written)(Comparison.of_scores(np.array([1.0]), np.array([2.0])))[0].reason == "only 1 item"


LOG3 = np.log2(3)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        # by the system, gold reads 4 3 2 1 5 0; at best 5 4 3 2 1 0
        ("ncg@1", 4 / 5),
        ("ncg@2", 7 / 9),
        ("ncg", 1.0),
        ("ndcg@2", 7 / 9),
        ("ndcg@3", (7 + 2 / LOG3) / (9 + 3 / LOG3)),
        ("ndcg@4", (7 + 2 / LOG3 + 1 / 2) / (9 + 3 / LOG3 + 2 / 2)),
        # over 3, 5 and 10 places, of which there are six
        ("ncg@avgrank", (9 / 12 + 15 / 15 + 15 / 15) / 3),
        # lowest first, the gain is 5 - gold: by the system 5 0 4 3 2 1, at best 5 4 3 2 1 0
        ("ncg@2(reverse=true)", 5 / 9),
        ("ncg@3(reverse=true)", 9 / 12),
    ],
)
def test_gains_by_hand(written: str, value: float):
    assert figure(written, [5.0, 4, 3, 2, 1, 0], [1.0, 5, 4, 3, 2, 0]) == pytest.approx(value)


def test_a_mean_over_cuts_has_the_papers_name():
    gold, system = np.arange(12.0)[::-1], np.array([3.0, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8])
    for name in ("ncg", "ndcg"):
        mean = np.mean([figure(f"{name}@{cut}", gold, system) for cut in (3, 5, 10)])
        assert figure(f"{name}@avgrank", gold, system) == pytest.approx(mean)
        assert make_measure(f"{name}_avgrank") == make_measure(f"{name}@avgrank")
        for keywords in ("reverse=true", "ties=stable"):
            assert make_measure(f"{name}_avgrank({keywords})") == make_measure(f"{name}@avgrank({keywords})")
    with pytest.raises(ArgumentError, match="cannot rank the first 0 places; write ndcg@1 or more"):
        make_measure("ndcg@0")


def test_ties_are_expected_or_stable():
    """The system ties the first two: expected 3, stable 1; reversed, its lowest are last."""
    gold, system = [1.0, 5.0, 0.0], [2.0, 2.0, 0.0]
    assert figure("ncg@1", gold, system) == pytest.approx(3 / 5)
    assert figure("ncg@1(ties=stable)", gold, system) == pytest.approx(1 / 5)
    assert figure("ncg@2(ties=stable, reverse=true)", gold, system) == pytest.approx((5 + 4) / (5 + 4))
    assert figure("ncg@2(ties=stable, reverse=true)", [5.0, 1.0, 0.0], system) == pytest.approx((5 + 0) / (5 + 4))
    whole = Comparison.of_scores(np.array(gold), np.array([system]), FIVE)
    for written in ("ncg@1", "ncg@1(ties=stable)", "ndcg@2(reverse=true)", "ncg@2(ties=stable, reverse=true)"):
        measure = make_measure(written)
        once = measure.weighted_values(whole, np.ones((1, 3)))
        np.testing.assert_allclose(once[:, 0], measure.values(whole))


def test_what_is_measured_without_a_word():
    assert DEFAULT_MEASURES == ("pearson", "spearman", "ndcg@10", "f1_low", "f1_high", "mae")
    assert DISTRIBUTION_MEASURES == ("kl", "nlpd", "ece", "crps", "sigma_pearson")
    for written in (*DEFAULT_MEASURES, *DISTRIBUTION_MEASURES):
        assert str(make_measure(written)) == written


def test_families_stand_together_in_listings():
    families = [type(measure).__module__.rpartition(".")[2] for measure in catalogue()]
    assert list(dict.fromkeys(families)) == [name for name in FAMILIES if name in families]
    ours = {"correlation", "error", "cumulative_gain", "grouped", "classification", "combination"}
    assert ours | {"over_sources", "distribution"} <= set(FAMILIES)


def test_resampled_pearson_is_exact_where_sums_cancel():
    """A million above 0 the sums lose all digits; the second resample leaves the first system constant."""
    gold, rows = np.array([1.0, 2.0, 3.0, 4.0]), np.array([[1.0, 1.0, 1.0, 2.0], [1.0, 3.0, 2.0, 5.0]]) + 1e9
    whole = Comparison.of_scores(gold, rows)
    weights = np.array([[1.0, 1, 1, 1], [2.0, 1, 1, 0], [0.0, 2, 1, 1]])
    found = make_measure("pearson").weighted_values(whole, weights)
    for resample, row in enumerate(weights.astype(int)):
        chosen = np.repeat(np.arange(4), row)
        expected = make_measure("pearson").values(Comparison.of_scores(gold[chosen], rows[:, chosen]))
        np.testing.assert_allclose(found[:, resample], expected, atol=1e-6)


INF = np.inf
RANGES = {
    "pearson spearman kendall": (-1, 1, True, set()),
    "mse mae": (0, INF, False, {"scale"}),
    "ncg ndcg@10 ncg@avgrank": (0, 1, True, set()),
    "ndcg@10(reverse=true)": (0, 1, True, {"gold scale"}),
    "group_ncg group_ndcg@3": (0, 1, True, {"groups"}),
    "group_ndcg@3(reverse=true)": (0, 1, True, {"groups", "gold scale"}),
    "choice_accuracy group_ndcg@3": (0, 1, True, {"groups"}),
    "accuracy_low precision_high recall_low f1_high accuracy_3bin f1_macro_3bin f1": (0, 1, True, {"calibrated scale"}),
    "hmean(pearson,f1)": (-1, 1, True, {"calibrated scale"}),
    "macro_avg(f1_low,f1_high)": (0, 1, True, {"calibrated scale"}),
    "mean_over_sources(pearson) plain_mean_over_sources(pearson)": (-1, 1, True, {"sources"}),
    "mean_over_sources(mae)": (0, INF, False, {"sources", "scale"}),
    "nlpd nlpd_wang2022": (-INF, INF, False, {"predicted sigma", "scale"}),
    "crps": (0, INF, False, {"predicted sigma", "scale"}),
    "ece": (0, 1, False, {"predicted sigma", "scale"}),
    "ece_wang2022": (0, 1.78, False, {"predicted sigma", "scale"}),
    "crps(against=ratings)": (0, INF, False, {"predicted sigma", "scale", "ratings"}),
    "kl": (0, INF, False, {"predicted sigma", "gold sigma", "scale"}),
    "sigma_pearson sigma_spearman": (-1, 1, True, {"predicted sigma", "gold sigma"}),
}


@pytest.mark.parametrize(
    ("written", "low", "high", "is_better", "needs"),
    [(written, *rest) for names, rest in RANGES.items() for written in names.split(" ")],
)
def test_range_direction_and_needs(written: str, low: float, high: float, is_better: bool, needs: set[str]):
    measure = make_measure(written)
    assert (measure.low, measure.high, measure.higher_is_better, set(measure.requires)) == (low, high, is_better, needs)


@pytest.mark.parametrize(
    ("written", "swapped"),
    [
        ("pearson", "standardised"),
        ("spearman", "ranks"),
        ("kendall", "ranks"),
        ("ndcg@10", "ranks"),
        ("mae", "scores"),
        ("choice_accuracy", "ranks"),
    ],
)
def test_what_a_permutation_swaps(written: str, swapped: str):
    assert make_measure(written).swapped == swapped


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("mae", "the gold scale is unknown; declare it with --scale"),
        ("sigma_pearson", "gold has no standard deviations"),
        ("choice_accuracy", "no two items share a group"),
        ("mean_over_sources(pearson)", "the items name no source"),
    ],
)
def test_what_is_lacking_is_said(written: str, reason: str):
    bare = Comparison.of_scores(np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0]))
    (found,) = make_measure(written)(bare)
    assert np.isnan(found.value)
    assert found.reason == reason


def test_what_a_system_or_gold_lacks_of_a_forecast():
    whole = replace(
        Comparison.of_scores(np.array([1.0, 2.0]), np.array([[1.0, 3.0]] * 4), FIVE),
        predicted_sigma=np.array([[1.0, 1.0], [np.nan, np.nan], [0.0, 1.0], [1.0, 1.0]]),
        is_on_scale=np.array([True, True, True, False]),
    )
    found = make_measure("nlpd")(whole)
    assert [figure.reason for figure in found] == [
        None,
        "the system gives no standard deviation",
        "1 items have a predicted standard deviation of 0 or none",
        "the system declares no range, so its scores are on no known scale",
    ]
    assert found[0].value == pytest.approx(0.5 * np.log(2 * np.pi) + (0 + 1) / 4)
    assert make_measure("nlpd(against=ratings)")(whole)[0].reason == "gold keeps no individual ratings"


def test_forecasts_against_ratings_count_each_item_once():
    """Item 0 has ratings 0 and 2, item 1 has 4: absolute errors 1 and 1, and 1; each item counts half."""
    whole = replace(
        Comparison.of_scores(np.array([1.0, 4.0]), np.array([[1.0, 3.0], [0.0, 4.0]]), FIVE),
        predicted_sigma=np.zeros((2, 2)),
        ratings=(np.array([0.0, 2.0, 4.0]), np.array([0, 0, 1])),
    )
    measure = make_measure("crps(against=ratings)")
    np.testing.assert_allclose(measure.values(whole), [(1 + 1) / 2, (1 + 0) / 2])
    np.testing.assert_allclose(measure.losses(whole), [[1, 1], [1, 0]])
    np.testing.assert_allclose(measure.weighted_values(whole, np.array([[2.0, 0.0], [1.0, 3.0]])), [[1, 1], [1, 0.25]])


def test_errors_of_groups_are_those_of_a_mean():
    """Right, right and wrong: 2/3, with the standard deviation sqrt(1/3) over sqrt(3); one group alone has no error."""
    gold, groups = np.array([1.0, 2.0] * 3), np.array([4, 4, 7, 7, 9, 9])
    whole = Comparison.of_scores(gold, np.array([1.0, 2.0, 1.0, 2.0, 2.0, 1.0]), groups=groups)
    measure = make_measure("choice_accuracy")
    assert measure(whole)[0].value == pytest.approx(2 / 3)
    np.testing.assert_allclose(measure.standard_errors(whole), [np.sqrt(1 / 3) / np.sqrt(3)])
    assert measure.figures_by_group(whole).tolist() == [[1, 1, 0]]
    alone = Comparison.of_scores(gold[:2], gold[:2], groups=groups[:2])
    assert np.isnan(measure.standard_errors(alone)).all()
    two = Comparison.of_scores(gold[2:], np.array([1.0, 2.0, 2.0, 1.0]), groups=groups[2:])
    np.testing.assert_allclose(measure.standard_errors(two), [np.sqrt(1 / 2) / np.sqrt(2)])
    with pytest.raises(ArgumentError, match="cannot rank the first 0 places; write group_ndcg@1 or more"):
        make_measure("group_ndcg@0")
    assert make_measure("group_ndcg@1")(whole)[0].value == pytest.approx((1 + 1 + 0.5) / 3)


def test_one_undefined_loss_makes_a_resample_undefined():
    """The second item has a predicted sigma of 0; without it, -ln N(1; 1, 1) is half of ln 2 pi."""
    whole = replace(
        Comparison.of_scores(np.array([1.0, 2.0]), np.array([[1.0, 3.0], [1.0, 3.0]]), FIVE),
        predicted_sigma=np.array([[1.0, 0.0], [1.0, 1.0]]),
    )
    constant = 0.5 * np.log(2 * np.pi)
    found = make_measure("nlpd").weighted_values(whole, np.array([[1.0, 1.0], [3.0, 0.0]]))
    expected = [[np.nan, constant], [constant + 0.25, constant]]
    np.testing.assert_allclose(found, expected)
    np.testing.assert_allclose(make_measure("nlpd").values(whole), [np.nan, constant + 0.25])
    np.testing.assert_allclose(
        make_measure("nlpd").left_out(whole, Units(2)), [[np.nan, constant], [constant + 0.5, constant]]
    )


def test_resampled_pearson_of_one_system_is_exact_where_an_outlier_is_not_drawn():
    """Without the last item r is 1/2: deviations -1 0 1 and -1 1 0. Sums with 1e12 in them have lost that."""
    whole = Comparison.of_scores(
        np.array([1.0, 2.0, 3.0, 4.0]), np.array([[1.0, 3.0, 2.0, 1e12], [1.0, 3.0, 2.0, 4.0]])
    )
    found = make_measure("pearson").weighted_values(whole, np.array([[1.0, 1, 1, 0], [1.0, 1, 1, 1]]))
    np.testing.assert_allclose(found[:, 0], [0.5, 0.5], atol=1e-6)
    # deviations -1.5 -.5 .5 1.5 and -1.5 .5 -.5 1.5: (2.25 - .25 - .25 + 2.25) / 5
    np.testing.assert_allclose(found[1, 1], 0.8)


def test_combinations_span_both_ranges_and_say_which_part_is_undefined():
    for written, low, high in (
        ("hmean(mae, ece)", 0, np.inf),
        ("hmean(ece, mae)", 0, np.inf),
        ("macro_avg(mae, nlpd)", -np.inf, np.inf),
        ("hmean(f1_low, pearson)", -1, 1),
    ):
        assert (make_measure(written).low, make_measure(written).high) == (low, high)
    flat = Comparison.of_scores(np.array([0.0, 5.0]), np.array([1.0, 1.0]), FIVE)
    assert make_measure("hmean(f1_low, pearson)")(flat)[0].reason == "pearson: all predictions are the same"
    assert make_measure("hmean(pearson, f1_low)")(flat)[0].reason == "pearson: all predictions are the same"
    both = Comparison.of_scores(np.array([0.0, 5.0, 2.0]), np.array([5.0, 0.0, 3.0]), FIVE)
    assert make_measure("hmean(f1_low, f1_high)")(both)[0].reason == "f1_low and f1_high add up to 0"


def test_a_harmonic_mean_of_a_negative_and_a_positive_part_is_undefined():
    """Pearson's r is -1/2 and nCG@1 2/3, of which 2ab / (a + b) would make -4, and of r = -1 it would make 4."""
    opposed = Comparison.of_scores(np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 1.0]))
    for written in ("hmean(pearson, ncg@1)", "hmean(ncg@1, pearson)"):
        found = make_measure(written)(opposed)[0]
        assert np.isnan(found.value)
        assert found.reason.startswith("pearson is negative (-0.5) and the other part is not")
    both = make_measure("hmean(pearson, spearman)")(opposed)[0]
    assert both.value == pytest.approx(-0.5)


def test_the_middle_of_the_scale_is_not_positive():
    graded = Comparison.of_scores(np.array([0.0, 2.5, 2.6, 5.0]), np.arange(4.0), FIVE)
    assert make_measure("auc").is_positive(graded).tolist() == [False, False, True, True]
    plain = Comparison.of_scores(np.array([0.0, 0.5, 0.6, 1.0]), np.arange(4.0))
    assert make_measure("auc").is_positive(plain).tolist() == [False, False, True, True]


@pytest.mark.parametrize("cut", [1, 3, 10, 100, 1000])
def test_decisive_items_fill_the_cut_in_every_resample(cut: int):
    """How many draws hit the first m of many items is Poisson of mean m; too few for the cut: never in 10^12."""
    gold = np.arange(5000.0)
    whole = Comparison.of_scores(gold, gold)
    items = make_measure(f"ndcg@{cut}").decisive_items(whole, Units(5000))
    assert items.tolist() == list(range(5000 - items.size, 5000))
    assert poisson.cdf(cut - 1, items.size) < 1e-12
    assert items.size <= cut + 7 * np.sqrt(cut) + 31  # not many more than needed
    if cut == 10:
        averaged = make_measure("ncg@avgrank").decisive_items(whole, Units(5000))
        assert averaged.tolist() == items.tolist()
    assert make_measure("ndcg").decisive_items(whole, Units(5000)) is None


def test_a_cut_is_sampled_as_one():
    samplings = {written: make_measure(written).sampling for written in ("ndcg", "ncg@3", "ndcg@avgrank", "pearson")}
    assert samplings == {"ndcg": "logit", "ncg@3": "cut", "ndcg@avgrank": "cut", "pearson": "fisher"}


def test_items_without_ratings_do_not_count_against_ratings():
    """Ratings 0 and 2 of item 0, 4 of item 1, none of item 2; errors 1, 1 and 1, then 5 and 3 and 4."""
    whole = replace(
        Comparison.of_scores(np.array([1.0, 4.0, 2.0]), np.array([[1.0, 3.0, 2.0], [5.0, 0.0, 1.0]]), FIVE),
        predicted_sigma=np.zeros((2, 3)),
        ratings=(np.array([0.0, 2.0, 4.0]), np.array([0, 0, 1])),
    )
    measure = make_measure("crps(against=ratings)")
    assert measure.often(whole).tolist() == [2, 1, 0]
    assert measure.counted(whole).tolist() == [True, True, False]
    np.testing.assert_allclose(measure.losses(whole), [[1, 1, 0], [4, 4, 0]])
    np.testing.assert_allclose(measure.weighted_values(whole, np.array([[1.0, 1, 5]])), [[1], [4]])


def test_gains_without_a_group_by_hand():
    """Ranked as gold is, whatever is left out: 1."""
    whole = Comparison.of_scores(np.array([5.0, 4.0, 3.0, 1.0]), np.array([4.0, 3.0, 2.0, 1.0]))
    for written in ("ncg@1", "ndcg@2", "ndcg"):
        found = make_measure(written).left_out(whole, Units.of_groups(np.array([0, 0, 1, 1])))
        np.testing.assert_allclose(found, [[1.0, 1.0]])


def test_one_of_three_standard_deviations_is_0():
    whole = Comparison.of_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.0]), FIVE)
    (found,) = make_measure("nlpd")(replace(whole, predicted_sigma=np.array([[1.0, 0.0, 2.0]])))
    assert found.reason == "1 items have a predicted standard deviation of 0 or none"


def test_stable_ties_keep_the_order_of_many_rows():
    gold = np.random.default_rng(3).permutation(100) / 10
    whole = Comparison.of_scores(gold, np.repeat([1.0, 2.0], 50), FIVE)  # rows 50 to 59 come first
    expected = gold[50:60].sum() / np.sort(gold)[-10:].sum()
    measure = make_measure("ncg@10(ties=stable)")
    np.testing.assert_allclose(measure.values(whole), expected)
    np.testing.assert_allclose(measure.weighted_values(whole, np.ones((1, 100))), [[expected]])
