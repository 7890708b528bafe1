"""Plans and opinions: what they rest on, at the borders of their rules."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError
from similitude.gold.aggregation import aggregate_judgements
from similitude.gold.reliability import disjoint_groups
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling, bootstrap_estimates
from similitude.gold.reliability.disjoint_groups import gapless, observed_errors
from similitude.gold.reliability.growth import divergence_growth
from similitude.gold.reliability.kappa import cohen_kappa
from similitude.gold.reliability.opinion_figures import opinion_figures
from similitude.gold.reliability.pairwise import pairwise_correlation
from similitude.gold.reliability.random_halves import BestWorstHalves
from similitude.gold.reliability.rater_plan import RaterTargets, plan_raters
from similitude.gold.reliability.score_reliability import score_reliability
from similitude.gold.reliability.split_half import split_half
from similitude.gold.reliability.tuple_answers import TupleAnswers

FIVE = Scale(low=0, high=5)


def of_matrix(values) -> Judgements:
    rater, item = np.nonzero(np.isfinite(values))
    names, ids = [f"r{n}" for n in rater], [f"i{n}" for n in item]
    frame = pl.DataFrame({"annotator": names, "item": ids, "value": values[rater, item]})
    return Judgements(name="made", frame=frame, scale=FIVE)


def ratings(raters: int, items: int = 12) -> np.ndarray:
    rng = np.random.default_rng(0)
    return (rng.uniform(1, 4, items) + rng.normal(0, 0.5, (raters, items))).clip(0, 5)


@pytest.mark.parametrize(("raters", "is_noted"), [(7, True), (8, False)])
def test_leniency_of_fewer_than_eight_raters_is_noted(raters: int, is_noted: bool):
    plan = plan_raters(of_matrix(ratings(raters)), resampling=NO_INTERVALS)
    assert plan.design == "crossed"
    note = f"leniency is estimated from only {raters} raters, and intervals do not reflect that"
    assert (note in plan.notes) == is_noted


def test_a_nested_pilot_plans_as_nested_and_keeps_items_with_one_rating():
    values = ratings(4, 14)
    values[:2, ::2] = np.nan
    values[2:, 1::2] = np.nan
    values[3, 0] = np.nan  # one rating is left
    plan = plan_raters(of_matrix(values), design="crossed", resampling=NO_INTERVALS)
    assert (plan.design, plan.items) == ("nested", 14)
    assert plan.ratings == pytest.approx(27 / 14)


@pytest.mark.parametrize("name", ["correlation", "order", "mean_error", "sigma_error", "apart"])
def test_a_target_out_of_range_is_named(name: str):
    with pytest.raises(ArgumentError, match=rf"^{name} = 1\.5 is not a target"):
        RaterTargets(**{name: 1.5})


def test_opinions_have_the_intervals_that_are_asked_for():
    rows = {"annotator": list("xyz") * 4, "item": list("aaabbbcccddd"), "value": [0.0, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 1]}
    labels = Judgements(name="made", frame=pl.DataFrame(rows), categories=("no", "yes"))
    narrow, usual = (opinion_figures(labels, resampling=Resampling(level=level))[0] for level in (0.5, 0.95))
    assert usual.estimate.low < narrow.estimate.low < narrow.estimate.high < usual.estimate.high
    shown = [
        ["a", "b", "c", "d"],
        ["c", "d", "e", "f"],
        ["e", "f", "g", "h"],
        ["g", "h", "i", "j"],
        ["i", "j", "a", "b"],
    ]
    made = [(str(n), who, items, items[n % 2], items[-1]) for n, items in enumerate(shown) for who in "xyzw"]
    names = ["question", "annotator", "items", "best", "worst"]
    tuples = Judgements(name="made", frame=pl.DataFrame(made, schema=names, orient="row"))
    needed = opinion_figures(tuples, resampling=NO_INTERVALS)[-1].estimate
    assert np.isfinite(needed.value)
    assert np.isnan([needed.low, needed.high]).all()


def test_pairs_are_counted_in_whole_numbers():
    found = pairwise_correlation(np.array([[1.0, 2, 3], [1.0, 3, 2], [2.0, 2, 2]]), resampling=NO_INTERVALS)
    assert (found.pairs, found.left_out, type(found.left_out)) == (1, 2, int)


def test_scores_of_halves_are_exact():
    """a is best in one of three answers of the first half: 1 / 3 to the last digit of a double."""
    rows = [("q", who, list("abc"), best, "c") for who, best in zip("uvwxyz", "abbaaa", strict=True)]
    names = ["question", "annotator", "items", "best", "worst"]
    answers = TupleAnswers.of(Judgements(name="made", frame=pl.DataFrame(rows, schema=names, orient="row")))
    halves = BestWorstHalves(answers).scores(np.array([[True]] * 3 + [[False]] * 3))
    assert halves.first.tolist() == [[1 / 3, 2 / 3, -1.0]]
    assert halves.second.tolist() == [[1.0, 0.0, -1.0]]


def test_halves_in_which_all_items_score_the_same_have_no_reliability():
    """Whoever names one item as best and as worst says nothing: every score is 0."""
    rows = [(str(n), who, list("abc"), "a", "a") for n in range(2) for who in "xy"]
    names = ["question", "annotator", "items", "best", "worst"]
    found = score_reliability(Judgements(name="made", frame=pl.DataFrame(rows, schema=names, orient="row")))
    for reliability in (found.pearson, found.spearman):
        assert reliability.reason == "a half gives all items the same score, or scores fewer than two items"
        assert np.isnan(reliability.without).tolist() == [True] * 3


def test_two_units_have_an_interval():
    mean = lambda weights: (weights @ np.array([1.0, 3.0]) / weights.sum(axis=1))[None]  # noqa: E731
    (found,) = bootstrap_estimates(mean, 2, resampling=Resampling(resamples=200))
    assert found[:3] == (2.0, 1.0, 3.0)


def test_gaps_move_down_and_the_order_stays():
    column = np.arange(60.0)
    column[::3] = np.nan
    moved = gapless(column[:, None])[:, 0]
    assert moved[:40].tolist() == [n for n in range(60) if n % 3]
    assert np.isnan(moved[40:]).all()


def test_of_too_many_items_any_may_be_drawn(monkeypatch: pytest.MonkeyPatch):
    drawn = []

    class Draws:
        def integers(self, *ends):
            drawn.append(ends)
            return np.arange(11)

        def permutation(self, values):
            return values

    monkeypatch.setattr(disjoint_groups, "MOST_ITEMS", 11)
    monkeypatch.setattr(disjoint_groups, "SPLITS", 1)
    observed_errors(ratings(4), "crossed", [2], Draws())
    assert drawn == [(0, 12, 11)]


def test_a_curve_leaves_out_items_with_too_few_ratings():
    rows = [(name, f"{name}{r}", item, float(r)) for name in ("first", "second") for r in range(3) for item in "ab"]
    frame = pl.DataFrame(rows[:-1], schema=["round", "annotator", "item", "value"], orient="row")
    found = divergence_growth(Judgements(name="made", frame=frame, scale=FIVE), at=[3])
    assert (found.items, found.left_out) == (1, 1)


def test_cohens_kappa_without_an_interval():
    found = cohen_kappa(np.array([1.0, 2, 1, 2]), np.array([1.0, 2, 2, 2]), resampling=NO_INTERVALS)
    # 3 of 4 agree; by chance 1/2 * 1/4 + 1/2 * 3/4
    assert found.value == pytest.approx((3 / 4 - 1 / 2) / (1 - 1 / 2))
    assert np.isnan([found.low, found.high]).all()


def test_a_crossed_pilot_is_planned_from_the_items_that_all_rated():
    values = ratings(4, 20)
    values[1, 3] = np.nan
    plan = plan_raters(of_matrix(values), resampling=NO_INTERVALS)
    assert (plan.design, plan.items, plan.ratings) == ("crossed", 19, 4.0)
    assert [need.what for need in plan.needs] == [
        "standard error of an item's mean at most 0.25",
        "error of an item's standard deviation at most 0.25",
        "means correlate with the truth at 0.95 or more",
        "two items 0.5 apart come out in the right order with probability 0.9",
    ]
    small = plan_raters(of_matrix(values[:, :5]), resampling=NO_INTERVALS)
    assert small.table.schema == {
        "raters": pl.Int64, "mean_error": pl.Float64, "sigma_error": pl.Float64, "correlation": pl.Float64,
        "order": pl.Float64,
    }  # fmt: skip


def test_two_items_have_a_reliability():
    rows = [(str(n), who, ["a", "b"], "a", "b") for n in range(2) for who in "xy"]
    names = ["question", "annotator", "items", "best", "worst"]
    found = score_reliability(Judgements(name="made", frame=pl.DataFrame(rows, schema=names, orient="row")))
    assert (found.pearson.value, found.spearman.value) == pytest.approx((1.0, 1.0))


def test_deviations_over_repeats_are_stepped_up_too():
    """Of two repeats, mean and deviation tell both correlations."""
    made = of_matrix(ratings(4))
    plain, stepped = (
        split_half(made, repeats=2, spearman_brown=flag, resampling=NO_INTERVALS) for flag in (False, True)
    )
    for name in ("spearman", "pearson"):
        mean, apart = getattr(plain, name).value, getattr(plain, f"{name}_sd") / np.sqrt(2)
        low, high = (2 * r / (1 + r) for r in (mean - apart, mean + apart))
        assert apart > 0
        assert getattr(stepped, f"{name}_sd") == pytest.approx((high - low) / np.sqrt(2))


def test_answers_about_items_that_were_not_shown_are_refused_by_every_method():
    rows = [("1", who, ["a", "b"], "a", "z") for who in "xy"]
    names = ["question", "annotator", "items", "best", "worst"]
    strays = Judgements(name="made", frame=pl.DataFrame(rows, schema=names, orient="row"))
    for method in ("counting", "plackett-luce", "annotator-plackett-luce"):
        with pytest.raises(InputError, match="2 answers that are not among the items shown"):
            aggregate_judgements(strays, method)


def test_rounds_that_share_no_item_are_no_figure():
    rows = [("first", "x", "a", 1.0), ("first", "y", "a", 2.0), ("second", "x", "b", 3.0), ("second", "y", "b", 4.0)]
    frame = pl.DataFrame(rows, schema=["round", "annotator", "item", "value"], orient="row")
    found = opinion_figures(Judgements(name="made", frame=frame, scale=FIVE), resampling=NO_INTERVALS)
    (between,) = [figure for figure in found if figure.name == "mean difference between rounds"]
    assert (between.n_units, between.n_raters) == (0, None)
    assert between.estimate.reason == "no item has two ratings both in round 'first' and in round 'second'"
    assert between.what == "rounds are compared on items with two ratings in each"


def test_a_thousand_raters_are_planned_for_and_no_more():
    made = of_matrix(ratings(4))
    at_most = plan_raters(made, numbers=(1000,), resampling=NO_INTERVALS).table["mean_error"][0] / 5

    def needed(error: float):
        targets = RaterTargets(mean_error=error, sigma_error=None, correlation=None, order=None)
        return plan_raters(made, targets=targets, resampling=NO_INTERVALS).raters

    assert needed(at_most).value == 1000
    assert needed(at_most * (1000 / 1001) ** 0.5).reason.startswith("more than 1,000 raters")


def test_a_pilot_of_one_item_has_its_ratings():
    plan = plan_raters(of_matrix(np.array([[1.0], [2.0], [4.0]])), resampling=NO_INTERVALS)
    assert (plan.items, plan.ratings, plan.raters.is_defined) == (1, 3.0, False)


def test_labels_of_items_with_two_answers():
    """a agrees, b ties, and c has one answer, which tells nothing."""
    rows = {"annotator": list("xyxyx"), "item": list("aabbc"), "value": [1.0, 1, 0, 1, 0]}
    made = Judgements(name="made", frame=pl.DataFrame(rows), categories=("no", "yes"))
    share, ties = opinion_figures(made, resampling=NO_INTERVALS)
    assert (share.estimate.value, ties.estimate.value, share.n_units) == (0.75, 0.5, 2)


@pytest.mark.parametrize(("last", "dropped"), [(2.0, "; 1 item without variance dropped"), (3.0, "")])
def test_items_without_variance_are_told_where_rounds_are_compared(last: float, dropped: str):
    rows = [(name, who, "a", value) for name in ("first", "second") for who, value in (("x", 1.0), ("y", 2.0))]
    rows += [("first", "x", "b", 2.0), ("first", "y", "b", last), ("second", "x", "b", 1.0), ("second", "y", "b", 3.0)]
    frame = pl.DataFrame(rows, schema=["round", "annotator", "item", "value"], orient="row")
    found = opinion_figures(Judgements(name="made", frame=frame, scale=FIVE), resampling=NO_INTERVALS)
    (kl,) = [figure for figure in found if figure.name == "KL(first || second)"]
    assert kl.what == f"0: both agree; natural log, mean{dropped}"
