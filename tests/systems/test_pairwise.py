import numpy as np
import pytest

from similitude.data.item import Items
from similitude.systems import pairwise
from similitude.systems.pairwise import TextPairs, settle_empty
from similitude.systems.strings.length_ratio import LengthRatio


def test_each_distinct_text_stands_once() -> None:
    pairs = TextPairs.of(["a", "b", "a"], ["b", "a", "c"])
    assert pairs.texts == ["a", "b", "c"]
    assert pairs.columns([10, 20, 30]) == ([10, 20, 10], [20, 10, 30])


def test_settling_empty_texts() -> None:
    settled = settle_empty(np.array([0.5, 0.5, 0.5, 0.5]), np.array([0, 0, 2, 2]), np.array([0, 3, 0, 3]))
    assert settled.tolist() == [1.0, 0.0, 0.0, 0.5]


@pytest.mark.parametrize("characters", [1, 7, 4_000_000])
def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch, characters: int) -> None:
    lefts, rights = ["a", "", "abcdef", "ab", "abc"], ["ab", "", "a", "ab", "a"]
    monkeypatch.setattr(pairwise, "BLOCK_CHARACTERS", characters)
    scores = LengthRatio().score(Items.from_pairs(lefts, rights)).scores
    assert scores == pytest.approx([1 / 2, 1, 1 / 6, 1, 1 / 3])


def test_no_items() -> None:
    assert LengthRatio().score(Items.from_pairs([], [])).scores.tolist() == []
