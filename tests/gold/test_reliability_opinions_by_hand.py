"""Spreads, contention and groups of raters on a handful of items."""

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError, InputError, UnknownNameError
from similitude.gold.reliability import rating_spread as spreads
from similitude.gold.reliability.contention import contention, of_items, split_by_contention, tipping_point
from similitude.gold.reliability.groups import (
    compare_groups,
    divergence_as_groups_join,
    group_opinions,
    groups_of,
)

NAN = np.nan


def rated(rows, columns=("annotator", "item", "value"), **settings) -> Judgements:
    schema = {name: pl.Float64 if name == "value" else None for name in columns}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return Judgements(name="made", frame=frame, **({"scale": Scale(low=0, high=5)} | settings))


# Spread


def test_spreads_with_either_denominator():
    values = np.array([[1.0, 2.0, NAN, 3.0], [3.0, NAN, NAN, 3.0 + 1e-12], [5.0, NAN, NAN, NAN]])
    mean, sigma, number = spreads.spread_of(values)
    np.testing.assert_allclose(mean, [3, 2, NAN, 3])
    np.testing.assert_allclose(sigma, [np.sqrt(8 / 3), 0, NAN, 0])
    assert sigma[3] == 0.0
    assert number.tolist() == [3, 1, 0, 2]
    np.testing.assert_allclose(spreads.spread_of(values, ddof=1).sigma, [2, NAN, NAN, 0])


def test_divergence_needs_two_ratings_on_either_side():
    one, two = (
        spreads.spread_of(np.array([[1.0, 1.0], [3.0, NAN]])),
        spreads.spread_of(np.array([[0.0, 0.0], [4.0, 4.0]])),
    )
    expected = np.log(2) + 1 / 8 - 0.5
    np.testing.assert_allclose(spreads.divergence(one, two), [expected, NAN])
    assert np.isnan(spreads.divergence(two, one)[1])
    # sigmas 1 and 2, both raised to 3: 0
    np.testing.assert_allclose(spreads.divergence(one, two, floor=3.0), [0.0, NAN], atol=1e-12)


def test_the_floor_is_a_fiftieth_of_the_scale():
    made = rated([("x", "a", 1.0)])
    assert spreads.floor_of(made, "drop") is None
    assert spreads.floor_of(made, "floor") == pytest.approx(0.1)
    with pytest.raises(ArgumentError, match="zero_variance 'keep' is unknown; use 'drop' or 'floor'"):
        spreads.floor_of(made, "keep")
    assert spreads.mean_divergence(np.array([NAN, NAN]))[1:] == (0, 2)
    assert np.isnan(spreads.mean_divergence(np.array([NAN])).kl)


def test_ratings_as_columns():
    made = rated([("x", "a", 1.0), ("y", "a", 2.0), ("y", "b", 3.0), ("x", "a", 4.0)])
    kept = spreads.ratings_of(made)
    np.testing.assert_array_equal(spreads.ratings_on(kept, ["a", "b", "c"]), [[2, 3, NAN], [4, NAN, NAN]])
    np.testing.assert_array_equal(spreads.raters_on(kept, ["a", "b"]), [[1, 1], [0, NAN]])
    assert spreads.ratings_on(kept, []).shape == (0, 0)
    assert spreads.scale_of(rated([("x", "a", 1.0)], scale=None)) == Scale.infer(np.array([1.0]))


def test_what_has_no_spread_is_refused():
    with pytest.raises(InputError, match=r"^made: no answer holds a rating: the question never applied; at least one"):
        spreads.ratings_of(rated([("x", "a", None)]))
    frame = pl.DataFrame({"annotator": ["x"], "items": [["a", "b"]], "best": ["a"], "worst": ["b"]})
    with pytest.raises(ArgumentError, match=r"^made: these are best-worst answers; .*; pass ratings"):
        spreads.ratings_of(Judgements(name="made", frame=frame))


# Contention

