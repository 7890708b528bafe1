"""Near-duplicates: similarities by hand, agreement with a search of all pairs, the same result for any shards."""

from __future__ import annotations

import itertools

import numpy as np
import polars as pl
import pytest

from similitude.collect.candidates.near_duplicates import (
    DuplicateSearch,
    duplicates_step,
    near_duplicates,
    signature_join,
)
from similitude.collect.candidates.near_duplicates.character_grams import (
    compared_forms,
    gram_hashes,
    jaccard_of_pairs,
)
from similitude.collect.candidates.near_duplicates.minhash import BANDS, FORM, SKETCH, Banding
from similitude.data.reading.texts import read_texts
from similitude.data.texts import Texts
from similitude.errors import ArgumentError

WORDS = [a + b + c for a in "klmtrs" for b in "aeiou" for c in ("n", "sta", "r", "ppo", "")]


def sentences(count: int, seed: int, copies: float = 0.5) -> list[str]:
    """Sentences, some of which differ from another in a word, or in a letter."""
    rng = np.random.default_rng(seed)
    made = [" ".join(rng.choice(WORDS, rng.integers(5, 12))) for _ in range(count)]
    for row in rng.permutation(count)[: int(copies * count)]:
        words = made[rng.integers(count)].split()
        at = rng.integers(len(words))
        words[at] = str(rng.choice(WORDS)) if rng.random() < 0.5 else words[at] + "x"
        made[row] = " ".join(words)
    return made


def jaccard(left: str, right: str, n: int = 3) -> float:
    sets = [{f" {text} "[at : at + n] for at in range(len(text) + 3 - n)} for text in (left, right)]
    return len(sets[0] & sets[1]) / len(sets[0] | sets[1])


def kept_by_all_pairs(texts: list[str], similarity: float) -> list[int]:
    """The texts that are not similar to an earlier one that is kept."""
    kept: list[int] = []
    for row, text in enumerate(texts):
        if all(jaccard(texts[earlier], text) < similarity for earlier in kept):
            kept.append(row)
    return kept


def test_similarities_are_those_of_sets_of_trigrams():
    texts = ["the cat sat", "the cat sat down", "a", "", "aaaaaaaaaa", "日本語のテキスト", "日本語のテスト"]
    pairs = list(itertools.combinations(range(len(texts)), 2))
    grams = [gram_hashes(pl.Series([texts[pair[side]] for pair in pairs]), 3) for side in (0, 1)]
    assert jaccard_of_pairs(*grams).tolist() == pytest.approx([
        jaccard(texts[first] or " ", texts[second] or " ") for first, second in pairs
    ])  # fmt: skip


def test_a_similarity_by_hand():
    # " ab", "abc", "bc " and " ab", "abd", "bd ": one of five is shared
    both = [gram_hashes(pl.Series([text]), 3) for text in ("abc", "abd")]
    assert jaccard_of_pairs(*both).tolist() == [0.2]


@pytest.mark.parametrize("similarity", [0.5, 0.65, 0.8, 0.9])
def test_nearly_all_is_found_that_a_search_of_all_pairs_finds(similarity):
    texts = sentences(300, seed=1)
    expected = set(kept_by_all_pairs(texts, similarity))
    found = near_duplicates(Texts.from_list(texts), similarity)
    kept = set(found.kept.tolist())
    assert len(kept ^ expected) <= 0.02 * (300 - len(expected)) + 1
    assert len(expected) < 295


def pairs_at(similarity: float, count: int, seed: int) -> list[tuple[str, str]]:
    """Pairs of texts of this similarity, or up to 0.02 more: letters are exchanged until it is reached."""
    rng, letters = np.random.default_rng(seed), list("abcdefghijklmnopqrstuvwxyz")
    made: list[tuple[str, str]] = []
    while len(made) < count:
        text = "".join(rng.choice(letters, rng.integers(40, 120)))
        changed = list(text)
        while (now := jaccard(text, "".join(changed))) > similarity + 0.02:
            changed[rng.integers(len(changed))] = str(rng.choice(letters))
        made += [(text, "".join(changed))] if now >= similarity else []
    return made


@pytest.mark.parametrize("similarity", [0.6, 0.8])
def test_pairs_at_the_border_are_found_as_often_as_promised(similarity):
    # Simulated with 3,000 pairs: 0.989 at 0.6 and 0.992 at 0.8. Of 500, 0.967 is four standard errors below 0.985.
    pairs = pairs_at(similarity, 500, seed=6)
    found = near_duplicates(Texts.from_list([text for pair in pairs for text in pair]), similarity)
    second = np.arange(1, 1000, 2)
    assert (found.representatives[second] == second - 1).mean() > 0.967
    assert DuplicateSearch(similarity=similarity).banding.chance(similarity) >= 0.98


