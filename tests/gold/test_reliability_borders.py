"""Figures of reliability at their borders, and what they hand on."""

import re
from importlib import import_module
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError, UnknownNameError
from similitude.gold.reliability import annotator_checks as checks
from similitude.gold.reliability import assessment, ceiling, flags
from similitude.gold.reliability.agreement_by_label import agreement_by
from similitude.gold.reliability.alpha import alpha_estimate, krippendorff_alpha, nominal_alpha
from similitude.gold.reliability.applies_figures import applies_figures
from similitude.gold.reliability.assessment import assess
from similitude.gold.reliability.best_worst import best_worst_agreement
from similitude.gold.reliability.best_worst_figures import are_pairs, best_worst_figures
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling, sums_to_draw
from similitude.gold.reliability.categories import (
    category_weights,
    classified_counts,
    classified_matrix,
    classified_ratings,
)
from similitude.gold.reliability.categories.classification import COUNTS
from similitude.gold.reliability.category_figures import category_steps, classified, few_label_steps
from similitude.gold.reliability.contention import contention
from similitude.gold.reliability.estimate import Estimate
from similitude.gold.reliability.flags import Rule, with_flags
from similitude.gold.reliability.groups import divergence_as_groups_join
from similitude.gold.reliability.jackknife import agreement_bounds
from similitude.gold.reliability.kappa import cohen_kappa
from similitude.gold.reliability.latent_panels import latent_panels
from similitude.gold.reliability.opinion_figures import opinion_figures
from similitude.gold.reliability.pairable_ratings import Pairable
from similitude.gold.reliability.pairwise import pairwise_correlation
from similitude.gold.reliability.rater_plan import RaterTargets, plan_raters
from similitude.gold.reliability.response_style import rating_style
from similitude.gold.reliability.score_reliability import ScoreReliability, score_reliability
from similitude.gold.reliability.split_half import Halving, split_half, split_half_of_ratings
from similitude.gold.reliability.unequal_halves import HalfNoise, reliability_of_all
from similitude.gold.reliability.value_counts import ValueCounts
from similitude.stats import jackknife_interval

annotator_table = import_module("similitude.gold.reliability.annotator_table")  # the package has the function
components = import_module("similitude.gold.reliability.component_table")
FIVE = Scale(low=0, high=5)


def rated(rows, columns=("annotator", "item", "value"), **settings) -> Judgements:
    frame = pl.DataFrame(rows, schema=list(columns), orient="row")
    return Judgements(name="made", frame=frame, **({"scale": FIVE} | settings))


def chosen(rows) -> Judgements:
    """Rows of (question, annotator, items as letters, best, worst)."""
    spelled = [(question, annotator, list(items), best, worst) for question, annotator, items, best, worst in rows]
    names = ["question", "annotator", "items", "best", "worst"]
    return Judgements(name="made", frame=pl.DataFrame(spelled, schema=names, orient="row"))


# Krippendorff's alpha


def by_pairs(values) -> float:
    """Ratio alpha of two raters, from all pairs of ratings."""
    every = values.ravel()
    apart = lambda one, other: ((one - other) / (one + other)) ** 2  # noqa: E731
    observed = 2 * apart(*values).sum()
    expected = apart(every[:, None], every).sum()
    return 1 - (every.size - 1) * observed / expected


def test_proportions_of_many_values_one_of_them_enormous():
    """400 values are too many to be tabulated, and the largest is a million times the next."""
    values = np.random.default_rng(0).permutation(np.arange(1.0, 401.0)).reshape(2, 200)
    values[values == 400] = 1e9
    found = krippendorff_alpha(values, "ratio", resampling=NO_INTERVALS).value
    assert found == pytest.approx(by_pairs(values), abs=1e-10)


def test_one_answer_of_four_million_differs():
    """One unit with 2 million answers has one that differs: observed and expected disagreement are both tiny."""
    half = 2e6
    number, tally = np.array([half, half]), ValueCounts(np.array([[half, 0.0], [half - 1, 1.0]]))
    found = nominal_alpha(number, tally.pairs_that_differ, tally).of_weights(np.ones((1, 2))).item()
    observed, total = 2 * (half - 1) / (half - 1), 2 * half
    assert found == pytest.approx(1 - (total - 1) * observed / (2 * (total - 1)), abs=1e-6)


