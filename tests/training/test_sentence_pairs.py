"""A sentence pair stays in one part, whichever of its texts comes first and however they are written."""

import numpy as np
import polars as pl
import pytest

from similitude.data.benchmark import Benchmark
from similitude.errors import InputError
from similitude.training.examples import examples_of
from similitude.training.sentence_pairs import sentence_pairs, shared_sentence_pairs
from similitude.training.splits import training_data


def pairs(count: int = 40, **changes) -> Benchmark:
    columns = {
        "left": [f"left {i}" for i in range(count)],
        "right": [f"right {i}" for i in range(count)],
        "score": [float(i % 5) for i in range(count)],
        **changes,
    }
    return Benchmark.from_columns("pairs", scale="0..4", **columns)


def turned(data: Benchmark) -> Benchmark:
    """Each pair also the other way round, in capitals."""
    other = data.frame.with_columns(
        id=pl.lit("turned-") + pl.col("id"), left=pl.col("right").str.to_uppercase(), right=pl.lit(" ") + pl.col("left")
    )
    return Benchmark(name="both", frame=pl.concat([data.frame, other]), scale=data.scale)


def test_turned_pairs_are_held_out_with_their_twins():
    parts = training_data(turned(pairs()))
    assert (len(parts.train), len(parts.validation)) == (72, 8)
    assert shared_sentence_pairs(parts.train, parts.validation) == 0
    assert len(parts.notes) == 1


def test_pairs_that_are_not_turned_are_held_out_as_they_always_were():
    data = pairs()
    names = sorted(f"{left}\x1f{right}" for left, right in zip(data.items.lefts, data.items.rights, strict=True))
    chosen = {names[place] for place in np.random.default_rng(0).permutation(40)[:4]}
    held_out = training_data(data).validation.items
    assert {f"{left}\x1f{right}" for left, right in zip(held_out.lefts, held_out.rights, strict=True)} == chosen


def test_twins_have_one_number_and_so_one_fold():
    examples = examples_of(turned(pairs(6)), in_pairs=False)
    assert sorted(examples.pairs.tolist()) == [number for number in range(6) for _ in "ab"]


def test_validation_data_that_holds_turned_training_pairs_is_told():
    data = turned(pairs(10))
    train, other = data.take(np.arange(10)), data.take(np.arange(10, 20))
    assert training_data(train, other).notes == (
        "10 sentence pairs are both learned from and validated on; the validation figures are optimistic",
    )


def test_texts_that_are_held_out_in_one_group_and_learned_in_another_are_told():
    data = pairs(left=["the same"] * 40, right=["texts"] * 40, group=[f"g{i}" for i in range(40)])
    assert sentence_pairs(data).n_unique() == 40
    assert "1 sentence pairs are both learned from and validated on" in training_data(data).notes[1]


def test_a_pair_alone_cannot_be_divided():
    with pytest.raises(InputError, match="nothing is left to learn from: 1 sentence pair") as error:
        training_data(pairs(1))
    assert "--validation" in error.value.remedy


def test_a_pair_that_was_rated_twice_under_each_condition_makes_twos_of_different_conditions():
    conditions = ["the colour", "the kind", "The colour", "the kind"]
    rated = pairs(4, left=["a car"] * 4, right=["a bus"] * 4, condition=conditions, score=[4.0, 0.0, 3.0, 1.0])
    found = examples_of(rated, in_pairs=True).benchmark.items.conditions
    assert [condition.lower() for condition in found] == ["the colour", "the kind"] * 2
