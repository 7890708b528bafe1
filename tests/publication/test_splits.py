"""Splits: what belongs together stays together, and shares are what was asked for."""

import re

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.publication.splits import components_of, draw_splits, split_shares

# 1 and 2 share b; 4 and 5 are one group; 3 is alone; 6 has the texts of 3 in other letters, swapped.
LINKED = sim.read(
    {
        "left": ["a", "b", "d", "f", "h", "E "],
        "right": ["b", "c", "e", "g", "i", "D"],
        "group": [None, None, None, "x", "x", None],
        "score": [1.0, 2, 3, 4, 5, 0],
    },
    scale="0..5",
    name="linked",
)


def made(items: int, **columns):
    """Items without anything in common."""
    texts = [f"text {number}" for number in range(2 * items)]
    scores = np.linspace(0, 5, items)
    return sim.read({"left": texts[:items], "right": texts[items:], "score": scores, **columns}, scale="0..5")


def test_components_by_texts_and_groups():
    assert components_of(LINKED).of_item.tolist() == [0, 0, 1, 2, 2, 1]
    assert components_of(LINKED).sizes.tolist() == [2, 2, 2]
    assert components_of(LINKED, "pairs").of_item.tolist() == [0, 1, 2, 3, 3, 2]


def test_a_dialogue_connects_its_items_though_their_texts_differ():
    data = sim.read(
        {"left": ["x", "y"], "right": ["p", "q"], "context": [["s", "x"], ["s", "x"]], "score": [1.0, 2]}, scale="0..5"
    )
    assert len(components_of(data)) == 1


def test_samples_keep_dialogues_and_pairs_under_two_conditions_together():
    for name in ("sample:dialogues", "sample:conditions"):
        data = sim.read(name)
        splits = draw_splits(data, split_shares("train=0.5,test=0.5"), seed=1)
        apart = data.frame.with_columns(split=pl.Series(splits)).group_by("group").agg(pl.col("split").n_unique())
        assert apart["split"].max() == 1
        assert abs(splits.count("test") - len(data) / 2) <= 5


@pytest.mark.parametrize("by", ["random", "stratified"])
def test_shares_are_exact_where_nothing_is_connected(by):
    splits = draw_splits(made(200), split_shares("train=0.7,dev=0.1,test=0.2"), by)
    assert [splits.count(name) for name in ("train", "dev", "test")] == [140, 20, 40]
    assert splits == draw_splits(made(200), split_shares("train=0.7,dev=0.1,test=0.2"), by)
    assert splits != draw_splits(made(200), split_shares("train=0.7,dev=0.1,test=0.2"), by, seed=1)


def test_stratified_splits_have_the_same_scores():
    data, shares = made(200), split_shares("train=0.8,test=0.2")
    splits = np.array(draw_splits(data, shares, "stratified"))
    low = data.gold.scores < 1  # a fifth of 40 items
    assert ((splits == "test") & low).sum() == 8


def test_groups_count_once_and_sources_stay_whole():
    groups = [f"g{number // 10}" if number < 50 else f"s{number}" for number in range(100)]  # 5 of ten, 50 of one
    splits = draw_splits(made(100, group=groups), {"train": 0.6, "test": 0.4}, "group")
    assert len({group for group, split in zip(groups, splits, strict=True) if split == "test"}) == 22  # of 55
    sources = [f"source {number % 4}" for number in range(100)]
    splits = draw_splits(made(100, source=sources), {"train": 0.75, "test": 0.25}, "source")
    assert len({*zip(sources, splits, strict=True)}) == 4
    assert splits.count("test") == 25


def test_a_large_component_is_refused_with_what_to_do():
    hub = ["the same"] * 80 + [f"l{number}" for number in range(20)]
    data = sim.read({"left": hub, "right": [f"r{number}" for number in range(100)], "score": [1.0] * 100}, scale="0..5")
    with pytest.raises(ArgumentError, match=r"80 of 100 items are connected .*'the same' in 80 items") as refused:
        draw_splits(data, {"train": 0.7, "test": 0.3})
    assert "--keep-together pairs" in str(refused.value)
    splits = draw_splits(data, {"train": 0.7, "test": 0.3}, together="pairs")
    assert splits.count("train") == 70
    with pytest.raises(ArgumentError, match="would be empty"):
        draw_splits(made(3), {"train": 0.9, "test": 0.1})


