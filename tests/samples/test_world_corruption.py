"""Labels that are known to be wrong: which, how many, and that nothing else changes."""

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError, UnknownNameError
from similitude.samples.world import CORRUPTIONS, corrupt_labels, make_corrupted_world, make_world

WORLD = make_world(pairs=200, held_out=4)


@pytest.mark.parametrize("kind", CORRUPTIONS)
def test_as_many_training_labels_as_asked_are_wrong_and_nothing_else_changes(kind):
    made = corrupt_labels(WORLD, 0.2, kind)
    differ = (made.benchmark.frame["score"] != WORLD.frame["score"]).to_numpy()
    assert (differ == made.wrong).all()
    assert made.wrong.sum() == 80
    assert set(WORLD.frame.filter(pl.Series(made.wrong))["split"]) == {"train"}
    assert made.benchmark.frame.drop("score").equals(WORLD.frame.drop("score"))
    assert made.benchmark.frame["score"].is_between(1, 5).all()


def test_how_labels_are_wrong():
    changes = {}
    for kind in CORRUPTIONS:
        made = corrupt_labels(WORLD, 0.2, kind)
        changes[kind] = (made.benchmark.frame["score"] - WORLD.frame["score"]).to_numpy()[made.wrong]
    assert set(np.abs(changes["random"])) == {1, 2, 3, 4}
    assert set(np.abs(changes["near"])) == {1, 2}
    assert set(changes["shift"]) <= {1, 2}
    assert changes["swap"].sum() == 0


def test_a_swap_exchanges_the_labels_of_a_pair():
    made = corrupt_labels(WORLD, 0.2, "swap")
    both = made.benchmark.frame.with_columns(before=WORLD.frame["score"], wrong=pl.Series(made.wrong)).filter("wrong")
    for _, pair in both.group_by("group"):
        assert pair.height == 2
        assert pair["score"].to_list() == pair["before"].reverse().to_list()


def test_the_order_of_rows_does_not_matter():
    turned = WORLD.take(np.arange(len(WORLD))[::-1])
    one, other = corrupt_labels(WORLD, 0.3, "random").wrong, corrupt_labels(turned, 0.3, "random").wrong
    assert (one == other[::-1]).all()


def test_as_a_sample():
    made = sim.read("sample:world-corrupted(share=0.1, kind=near, pairs=20, seed=3, held_out=2, noise=0)")
    assert made.name == "sample:world-corrupted(share=0.1, kind=near, pairs=20, seed=3, held_out=2, noise=0.0)"
    assert made.is_simulated
    assert "4 labels were made wrong (near)" in made.provenance.judged_by
    usual = make_corrupted_world(pairs=20, held_out=2)
    assert usual.name == "sample:world-corrupted(share=0.2, kind=random, pairs=20, held_out=2)"


@pytest.mark.parametrize(
    ("share", "kind", "message"),
    [(1.0, "random", "share of 1"), (-0.1, "near", "share of -0.1"), (0.9, "shift", "can be made wrong in this way")],
)
def test_what_cannot_be_corrupted(share, kind, message):
    with pytest.raises(ArgumentError, match=message):
        corrupt_labels(WORLD, share, kind)


def test_an_unknown_kind():
    with pytest.raises((ArgumentError, UnknownNameError), match="typo"):
        sim.read("sample:world-corrupted(kind=typo, pairs=20, held_out=2)")
