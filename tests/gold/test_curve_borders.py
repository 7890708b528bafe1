"""Curves over raters, and groups of raters: which items they rest on, and how often they are drawn."""

from importlib import import_module

import numpy as np
import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import ArgumentError
from similitude.gold.reliability.groups import divergence_as_groups_join, group_opinions

growth = import_module("similitude.gold.reliability.growth")  # the package has the function
FIVE = Scale(low=0, high=5)


def rated(rows, columns=("annotator", "item", "value"), **settings) -> Judgements:
    frame = pl.DataFrame(rows, schema=list(columns), orient="row")
    return Judgements(name="made", frame=frame, **({"scale": FIVE} | settings))


def full(items: int, raters: int) -> list[tuple[str, str, float]]:
    rng = np.random.default_rng(0)
    return [(f"r{r}", f"i{i}", float(rng.uniform(0, 5))) for r in range(raters) for i in range(items)]


@pytest.mark.parametrize(("many", "orders"), [(200_000, 200), (24, 200), (15, 125), (16, 133), (3, 50)])
def test_more_ratings_are_put_into_fewer_orders(monkeypatch: pytest.MonkeyPatch, many: int, orders: int):
    """Eight items with three ratings each: 200 orders, or 200 * many / 24, and 50 at least."""
    drawn = []
    assert (growth.ORDERS, growth.FEWEST_ORDERS, growth.MANY) == (200, 50, 200_000)
    whole = growth._RandomOrder.draw
    monkeypatch.setattr(growth, "MANY", many)
    monkeypatch.setattr(growth._RandomOrder, "draw", lambda self, rng: drawn.append(1) or whole(self, rng))
    growth.growth_over_orders(rated(full(8, 3)), rng=np.random.default_rng(0))
    assert len(drawn) == orders


def test_items_with_fewer_ratings_than_the_curve_has_are_left_out():
    rows = [*full(10, 4), ("r0", "few", 1.0), ("r1", "few", 2.0), ("r2", "few", 4.0)]
    made = rated(rows)
    over_orders = growth.growth_over_orders(made, rng=np.random.default_rng(0), last=4, orders=5)
    for found in (over_orders, growth.growth(made, start=2, last=4)):
        assert found.curve["raters"].to_list() == [2, 3, 4]
        assert (found.items, found.left_out) == (10, 1)


def test_the_largest_number_of_raters_is_said():
    columns = ("round", "annotator", "item", "value")
    rows = [(name, f"{name}{r}", "a", float(r)) for name in ("first", "second") for r in range(4)]
    with pytest.raises(ArgumentError, match="no item has two ratings of round 'first' and 9 of round 'second'"):
        growth.divergence_growth(rated(rows, columns), at=[9, 2, 3])


GROUPED = ("annotator", "group", "item", "value")


def test_groups_that_agree_exactly_have_a_divergence_with_a_floor():
    """The reference gives 1 and 3, the other group 2 twice: sigma 0 is raised to 2 % of the scale, 0.1."""
    rows = [("a", "north", "i", 1.0), ("b", "north", "i", 3.0), ("c", "south", "i", 2.0), ("d", "south", "i", 2.0)]
    made = rated(rows, GROUPED)
    dropped = divergence_as_groups_join(made).row(0, named=True)
    assert (dropped["items"], dropped["dropped"]) == (0, 1)
    floored = divergence_as_groups_join(made, zero_variance="floor").row(0, named=True)
    assert (floored["items"], floored["dropped"]) == (1, 0)
    assert floored["kl"] == pytest.approx(np.log(0.1 / 1) + 1 / (2 * 0.01) - 0.5)


def test_items_without_a_text_are_matched_by_their_id():
    rows = [("a", "north", "i1", 1.0), ("b", "south", "i2", 3.0), ("a", "north", "i3", 2.0)]
    texts = pl.DataFrame({"id": ["i1", "i2"], "left": ["x", "y"], "right": ["z", "w"], "group": ["g", "g"]})
    found = group_opinions(rated(rows, GROUPED, items=texts), match="group")
    assert found.select("item", "group", "mean").rows() == [
        ("g", "north", 1.0),
        ("i3", "north", 2.0),
        ("g", "south", 3.0),
    ]


def test_a_curve_of_divergence_needs_two_ratings_of_the_same_item_in_the_first_round():
    """b and c have one rating in the first round, and so no Gaussian to compare with."""
    columns = ("round", "annotator", "item", "value")
    first = [("first", "x", "a", 1.0), ("first", "y", "a", 3.0), ("first", "x", "b", 2.0), ("first", "x", "c", 2.0)]
    second = [("second", f"s{r}", item, float(r)) for r in range(3) for item in "abc"]
    found = growth.divergence_growth(rated(first + second, columns), at=[2, 3])
    assert (found.items, found.left_out) == (1, 2)


def test_a_curve_that_is_too_long_says_how_many_ratings_there_are():
    rows = [*full(3, 4), ("r0", "few", 1.0), ("r1", "few", 2.0)]
    with pytest.raises(ArgumentError, match="no curve from 4 to 9 raters: items have up to 4 ratings;"):
        growth.growth(rated(rows), last=9)


@pytest.mark.parametrize(
    ("counts", "end"),
    [
        ([3, *[6] * 9], 6),
        ([3, 3, *[6] * 8], 3),
        ([3, *[6] * 8], 3),
        ([*[2] * 3, *[5] * 27], 5),
        ([*[2] * 4, *[5] * 27], 2),
        ([4], 4),
    ],
)
def test_a_curve_ends_where_nine_in_ten_items_end(counts: list[int], end: int):
    assert growth._reached_by_most(np.random.default_rng(0).permutation(counts)) == end