def test_units_that_share_items_widen_the_interval():
    counts = np.array([[2.0, 0], [0, 2], [1, 1], [2, 0], [0, 2], [2, 0], [1, 1], [0, 2]])
    tally, number = ValueCounts(counts), np.full(8, 2.0)
    alpha = nominal_alpha(number, tally.pairs_that_differ, tally)
    shared = np.arange(8), np.array([0, 1, 2, 0, 1, 0, 2, 1])  # whoever disagrees shares an item, and so on
    found, alone = (alpha_estimate(alpha, number, lambda: tally, shared=each) for each in (shared, None))
    expected = jackknife_interval(found.value, alpha.left_out(), 0.95, agreement_bounds(number), shared=shared)
    assert found[1:3] == expected[:2]
    assert found[1:3] != alone[1:3]


# Checks of annotators


def test_the_same_answer_again_is_full_agreement():
    made = chosen([("1", "x", "abc", "a", "c"), ("2", "x", "abc", "a", "c"), ("3", "y", "abc", "a", "c"),
                   ("4", "y", "abc", "b", "c"), ("5", "z", "abc", "a", "c"), ("6", "z", "abc", "b", "a")])  # fmt: skip
    found = dict(checks.repeats(made).select("annotator", "repeat_agreement").iter_rows())
    assert found == {"x": 1.0, "y": 0.5, "z": 0.0}


def test_neighbouring_categories_are_different_however_many_there_are():
    """A tenth of the scale that holds 0 to 11 would be more than the distance of two categories."""
    names = tuple("abcdefghijkl")
    rows = [
        ("x", "i", "1", 3.0),
        ("x", "i", "2", 4.0),
        ("y", "i", "3", 3.0),
        ("y", "i", "4", 3.0),
        ("x", "j", "5", 11.0),
    ]
    made = rated(rows, ("annotator", "item", "question", "value"), categories=names, scale=None)
    assert dict(checks.repeats(made).select("annotator", "repeat_agreement").iter_rows()) == {"x": 0.0, "y": 1.0}


def test_gold_answers_to_tuples_are_pairs():
    made = chosen([("1", "x", "abc", "a", "c"), ("2", "x", "abc", "b", "c")])
    with pytest.raises(InputError, match="must be pairs of best and worst"):
        checks.gold_questions(made, {"1": ("a", "c"), "2": ("a", "b", "c")})
    with pytest.raises(InputError, match="none of the 0 gold questions was answered"):
        checks.gold_questions(made, {})


def test_who_was_asked_nothing_again_has_no_repeats():
    rows = [
        ("x", "i", "1", 3.0),
        ("x", "i", "2", 4.0),
        ("y", "i", "3", 3.0),
        ("y", "j", "4", 2.0),
        ("x", "j", "5", 1.0),
    ]
    made = rated(rows, ("annotator", "item", "question", "value"))
    table = annotator_table.annotator_table(made, gold_answers={"5": 1.0}, resampling=NO_INTERVALS)
    columns = ("annotator", "repeats", "gold_asked", "gold_right")
    assert table.select(columns).rows() == [("x", 1, 1, 1), ("y", 0, 0, 0)]
    assert {"pearson", "pearson_low", "pearson_high", "spearman"} <= set(table.columns)


@pytest.mark.parametrize(("answers", "is_looked_for"), [(200_000, True), (200_001, False)])
def test_clickers_are_looked_for_among_200000_answers(monkeypatch: pytest.MonkeyPatch, answers: int, is_looked_for):
    class Long:
        def __len__(self) -> int:
            return answers

    table = pl.DataFrame({"annotator": ["x"], "answers": [1], "attention": [0.5]})
    monkeypatch.setattr(annotator_table, "fitted_annotators", lambda judgements: table)
    assert bool(annotator_table._attention(Long())) is is_looked_for


# Verifications and assessments


def test_the_mean_share_that_applies_has_an_interval_unless_none_is_asked_for():
    schema = ("annotator", "item", "applies", "value")
    rows = [("x", "a", True, 1.0), ("y", "a", True, 2.0), ("x", "b", False, None), ("y", "b", True, 2.0),
            ("x", "c", True, 3.0), ("y", "c", True, 3.0)]  # fmt: skip
    made = rated(rows, schema)
    plain, single = (applies_figures(made, each)[-1].estimate for each in (NO_INTERVALS, Resampling(resamples=1)))
    assert plain.value == single.value == pytest.approx(5 / 6)
    assert np.isnan([plain.low, plain.high]).all()
    assert 0 < single.low < 5 / 6 < single.high <= 1