def test_a_large_group_is_refused_as_what_it_is():
    data = made(100, group=["big"] * 70 + [f"g{number}" for number in range(30)])
    for together in ("texts", "pairs"):
        with pytest.raises(
            ArgumentError, match=r"70 of 100 items .* by their group \(the largest: 'big' with 70\)"
        ) as no:
            draw_splits(data, {"train": 0.5, "test": 0.5}, together=together)
        assert "draw --by group" in str(no.value) or "draw by='group'" in str(no.value)
    assert set(draw_splits(data, {"train": 0.5, "test": 0.5}, "group")) == {"train", "test"}
    two = made(10, group=["x"] * 5 + ["y"] * 5)
    with pytest.raises(ArgumentError, match="3 splits cannot be filled from 2 parts that belong together"):
        draw_splits(two, {"train": 0.5, "dev": 0.25, "test": 0.25}, "group")


@pytest.mark.parametrize(("by", "told"), [("group", "no item names its group"), ("source", "3 splits from 1 source")])
def test_what_to_draw_by_must_be_there(by, told):
    with pytest.raises(ArgumentError, match=told):
        draw_splits(made(20, source=["one"] * 20), split_shares("train=0.5,dev=0.25,test=0.25"), by)


@pytest.mark.parametrize(
    "written", ["train=0.7", "train=0.7,test=0.2", "train=0.7,train=0.3", "train,test", "a b=1", "test=0"]
)
def test_shares_that_cannot_be_read(written):
    with pytest.raises(ArgumentError, match=r"write --split train=0\.7"):
        split_shares(written)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("train=70,test=30", "train=0.7,test=0.3"),
        ("train = 8, dev = 1, test = 1", "train=0.8,dev=0.1,test=0.1"),
        ("train=0.7,test=0.2", "train=0.7,dev=0.1,test=0.2"),  # the general example: nobody knows what was meant
        ("a=1,b=1,c=1", "train=0.7,dev=0.1,test=0.2"),
        ("a=50,a=50", "train=0.7,dev=0.1,test=0.2"),
        ("a=0,b=2", "train=0.7,dev=0.1,test=0.2"),
    ],
)
def test_percents_are_refused_with_the_shares_that_they_mean(written, meant):
    with pytest.raises(ArgumentError, match=f"write --split {re.escape(meant)}$"):
        split_shares(written)
    assert sum(split_shares(meant).values()) == pytest.approx(1)


def test_groups_that_share_texts_count_as_many_groups():
    texts = [f"text {number}" for number in range(100)]
    right = ["shared" if number < 60 else f"other {number}" for number in range(100)]  # 30 of 50 groups
    groups = [f"g{number // 2}" if number % 4 else None for number in range(100)]  # half of them, and items without one
    data = sim.read({"left": texts, "right": right, "group": groups, "score": [1.0] * 100}, scale="0..5")
    shares = {"train": 0.7, "test": 0.3}
    splits = draw_splits(data, shares, "group")
    units = {(group or text, split) for group, text, split in zip(groups, texts, splits, strict=True)}
    assert len(units) == 75  # 50 groups, and 25 items of which the group is not named
    assert 0.65 < sum(split == "train" for _, split in units) / 75 < 0.75
    with pytest.raises(ArgumentError, match=r"45 of 75 groups are connected by texts .*'shared' in 60 items"):
        draw_splits(data, {"train": 0.5, "test": 0.5}, "group")
    twice = sim.read(
        {"left": ["a"] * 9 + ["b"], "right": ["c"] * 10, "group": [f"g{n}" for n in range(10)], "score": [1.0] * 10},
        scale="0..5",
    )
    with pytest.raises(ArgumentError, match=r"9 of 10 groups are connected by pairs that occur in several of them"):
        draw_splits(twice, {"train": 0.5, "test": 0.5}, "group", together="pairs")
