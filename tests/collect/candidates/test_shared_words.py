"""Texts that share rare n-grams."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from similitude.collect.candidates.neighbours import NeighbourLists, Restrictions
from similitude.collect.candidates.shared_words import find_sharing_texts, ngrams_of, rare_ngrams, sharing_pairs
from similitude.data.texts import Texts
from similitude.study.engines import LocalEngine

TEXTS = ["The red fox runs.", "a red fox sleeps", "the dog runs", "THE RED FOX", "", "cats!"]


def searched(texts: list[str], folder: Path, k: int = 3, workers: int = 1, **options: int) -> NeighbourLists:
    """The lists of a search in a folder of its own."""
    folder.mkdir(exist_ok=True)
    rules = Restrictions.none(len(texts))
    return find_sharing_texts(Texts.from_list(texts), folder, rules, k, engine=LocalEngine(workers), **options)


class TestNGrams:
    def test_counts_by_hand(self) -> None:
        # "a b a b": the words a and b, the pairs a b and b a, the triples a b a and b a b; each once.
        found = ngrams_of(["a b a b", "b", ""])
        assert found.rows.tolist() == [0] * 6 + [1]
        assert sorted(found.sizes.tolist()) == [1, 1, 1, 2, 2, 3, 3]
        assert found.keys[-1] in found.keys[:-1]

    def test_no_ngram_crosses_texts(self) -> None:
        apart, together = ngrams_of(["a b", "c d"]), ngrams_of(["a b c d"])
        assert len(apart.rows) == 2 * 3
        assert len(together.rows) == 4 + 3 + 2
        assert set(apart.keys.tolist()) < set(together.keys.tolist())

    def test_order_of_words_counts(self) -> None:
        one, two = ngrams_of(["a b"], longest=2), ngrams_of(["b a"], longest=2)
        assert len(set(one.keys.tolist()) & set(two.keys.tolist())) == 2

    def test_case_and_punctuation_do_not_count(self) -> None:
        assert np.array_equal(ngrams_of(["Red, fox!"]).keys, ngrams_of(["red fox"]).keys)

    def test_scripts_without_spaces_count_by_character(self) -> None:
        assert len(ngrams_of(["你好吗"], longest=1).rows) == 3
        assert len(ngrams_of(["abc你"], longest=1).rows) == 2

    @pytest.mark.parametrize("texts", [[], ["", "!"]])
    def test_no_words(self, texts: list[str]) -> None:
        assert len(ngrams_of(texts).rows) == 0


class TestRareNGrams:
    def test_weights_by_hand(self) -> None:
        # Two of four texts hold "a" and two hold "b"; three hold "c", which is not rare; "d" is in one text.
        rare = rare_ngrams([ngrams_of(["a c", "a b c", "b c", "d"], longest=1)], 4, most_texts=2)
        assert rare.weights.tolist() == pytest.approx([log(3), log(3)])
        assert rare.totals.tolist() == pytest.approx([log(3), 2 * log(3), log(3), log(5)])
        assert sorted(map(sorted, np.split(rare.texts, rare.starts[1:-1]))) == [[0, 1], [1, 2]]

    def test_shares_by_hand(self) -> None:
        rare = rare_ngrams([ngrams_of(["a c", "a b c", "b c", "d"], longest=1)], 4, most_texts=2)
        pairs = sharing_pairs(rare, range(4), 5, Restrictions.none(4))
        # 0 and 1 share log 3 of log 3 + 2 log 3 - log 3; so do 1 and 2; 0 and 2 share nothing rare.
        half = np.float32(0.5)
        assert pairs.tolist() == [(0, 1, half), (1, 0, half), (1, 2, half), (2, 1, half)]

    def test_an_ngram_in_just_as_many_texts_is_rare(self) -> None:
        found = ngrams_of(["a", "a", "a", "b"], longest=1)
        assert len(rare_ngrams([found], 4, most_texts=3).weights) == 1
        assert len(rare_ngrams([found], 4, most_texts=2).weights) == 0

    def test_parts_make_no_difference(self) -> None:
        whole = rare_ngrams([ngrams_of(TEXTS)], len(TEXTS))
        second = ngrams_of(TEXTS[2:])
        cut = rare_ngrams([ngrams_of(TEXTS[:2]), second._replace(rows=second.rows + np.int32(2))], len(TEXTS))
        assert np.array_equal(whole.texts, cut.texts)
        assert np.array_equal(whole.totals, cut.totals)


class TestSearch:
    def test_the_text_with_most_in_common_comes_first(self, tmp_path: Path) -> None:
        lists = searched(TEXTS, tmp_path)
        assert lists.others[:, 0].tolist() == [3, 3, 0, 0, -1, -1]
        assert lists.facts["texts without a partner"] == 2
        assert np.isnan(lists.similarities[4:]).all()

    def test_equal_texts_share_all(self, tmp_path: Path) -> None:
        lists = searched(["a b", "a b", "c"], tmp_path)
        assert lists.similarities[0, 0] == 1
        assert lists.others[0].tolist() == [1, -1]

    def test_restrictions(self, tmp_path: Path) -> None:
        texts = Texts(pl.DataFrame({"id": list("abcd"), "text": ["red fox"] * 4, "group": ["x", "x", "y", "y"]}))
        rules = Restrictions.of(texts, never_same=["group"])
        lists = find_sharing_texts(texts, tmp_path, rules, 3)
        assert lists.others.tolist() == [[2, 3, -1], [2, 3, -1], [0, 1, -1], [0, 1, -1]]

    def test_bytes_do_not_depend_on_workers(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("similitude.collect.candidates.shared_words.search.PIECE", 64)
        monkeypatch.setattr("similitude.collect.candidates.shared_words.search.READ", 100)
        rng = np.random.default_rng(0)
        texts = [" ".join(f"w{word}" for word in rng.integers(200, size=8)) for _ in range(500)]
        one, three = (searched(texts, tmp_path / str(workers), workers=workers) for workers in (1, 3))
        monkeypatch.undo()
        whole = searched(texts, tmp_path / "whole")
        for other in (three, whole):
            assert np.array_equal(one.others, other.others)
            assert np.array_equal(one.similarities, other.similarities, equal_nan=True)

    def test_no_texts(self, tmp_path: Path) -> None:
        assert len(searched([], tmp_path)) == 0