def test_an_assessment_has_seed_0_and_draws_nothing_twice(monkeypatch: pytest.MonkeyPatch):
    """Plans, opinions and annotators have generators of their own, unlike those of the figures of agreement."""
    seen = {}
    for name in ("agreement_figures", "opinion_figures"):
        whole = getattr(assessment, name)
        keep = lambda *a, _whole=whole, _name=name, **k: seen.update({_name: k["resampling"]}) or _whole(*a, **k)  # noqa: E731
        monkeypatch.setattr(assessment, name, keep)
    rng = np.random.default_rng(0)
    rows = [(f"r{r}", f"i{i}", float(np.clip(i / 3 + rng.normal(), 0, 5))) for r in range(4) for i in range(12)]
    found = assess(rated(rows), resamples=2, halving=Halving(repeats=2))
    assert (found.seed, found.record()["seed"]) == (0, 0)
    usual, own = seen["agreement_figures"], seen["opinion_figures"]
    assert (usual.rng, usual.seed) == (None, 0)
    assert own.rng.bit_generator.seed_seq.entropy != usual.generator.bit_generator.seed_seq.entropy


# Reliability of scores


def test_three_crossed_raters_by_hand():
    """Each rater against the mean of the other two, in three ways, and by Horst's formula for one against two."""
    values = np.array([[1.0, 3, 4, 2], [3.0, 4, 8, 2], [1.0, 2, 3, 4]])
    made = rated([(f"r{r}", f"i{i}", values[r, i]) for r in range(3) for i in range(4)], scale=Scale(low=0, high=9))
    halves = [np.corrcoef(values[r], np.delete(values, r, axis=0).mean(axis=0))[0, 1] for r in range(3)]
    expected = reliability_of_all(np.mean(halves), HalfNoise(1 / 3, 1, 1 / 2))
    assert score_reliability(made).pearson.value == pytest.approx(float(expected))


def test_an_unnamed_rater_is_not_the_same_on_all_items():
    """Ratings 1 and 2, 3 and 5: variances 1/2 and 2 of one rating, half of that of a mean."""
    made = rated([("x", "a", 1.0), (None, "a", 2.0), ("x", "b", 3.0), (None, "b", 5.0)])
    assert score_reliability(made).pearson.value == pytest.approx(1 - 0.625 / 3.125)


def test_leniency_is_no_noise_where_an_item_lacks_a_rater():
    """y is one higher than x on 19 items, and did not rate the highest one."""
    low = [(who, f"i{n}", 1.0 + n / 10 + (who == "y")) for n in range(19) for who in "xy"]
    assert score_reliability(rated([*low, ("x", "high", 5.0)])).pearson.value == pytest.approx(1.0)


def test_the_unit_of_ratings_does_not_matter():
    values = np.array([[1.0, 2, 4, 3], [2.0, 2, 5, 1], [1.0, 3, 4, 2]])
    found = [
        score_reliability(rated([(f"r{r}", f"i{i}", unit * values[r, i]) for r in range(3) for i in range(4)]))
        for unit in (1.0, 1e-7)
    ]
    assert np.isfinite(found[0].pearson.without).all()
    np.testing.assert_allclose(found[1].pearson.without, found[0].pearson.without)


def test_one_crossed_item_has_no_reliability():
    found = score_reliability(rated([("x", "a", 1.0), ("y", "a", 2.0)])).pearson
    assert found.reason == "only one item has two ratings: there is nothing to compare"


def test_shared_leniency_is_no_noise_without_an_item_either(monkeypatch: pytest.MonkeyPatch):
    module = import_module("similitude.gold.reliability.score_reliability")
    monkeypatch.setattr(module, "shared_leniency", lambda rated: 0.1)
    rng = np.random.default_rng(0)
    values = rng.normal(2.5, 0.7, 60) + rng.normal(0, 0.7, (3, 60))
    rows = [(f"{i}-{r}", f"i{i}", float(values[r, i])) for i in range(60) for r in range(3)]
    found = score_reliability(rated(rows, scale=Scale(low=-9, high=9))).pearson
    assert found.without == pytest.approx(np.full(60, found.value), abs=0.05)
    assert 2 * 0.1 / values.mean(axis=0).var(ddof=1) > 0.2


