import polars as pl
import pytest

from similitude.data.judgements import Judgements
from similitude.data.scale import Scale
from similitude.errors import InputError
from similitude.gold.reliability.contention import contention, of_items, split_by_contention, tipping_point


def made(ratings, *, scale="0..5", rounds=None) -> Judgements:
    """One list of ratings an item; the names of their rounds run parallel."""
    rows = [
        (item, f"r{place}", (rounds or {}).get(place, "first"), value)
        for item, values in ratings.items()
        for place, value in enumerate(values)
    ]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "round", "value"], orient="row")
    items = pl.DataFrame({"id": list(ratings), "left": ["x"] * len(ratings), "right": ["y"] * len(ratings)})
    return Judgements(name="made", frame=frame, scale=Scale.parse(scale), items=items)


# sigma: a 0.5 exactly (not above), b 0.6, c has one rating
HAND = made({"a": [1.0, 2.0], "b": [1.0, 2.2], "c": [3.0]})


def test_the_tipping_point_is_a_tenth_of_the_scale():
    assert tipping_point(HAND) == 0.5
    assert tipping_point(made({"a": [0.1, 0.2]}, scale="0..1")) == pytest.approx(0.1)


def test_contentious_is_strictly_above_and_one_rating_gives_no_verdict():
    assert contention(HAND)["contentious"].to_list() == [False, True, None]
    assert contention(HAND, above=0.4)["contentious"].to_list() == [True, True, None]


def test_the_split_keeps_items_and_names_the_undecided():
    split = split_by_contention(HAND)
    assert split.uncontroversial.judged == ["a"]
    assert split.contentious.judged == ["b"]
    assert split.contentious.items["id"].to_list() == ["b"]
    assert split.unknown == ["c"]


def test_a_part_without_items_is_none():
    assert split_by_contention(HAND, above=5).contentious is None


def test_the_first_round_decides_and_both_parts_keep_all_rounds():
    # first round: places 2 and 3. a agrees there and disagrees later, b the other way round.
    rounds = {0: "second", 1: "second"}
    both = made({"a": [0.0, 5.0, 2.0, 2.0], "b": [2.0, 2.0, 0.0, 5.0]}, rounds=rounds)
    split = split_by_contention(both)
    assert split.uncontroversial.judged == ["a"]
    assert len(split.uncontroversial) == 4
    assert split_by_contention(both, round="second").uncontroversial.judged == ["b"]


def test_restricting_to_unknown_items_is_refused():
    with pytest.raises(InputError, match="no judgements"):
        of_items(HAND, ["z"])
