"""Plans and opinions: what they rest on, at the borders of their rules."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.opinion_figures import opinion_figures
from similitude.gold.reliability.pairwise import pairwise_correlation
from similitude.gold.reliability.random_halves import BestWorstHalves
from similitude.gold.reliability.rater_plan import RaterTargets, plan_raters
from similitude.gold.reliability.score_reliability import score_reliability
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