def test_counts_in_halves_by_hand():
    """Two answers to each of two tuples; those to the first agree, so that there is only one way to halve them.

    Tuples answered once are in the second half only, and so are their items: of six answers, two against four.
    """
    both = [("1", "x", "abfg", "a", "b"), ("1", "y", "abfg", "a", "b"),
            ("2", "x", "acde", "c", "d"), ("2", "y", "acde", "c", "e")]  # fmt: skip
    once = [("3", "x", "hi", "h", "i"), ("4", "x", "jk", "j", "k")]
    first, second = np.array([0.5, -1, 0, 0, 1, -1, 0]), np.array([0.5, -1, 0, 0, 1, 0, -1])
    r, rho = np.corrcoef(first, second)[0, 1], spearmanr(first, second).statistic
    assert abs(r - rho) > 0.01
    alike = score_reliability(chosen(both))
    assert alike.pearson.value == pytest.approx(2 * r / (1 + r))
    assert alike.spearman.value == pytest.approx(2 * rho / (1 + rho), abs=0.01)
    found = score_reliability(chosen(both + once))
    noise = HalfNoise(1 / 6, 1 / 2, 1 / 4)
    assert found.pearson.value == pytest.approx(float(reliability_of_all(np.array(r), noise)))
    # a is in both tuples; of 20 items shown, 6 are best and 6 worst
    halves, shown = np.array([2, 1, 1, 1, 1, 1, 1]), np.array([4, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1])
    model = latent_panels(np.array([-1.0, 0, 1]), np.array([6, 8, 6]), halves, halves, shown)
    assert found.spearman.value == pytest.approx(float(model.panel_of(np.array(rho))))


def test_the_odd_rating_goes_where_it_is_told():
    values = np.random.default_rng(0).normal(size=(3, 20))
    usual, second, toss = (
        split_half_of_ratings(values, repeats=3, resampling=NO_INTERVALS, **options).pearson.value
        for options in ({}, {"odd_to": "second"}, {"odd_to": "toss"})
    )
    assert usual == second
    assert toss != second


def test_agreement_with_the_rest_is_pearson_s_in_one_column_and_spearman_s_in_the_other():
    own, rest = [1.0, 2, 5], [1.0, 3, 4]
    rows = [
        (who, item, value)
        for who, values in (("x", own), ("y", rest))
        for item, value in zip("abc", values, strict=True)
    ]
    x, y = annotator_table.annotator_table(rated(rows), resampling=NO_INTERVALS).select("pearson", "spearman").rows()
    assert x == y == pytest.approx((np.corrcoef(own, rest)[0, 1], 1.0))


# Split halves


def test_halvings_of_ratings_do_not_depend_on_the_order_of_rows():
    rng = np.random.default_rng(0)
    rows = [(f"r{r}", f"i{i}", float(rng.integers(0, 6))) for i in range(9) for r in range(4)]
    mixed = [rows[place] for place in rng.permutation(len(rows))]
    one, other = (split_half(rated(each), repeats=5, resampling=NO_INTERVALS) for each in (rows, mixed))
    assert (one.pearson.value, one.spearman.value) == (other.pearson.value, other.spearman.value)
    assert one.left_out == 0


def test_answers_that_do_not_count_are_noted_beside_split_halves():
    rows = [("1", who, "abc", "a", "c") for who in "xy"] + [("2", who, "bcd", "b", "d") for who in "xyx"]
    assert split_half(chosen(rows), repeats=2, resampling=NO_INTERVALS).notes == (
        "1 answer is followed by a later one of the same annotator; the last one counts",
    )


def test_nothing_to_split_is_no_item_and_none_left_out():
    found = split_half(chosen([("1", "x", "abc", "a", "c"), ("2", "y", "abd", "a", "d")]))
    assert (found.items, found.left_out, found.spearman.reason) == (
        0,
        0,
        "every tuple was answered once: there is nothing to split",
    )


def test_the_most_items_that_a_halving_leaves_out_are_counted():
    """x and y are shown in two tuples with one answer each, tossed to either half: both miss in one half at times."""
    twice = [(f"{n}", who, "abc", "abc"[n], "bca"[n]) for n in range(3) for who in "uv"]
    once = [("4", "u", "xy", "x", "y"), ("5", "u", "xyz", "y", "x")]
    found = split_half(chosen(twice + once), repeats=40, odd_to="toss", resampling=NO_INTERVALS)
    assert (found.items, found.left_out) == (6, 3)  # z is always left out, x and y are together


