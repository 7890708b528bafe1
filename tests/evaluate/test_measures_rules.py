"""What measures say of themselves and how they leave out items, each by hand: borders, shares, caveats, samplings."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from similitude.data import Scale
from similitude.errors import ArgumentError, ExtensionError
from similitude.evaluate.comparison import Comparison, Sources
from similitude.evaluate.measures import MEASURES, Measure, catalogue, make_measure, resampled_comparison
from similitude.evaluate.measures.catalogue import BINARY_MEASURES, FAMILIES
from similitude.evaluate.measures.combination import HarmonicMean
from similitude.evaluate.measures.cumulative_gain import _first_places
from similitude.evaluate.measures.grouped import Grouped
from similitude.evaluate.measures.resampled_comparison import comparable, drawn, hybrids
from similitude.evaluate.measures.threshold import AtThreshold
from similitude.evaluate.measures.threshold_target import Cost, PrecisionAt, RecallAt
from similitude.stats import Counts, Levels, Units

FIVE = Scale(low=0, high=5)
LABELS, SCORES = np.array([0.0, 1, 0, 1]), np.array([1.0, 2, 3, 4])


# Caveats and samplings


@pytest.mark.parametrize(
    ("name", "learned"),
    [
        ("f1_low", "f1_binary"),
        ("accuracy_high", "accuracy"),
        ("precision_low", "precision_at"),
        ("recall_high", "recall_at"),
    ],
)
def test_a_fixed_border_on_two_labels_is_noted(name: str, learned: str):
    two = Comparison.of_scores(np.array([0.0, 5, 0, 5, 5]), np.arange(5.0), FIVE)
    words = f"gold has two labels: {name} cuts scores at a fixed border; {learned} learns it"
    assert make_measure(name).caveats(two) == [words]
    assert make_measure(f"hmean({name}, pearson)").caveats(two) == [words]
    graded = Comparison.of_scores(np.array([0.0, 5, 1, 5, 5]), np.arange(5.0), FIVE)
    assert make_measure(name).caveats(graded) == []


def test_bins_that_gold_lacks_are_noted():
    measure = make_measure("f1_macro_3bin")
    said = "f1_macro_3bin: gold has no {} pair, so that bin counts as 0 for every system"
    for name, gold in (("low", [2.5, 5]), ("middle", [0, 5]), ("high", [0, 2.5])):
        made = Comparison.of_scores(np.array(gold, float), np.array([0.0, 5.0]), FIVE)
        assert measure.caveats(made) == [said.format(name)]
    assert measure.caveats(Comparison.of_scores(np.array([0.0, 2.5, 5]), np.arange(3.0), FIVE)) == []
    assert measure.caveats(Comparison.of_scores(np.array([0.0, 5.0]), np.arange(2.0))) == []


class Odd(Measure):
    name = "odd"
    low, high = 0.0, 1.0

    def values(self, comparison: Comparison) -> np.ndarray:
        return np.zeros(comparison.systems)


def test_a_combination_is_sampled_as_the_part_of_which_less_is_known():
    pearson, cut, learned = (make_measure(name) for name in ("pearson", "ndcg@10", "f1_binary"))
    for one, other, sampling in (
        (Odd(), cut, "unknown"),
        (learned, Odd(), "unknown"),
        (learned, cut, "cut"),
        (pearson, learned, "learned"),
        (pearson, make_measure("f1_low"), "fisher"),
        (make_measure("f1_high"), make_measure("f1_low"), "logit"),
    ):
        assert HarmonicMean(one, other).sampling == HarmonicMean(other, one).sampling == sampling


def test_the_items_that_count_can_be_selected():
    made = Comparison.of_scores(LABELS, SCORES)
    assert made.gold[make_measure("mae").counted(made)].tolist() == [0, 1, 0, 1]


# Measures at a learned threshold


def test_figures_as_shares():
    # 3 of 4 positive items are called so, and 2 of 6 negative ones
    counts = Counts(*(np.array([number]) for number in (3.0, 2.0, 4.0, 6.0)))
    for name, figure, share, trials in (
        ("accuracy", 0.7, 0.7, 10),
        ("mcc", 0.5, 0.75, 10),  # from -1..1 to 0..1
        ("f1_binary", 0.5, 1 / 3, 6),  # 2s / (1 + s); positive or called so
        ("cost(1, 4)", 1.0, 0.25, 10),  # the worse mistake costs 4
        ("recall_at(precision=0.9)", 0.75, 0.75, 4),
        ("precision_at(recall=0.9)", 0.6, 0.6, 5),
    ):
        measure = make_measure(name)
        assert float(measure.to_share(np.array(figure))) == pytest.approx(share)
        assert measure.of_share(share) == pytest.approx(figure)
        assert measure.trials(counts).tolist() == [trials]


def test_figures_from_counts():
    counts = Counts(*(np.array([number]) for number in (3.0, 2.0, 4.0, 6.0)))
    # 3 hits, 2 false, 1 missed, 4 rightly refused; Matthews: (3 * 4 - 2 * 1) / sqrt(5 * 4 * 6 * 5)
    for name, figure in (
        ("accuracy", 7 / 10),
        ("mcc", 10 / np.sqrt(600)),
        ("f1_binary", 6 / 9),
        ("cost(1, 4)", 6 / 10),
        ("recall_at(precision=0.9)", 3 / 4),
        ("precision_at(recall=0.9)", 3 / 5),
    ):
        assert make_measure(name).figure(counts).tolist() == pytest.approx([figure])
    assert make_measure("cost(1, 4)").criterion(counts).tolist() == pytest.approx([-0.6])


@pytest.mark.parametrize("share", [0, -0.1, 1.01, np.nan, "much"])
def test_what_is_to_be_reached_is_a_share(share):
    for kind, name in ((PrecisionAt, "recall"), (RecallAt, "precision")):
        with pytest.raises(ArgumentError, match=f"{name}={share} is not a share") as caught:
            kind(**{name: share})
        assert f"give a number above 0 and up to 1: {name}=0.9" in str(caught.value)
        assert str(kind(**{name: 1})) == f"{kind.name}({name}=1)"


@pytest.mark.parametrize("name", ["false_positive", "false_negative"])
def test_costs_are_above_0(name: str):
    for cost in (0, -1, np.inf, np.nan):
        with pytest.raises(ArgumentError, match=f"{name}={cost} is not a cost"):
            Cost(**{name: cost})
    assert Cost(**{name: 0.5}).high == 1.0
    assert Cost(**{name: 3}).high == 3.0


def test_a_target_is_reached_at_its_border():
    # above a cut: 9 hits and 1 false of 10 positive items
    counts = Counts(*(np.array([number]) for number in (9.0, 1.0, 10.0, 10.0)))
    for kind, name in ((PrecisionAt, "recall"), (RecallAt, "precision")):
        assert kind(**{name: 0.9}).criterion(counts).tolist() == [0.9]
        assert kind(**{name: 0.91}).criterion(counts).tolist() == [-1.0]


# Without items and groups


def test_areas_without_groups_by_hand():
    # 3 of 4 pairs are right; without items 0 1 2 3: 1/2, 2/2, 2/2, 1/2, so their effects are -1/4, 1/4, 1/4, -1/4
    made = Comparison.of_scores(LABELS, np.stack([SCORES, -SCORES]))
    area = make_measure("auc")
    assert area.left_out(made, Units(4)).tolist() == [[0.5, 1, 1, 0.5], [0.5, 0, 0, 0.5]]
    found = area.left_out(made, Units.of_groups(np.array([0, 1, 1, 0])))
    assert found.tolist() == [[0.0, 1.0], [1.0, 0.0]]  # one pair is left each time: wrong, right; right, wrong
    # average precision of 4 3 2 1 = yes no yes no: (1 + 2/3) / 2; without 0 1 2 3: 5/6, 1, 1, 1/2
    made = Comparison.of_scores(LABELS, SCORES)
    precision, whole = make_measure("average_precision"), 5 / 6
    assert precision.left_out(made, Units(4))[0] == pytest.approx([5 / 6, 1, 1, 1 / 2])
    found = precision.left_out(made, Units.of_groups(np.array([0, 1, 1, 0])))
    assert found[0] == pytest.approx([whole - 1 / 3, 1.0])


def test_kendall_without_each_item_by_hand():
    # tau is 1/3, the influence of the items 4/3, -2/3, -2/3; b = (24/9) / 6 = 4/9, c = (8/9) / 9 = 8/81, so values
    # shrink by 1 / sqrt(1 + c/b) = 3 / sqrt(11); two items are left
    made = Comparison.of_scores(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]))
    pull = np.array([4 / 3, -2 / 3, -2 / 3]) / 2 * 3 / np.sqrt(11)
    expected = np.tanh(np.arctanh(1 / 3) - pull / (8 / 9))
    assert make_measure("kendall").left_out(made, Units(3))[0] == pytest.approx(expected)
    # nothing shrinks in groups
    pull = np.array([4 / 3, -4 / 3]) / [2, 1]
    expected = np.tanh(np.arctanh(1 / 3) - pull / (8 / 9))
    found = make_measure("kendall").left_out(made, Units.of_groups(np.array([0, 1, 1])))
    assert found[0] == pytest.approx(expected)


@pytest.mark.parametrize("tied_side", [0, 1])
def test_kendall_with_ties_is_not_shrunk(tied_side: int):
    # items 0 and 1 are tied on one side, the two other pairs are right: tau-b is 2 / sqrt(3 * 2). Of each item, balance
    # is the share of items in the right order, free that of items not tied with it; both are 4/9 on average. On the
    # other side that share is constant.
    sides = np.array([2.0, 1.0, 3.0]), np.array([1.0, 1.0, 2.0])
    made = Comparison.of_scores(sides[1 - tied_side], sides[tied_side])
    tau, balance, free = 2 / np.sqrt(6), np.array([1, 1, 2]) / 3, np.array([1, 1, 2]) / 3
    influence = 2 * tau * ((balance / (4 / 9) - 1) - (free / (4 / 9) - 1) / 2)
    expected = np.tanh(np.arctanh(tau) - influence / 2 / (1 - tau**2))
    assert make_measure("kendall").values(made)[0] == pytest.approx(tau)
    assert make_measure("kendall").left_out(made, Units(3))[0] == pytest.approx(expected)


def test_first_places_hold_enough_units():
    levels = Levels.of(np.array([5.0, 4, 3, 3, 1])).reversed()
    for enough, items in ((1, {0}), (2, {0, 1}), (3, {0, 1, 2, 3}), (4, {0, 1, 2, 3}), (5, {0, 1, 2, 3, 4})):
        assert set(_first_places(levels, Units(5), enough).tolist()) == items
    assert _first_places(levels, Units(5), 9).size == 5
    # groups from the top: a a b b c; the second group begins at the third place, which is tied with the fourth
    groups = Units.of_groups(np.array([0, 0, 1, 1, 2]))
    for enough, number in ((1, 1), (2, 4), (3, 5), (9, 5)):
        assert _first_places(levels, groups, enough).size == number


class Highest(Grouped):
    """The highest prediction of a group; undefined for a system that says less than 0 there."""

    name = "highest"
    low, high = 0.0, 9.0
    swapped = "scores"

    def figures_of(self, gold: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        highest = predicted.max(axis=-1)
        return np.where(highest < 0, np.nan, highest) + 0 * gold.max(axis=-1)


def test_groups_count_if_all_systems_have_a_figure():
    predicted = np.array([[1.0, 2, 3, 4, 5, 6], [1, 1, -1, -1, 3, 3]])
    made = Comparison.of_scores(np.arange(6.0), predicted, groups=np.repeat([0, 1, 2], 2))
    measure, units = Highest(), Units.of_groups(np.repeat([0, 1, 2], 2))
    assert measure.values(made).tolist() == [4.0, 2.0]  # groups 0 and 2
    assert measure.standard_errors(made) == pytest.approx([2.0, 1.0])  # 4 / sqrt(2) / sqrt(2)
    assert measure.left_out(made, units).tolist() == [[6.0, 4.0, 2.0], [3.0, 2.0, 1.0]]
    weights = units.over_items(np.array([[2.0, 1, 1], [0, 3, 0]]))
    assert measure.weighted_values(made, weights)[:, 0] == pytest.approx([10 / 3, 5 / 3])
    assert np.isnan(measure.weighted_values(made, weights)[:, 1]).all()
    swapped = measure.swapped_values(made, units.over_items(np.array([[1.0, 1, 0]])))[..., 0]
    assert swapped.tolist() == [[4.0, 3.5], [2.5, 2.0]]


# Resampled comparisons


def test_copies_of_a_group_are_groups_in_the_order_of_drawing():
    groups = np.arange(60) // 4
    made = Comparison.of_scores(np.arange(60.0), np.arange(60.0), groups=groups)
    positions = np.tile(np.random.default_rng(0).permutation(60), 5)
    found = drawn(made, positions).groups
    copy = np.repeat(np.arange(5), 60)
    # 15 groups, 5 copies of each: the first of all items make one, the second another
    assert found.tolist() == (groups[positions] * 5 + copy).tolist()


def test_hybrids_come_in_pieces(monkeypatch):
    made = Comparison.of_scores(np.arange(3.0), np.array([[1.0, 2, 3], [7, 8, 9]]))
    swaps = np.array([[1.0, 0, 0], [0, 1, 1], [0, 0, 0]])
    rows = [[7, 2, 3], [1, 8, 9], [1, 2, 3]]
    for cells, sizes in ((1, [1, 1, 1]), (5, [1, 1, 1]), (6, [2, 1]), (9, [3])):
        monkeypatch.setattr(resampled_comparison, "_CELLS", cells)
        parts = list(hybrids(made, 0, 1, swaps))
        assert [part.systems for part in parts] == sizes
        assert np.concatenate([part.predicted for part in parts]).tolist() == rows
        assert [part.is_on_scale.size for part in parts] == sizes


# Measures from outside


@dataclass(frozen=True, repr=False)
class Outside(Odd):
    meaning: ClassVar[str] = "for this test"
    digits: int = 1


@pytest.fixture
def outside() -> Iterator[None]:
    """A maker of measures that call themselves odd."""
    MEASURES.register("maker")(lambda digits=1: Outside(digits))
    yield
    for name in ("maker", "odd"):
        MEASURES._makers.pop(name, None)


@pytest.mark.usefixtures("outside")
def test_a_measure_from_outside_is_found_again_under_its_name():
    MEASURES.register("odd")(Outside)
    assert make_measure("odd(digits=3)") == make_measure("maker(digits=3)") == Outside(digits=3)


@pytest.mark.usefixtures("outside")
def test_a_measure_from_outside_that_is_not_found_again_is_refused():
    for _ in range(2):
        with pytest.raises(ExtensionError) as caught:
            make_measure("maker(digits=3)")
        said = str(caught.value)
        assert said.startswith(f"{Outside.__module__}:Outside: measure 'maker(digits=3)' is saved as 'odd(digits=3)'")
        assert "from which it cannot be made again; make it a frozen dataclass with repr=False" in said
        MEASURES.register("odd")(lambda digits=1: Outside(digits + 1))  # something else


class Never(AtThreshold):
    name = "never"
    undefined = "it never is"

    def figure(self, counts: Counts) -> np.ndarray:
        return np.full_like(counts.hits, np.nan)


def test_a_figure_that_is_undefined_for_reasons_of_its_own():
    labels = Comparison.of_scores(np.tile([0.0, 1.0], 10), np.arange(20.0))
    assert [figure.reason for figure in Never()(labels)] == ["it never is"]
    whole = make_measure("mean_over_sources(pearson)")
    sourced = Comparison.of_scores(LABELS, SCORES, sources=Sources(np.zeros(4, dtype=int), ("a",)))
    assert whole.why_undefined(sourced, 0) == "the measure is undefined on a source"


def test_what_two_systems_swap():
    # mean 2 and variance (1 + 0 + 1) / 3; the second system says the same of all
    made = Comparison.of_scores(np.arange(3.0), np.array([[3.0, 1, 2], [5, 5, 5]]))
    assert comparable(made, "scores") is made
    assert comparable(made, "ranks").predicted.tolist() == [[3, 1, 2], [2, 2, 2]]
    expected = [[1.5**0.5, -(1.5**0.5), 0], [0, 0, 0]]
    np.testing.assert_allclose(comparable(made, "standardised").predicted, expected)


def test_a_hybrid_is_on_the_scale_if_both_are():
    made = Comparison.of_scores(np.arange(2.0), np.array([[1.0, 2], [3, 4], [5, 6]]))
    made = replace(made, is_on_scale=np.array([True, True, False]), predicted_sigma=np.arange(6.0).reshape(3, 2))
    for own, other, is_on_scale in ((0, 1, True), (0, 2, False), (2, 0, False)):
        (found,) = hybrids(made, own, other, np.array([[1.0, 0.0]]))
        assert found.is_on_scale.tolist() == [is_on_scale]
        assert found.predicted.tolist() == [[2 * other + 1, 2 * own + 2]]
        assert found.predicted_sigma.tolist() == [[2 * other, 2 * own + 1]]


def test_ratings_keep_their_order_when_items_are_drawn():
    items = np.arange(60) % 3
    made = Comparison.of_scores(np.arange(3.0), np.arange(3.0))
    made = replace(made, ratings=(np.arange(60.0), items), gold_sigma=np.arange(3.0), folds=np.array([4, 5, 6]))
    found = drawn(made, np.array([2, 0, 2]))
    ratings, owners = found.ratings
    assert ratings.tolist() == [*range(2, 60, 3), *range(0, 60, 3), *range(2, 60, 3)]
    assert owners.tolist() == [0] * 20 + [1] * 20 + [2] * 20
    assert (found.gold_sigma.tolist(), found.fold_of_item.tolist()) == ([2, 0, 2], [6, 4, 6])
    few = drawn(replace(made, ratings=(np.array([7.0, 8]), np.array([0, 0]))), np.array([2, 0]))  # 1 and 2 have none
    assert [each.tolist() for each in few.ratings] == [[7, 8], [1, 1]]
    none = drawn(made, np.array([], dtype=int))
    assert [each.tolist() for each in none.ratings] == [[], []]


def test_samplings_by_range():
    for written, sampling in (
        ("macro_avg(mae, mse)", "skewed"),
        ("macro_avg(pearson, kendall)", "fisher"),
        ("macro_avg(auc, average_precision)", "logit"),
    ):
        assert make_measure(written).sampling == sampling


def test_a_system_that_lacks_one_standard_deviation():
    made = Comparison.of_scores(np.array([1.0, 2.0]), np.array([1.0, 2.0]), FIVE)
    (found,) = make_measure("nlpd")(replace(made, predicted_sigma=np.array([[1.0, np.nan]])))
    assert found.reason == "1 items have a predicted standard deviation of 0 or none"


@pytest.mark.parametrize(
    ("sampling", "written"),
    [
        ("fisher", "pearson spearman kendall sigma_pearson sigma_spearman"),
        ("skewed", "mae mse nlpd nlpd_wang2022 crps kl"),
        ("plain", "ece ece_wang2022"),
        ("share", "accuracy_low precision_low recall_high f1_high accuracy_3bin choice_accuracy"),
        ("logit", "f1_macro_3bin auc average_precision group_ndcg group_ndcg@2 f1"),
        ("learned", "f1_binary accuracy mcc recall_at precision_at cost"),
    ],
)
def test_how_figures_vary(sampling: str, written: str):
    assert {make_measure(name).sampling for name in written.split()} == {sampling}


@pytest.mark.parametrize(
    ("swapped", "written"),
    [
        ("scores", "mae mse nlpd crps ece kl f1_low f1_macro_3bin sigma_pearson mean_over_sources(pearson)"),
        ("ranks", "spearman kendall ncg ndcg@3 auc average_precision choice_accuracy group_ndcg"),
        ("standardised", "pearson f1_binary accuracy mcc recall_at precision_at cost"),
    ],
)
def test_what_is_swapped_of_every_measure(swapped: str, written: str):
    assert {make_measure(name).swapped for name in written.split()} == {swapped}


def test_arguments_of_measures_at_a_threshold_in_words():
    for name in ("false_positive", "false_negative"):
        with pytest.raises(ArgumentError) as caught:
            Cost(**{name: 0})
        assert str(caught.value) == f"{name}=0 is not a cost; give a number above 0"
    for name in ("recall_at(precision=0.5, border=3.0)", "precision_at(recall=1, border=0.5)"):
        assert str(make_measure(name)) == name
        assert make_measure(str(make_measure(name))).border == make_measure(name).border
    assert str(make_measure("cost(2.5, 3)")) == "cost(false_positive=2.5, false_negative=3)"


def test_the_same_answer_to_all_has_no_correlation_with_labels():
    for hits, false in ((0.0, 0.0), (4.0, 6.0)):
        counts = Counts(*(np.array([number]) for number in (hits, false, 4.0, 6.0)))
        assert make_measure("mcc").figure(counts).tolist() == [0.0]


class Bare(Measure):
    name = "bare"


def test_what_a_measure_must_have():
    with pytest.raises(ExtensionError) as caught:
        MEASURES.register("bare")(Bare)
    for lack in (
        "measure 'bare' has no meaning: one line for listings",
        "has no low: its least value",
        "has no high: its greatest value",
        "has no method values, which takes a comparison and gives one number a system",
    ):
        assert lack in str(caught.value)
    assert (MEASURES.kind, MEASURES.group) == ("measure", "similitude.measures")
    assert BINARY_MEASURES == ("auc", "average_precision", "f1_binary", "accuracy", "mcc")
    assert FAMILIES == (
        "correlation",
        "error",
        "cumulative_gain",
        "grouped",
        "classification",
        "combination",
        "binary_labels",
        "threshold",
        "threshold_target",
        "over_sources",
        "distribution",
    )
    for written, example in (("hmean", "hmean(pearson, f1)"), ("macro_avg", "macro_avg(f1_low, f1_high)")):
        assert [str(each) for each in catalogue() if each.name == written] == [example]
    assert {"mean_over_sources(pearson)", "plain_mean_over_sources(pearson)"} <= set(map(str, catalogue()))


def test_what_measures_take_for_granted():
    assert make_measure("recall_at") == make_measure("recall_at(precision=0.9)")
    assert make_measure("precision_at") == make_measure("precision_at(recall=0.9)")
    assert make_measure("cost") == make_measure("cost(false_positive=1, false_negative=1)")
    assert make_measure("kl") == make_measure("kl(zero_variance=drop)")
    assert make_measure("ece") == make_measure("ece(coverage=central)") == make_measure("ece(against=score)")
    assert make_measure("ndcg") == make_measure("ndcg(reverse=false, ties=expected)")
    assert make_measure("group_ndcg").k is None
    assert make_measure("auc").border is None
    for base in (Measure.higher_is_better, Grouped.low == 0.0, Grouped.high == 1.0):
        assert base
    assert (Measure.swapped, Measure.sampling, Measure.needs) == ("scores", "unknown", frozenset())
    assert make_measure("mcc").low == -1.0
    assert {make_measure(name).high for name in ("auc", "mcc", "recall_at", "f1_binary")} == {1.0}
    assert {make_measure(name).low for name in ("auc", "accuracy", "recall_at", "cost")} == {0.0}
    assert not make_measure("cost").higher_is_better


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ("np.mean(np.abs(c.predicted - c.gold))", r"gave an array of shape \(\) for 2 systems; .*axis=1"),
        ("np.zeros(3)", r"gave an array of shape \(3,\) for 2 systems"),
        ("None", r"gave an array of shape \(\) for 2 systems"),
        ("np.full(2, 5.0)", r"gave 5, which is outside of its range 0\.\.1; mend the measure, or its low and high"),
        ("['a', 'b']", "raised ValueError: could not convert string to float: 'a'; mend the measure"),
        ("c.nothing", "raised AttributeError: 'Comparison' object has no attribute 'nothing'"),
    ],
)
def test_values_of_a_measure_of_ones_own_are_checked(tmp_path, values, told):
    head = "import numpy as np\nfrom similitude.extend import Measure\n"
    body = "class Mine(Measure):\n  meaning, low, high = 'mine', 0.0, 1.0\n  def values(self, c): return "
    (tmp_path / "mine.py").write_text(head + body + values)
    mine = f"{tmp_path}/mine.py:Mine"
    comparison = Comparison.of_scores([1.0, 2.0, 3.0], [[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]])
    for written in (mine, f"hmean(pearson, {mine})"):
        with pytest.raises(ExtensionError, match=rf"Mine': values\(\) {told}"):
            make_measure(written)(comparison)


def test_an_undefined_value_of_a_measure_that_says_it_never_is():
    class Nothing(Odd):
        def values(self, comparison):
            return np.full(comparison.systems, np.nan)

    (figure,) = Nothing()(Comparison.of_scores([1.0, 2.0], [1.0, 2.0]))
    assert figure.reason == "its value is not a number"
