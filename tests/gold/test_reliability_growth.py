import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.gold.reliability.growth import divergence_growth, growth, growth_over_orders


def made(rows) -> Judgements:
    frame = pl.DataFrame(rows, schema=["item", "annotator", "round", "value"], orient="row")
    return Judgements(name="made", frame=frame, scale=Scale(low=0, high=5))


def of_matrix(values, rounds=None) -> Judgements:
    """Raters x items; later raters stand first in the file, as in USTS."""
    rounds = rounds or ["first"] * len(values)
    return made(
        [
            (str(item), f"r{rater}", rounds[rater], float(values[rater][item]))
            for item in range(len(values[0]))
            for rater in reversed(range(len(values)))
            if not np.isnan(values[rater][item])
        ]
    )


def test_first_round_first_by_hand():
    # first round 0, 2 (mean 1, sigma 1), then 4 (mean 2, sigma sqrt(8/3)), then 2 (mean 2, sigma sqrt 2)
    rows = [("a", "z", "second", 4.0), ("a", "y", "second", 2.0), ("a", "w", "first", 0.0), ("a", "x", "first", 2.0)]
    found = growth(made(rows), start=2)
    assert found.curve["raters"].to_list() == [2, 3, 4]
    assert found.curve["mean"].to_list() == pytest.approx([1.0, 2.0, 2.0])
    assert found.curve["sigma"].to_list() == pytest.approx([1.0, np.sqrt(8 / 3), np.sqrt(2)])


def test_items_with_too_few_ratings_are_left_out_and_counted():
    values = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, np.nan]])
    found = growth(of_matrix(values), start=2, last=3)
    assert (found.items, found.left_out) == (1, 1)
    assert found.curve["mean"].to_list() == pytest.approx([4.0, 3.0])  # r2 5 and r1 3, then r0 1


@pytest.mark.parametrize(("start", "last"), [(4, None), (2, 9), (5, 3)])
def test_a_curve_that_cannot_be_drawn_says_why(start, last):
    with pytest.raises(ArgumentError, match="items have up to 2 ratings"):
        growth(of_matrix(np.array([[1.0, 2.0], [2.0, 4.0]])), start=start, last=last)


def test_over_all_orders_ends_where_every_order_ends():
    rng = np.random.default_rng(0)
    values = rng.uniform(0, 5, (6, 30))
    found = growth_over_orders(of_matrix(values), rng=rng, orders=30).curve
    assert found["raters"].to_list() == [2, 3, 4, 5, 6]
    last = found.row(-1, named=True)
    assert last["mean_low"] == pytest.approx(last["mean_high"]) == pytest.approx(values.mean())
    assert last["sigma"] == pytest.approx(values.std(axis=0).mean())
    before = found.head(-1)
    assert (before["mean_low"] < before["mean"]).all()
    assert (before["sigma"] < before["sigma_high"]).all()


def test_orders_follow_theory_on_gaussian_opinions():
    # E of the population's standard deviation of 2 draws: sigma / sqrt(pi); the mean does not move
    rng = np.random.default_rng(4)
    values = 2.5 + rng.normal(0, 0.5, (10, 2000))
    found = growth_over_orders(of_matrix(values), rng=rng, orders=40).curve
    assert found["sigma"][0] == pytest.approx(0.5 / np.sqrt(np.pi), rel=0.02)
    assert found["mean"].to_numpy() == pytest.approx(np.full(9, 2.5), abs=0.02)


def test_missing_ratings_and_unnamed_raters_have_orders_too():
    rng = np.random.default_rng(1)
    values = rng.uniform(0, 5, (6, 20))
    values[rng.permuted(np.tile([True, True, False, False, False, False], (20, 1)), axis=1).T] = np.nan
    named = growth_over_orders(of_matrix(values), rng=rng, orders=20)
    assert named.curve["raters"].to_list() == [2, 3, 4]
    whole = np.nanmean(values, axis=0).mean()
    assert named.curve["mean"][-1] == pytest.approx(whole)
    frame = of_matrix(values).frame.with_columns(annotator=pl.lit(None, pl.String))
    unnamed = growth_over_orders(Judgements(name="made", frame=frame), rng=rng, orders=20)
    assert unnamed.curve["mean"][-1] == pytest.approx(whole)


