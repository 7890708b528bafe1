"""The interval of split-half reliability: what it leaves out, what it averages, and that it covers in simulation."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.gold.reliability.bootstrap import NO_INTERVALS, Resampling
from similitude.gold.reliability.independent_units import independent_units
from similitude.gold.reliability.repeated_correlation import RepeatedCorrelation, stepped_up
from similitude.gold.reliability.split_half import split_half, split_half_of_ratings
from similitude.stats.unit_changes import UnitChanges

NAN = np.nan
USUAL = Resampling()


def compared(rng, dialogues: int, noise: float, answers: int = 5) -> Judgements:
    """GiCCS's design: all triples of the five items of each dialogue."""
    triples = np.array(list(combinations(range(5), 3)))
    shown = np.repeat((triples + 5 * np.arange(dialogues)[:, None, None]).reshape(-1, 3), answers, axis=0)
    seen = rng.uniform(size=5 * dialogues)[shown] + rng.normal(0.0, noise, shown.shape)
    best, worst = (
        np.take_along_axis(shown, at[:, None], axis=1)[:, 0].astype(str) for at in (seen.argmax(1), seen.argmin(1))
    )
    question = np.repeat(np.arange(len(shown) // answers), answers).astype(str)
    frame = pl.DataFrame({"question": question, "items": shown.astype(str).tolist(), "best": best, "worst": worst})
    return Judgements(name="made", frame=frame)


def of_groups(groups: str | list[str | None], **more) -> Judgements:
    """Two ratings of as many items as there are groups."""
    ids = [f"i{place}" for place in range(len(groups))]
    frame = pl.DataFrame({"item": ids * 2, "value": np.arange(2.0 * len(ids))})
    items = pl.DataFrame({"id": ids, "group": list(groups)}, schema={"id": pl.String, "group": pl.String})
    return Judgements(name="made", frame=frame, items=items, **more)


# Units


def test_units_are_groups_of_items():
    assert independent_units(of_groups("aabbccdd")).of_item.tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    assert independent_units(of_groups("babbcdca")).of_item.tolist() == [0, 1, 0, 0, 2, 3, 2, 1]
    assert independent_units(of_groups(["a", None, "a", None, None])).of_item.tolist() == [0, 1, 0, 2, 3]


def test_few_groups_or_none_make_every_item_a_unit():
    for groups in ("aabbcc", "aaaaaa", "abcdef", [None] * 5):
        found = independent_units(of_groups(groups))
        assert (found.number, found.of_item) == (len(groups), None)
    unknown = Judgements(name="made", frame=of_groups("aabb").frame)
    assert independent_units(unknown).of_item is None


def test_units_of_tuples_are_what_tuples_connect():
    made = compared(np.random.default_rng(0), 4, 0.1)
    assert independent_units(made).of_item.tolist() == np.repeat(np.arange(4), 5).tolist()
    # A group that spans two dialogues joins them; three units are too few then.
    items = pl.DataFrame({"id": ["0", "5", "19", "elsewhere"], "group": ["g", "g", None, "g"]})
    joined = independent_units(Judgements(name="made", frame=made.frame, items=items))
    assert joined.of_item is None
    five = compared(np.random.default_rng(0), 5, 0.1)
    joined = independent_units(Judgements(name="made", frame=five.frame, items=items))
    assert joined.of_item.tolist() == np.repeat([0, 0, 1, 2, 3], 5).tolist()
    # A question and a group of the same name have nothing in common.
    same = pl.DataFrame({"id": ["0", "7"], "group": ["0", "11"]})
    assert independent_units(Judgements(name="made", frame=five.frame, items=same)).number == 5


def test_the_interval_leaves_out_whole_groups():
    # Two copies of every item: twice the items, no more information.
    rng = np.random.default_rng(1)
    values = rng.normal(size=40) + rng.normal(size=(4, 40))
    ids = [f"i{place:02}" for place in range(40)]
    rated = pl.DataFrame({"item": np.tile(ids, 4), "value": values.ravel()})
    twice = pl.concat([rated, rated.with_columns(item=pl.col("item") + "-again")])
    items = pl.DataFrame({"id": ids + [f"{one}-again" for one in ids], "group": ids * 2})
    one = split_half(Judgements(name="once", frame=rated), repeats=400).pearson
    grouped = split_half(Judgements(name="twice", frame=twice, items=items), repeats=400).pearson
    alone = split_half(Judgements(name="twice", frame=twice), repeats=400).pearson
    assert grouped.high - grouped.low == pytest.approx(one.high - one.low, rel=0.1)
    assert alone.high - alone.low < 0.8 * (one.high - one.low)


# The mean over repeats


def test_the_mean_and_its_interval_by_hand():
    # Two repeats of three units. Changes average to 0.1, -0.1 and 0: squares about their mean add up to 0.02, and the
    # standard error is sqrt(2 / 3 * 0.02). Fisher's scale: divided by 1 - 0.5^2, t with 2 degrees of freedom.
    found = RepeatedCorrelation(3)
    found.add(UnitChanges(np.array([0.4]), np.array([[0.2, 0.0, 0.0]])))
    found.add(UnitChanges(np.array([0.6]), np.array([[0.0, -0.2, 0.0]])))
    estimate = found.estimate(USUAL)
    assert estimate.value == pytest.approx(0.5)
    assert found.deviation() == pytest.approx(np.sqrt(0.02))
    room = 4.302653 * np.sqrt(2 / 3 * 0.02) / 0.75
    assert (estimate.low, estimate.high) == pytest.approx(tuple(np.tanh(np.arctanh(0.5) + np.array([-room, room]))))
    assert estimate.reason is None
    narrower = found.estimate(Resampling(level=0.8))
    assert estimate.low < narrower.low < narrower.high < estimate.high
    assert found.estimate(NO_INTERVALS)[:1] == (0.5,)
    assert np.isnan(found.estimate(NO_INTERVALS).low)


def test_undefined_repeats_and_changes_do_not_count():
    found = RepeatedCorrelation(3)
    found.add(UnitChanges(np.array([NAN, 0.4]), np.array([[NAN] * 3, [0.2, NAN, 0.0]])))
    found.add(UnitChanges(np.array([0.6]), np.array([[0.0, -0.1, 0.0]])))
    same = RepeatedCorrelation(3)
    same.add(UnitChanges(np.array([0.5]), np.array([[0.1, -0.1, 0.0]])))
    assert found.estimate(USUAL)[:3] == pytest.approx(same.estimate(USUAL)[:3])
    assert found.estimate(USUAL).reason == "left out 1 of 3 repeats in which the figure is undefined"
    never = RepeatedCorrelation(4)
    never.add(UnitChanges(np.array([0.5]), np.array([[0.1, -0.1, 0.0, NAN]])))
    assert never.estimate(USUAL)[:3] == pytest.approx(same.estimate(USUAL)[:3])  # a unit without a change is left out
    none = RepeatedCorrelation(2)
    none.add(UnitChanges(np.array([NAN]), np.array([[NAN, NAN]])))
    assert "all items the same score" in none.estimate(USUAL).reason
    assert np.isnan(none.deviation())
    one = RepeatedCorrelation(0)
    one.add(UnitChanges(np.array([0.5]), np.empty((1, 0))))
    assert np.isnan(one.deviation())


def test_both_notes_are_told():
    found = RepeatedCorrelation(2)
    found.add(UnitChanges(np.array([NAN, 0.5]), np.array([[NAN, NAN], [0.0, 0.0]])))
    note, reason = found.estimate(USUAL).reason.split("; ")
    assert note == "left out 1 of 2 repeats in which the figure is undefined"
    assert reason == "the figure is the same whichever unit is left out"


def test_spearman_brown_steps_the_mean_and_its_ends_up():
    values = np.random.default_rng(2).normal(size=30) + np.random.default_rng(3).normal(size=(4, 30))
    plain, stepped = (split_half_of_ratings(values, spearman_brown=up) for up in (False, True))
    for one, other in ((plain.pearson, stepped.pearson), (plain.spearman, stepped.spearman)):
        assert other[:3] == pytest.approx(tuple(2 * r / (1 + r) for r in one[:3]))
    assert stepped.stepped_up
    assert not plain.stepped_up
    assert stepped.pearson_sd < plain.pearson_sd


def test_spearman_brown_at_its_ends():
    assert stepped_up(np.array([1.0, 0.0, -0.5])).tolist() == [1.0, 0.0, -2.0]
    worst = RepeatedCorrelation(2)
    worst.add(UnitChanges(np.array([-1.0]), np.array([[0.0, 0.0]])))
    assert worst.estimate(USUAL, step_up=True).reason == "Spearman-Brown has no value for a correlation of -1"
    wide = RepeatedCorrelation(3)
    wide.add(UnitChanges(np.array([0.1, 0.3]), np.array([[0.9, -0.9, 0.0], [0.9, -0.9, 0.0]])))
    found = wide.estimate(USUAL, step_up=True)
    assert found.value == pytest.approx(2 * 0.2 / 1.2)
    assert found.low == -1.0  # 2r / (1 + r) has no lower bound; a reliability has
    below = RepeatedCorrelation(3)
    below.add(UnitChanges(np.array([-0.8]), np.array([[0.05, -0.05, 0.0]])))
    stepped = below.estimate(USUAL, step_up=True)
    assert stepped.low == stepped.value == pytest.approx(-8.0)


# Coverage. The old interval drew one halving for each resample of the items, while the figure averages many: it was
# nearly twice as wide as needed and always covered. Widths are compared with the spread of the figure over samples.


def coverage(draw, truth: float, samples: int) -> tuple[float, float]:
    """The share of intervals that contain the truth, and their mean half width over 1.96 sd of the figure."""
    found = [draw(np.random.default_rng([7, sample])) for sample in range(samples)]
    values, low, high = np.array([estimate[:3] for estimate in found]).T
    z = np.arctanh(values)
    half = (np.arctanh(high) - np.arctanh(low)) / 2
    return float(np.mean((low <= truth) & (truth <= high))), float(half.mean() / (1.96 * z.std(ddof=1)))


@pytest.mark.parametrize("correlation", ["pearson", "spearman"])
def test_intervals_of_ratings_cover(correlation):
    # Item and noise of variance 1, five raters: means of two and of three correlate at 1 / sqrt(3/2 * 4/3).
    r = 1 / np.sqrt(2)
    truth = r if correlation == "pearson" else 6 / np.pi * np.arcsin(r / 2)

    def draw(rng):
        values = rng.normal(size=40) + rng.normal(size=(5, 40))
        return getattr(split_half_of_ratings(values, repeats=20, resampling=Resampling(rng=rng)), correlation)

    share, width = coverage(draw, truth, 300)
    assert 0.92 <= share <= 0.98
    assert 0.95 <= width <= 1.2


@pytest.mark.slow
def test_intervals_of_dialogues_cover():
    truth = split_half(compared(np.random.default_rng(1), 2000, 0.3), repeats=5, resampling=NO_INTERVALS).pearson.value

    def draw(rng):
        return split_half(compared(rng, 12, 0.3), repeats=20, resampling=Resampling(rng=rng)).pearson

    share, width = coverage(draw, truth, 150)
    assert 0.90 <= share <= 0.985
    assert 0.9 <= width <= 1.3
