"""Random pairs and hard negatives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from similitude.collect.candidates.hard_negatives import near_but_other_words, same_words_but_far, word_shares
from similitude.collect.candidates.neighbours import NeighbourLists, Restrictions
from similitude.collect.candidates.random_pairs import random_pairs
from similitude.data.texts import Texts


class TestRandomPairs:
    def test_pairs_are_distinct_sorted_and_allowed(self) -> None:
        rules = Restrictions(np.arange(200) % 2, (np.arange(200) // 10,), np.arange(200) != 7)
        left, right = random_pairs(rules, 500, np.random.default_rng(0))
        assert len(left) == 500
        assert (left < right).all()
        assert rules.allow(left, right).all()
        keys = left * 200 + right
        assert (np.diff(keys) > 0).all()

    def test_the_seed_decides(self) -> None:
        one, same, other = (random_pairs(Restrictions.none(50), 40, np.random.default_rng(seed)) for seed in (1, 1, 2))
        assert np.array_equal(one.right, same.right)
        assert not np.array_equal(one.right, other.right)

    def test_every_pair_is_as_likely(self) -> None:
        # 6 pairs of 4 rows, 3 drawn: each in half of the draws; over 2,000 draws sd = sqrt(500) = 22.
        counts = np.zeros((4, 4))
        for seed in range(2000):
            np.add.at(counts, random_pairs(Restrictions.none(4), 3, np.random.default_rng(seed)), 1)
        assert np.abs(counts[np.triu_indices(4, 1)] - 1000).max() < 4.5 * 22.4

    def test_all_pairs_if_there_are_no_more(self) -> None:
        left, right = random_pairs(Restrictions.none(4), 100, np.random.default_rng(0))
        assert list(zip(left.tolist(), right.tolist(), strict=True)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]

    @pytest.mark.parametrize("count", [0, 1])
    def test_too_few_texts(self, count: int) -> None:
        assert len(random_pairs(Restrictions.none(count), 5, np.random.default_rng(0)).left) == 0


TEXTS = Texts.from_list(["red fox", "red fox runs", "crimson animal", "red box", ""])


class TestHardNegatives:
    def test_word_shares_by_hand(self) -> None:
        # 2 of 3 words, none of 4, 1 of 3; an empty text shares none with two words, and all with itself.
        shares = word_shares(TEXTS, np.array([0, 0, 0, 0, 4]), np.array([1, 2, 3, 4, 4]))
        assert shares.tolist() == pytest.approx([2 / 3, 0, 1 / 3, 0, 1])

    def test_near_but_other_words(self) -> None:
        lists = NeighbourLists(np.array([[1, 2, 3], [0, 3, -1]], np.int32), np.zeros((2, 3), np.float32))
        assert [side.tolist() for side in near_but_other_words(lists, TEXTS, range(2))] == [[0, 1], [2, 3]]
        skipped = near_but_other_words(lists, TEXTS, range(2), skip=2)
        assert [side.tolist() for side in skipped] == [[0], [3]]

    def test_same_words_but_far(self, tmp_path: Path) -> None:
        np.save(tmp_path / "v.npy", np.array([[1, 0], [0.8, 0.6], [0, 1], [-1, 0], [1, 0]], np.float32))
        lists = NeighbourLists(np.array([[1, 2, 4], [3, 0, -1]], np.int32), np.zeros((2, 3), np.float32))
        found = same_words_but_far(lists, tmp_path / "v.npy", range(2))
        assert [side.tolist() for side in found] == [[0, 1], [2, 3]]
        found = same_words_but_far(lists, tmp_path / "v.npy", range(2), skip=1)
        assert [side.tolist() for side in found] == [[0, 1], [2, 0]]

    def test_of_equal_ones_the_first(self) -> None:
        lists = NeighbourLists(np.array([[4, 2]], np.int32), np.zeros((1, 2), np.float32))
        assert near_but_other_words(lists, TEXTS, range(1)).right.tolist() == [4]
