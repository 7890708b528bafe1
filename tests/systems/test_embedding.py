from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.systems.encoders.embedding import EmbeddingSystem


@dataclass(frozen=True)
class Letters(EmbeddingSystem):
    """How often a and b occur; remembers what it was asked to embed."""

    name: ClassVar[str] = "letters"
    summary: ClassVar[str] = "for tests"
    asked: list[list[str]] = field(default_factory=list, repr=False, compare=False)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append(list(texts))
        return np.array([[text.count("a"), text.count("b")] for text in texts], np.float32)


def test_cosine_by_hand() -> None:
    # (1, 1) and (1, 0): 1/√2; (1, 0) and (0, 1): 0
    scores = Letters().score(Items.from_pairs(["ab", "a"], ["a", "b"])).scores
    assert scores == pytest.approx([1 / np.sqrt(2), 0.0])


def test_each_distinct_text_is_embedded_once_and_shortest_first() -> None:
    system = Letters()
    system.similarities(["abb", "a", "abb", " "], ["a", "b", "ab", "abb"])
    assert system.asked == [["a", "b", "ab", "abb"]]


def test_blank_texts_and_vectors_of_zeros() -> None:
    # c has a vector of zeros: nothing in common with anything
    scores = Letters().similarities(["", "", "a", "c", " \n"], [" ", "a", "", "a", "\t"])
    assert scores.tolist() == [1.0, 0.0, 0.0, 0.0, 1.0]
    assert Letters().similarities(["", " "], [" ", ""]).tolist() == [1.0, 1.0]
    assert Letters().similarities([], []).tolist() == []


def test_lone_surrogates_do_not_reach_the_model() -> None:
    system = Letters()
    system.similarities(["a\ud800"], ["b"])
    assert system.asked == [["b", "a?"]]


def test_context_and_condition_reach_the_model_by_one_flag() -> None:
    items = Items(
        Items.from_pairs(["ab"], ["ba"]).frame.with_columns(
            context=pl.Series([["b", "ab"]]), condition=pl.Series(["a"])
        )
    )
    asked = {}
    for flags in ({}, {"context": "prepend"}, {"condition": "append"}, {"context": "prepend", "condition": "append"}):
        system = Letters(**flags)
        system.score(items)
        asked[tuple(sorted(system.reads))] = system.asked[0]
    assert asked == {
        (): ["ab", "ba"],
        ("context",): ["b\nab", "b\nba"],
        ("condition",): ["ab\na", "ba\na"],
        ("condition", "context"): ["b\nab\na", "b\nba\na"],
    }