COLUMNS = ("annotator", "item", "round", "value")
# First round: a 1 +- .5, on the border; b 2 +- 1; c one rating. In the second, a 2 +- 2.
ROUNDS = rated(
    [
        ("x", "a", "first", 0.5), ("y", "a", "first", 1.5), ("x", "b", "first", 1.0), ("y", "b", "first", 3.0),
        ("x", "c", "first", 1.0), ("p", "a", "second", 0.0), ("q", "a", "second", 4.0), ("p", "c", "second", 1.0),
        ("q", "c", "second", 1.0),
    ],
    COLUMNS,
)  # fmt: skip


def test_contention_of_either_round():
    assert tipping_point(ROUNDS) == pytest.approx(0.5)
    first = contention(ROUNDS)
    assert first.rows() == [("a", 2, 1.0, 0.5, False), ("b", 2, 2.0, 1.0, True), ("c", 1, 1.0, 0.0, None)]
    assert contention(ROUNDS, above=0.4)["contentious"].to_list() == [True, True, None]
    second = contention(ROUNDS, round="second")
    assert second["contentious"].to_list() == [True, None, False]
    assert second["ratings"].to_list() == [2, 0, 2]


def test_both_parts_keep_their_items_and_rounds():
    split = split_by_contention(ROUNDS)
    assert split.uncontroversial.judged == ["a"]
    assert split.uncontroversial.frame.height == 4
    assert split.contentious.judged == ["b"]
    assert (split.unknown, split.above) == (["c"], 0.5)
    none = split_by_contention(ROUNDS, above=3.0)
    assert (none.contentious, none.above) == (None, 3.0)
    assert split_by_contention(ROUNDS, round="second").unknown == ["b"]


def test_items_of_a_selection_keep_their_texts():
    texts = pl.DataFrame({"id": ["a", "b", "c"], "left": list("lmn"), "right": list("rst")})
    made = rated([("x", "a", 1.0), ("x", "b", 2.0), ("x", "c", 2.0)], items=texts)
    part = of_items(made, ["c", "a"])
    assert part.judged == ["a", "c"]
    assert part.items["id"].to_list() == ["a", "c"]
    assert of_items(rated([("x", "a", 1.0), ("x", "b", 2.0)]), ["a"]).items is None


# Groups

GROUPED = ("annotator", "group", "item", "value")
ROWS = [
    ("a", "north", "i", 0.0), ("b", "north", "i", 2.0), ("c", "south", "i", 1.0), ("d", "south", "i", 5.0),
    ("a", "north", "j", 4.0), ("b", "north", "j", 5.0), ("c", "south", "j", 3.0), ("d", "south", "j", 3.0),
    ("a", "north", "k", 4.0), ("b", "north", "k", 5.0), ("c", "south", "k", 3.0), ("e", None, "k", 1.0),
    ("f", "west", "i", 2.0), ("g", "west", "i", 2.0), ("f", "west", "j", 1.0), ("g", "west", "j", 2.0),
]  # fmt: skip
GROUPS = rated(ROWS, GROUPED)


def test_groups_in_order_and_their_opinions():
    assert groups_of(GROUPS) == ["north", "south", "west"]
    table = group_opinions(GROUPS)
    assert table.columns == ["item", "group", "ratings", "mean", "sigma"]
    assert table.filter(group="south").rows() == [
        ("i", "south", 2, 3.0, 2.0),
        ("j", "south", 2, 3.0, 0.0),
        ("k", "south", 1, 3.0, 0.0),
    ]
    assert table.filter(group="west")["item"].to_list() == ["i", "j"]
    sample = group_opinions(GROUPS, ddof=1).filter(group="north")
    assert sample["sigma"].to_list() == pytest.approx([np.sqrt(2), np.sqrt(0.5), np.sqrt(0.5)])