def test_divergence_by_hand():
    # p = (0, 2): N(1, 1). q of two: (0, 4): N(2, 2) -> ln 2 + 2/8 - 1/2. Item b has no spread in the first round.
    values = np.array([[0.0, 1.0], [2.0, 1.0], [0.0, 0.0], [4.0, 3.0], [2.0, 3.0]])
    rounds = ["first", "first", "second", "second", "second"]
    order = of_matrix(values, rounds).frame.reverse()  # so that the second round's ratings stand as 0, 4, 2
    found = divergence_growth(Judgements(name="made", frame=order, scale=Scale(low=0, high=5)))
    assert found.curve["raters"].to_list() == [2, 3]
    # q of three: (0, 4, 2): N(2, sqrt(8/3)) -> ln sqrt(8/3) + 2 / (16/3) - 1/2
    assert found.curve["kl"].to_list() == pytest.approx([np.log(2) - 0.25, 0.5 * np.log(8 / 3) + 3 / 8 - 0.5])
    assert found.curve["items"].to_list() == [1, 1]
    assert found.curve["dropped"].to_list() == [1, 1]


def test_divergence_needs_two_rounds_and_enough_raters():
    one = of_matrix(np.array([[1.0, 2.0], [2.0, 4.0]]))
    with pytest.raises(ArgumentError, match="only one round"):
        divergence_growth(one)
    two = of_matrix(np.array([[1.0], [2.0], [2.0], [1.0]]), ["first", "first", "second", "second"])
    with pytest.raises(ArgumentError, match="and 9 of round 'second'"):
        divergence_growth(two, at=[2, 9])


def test_a_band_holds_the_middle_of_the_orders():
    """The first of forty raters gives one of forty values; one order of all raters is drawn after the other."""
    values, draws = np.linspace(0, 5, 40), np.random.default_rng(3)
    first = np.array([values[np.argmin(draws.permutation(40))] for _ in range(50)])
    judgements = made([("a", f"r{rater:02}", "first", value) for rater, value in enumerate(values.tolist())])
    found = growth_over_orders(judgements, rng=np.random.default_rng(3), start=1, last=1, orders=50, level=0.7)
    (row,) = found.curve.rows(named=True)
    low, high = np.quantile(first, [0.15, 0.85])
    assert (row["mean"], row["mean_low"], row["mean_high"]) == pytest.approx((first.mean(), low, high))
    assert (row["raters"], row["sigma"], row["sigma_low"], row["sigma_high"]) == (1, 0, 0, 0)


def test_one_order_holds_for_all_items_and_missing_ratings_come_last():
    """Items rated by raters 0, 1, 2 and by 3, 1: with one rating each, the mean of those who come first."""
    rows = [("a", 0, 1.0), ("a", 1, 2.0), ("a", 2, 3.0), ("b", 3, 0.0), ("b", 1, 5.0)]
    judgements = made([(item, f"r{who}", "first", value) for item, who, value in rows])
    draws = np.random.default_rng(8)
    expected = []
    for _ in range(20):
        turn = draws.permutation(4)
        first = {item: min((turn[who], value) for at, who, value in rows if at == item)[1] for item in "ab"}
        expected.append(sum(first.values()) / 2)
    found = growth_over_orders(judgements, rng=np.random.default_rng(8), start=1, last=1, orders=20)
    assert found.curve["mean"].to_list() == pytest.approx([np.mean(expected)])


def test_divergence_with_a_floor_and_of_items_with_a_first_round():
    """a: N(1, 1) against (1, 1): sigma 0 is raised to 0.1; b has one rating in the first round."""
    rows = [("a", "u", "first", 0.0), ("a", "v", "first", 2.0), ("b", "u", "first", 1.0)]
    rows += [(item, who, "second", 1.0) for item in "ab" for who in "xy"]
    for at in ([1, 2], [1]):
        found = divergence_growth(made(rows), at=at, zero_variance="drop")
        assert found.curve.columns == ["raters", "kl", "items", "dropped"]
        assert (found.items, found.left_out) == (1, 1)
        assert found.curve.select("raters", "items", "dropped").rows() == [(number, 0, 1) for number in at]
    floored = divergence_growth(made(rows), at=[2], zero_variance="floor")
    assert floored.curve["kl"].to_list() == pytest.approx([np.log(0.1) + 1 / (2 * 0.01) - 0.5])