def test_the_ends_of_a_wide_scale_are_reached_within_a_billionth_of_it():
    rows = [("x", "a", 0.0005), ("x", "b", 5e5), ("x", "c", 999_999.9995), ("x", "d", 0.01)]
    found = rating_style(rated(rows, scale=Scale(low=0, high=1e6)))
    assert found["extremes"].to_list() == [0.5]


def test_why_there_is_no_agreement_on_tuples():
    rows = [("1", "x", "abc", "a", "c"), ("2", "x", "abd", "a", "d"), ("2", "y", "abd", "a", "d")]
    assert best_worst_agreement(chosen(rows[:2])).combined.reason == (
        "no tuple was answered twice: there is nothing to compare"
    )
    assert best_worst_agreement(chosen(rows)).combined.reason == (
        "only one tuple was answered twice: there is nothing to compare"
    )


def test_tuples_that_share_items_are_not_independent():
    """The same answers by place, once to tuples that share items with tuples answered alike, once to others."""
    answers = ["aa", "bb", "ab", "aa", "bb", "aa", "ab", "bb"]  # two answers each: the first or the second item is best
    of_set = [0, 1, 2, 0, 1, 0, 2, 1]

    def found(name) -> tuple[float, float]:
        rows = []
        for question, (both, number) in enumerate(zip(answers, of_set, strict=True)):
            items = [f"{name(question, number)}{place}" for place in range(3)]
            for who, best in zip("xy", both, strict=True):
                place = "ab".index(best)
                rows.append((str(question), who, items, items[place], items[2]))
        return best_worst_agreement(chosen(rows)).by_position[1:3]

    alone, shared = found(lambda question, _: f"q{question}-"), found(lambda _, number: f"s{number}-")
    assert shared[0] < alone[0]
    assert alone[1] < shared[1]


def test_pairs_among_larger_tuples_are_tuples():
    rows = [
        ("1", "x", "ab", "a", "b"),
        ("1", "y", "ab", "b", "a"),
        ("2", "x", "abc", "a", "c"),
        ("2", "y", "abc", "b", "c"),
    ]
    names = [figure.name for figure in best_worst_figures(chosen(rows), NO_INTERVALS)]
    assert names[-2:] == ["strong agreement, best", "strong agreement, worst"]
    assert not are_pairs(chosen(rows))
    assert are_pairs(chosen(rows[:2]))


def test_a_thousand_resamples_at_95_percent_are_usual():
    usual = Resampling()
    assert (usual.resamples, usual.level, usual.seed, usual.rng) == (1000, 0.95, 0, None)


# Categories and blocks


def test_weights_that_are_unknown_and_weights_of_no_category():
    with pytest.raises(UnknownNameError, match=r"^no weights named 'cubic'"):
        category_weights(np.array([1.0, 2.0]), "cubic")
    for weights in ("identity", "linear", "quadratic", "ordinal"):
        assert category_weights(np.empty(0), weights).shape == (0, 0)
        assert category_weights(np.array([3.0]), weights).tolist() == [[1.0]]


def test_categories_may_be_given_as_whole_numbers():
    for found in (
        classified_ratings(np.array([0, 0, 1]), np.array([1, 2, 2])),
        classified_matrix(np.array([[1, 2], [2, 2]])),
        classified_matrix(np.array([[True, False], [True, True]])),
    ):
        assert found.values.dtype == np.float64
        assert found.values.size == 2


def test_blocks_are_of_units_which_are_the_last_axis():
    blocks = sums_to_draw(np.ones((2, 3, 10_000)), np.random.default_rng(0))
    assert blocks.shape == (2, 3, 2000)
    assert blocks.sum(axis=-1).tolist() == [[10_000] * 3] * 2
    few = np.ones((3000, 2))
    assert sums_to_draw(few, np.random.default_rng(0)) is few


def test_a_table_of_counts_knows_categories_that_nobody_chose():
    found = classified_counts(np.array([[2, 0, 0], [0, 2, 0]]))
    assert found.values.tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(ArgumentError, match=re.escape(f"; {COUNTS}")):
        classified_counts(np.array([[0.5, 1.5]]))


def test_two_items_are_enough_for_cohen_s_kappa():
    """Both agree on both items; by chance on half of them."""
    assert cohen_kappa(np.array([1.0, 2.0]), np.array([1.0, 2.0]), resampling=NO_INTERVALS).value == 1.0