def test_differences_from_the_first_group_or_another():
    """South minus north over i and j: means 3 - 1 and 3 - 4.5, sigmas 2 - 1 and 0 - .5; on j south agrees exactly."""
    south, west = compare_groups(GROUPS)
    assert (south.group, south.reference, south.items, south.dropped) == ("south", "north", 2, 1)
    assert south.mean_difference.value == pytest.approx((2 - 1.5) / 2)
    assert south.sigma_difference.value == pytest.approx((1 - 0.5) / 2)
    assert south.kl.value == pytest.approx(np.log(2) + (1 + 4) / 8 - 0.5)
    assert (west.group, west.items, west.dropped) == ("west", 2, 1)
    north, _ = compare_groups(GROUPS, reference="south")
    assert (north.group, north.reference) == ("north", "south")
    assert north.mean_difference.value == pytest.approx(-0.25)
    floored, _ = compare_groups(GROUPS, zero_variance="floor")
    assert floored.dropped == 0
    sample, _ = compare_groups(GROUPS, ddof=1)
    assert sample.sigma_difference.value == pytest.approx(0.25 * np.sqrt(2))


def test_groups_join_in_the_order_that_is_asked_for():
    table = divergence_as_groups_join(GROUPS)
    assert table.columns == ["joined", "ratings", "kl", "items", "dropped"]
    assert table["joined"].to_list() == ["south", "west"]
    assert table["ratings"].to_list() == [2.0, 4.0]
    # west joins south on i: 1 5 2 2, mean 2.5, variance 2.25; on j: 3 3 1 2, mean 2.25, variance 11/16
    first = 0.5 * np.log(2.25) + (1 + 1.5**2) / (2 * 2.25) - 0.5
    second = 0.5 * np.log((11 / 16) / 0.25) + (0.25 + 2.25**2) / (2 * 11 / 16) - 0.5
    assert table["kl"].to_list()[1] == pytest.approx((first + second) / 2)
    assert table.select("items", "dropped").rows() == [(1, 1), (2, 0)]
    other = divergence_as_groups_join(GROUPS, reference="west", order=["south"])
    assert other["joined"].to_list() == ["south"]


def test_groups_that_cannot_be_compared():
    with pytest.raises(ArgumentError, match=r"^made: no rater belongs to a group; name the group"):
        compare_groups(rated([("a", "i", 1.0)]))
    with pytest.raises(
        ArgumentError, match=r"^made: there is only one group of raters, 'north'; comparing groups needs two"
    ):
        compare_groups(rated(ROWS[:2], GROUPED))
    with pytest.raises(ArgumentError, match=r"^made: no group of raters named 'east'; groups there: north, south"):
        compare_groups(GROUPS, reference="east")
    with pytest.raises(ArgumentError, match="no group of raters named 'east'"):
        divergence_as_groups_join(GROUPS, order=["south", "east"])
    with pytest.raises(UnknownNameError, match="no way to match named 'text'"):
        compare_groups(GROUPS, match="text")
    with pytest.raises(ArgumentError, match=r"^made: the items are unknown, and so are their groups; match by item"):
        compare_groups(GROUPS, match="group")


def test_groups_that_rated_translations_are_matched_by_the_group_of_items():
    rows = [("a", "north", "i1", 0.0), ("b", "north", "i1", 2.0), ("c", "south", "i2", 1.0), ("d", "south", "i2", 5.0)]
    texts = pl.DataFrame({"id": ["i1", "i2"], "left": ["l", "m"], "right": ["r", "s"], "group": ["pair", "pair"]})
    made = rated(rows, GROUPED, items=texts)
    (south,) = compare_groups(made)
    assert (south.items, south.mean_difference.value) == (1, 2.0)
    assert group_opinions(made)["item"].to_list() == ["pair", "pair"]
    (apart,) = compare_groups(made, match="item")
    assert apart.items == 0
    assert apart.mean_difference.reason == "no item has two ratings from each group"
    # groups that share one item are compared on items
    shared = rated([*rows, ("a", "north", "i2", 1.0)], GROUPED, items=texts)
    assert set(group_opinions(shared)["item"]) == {"i1", "i2"}
