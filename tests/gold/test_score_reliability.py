from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.gold.reliability import score_reliability as module
from similitude.gold.reliability.bootstrap import NO_INTERVALS
from similitude.gold.reliability.intraclass import intraclass_correlations
from similitude.gold.reliability.score_reliability import score_reliability
from similitude.gold.reliability.unequal_halves import HalfNoise, reliability_of_all
from similitude.stats import pearson, spearman


def of_matrix(values, *, named: bool = True) -> Judgements:
    """Raters x items, nan where a rating is missing."""
    rater, item = np.nonzero(np.isfinite(values))
    names = [f"r{n}" for n in rater] if named else [None] * rater.size
    columns = {"annotator": names, "item": [f"i{n}" for n in item], "value": values[rater, item]}
    return Judgements(name="made", frame=pl.DataFrame(columns, schema_overrides={"annotator": pl.String}))


def best_worst(rows) -> Judgements:
    columns = ("annotator", "question", "items", "best", "worst")
    return Judgements(name="made", frame=pl.DataFrame([dict(zip(columns, row, strict=True)) for row in rows]))


@pytest.mark.parametrize("raters", [2, 3, 6])
def test_equal_numbers_without_names_are_icc_1_k(raters):
    rng = np.random.default_rng(raters)
    values = rng.normal(size=30) + rng.normal(size=(raters, 30)) + rng.normal(size=(raters, 1))
    found = score_reliability(of_matrix(values, named=False)).pearson.value
    assert found == pytest.approx(intraclass_correlations(values, resampling=NO_INTERVALS)["ICC(1,k)"].value)


def test_the_same_raters_for_all_items_are_halved_so_that_leniency_and_scale_do_not_matter():
    rng = np.random.default_rng(0)
    values = rng.normal(size=300) + rng.normal(size=(4, 300)) + 3 * rng.normal(size=(4, 1))
    found = score_reliability(of_matrix(values))
    alike = intraclass_correlations(values, resampling=NO_INTERVALS)["ICC(3,k)"].value
    assert found.pearson.value == pytest.approx(alike, abs=0.01)
    moved = score_reliability(of_matrix(values + np.array([[5.0], [-3], [0], [1]])))
    assert moved.pearson.value == pytest.approx(found.pearson.value)
    assert moved.spearman.value == pytest.approx(found.spearman.value, abs=0.01)
    wider = score_reliability(of_matrix(values[:2] * np.array([[1.0], [3.0]])))
    r = pearson(values[0], values[1])
    assert wider.pearson.value == pytest.approx(2 * r / (1 + r))


def test_leniency_counts_where_raters_differ_from_item_to_item():
    # 19 of 20 items by both raters are nearly all, 18 of 20 are not
    rng = np.random.default_rng(0)
    values = rng.normal(size=20) + 0.1 * rng.normal(size=(2, 20)) + np.array([[0.0], [2.0]])
    for missing, is_removed in ((1, True), (2, False)):
        gaps = values.copy()
        gaps[1, :missing] = np.nan
        assert (score_reliability(of_matrix(gaps)).pearson.value > 0.9) == is_removed