def test_which_categories_are_possible():
    """All whole numbers of a declared scale of whole numbers that holds all ratings; else those that occur."""
    rows = [("x", "a", 1.0), ("y", "a", 3.0), ("x", "b", 1.0), ("y", "b", 3.0)]
    assert classified(rated(rows)).values.tolist() == [0, 1, 2, 3, 4, 5]
    assert classified(rated(rows, scale=Scale(low=0.5, high=5))).values.tolist() == [1, 3]
    assert classified(rated([*rows, ("z", "a", 7.0)])).values.tolist() == [1, 3, 7]
    assert classified(rated([*rows, ("z", "a", 1.5)])).values.tolist() == [1, 1.5, 3]


def test_weights_need_an_order_of_the_categories():
    labels = rated([("x", "a", 0.0), ("y", "a", 1.0)], categories=("no", "yes"), scale=None)
    with pytest.raises(ArgumentError, match="linear weights need an order"):
        category_steps(labels, "linear")


@pytest.mark.parametrize(("weights", "has_alpha"), [("linear", True), ("ordinal", True), ("quadratic", False)])
def test_alpha_with_weights_is_given_where_it_is_no_other_alpha(weights: str, has_alpha: bool):
    """With quadratic weights it is interval alpha."""
    rows = [(who, f"i{n}", float((n + k) % 4)) for n in range(6) for k, who in enumerate("xy")]
    names = [figure.name for step in few_label_steps(rated(rows), weights) for figure in step(NO_INTERVALS)]
    assert (f"Krippendorff's alpha, {weights} weights" in names) is has_alpha


def test_of_equally_common_labels_the_first_are_listed():
    names = tuple(f"label {n:02}" for n in range(40))
    rows = [(who, f"i{n}", float(n)) for n in range(40) for who in "xy"]
    steps = category_steps(rated(rows, categories=names, scale=None))
    told = [figure.name for step in steps[1:] for figure in step(NO_INTERVALS)]
    assert told == [f"agreement on '{name}'" for name in names[:12]]


def test_a_reliability_of_zero_leaves_nothing_in_reach():
    found = ScoreReliability(value=0.0, without=np.zeros(3))
    assert not ceiling._perfect(Estimate(0.0), found).is_defined
    assert ceiling._perfect(Estimate(0.25, -0.5, 0.36), found)[:3] == (0.5, 0.0, 0.6)


def test_the_interval_of_alpha_on_labels_has_the_level_that_is_asked_for():
    values = np.array([[0.0, 1, 1, 0, 2, 1], [0.0, 1, 0, 0, 2, 2], [0.0, 1, 1, 1, 2, 1]])
    rows = [(f"r{r}", f"i{i}", values[r, i]) for r in range(3) for i in range(6)]
    labels = rated(rows, categories=("a", "b", "c"), scale=None)
    half = Resampling(level=0.5)
    found = {figure.name: figure.estimate for figure in category_steps(labels)[0](half)}
    expected = krippendorff_alpha(values, "nominal", resampling=half)
    assert found["Krippendorff's alpha, nominal"][:3] == pytest.approx(expected[:3])


def test_one_gaussian_is_no_likelier_than_one():
    values = np.random.default_rng(0).normal(2.5, 1, (2, 40)).clip(0, 5)
    rows = [(f"r{r}", f"i{i}", float(values[r, i])) for r in range(2) for i in range(40)]
    found = components.component_table(rated(rows), 1, np.random.default_rng(1))
    assert found.likelier == 0.0
    assert pytest.approx(2000, abs=1e-9) == components.TEST_SHARE * 6051
    assert (found.items["split"] == "test").sum() == 13  # 40 * 2000 / 6051 is 13.2


def test_contention_is_of_ratings():
    made = rated([("x", "a", 1.0), ("y", "a", 3.0), ("x", "b", 2.0)])
    assert contention(made).rows(named=True)[0] == {
        "item": "a",
        "ratings": 2,
        "mean": 2.0,
        "sigma": 1.0,
        "contentious": True,
    }
    with pytest.raises(ArgumentError, match="only ratings have a mean and a spread"):
        contention(chosen([("1", "x", "abc", "a", "c")]))