def test_no_text_is_dropped_for_one_that_is_less_similar():
    texts = sentences(500, seed=2)
    found = near_duplicates(Texts.from_list(texts), 0.7)
    for first, second, similarity in zip(
        found.dropped.first, found.dropped.second, found.dropped.similarity, strict=True
    ):
        assert first < second
        assert similarity == pytest.approx(jaccard(texts[first], texts[second]))
        assert similarity >= 0.7
    assert (found.spared.similarity < 0.7).all()
    assert (np.diff(found.spared.similarity) <= 0).all()


def test_the_border_belongs_to_the_near_duplicates():
    texts = Texts.from_list(["abc", "abd"])  # similarity 0.2 by hand is below what can be asked for
    with pytest.raises(ArgumentError, match=r"similarity=0\.2 is not between 0\.3 and 1"):
        near_duplicates(texts, 0.2)
    pair = Texts.from_list(["a red car in the street", "a red car in the streets"])
    exact = jaccard("a red car in the street", "a red car in the streets")
    assert len(near_duplicates(pair, exact).kept) == 1
    assert len(near_duplicates(pair, np.nextafter(exact, 1)).kept) == 2


@pytest.mark.parametrize("size", [1, 7, 100, 399])
def test_the_same_whatever_the_shards(size):
    texts, search = Texts.from_list(sentences(400, seed=3)), DuplicateSearch(similarity=0.7)
    whole = search.join(texts, [search.signatures(texts)])
    shards = [search.signatures(texts.slice(start, start + size)) for start in range(0, 400, size)]
    parts = search.join(texts, shards)
    assert parts.representatives.tolist() == whole.representatives.tolist()
    assert parts.copies.tolist() == whole.copies.tolist()
    assert parts.spared.similarity.tolist() == whole.spared.similarity.tolist()
    assert duplicates_step(texts, parts, search) == duplicates_step(texts, whole, search)


def test_signatures_are_the_same_on_every_machine():
    search = DuplicateSearch()
    made = search.signatures(Texts.from_list(["A red car.", "a red  car.", "日本語"]))
    assert made.shape == (BANDS + 18, 3)
    assert made[:, 0].tolist() == made[:, 1].tolist()
    assert made[[FORM, BANDS], 0].tolist() == [7985538173429626193, 3609055426891690297]
    assert made[SKETCH, 2].tolist() != made[SKETCH, 0].tolist()