def test_leniency_that_is_shared_is_added_to_both(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.normal(size=30) + rng.normal(size=(4, 30))
    plain = score_reliability(of_matrix(values, named=False))
    spread = plain.scores.var(ddof=1)
    monkeypatch.setattr(module, "shared_leniency", lambda rated: 0.05)
    more = score_reliability(of_matrix(values, named=False))
    assert more.pearson.value == pytest.approx(plain.pearson.value + 0.05 / spread)
    assert more.spearman.value == pytest.approx(plain.spearman.value + 0.05 / spread)
    assert more.spearman.without == pytest.approx(plain.spearman.without + 0.05 / spread)
    monkeypatch.setattr(module, "shared_leniency", lambda rated: 100.0)
    most = score_reliability(of_matrix(values, named=False))
    assert most.pearson.value == most.spearman.value == 1
    assert most.spearman.without.max() == 1


def test_unequal_numbers_by_hand():
    # a: 1 3 -> mean 2, variance 2, noise 1; b: 4 4 7 -> mean 5, variance 3, noise 1; c: 8 -> noise as the mean item's
    # variance, 2.5; means 2 5 8 have variance 9: 1 - (1 + 1 + 2.5) / 3 / 9
    values = np.array([[1.0, 4, 8], [3, 4, np.nan], [np.nan, 7, np.nan]])
    found = score_reliability(of_matrix(values, named=False))
    assert found.pearson.value == pytest.approx(1 - 1.5 / 9)
    assert dict(zip(found.items, found.scores.tolist(), strict=True)) == {"i0": 2.0, "i1": 5.0, "i2": 8.0}


def test_without_each_item_by_computing_it_again():
    rng = np.random.default_rng(2)
    values = rng.normal(size=12) + rng.normal(size=(3, 12))
    found = score_reliability(of_matrix(values, named=False))
    again = {
        f"i{n}": score_reliability(of_matrix(np.delete(values, n, axis=1), named=False)).pearson.value
        for n in range(12)
    }
    assert found.pearson.without == pytest.approx([again[item] for item in found.items])


def test_without_each_item_by_halves():
    # without the item on which raters contradict the order, the reliability is highest
    values = np.tile(np.arange(20.0), (4, 1)) + np.random.default_rng(0).normal(0, 0.6, (4, 20))
    values[:, 7] = [0, 19, 0, 19]
    found = score_reliability(of_matrix(values, named=False))
    assert found.items[int(found.spearman.without.argmax())] == "i7"
    assert found.spearman.without.min() < found.spearman.value < found.spearman.without.max()


def test_an_item_with_one_rating_is_not_split():
    values = np.tile(np.arange(8.0), (2, 1)) + np.random.default_rng(0).normal(0, 1, (2, 8))
    values[1, 3] = np.nan
    found = score_reliability(of_matrix(values, named=False))
    assert found.items[-1] == "i3"
    assert found.spearman.without.size == 8
    assert found.spearman.without[-1] == pytest.approx(found.spearman.value)


def test_two_items_have_a_reliability_but_not_one_without_each():
    found = score_reliability(of_matrix(np.array([[1.0, 5], [2, 5]]), named=False)).pearson
    assert found.value == pytest.approx(1 - 0.125 / 6.125)  # means 1.5 and 5, noise 0.25 and 0
    assert np.isnan(found.without).all()


def test_three_items_of_which_two_have_one_score():
    found = score_reliability(of_matrix(np.array([[1.0, 2, 5], [2, 1, 5]]), named=False)).pearson
    assert np.isnan(found.without).tolist() == [False, False, True]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[1.0, 2, 3]], "no item has two ratings: there is nothing to compare"),
        ([[1.0, 2, 3], [1, np.nan, np.nan]], "only one item has two ratings: there is nothing to compare"),
        ([[1.0, 2, 3], [3, 2, 1]], "every item has the same score"),
    ],
)
def test_undefined_with_the_reason(values, reason):
    found = score_reliability(of_matrix(np.array(values), named=False))
    assert np.isnan(found.pearson.value)
    assert found.pearson.reason == found.spearman.reason == reason


@pytest.mark.parametrize("raters", [2, 3, 5])
def test_ranks_of_normal_scores_with_odd_and_even_numbers(raters):
    # reliability k / (k + 1); Spearman's rho of normals with correlation r is 6 / pi asin(r / 2)
    rng = np.random.default_rng(raters)
    values = rng.normal(size=4000) + rng.normal(size=(raters, 4000))
    found = score_reliability(of_matrix(values, named=False)).spearman.value
    assert found == pytest.approx(6 / np.pi * np.arcsin(raters / (raters + 1) / 2), abs=0.015)


def test_halves_that_contradict_each_other_are_undefined():
    # two raters in opposite order: each half is one rating
    values = np.stack([np.arange(10.0), 10.1 - np.arange(10.0) * 0.9])
    rng = np.random.default_rng(0)
    found = score_reliability(of_matrix(rng.permuted(values, axis=0), named=False)).spearman
    assert np.isnan(found.value)
    assert found.reason == "two halves of the judgements do not agree at all"


def test_the_same_judgements_have_one_reliability():
    rng = np.random.default_rng(1)
    made = of_matrix(rng.normal(size=25) + rng.normal(size=(5, 25)), named=False)
    one, other = score_reliability(made), score_reliability(made)
    assert one.spearman.value == other.spearman.value
    assert (one.spearman.without == other.spearman.without).all()