def test_what_a_plan_for_raters_calls_them():
    rng = np.random.default_rng(3)
    values = (rng.uniform(2, 3, 10) + rng.normal(0, 1.2, (3, 10))).clip(0, 5)
    rows = [(f"r{r}", f"i{i}", float(values[r, i])) for r in range(3) for i in range(10)]
    targets = RaterTargets(mean_error=0.05, sigma_error=None, correlation=None, order=None)
    plan = plan_raters(rated(rows), targets=targets, resampling=Resampling(resamples=50))
    assert re.match(r"\d+ raters are far beyond the 3 of the pilot: run a second pilot", plan.notes[0])
    (need,) = plan.needs
    for reason in (plan.raters.reason, need.raters.reason):
        assert re.fullmatch(r"the pilot is too small to tell: \d+ to \d+ raters", reason)
    with pytest.raises(UnknownNameError, match=r"^no design named 'woven'"):
        plan_raters(rated(rows), design="woven")


def test_an_item_that_nobody_rated_is_not_planned_from():
    rows = [(f"r{i}-{n}", f"i{i}", float((i + n) % 5)) for i in range(12) for n in range(2)]
    plan = plan_raters(rated([*rows, ("r0-0", "none", None)]), resampling=NO_INTERVALS)
    assert (plan.design, plan.items, plan.ratings) == ("nested", 12, 2.0)


def test_a_figure_three_deviations_away_is_not_yet_unusual():
    rule = Rule(column="commonest", odd="high", margin=1.0, sentence=lambda row, value, middle: "")
    assert rule.holds(np.array([0.5, 3.0, 3.5, np.nan]), 0.0, 1.0).tolist() == [False, False, True, False]
    assert rule.holds(np.array([0.5, 1.0]), 0.0, 0.0).tolist() == [False, True]


def test_a_correlation_between_raters_that_is_unknown():
    with pytest.raises(UnknownNameError, match=r"^no correlation named 'kendall'"):
        pairwise_correlation(np.ones((2, 3)), "kendall")


@pytest.mark.parametrize("raters", [255, 256, 300])
def test_many_ratings_of_an_item_are_counted(raters: int):
    values = np.random.default_rng(0).normal(size=(raters, 2))
    assert Pairable(values).number.tolist() == [raters, raters]


def test_nobody_flagged_is_a_list_without_sentences():
    table = annotator_table.annotator_table(rated([("x", "a", 1.0), ("y", "a", 2.0)]), resampling=NO_INTERVALS)
    alone = with_flags(table.drop("flags"), [None, None], 5.0)
    assert alone.schema["flags"] == pl.List(pl.String)
    assert alone["flags"].to_list() == [[], []]


def test_a_probability_of_nine_tenths_is_not_yet_random_clicking():
    assert flags._about_clicks({"random_clicking": 0.9}) == []
    assert flags._about_clicks({"random_clicking": 0.91}) == ["seems to click at random: probability 91 %"]


def test_groups_without_a_common_item_have_no_divergence():
    rows = [("a", "north", "i", 1.0), ("b", "north", "i", 3.0), ("c", "south", "j", 2.0), ("d", "south", "j", 2.0)]
    found = divergence_as_groups_join(rated(rows, ("annotator", "group", "item", "value")), match="item")
    row = found.row(0, named=True)
    assert (row["joined"], row["items"], row["dropped"]) == ("south", 0, 0)
    assert np.isnan([row["ratings"], row["kl"]]).all()


def test_an_item_with_one_answer_has_no_commonest_label():
    rows = [("x", "a", 0.0), ("y", "a", 1.0), ("z", "a", 1.0), ("x", "b", 0.0)]
    labels = rated(rows, categories=("no", "yes"), scale=None)
    share, ties = opinion_figures(labels, resampling=NO_INTERVALS)
    assert (share.estimate.value, share.n_units, ties.estimate.value) == (pytest.approx(2 / 3), 1, 0.0)


def test_progress_is_told_label_by_label():
    told = []
    rows = [(who, item, float(value)) for who in "xy" for item, value in zip("abcd", (1, 2, 3, 4), strict=True)]
    listener = SimpleNamespace(progress=lambda *said: told.append(said))
    labels = {"a": "one", "b": "one", "c": "two", "d": "two"}
    agreement_by(rated(rows), labels, resampling=NO_INTERVALS, halving=Halving(repeats=2), listener=listener)
    assert told == [("agreement by label", done, 3) for done in (1, 2, 3)]