def test_minima_agree_as_often_as_texts_are_similar():
    # Bands of one minimum: the share of equal keys estimates the similarity; over 400 pairs its mean is within 0.01.
    texts = sentences(400, seed=4, copies=0.0)
    changed = [text[: len(text) // 2] + text[len(text) // 2 :].replace("a", "o") for text in texts]
    from similitude.collect.candidates.near_duplicates.minhash import signatures_of_forms

    banding = Banding(128, 1)
    left, right = (signatures_of_forms(pl.Series(each), 3, banding)[BANDS:] for each in (texts, changed))
    truth = np.array([jaccard(*pair) for pair in zip(texts, changed, strict=True)])
    estimates = (left == right).mean(axis=0)
    assert 0.3 < truth.mean() < 0.9
    assert abs((estimates - truth).mean()) < 0.01
    assert (estimates - truth).std() < 1.3 * np.sqrt((truth * (1 - truth)).mean() / 128)


def test_texts_whose_first_of_a_band_was_dropped_are_compared_again():
    # Row 1 is similar to 0 and leads a band with 2 and 3. It is dropped, so 2 and 3 stay, although they are similar to
    # each other and were not compared: each was settled by its similarity to 1.
    letters = "abcdefghijklmnopqrstuvwxyz"
    texts = [letters[0:18], letters[2:20], letters[4:22], letters[4:23]]
    similar = {(a, b) for a, b in itertools.combinations(range(4), 2) if jaccard(texts[a], texts[b]) >= 0.6}
    assert similar == {(0, 1), (1, 2), (1, 3), (2, 3)}
    signatures = np.zeros((BANDS + 2, 4), dtype=np.uint64)
    signatures[FORM] = [1, 2, 3, 4]
    signatures[BANDS:] = [[90, 7, 7, 7], [8, 8, 91, 92]]
    found = signature_join.joined_signatures(
        [signatures],
        lambda rows: pl.Series([texts[row] for row in rows]),
        similarity=0.6,
        characters=3,
        banding=Banding(2, 1),
    )
    assert found.representatives.tolist() == [0, 0, 2, 2]
    assert list(zip(found.dropped.first.tolist(), found.dropped.second.tolist(), strict=True)) == [(0, 1), (2, 3)]


def test_a_million_copies_of_one_text():
    texts = Texts(pl.DataFrame({"id": pl.int_range(1_000_000, eager=True).cast(pl.String), "text": "The same text."}))
    found = near_duplicates(texts)
    assert found.kept.tolist() == [0]
    assert found.compared == 0
    step = duplicates_step(texts, found, DuplicateSearch())
    assert dict(step.losses) == {"the same text as an earlier one": 999_999}
    assert step.facts["largest_clusters"] == [
        {"kept": "The same text.", "size": 1_000_000, "dropped": ["The same text."] * 5}
    ]


def test_many_texts_that_differ_in_a_number_are_compared_with_one():
    texts = Texts.from_list(
        [f"Your order with the number {number:06d} was sent to you today" for number in range(5_000)]
    )
    found = near_duplicates(texts, 0.7)
    assert len(found.kept) < 50
    assert found.compared < 50 * 5_000


def test_bands_with_too_many_texts_are_told(monkeypatch):
    monkeypatch.setattr(signature_join, "LEADERS", 1)
    texts = Texts.from_list(sentences(300, seed=5))
    found = near_duplicates(texts, 0.5)
    assert found.uncompared > 0
    assert "comparisons left out" in duplicates_step(texts, found, DuplicateSearch(similarity=0.5)).notes[0]


def test_dialogues_are_compared_with_all_their_turns():
    texts = read_texts(
        [["Where to?", "To Bonn, please."], ["When?", "To Bonn, please."], ["WHERE to?", "To Bonn, please."]]
    )
    assert near_duplicates(texts).representatives.tolist() == [0, 1, 0]
    assert compared_forms(texts.frame)[0] == "where to? to bonn, please."


def test_exact_finds_equal_normal_forms_only():
    texts = Texts.from_list(["A red car.", "a RED  car.", "A red cars.", "Ａ red car."])
    assert near_duplicates(texts, "exact").representatives.tolist() == [0, 0, 2, 0]
    assert near_duplicates(texts, 1).representatives.tolist() == [0, 0, 2, 0]


@pytest.mark.parametrize("bad", [0, 1.1, "near", True, None, float("nan")])
def test_similarities_that_make_no_sense(bad):
    with pytest.raises(ArgumentError, match="similarity="):
        near_duplicates(Texts.from_list(["a"]), bad)
    with pytest.raises(ArgumentError, match="characters=1 is not between 2 and 16"):
        DuplicateSearch(characters=1)


@pytest.mark.parametrize("similarity", [0.8, "exact"])
def test_few_texts(similarity):
    assert near_duplicates(Texts.from_list(["", ""]), similarity).kept.tolist() == [0]
    assert near_duplicates(Texts.from_list(["a"]), similarity).kept.tolist() == [0]
    assert near_duplicates(Texts.from_list([]), similarity).kept.tolist() == []


def test_the_step():
    texts = Texts.from_list([
        "A red car is parked in the street.",
        "A dog.",
        "a red car is parked in the street.",
        "A red car is parked in the streets.",
        "A red bus is parked in the road.",
    ])  # fmt: skip
    search = DuplicateSearch.of(0.6)
    step = duplicates_step(texts, search.join(texts, [search.signatures(texts)]), search, seconds=2.0)
    assert (step.name, step.of, step.before, step.after, step.seconds) == ("duplicates", "texts", 5, 3, 2.0)
    assert dict(step.losses) == {"the same text as an earlier one": 1, "nearly the same text as an earlier one": 1}
    assert step.facts["clusters"] == 1
    assert step.facts["largest_clusters"] == [
        {
            "kept": texts.texts[0],
            "size": 3,
            "dropped": [texts.texts[2], texts.texts[3]],
        }
    ]
    dropped = next(example for example in step.examples if not example.is_kept)
    assert (dropped.left, dropped.right) == (texts.texts[0], texts.texts[3])
    assert dropped.value == round(jaccard(texts.texts[0].lower(), texts.texts[3].lower()), 4)
    sizes = step.distributions[0]
    assert (sizes.before[:3], sizes.after[:3]) == ((2, 0, 1), (3, 0, 0))


@pytest.mark.parametrize(
    ("similarity", "bands", "rows"), [(0.5, 42, 3), (0.7, 25, 5), (0.8, 18, 7), (0.9, 11, 11), (0.95, 8, 16)]
)
def test_bands(similarity, bands, rows):
    banding = Banding.at(similarity)
    assert (banding.bands, banding.rows) == (bands, rows)
    assert banding.chance(similarity) == pytest.approx(1 - (1 - similarity**rows) ** bands)
    assert banding.chance(similarity) >= 0.98
    assert Banding(128 // (rows + 1), rows + 1).chance(similarity) < 0.98