def test_neither_reliability_depends_on_the_order_of_rows():
    rng = np.random.default_rng(0)
    made = of_matrix(np.where(rng.random((5, 40)) < 0.3, np.nan, rng.integers(0, 6, (5, 40))))
    mixed = replace(made, frame=made.frame.sample(fraction=1.0, shuffle=True, seed=1))
    one, other = score_reliability(made), score_reliability(mixed)
    assert one.items == other.items
    assert other.pearson.value == pytest.approx(one.pearson.value, abs=1e-12)
    assert other.spearman.value == pytest.approx(one.spearman.value, abs=1e-12)


def test_best_worst_scores_and_chosen_items():
    rows = [
        (who, question, shown, best, worst)
        for who in ("x", "y")
        for question, shown, best, worst in (("1", list("abc"), "a", "c"), ("2", list("bcd"), "b", "d"))
    ]
    every = score_reliability(best_worst(rows))
    assert dict(zip(every.items, every.scores.tolist(), strict=True)) == {"a": 1.0, "b": 0.5, "c": -0.5, "d": -1.0}
    assert every.pearson.value == every.spearman.value == 1
    some = score_reliability(best_worst(rows), ["a", "d", "unknown"])
    assert some.items == ["a", "d"]
    assert some.scores.tolist() == [1.0, -1.0]


def test_best_worst_undefined_with_the_reason():
    once = [("x", "1", list("abc"), "a", "c"), ("y", "2", list("bcd"), "b", "d")]
    assert (
        score_reliability(best_worst(once)).pearson.reason
        == "every tuple was answered once: there is nothing to compare"
    )
    twice = [(who, "1", list("abc"), "a", "c") for who in "xy"]
    assert (
        score_reliability(best_worst(twice), ["a"]).pearson.reason
        == "only one item was judged: there is nothing to compare"
    )


def test_best_worst_recovers_the_agreement_of_two_panels():
    rng = np.random.default_rng(3)
    truth, ids = rng.normal(size=200), np.arange(200).astype(str)
    tuples = np.concatenate([rng.permutation(200).reshape(-1, 4) for _ in range(6)])

    def panel(people: int) -> tuple[list, np.ndarray]:
        rows, points = [], np.zeros(200)
        for who in range(people):
            for place, shown in enumerate(tuples):
                felt = truth[shown] + rng.normal(0, 1, 4)
                best, worst = shown[felt.argmax()], shown[felt.argmin()]
                points[best] += 1
                points[worst] -= 1
                rows.append((f"p{who}", f"q{place}", ids[shown].tolist(), ids[best], ids[worst]))
        return rows, points

    for people in (2, 3, 5):
        rows, one = panel(people)
        found = score_reliability(best_worst(rows))
        others = [panel(people)[1] for _ in range(6)]
        assert found.pearson.value == pytest.approx(np.mean([pearson(one, other) for other in others]), abs=0.03)
        assert found.spearman.value == pytest.approx(np.mean([spearman(one, other) for other in others]), abs=0.03)


def step(r: float, whole: float, first: float, second: float) -> float:
    return float(reliability_of_all(np.array(r), HalfNoise(whole, first, second)))


@pytest.mark.parametrize("r", [0.05, 0.4, 0.9, 1.0])
def test_equal_halves_are_spearman_brown(r):
    assert step(r, 1, 2, 2) == pytest.approx(2 * r / (1 + r))
    assert step(r, 0.5, 1, 1) == pytest.approx(2 * r / (1 + r)), "the unit of noise does not matter"


@pytest.mark.parametrize(("one", "other"), [(1, 2), (2, 3), (1, 4)])
def test_unequal_halves_recover_the_truth(one, other):
    # true variance 1, noise of one answer 0.7
    r = 1 / np.sqrt((1 + 0.7 / one) * (1 + 0.7 / other))
    assert step(r, 1 / (one + other), 1 / one, 1 / other) == pytest.approx(1 / (1 + 0.7 / (one + other)))


def test_halves_without_agreement_or_without_noise():
    assert np.isnan(step(0.0, 1, 2, 2))
    assert np.isnan(step(-0.5, 1, 2, 2))
    assert step(1.0, 0, 0, 0) == 1
    assert np.isnan(step(0.0, 0, 0, 0))
