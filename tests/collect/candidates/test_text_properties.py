"""Properties of texts: bags, and files that do not depend on how texts were cut."""

from __future__ import annotations

import hashlib
import pickle

import numpy as np
import polars as pl
import pytest

from similitude.collect.candidates.features import DescribedPairs, PropertyFolder, TextProperties, make_feature
from similitude.collect.candidates.features.bags import Bags, hashed_texts, listed_words
from similitude.collect.candidates.filters import make_features, needs
from similitude.collect.candidates.pairs import PairBlock
from similitude.data.texts import Texts
from similitude.inspect.words.stop_words import STOP_WORD_LANGUAGES, stop_words

WRITTEN = [
    "iou",
    "iou(counts=true)",
    "word_overlap",
    "words",
    "chars",
    "same(source)",
    "negations",
    "shared(names)",
    "rttr",
]


def texts_of(count):
    rng = np.random.default_rng(5)
    words = np.array(["the", "cat", "Dog", "of", "runs", "not", "3", "May", "München", "我", "isn't"])
    frame = pl.DataFrame(
        {
            "id": [str(number) for number in range(count)],
            "text": [" ".join(rng.choice(words, rng.integers(0, 8))) for _ in range(count)],
            "language": rng.choice(["en", "de"], count).tolist(),
            "source": [None if number % 7 == 0 else f"s{number % 3}" for number in range(count)],
        }
    )
    return Texts(frame)


def test_bags_of_lists():
    bags = Bags.of_words(listed_words(pl.Series([["b", "a", "b"], [], ["b", "c"], ["a"]])), 4)
    left, right = np.array([0, 0, 1, 0]), np.array([2, 3, 1, 0])
    assert bags.offsets.tolist() == [0, 2, 2, 4, 5]
    assert all(
        (np.diff(bags.keys[start:stop]) > 0).all() for start, stop in zip(bags.offsets, bags.offsets[1:], strict=False)
    )
    assert bags.distinct(np.array([0, 1, 2])).tolist() == [2, 0, 2]
    assert bags.totals(np.array([0, 1, 2])).tolist() == [3, 0, 2]
    assert bags.common_words(left, right).tolist() == [1, 1, 0, 2]
    assert bags.common_counts(left, right).tolist() == [1, 1, 0, 3]
    assert bags.found_words(left, right).tolist() == [2, 1, 0, 3]  # b twice
    assert bags.found_words(right, left).tolist() == [1, 1, 0, 3]


def test_long_texts_are_compared_a_few_at_a_time(monkeypatch):
    rng = np.random.default_rng(0)
    lists = [rng.choice(list("abcdefgh"), size).tolist() for size in rng.integers(0, 9, 50)]
    bags = Bags.of_words(listed_words(pl.Series(lists, dtype=pl.List(pl.String))), 50)
    left, right = rng.integers(0, 50, (2, 300))
    ways = (bags.common_words, bags.common_counts, bags.found_words)
    whole = [way(left, right).tolist() for way in ways]
    assert whole[0] == [len({*lists[a]} & {*lists[b]}) for a, b in zip(left, right, strict=True)]
    sizes = []
    rows = Bags._rows
    monkeypatch.setattr("similitude.collect.candidates.features.bags.WORDS", 20)
    monkeypatch.setattr(Bags, "_rows", lambda self, taken: (sizes.append(len(taken)), rows(self, taken))[1])
    assert [way(left, right).tolist() for way in ways] == whole
    assert bags.totals(left).tolist() == [len(lists[row]) for row in left]
    assert max(sizes) < 20 < len(sizes)


def test_bags_without_words():
    bags = Bags.of_words(listed_words(pl.Series([[], []], dtype=pl.List(pl.String))), 2)
    assert bags.offsets.tolist() == [0, 0, 0]
    assert bags.common_words(np.array([0]), np.array([1])).tolist() == [0]


def test_keys_are_the_same_everywhere():
    # blake2b with 8 bytes, little-endian, of which the last two bits are dropped
    digest = hashlib.blake2b("München".encode(), digest_size=8).digest()
    assert hashed_texts(pl.Series(["München", None, "München"])).to_list() == [
        int.from_bytes(digest, "little") >> 2,
        None,
        int.from_bytes(digest, "little") >> 2,
    ]


@pytest.mark.parametrize("size", [1, 5, 12])
def test_files_do_not_depend_on_how_texts_were_cut(tmp_path, size):
    texts, properties = texts_of(12), needs(make_features(WRITTEN)).properties
    folder = PropertyFolder(tmp_path / "cut")
    starts = list(range(0, 12, size))
    for start in reversed(starts):  # in any order, from any process
        part = texts.take(np.arange(start, min(start + size, 12)))
        pickle.loads(pickle.dumps(folder)).write_piece(f"{start:06d}", part, pickle.loads(pickle.dumps(properties)))
    folder.join_pieces([f"{start:06d}" for start in starts], properties)
    whole = PropertyFolder(tmp_path / "whole")
    whole.write_piece("0", texts, properties)
    whole.join_pieces(["0"], properties)
    names = sorted(path.name for path in whole.path.iterdir())
    assert names == sorted(path.name for path in folder.path.iterdir())
    assert all((whole.path / name).read_bytes() == (folder.path / name).read_bytes() for name in names)
    assert not (folder.path / "pieces").exists()


def test_mapped_properties_give_the_same_values(tmp_path):
    texts, features = texts_of(40), make_features(WRITTEN)
    properties = needs(features).properties
    folder = PropertyFolder(tmp_path)
    folder.write_piece("0", texts, properties)
    folder.join_pieces(["0"], properties)
    rng = np.random.default_rng(0)
    block = PairBlock(texts, *rng.integers(0, 40, (2, 200)), np.zeros(200, np.uint8))
    mapped, there = (
        DescribedPairs(block, one) for one in (folder.open(properties), TextProperties.of(texts, properties))
    )
    for feature in features:
        np.testing.assert_array_equal(mapped.value_of(feature), there.value_of(feature))


def test_texts_without_any_words_can_be_written_and_mapped(tmp_path):
    texts, (feature,) = Texts.from_list(["the", "", "of"]), make_features(["iou"])
    properties = needs([feature]).properties
    folder = PropertyFolder(tmp_path)
    folder.write_piece("0", texts, properties)
    folder.join_pieces(["0"], properties)
    assert folder.open(properties).bags_of(*feature.properties).offsets.tolist() == [0, 0, 0, 0]


def test_columns_with_odd_names_have_files_of_their_own(tmp_path):
    texts = Texts(pl.DataFrame({"id": ["1"], "text": ["a"], "a/b": ["x"], "a b": ["y"]}))
    features = [make_feature("same('a/b')"), make_feature("same('a b')")]
    properties = needs(features).properties
    folder = PropertyFolder(tmp_path)
    folder.write_piece("0", texts, properties)
    folder.join_pieces(["0"], properties)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("language", sorted(STOP_WORD_LANGUAGES))
def test_every_list_of_stop_words_is_in_lower_case_and_not_empty(language):
    words = stop_words(language)
    assert len(words) > 90
    assert all(word == word.lower() for word in words)
