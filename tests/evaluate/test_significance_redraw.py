"""Replaced answers are drawn anew in every resample of an interval."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from similitude.data.gold import GoldColumns
from similitude.data.prediction import Predictions
from similitude.data.scale import Scale
from similitude.evaluate.comparison import Calibrated, Comparison, Redraws
from similitude.evaluate.measures import make_measure
from similitude.evaluate.measures.resampled_comparison import drawn, hybrids
from similitude.evaluate.rescaling import Rescaling, mapping_from_range
from similitude.evaluate.significance import confidence
from similitude.evaluate.significance.plan import Plan
from similitude.evaluate.significance.redraw import redrawn, redrawn_systems
from similitude.evaluate.significance.resampler import Resampler
from similitude.evaluate.significance.tested_measure import subjects_of
from similitude.stats import Units

ITEMS = 200
GOLD = np.linspace(1, 5, ITEMS)


def comparison(drawn: int, *, systems: int = 1) -> Comparison:
    """The first system says gold but for some scores, which are drawn from 1..5; others say gold with noise."""
    rng = np.random.default_rng(3)
    predicted = np.stack([GOLD] + [GOLD + rng.normal(0, 0.5, ITEMS) for _ in range(systems - 1)])
    where = np.zeros((systems, ITEMS), dtype=bool)
    where[0, rng.permutation(ITEMS)[:drawn]] = True
    predicted[where] = rng.uniform(1, 5, drawn)
    redraws = Redraws(where, np.full(systems, 1.0), np.full(systems, 5.0))
    return replace(Comparison.of_scores(GOLD, predicted, Scale(low=1, high=5)), redraws=redraws if drawn else None)


def interval(made: Comparison, name: str = "pearson", **options):
    return confidence(made, [make_measure(name)], seed=1, **options).intervals[0][0]


def test_a_lucky_draw_does_not_help():
    lucky = replace(comparison(100), predicted=GOLD[None].copy())  # as if every draw had hit gold
    assert interval(replace(lucky, redraws=None), method="percentile").low > 0.95
    # Half of the scores are gold and half are independent of it with the same variance: a correlation of about 1/2.
    anew = interval(lucky)
    assert anew.low < 0.5 < anew.high < 0.75


def test_the_spread_is_that_of_items_and_draws_together():
    # If every score is drawn, a correlation is that of independent numbers: its standard error is 1 / sqrt(n - 1).
    made = comparison(ITEMS)
    found = confidence(made, [make_measure("pearson")], seed=1)
    assert found.intervals[0][0].low < 0 < found.intervals[0][0].high
    assert np.sqrt(found.covariances[0, 0, 0]) == pytest.approx(1 / np.sqrt(ITEMS - 1), rel=0.15)


def test_the_interval_does_not_hang_on_the_one_draw_that_was_made():
    ends = []
    for seed in (10, 11):
        made = comparison(ITEMS)
        other = made.predicted.copy()
        other[0] = np.random.default_rng(seed).uniform(1, 5, ITEMS)
        ends.append(interval(replace(made, predicted=other)))
    assert ends[0] == ends[1]


def test_the_method_is_a_bootstrap_and_the_note_says_why():
    found = confidence(comparison(20), [make_measure("spearman")], seed=1)
    assert (found.methods, found.tests) == (("percentile",), ("bootstrap",))
    assert found.notes == (
        "answers without a score are drawn anew in every resample, so that intervals are bootstrapped",
    )
    assert confidence(comparison(0), [make_measure("spearman")]).methods == ("jackknife",)


def test_other_systems_see_the_same_resamples_as_without_draws():
    made = comparison(40, systems=2)
    with_draws = confidence(made, [make_measure("spearman")], method="percentile", seed=1)
    without = confidence(replace(made, redraws=None), [make_measure("spearman")], method="percentile", seed=1)
    assert with_draws.intervals[1] == without.intervals[1]
    assert with_draws.intervals[0] != without.intervals[0]


def test_only_what_was_drawn_is_drawn_anew_and_on_its_scale():
    made = comparison(50, systems=3)
    assert redrawn_systems(made).tolist() == [0]
    anew = redrawn(made, np.random.default_rng(0))
    where = made.redraws.where
    assert (anew.predicted[~where] == made.predicted[~where]).all()
    assert (anew.predicted[where] != made.predicted[where]).all()
    assert anew.predicted[where].min() >= 1
    assert anew.predicted[where].max() <= 5
    assert redrawn(comparison(0), np.random.default_rng(0)).redraws is None


def test_calibrated_scores_follow():
    made = comparison(50)
    doubled = replace(made, calibrated=Calibrated(2 * made.predicted, None, covers_errors=False))
    anew = redrawn(doubled, np.random.default_rng(0))
    where = made.redraws.where
    inside = anew.predicted[where] < made.predicted.max()
    assert anew.calibrated.scores[where][inside] == pytest.approx(2 * anew.predicted[where][inside], abs=0.1)


def test_draws_are_mapped_with_the_scores():
    said = Predictions(np.array([1.0, 3.0]), invalid=np.array([0.0, 1.0]), drawn_from=(1.0, 5.0))
    mapped = mapping_from_range(Scale(low=1, high=5), Scale(low=0, high=1)).apply(said)
    assert mapped.drawn_from == (0.0, 1.0)
    assert mapped.drawn.tolist() == [False, True]
    assert said.take(np.array([1])).drawn.tolist() == [True]


def test_the_draws_of_systems_have_their_own_ends_and_a_system_without_any_has_none():
    said = Predictions(np.array([1.0, 3.0]), invalid=np.array([0.5, 1.0]), drawn_from=(1.0, 5.0))
    plain = Predictions(np.array([2.0, 4.0]))
    found = Redraws.of([plain, said])
    assert found is not None
    assert found.where.tolist() == [[False, False], [False, True]]
    assert found.low == pytest.approx([np.nan, 1.0], nan_ok=True)
    assert found.high == pytest.approx([np.nan, 5.0], nan_ok=True)
    assert Redraws.of([plain]) is None


def test_a_comparison_keeps_the_draws_of_its_systems_and_items():
    # From 1..5 onto 0..1, draws between 1 and 5 become draws between 0 and 1.
    unit, five = Scale(low=0, high=1), Scale(low=1, high=5)
    said = Predictions(np.array([1.0, 3.0, 5.0]), invalid=np.array([0.0, 1.0, 0.0]), drawn_from=(1.0, 5.0))
    gold = GoldColumns(pl.DataFrame({"id": list("abc"), "score": [0.0, 0.5, 1.0]}), unit)
    made = Comparison.of(
        gold, [Predictions(np.array([0.1, 0.2, 0.3])), said], [mapping_from_range(each, unit) for each in (unit, five)]
    )
    assert made.redraws.where.tolist() == [[False] * 3, [False, True, False]]
    assert (made.redraws.low[1], made.redraws.high[1]) == (0.0, 1.0)
    assert made.of_systems([1]).redraws.where.tolist() == [[False, True, False]]
    assert made.redraws.take(np.array([1, 2])).where.tolist() == [[False, False], [True, False]]


def test_a_sample_of_items_keeps_the_draws_of_those_items():
    found = drawn(comparison(50, systems=2), np.array([3, 3, 0]))
    assert found.redraws.where.tolist() == comparison(50, systems=2).redraws.where[:, [3, 3, 0]].tolist()


def test_systems_that_swap_predictions_have_no_draws_of_their_own():
    """A row of hybrids is neither system, so that no row of draws belongs to it."""
    (found,) = hybrids(comparison(50, systems=2), 0, 1, np.ones((3, ITEMS)))
    assert found.predicted.shape == (3, ITEMS)
    assert found.redraws is None


def test_a_step_function_keeps_neither_ends_of_draws_nor_samples():
    """It is flat between its steps, so that what is drawn beyond a knot cannot be told apart."""
    steps = Rescaling("steps", np.array([1.0, 5.0]), np.array([0.0, 1.0]), extends=False)
    one = np.array([1.0])
    said = Predictions(np.array([3.0]), samples=np.array([[1.0, 5.0]]), invalid=one, drawn_from=(1.0, 5.0))
    mapped = steps.apply(said)
    assert mapped.scores.tolist() == [0.5]
    assert (mapped.sigmas, mapped.samples, mapped.drawn_from) == (None, None, None)


@pytest.mark.parametrize("method", ["auto", "jackknife"])
def test_where_answers_were_drawn_an_interval_is_bootstrapped(method):
    """A jackknife leaves items out, but cannot draw an answer anew."""
    asked = {"level": 0.95, "test": "auto", "resamples": None, "seed": 0, "systems": 1}
    measure = make_measure("pearson")
    assert Plan(method=method, redraws=True, **asked).method_of(measure) == "percentile"
    assert Plan(method=method, redraws=False, **asked).method_of(measure) == "jackknife"
    assert Plan(method="bca", redraws=True, **asked).method_of(measure) == "bca"


def test_systems_with_draws_are_told_by_their_rows():
    made = comparison(50, systems=2)
    assert redrawn_systems(made.of_systems([1, 0])).tolist() == [1]
    nobody = redrawn_systems(comparison(0))
    assert GOLD[nobody].tolist() == []  # rows, even if there are none


def test_a_jackknife_keeps_the_scores_that_were_drawn():
    """It tells how far a figure depends on single items, and new draws would be added to that."""
    made, measure = comparison(50, systems=2), make_measure("pearson")
    kept, plain = (
        Resampler(subjects_of(each, [measure]), Units(ITEMS), ITEMS, seed=1).jackknife()[0]
        for each in (made, replace(made, redraws=None))
    )
    np.testing.assert_array_equal(kept, plain)


def test_calibrated_scores_of_tied_predictions_are_taken_in_the_order_of_items():
    """Of equal predictions from different folds, the first item's score ends the line that leads to them."""
    rng = np.random.default_rng(2)
    made = replace(comparison(50), predicted=rng.integers(1, 6, (1, ITEMS)).astype(float))
    scores = made.predicted + rng.uniform(0, 0.9, (1, ITEMS))
    anew = redrawn(replace(made, calibrated=Calibrated(scores, None, covers_errors=False)), np.random.default_rng(0))
    highest, line = -np.inf, []
    for at in sorted(range(ITEMS), key=lambda item: made.predicted[0, item]):  # Python keeps the order of equals
        highest = max(highest, scores[0, at])
        line.append((made.predicted[0, at], highest))
    where = made.redraws.where[0]
    expected = np.interp(anew.predicted[0, where], *np.transpose(line))
    np.testing.assert_allclose(anew.calibrated.scores[0, where], expected)
