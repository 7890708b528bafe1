"""Several raters of the world: what they agree on, what they differ over, and that nothing else changes."""

import hashlib

import numpy as np
import polars as pl
import pytest

import similitude as sim
from similitude.errors import ArgumentError
from similitude.samples.opinions.crowd import POOL, Crowd
from similitude.samples.world import make_world
from similitude.samples.world.raters import rating_columns

TEXTS = ("id", "left", "right", "condition", "group", "split", "source", "domain")


def test_ratings_by_hand():
    # Half of the raters are as lenient as can be (1), half as strict (-1); nobody slips.
    # 1: 1 + 0.2 and 1 - 0.2 round to 1. 2: 3.6 and 0.4 round to 4 and 0, which is off the scale: 1. 4: 4.8 and 3.2
    # round to 5 and 3. 5: 5.
    half = POOL // 2
    crowd = Crowd(lenience=np.repeat([1.0, -1.0], half), heart=np.zeros(POOL), bias=np.zeros(POOL))
    columns = rating_columns(np.random.default_rng(0), crowd, np.array([1, 2, 4, 5]), raters=POOL, noise=0.0)
    frame = pl.DataFrame(columns)
    assert [sorted(set(row)) for row in frame["ratings"].to_list()] == [[1], [1, 4], [3, 5], [5]]
    assert frame["score"].to_list() == [1.0, 2.5, 4.0, 5.0]
    assert frame["sigma"].to_list() == [0.0, 1.5, 1.0, 0.0]
    assert all(len(set(row)) == POOL for row in frame["raters"].to_list())


def test_texts_and_conditions_do_not_depend_on_the_raters():
    one, eight = make_world(pairs=40, held_out=4), make_world(pairs=40, held_out=4, raters=8)
    assert one.frame.select(TEXTS).equals(eight.frame.select(TEXTS))
    assert one.gold.ratings is None
    assert eight.frame["ratings"].list.len().unique().to_list() == [8]
    again = make_world(pairs=40, held_out=4, raters=8)
    assert again.fingerprint == eight.fingerprint
    assert eight.name == "sample:world(pairs=40, held_out=4, raters=8)"
    assert "8 of 32" in eight.provenance.judged_by
    # Whoever changes the draws changes the benchmark: say so in the changelog and mend this.
    written = "\n".join(" ".join(f"{rating:g}" for rating in row) for row in eight.frame["ratings"].to_list())
    assert hashlib.sha256(written.encode()).hexdigest()[:16] == "968aadcebd4ee3e2"


def test_how_far_raters_differ_follows_from_the_similarity_under_the_condition():
    true, said = make_world(pairs=600, held_out=2, noise=0.0), make_world(pairs=600, held_out=2, raters=8)
    joined = true.frame.select("id", level="score").join(said.frame.select("id", "sigma"), on="id")
    spread = dict(joined.group_by("level").agg(pl.col("sigma").mean()).iter_rows())
    assert spread[2.0] > spread[4.0] + 0.15
    assert spread[4.0] > max(spread[1.0], spread[5.0]) + 0.25


def test_two_halves_ask_about_different_attributes():
    first, second = (set(make_world(pairs=400, held_out=8, half=half).frame["domain"]) for half in (1, 2))
    assert not first & second
    whole = set(make_world(pairs=2000, held_out=40).frame["domain"])
    assert first | second == whole
    assert min(len(first), len(second)) == 47  # of 94


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("world(raters=0)", "raters=0; give a number from 1 to 32"),
        ("world(raters=33)", "raters=33; give a number from 1 to 32"),
        ("world(half=3)", "half"),
    ],
)
def test_wrong_arguments_say_which(written, message):
    with pytest.raises(ArgumentError, match=message):
        sim.read(f"sample:{written}")
