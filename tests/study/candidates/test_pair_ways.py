"""How pairs are found: by vectors, by words, at random, as hard negatives, of groups, and given ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from trigram_encoder import TrigramEncoder, trigram_vector

import similitude as sim
from similitude.errors import ArgumentError, InputError
from similitude.study.candidates.candidates_run import CandidatesRun

pytestmark = pytest.mark.usefixtures("small_pieces")

ANIMALS = ["cat", "dog", "horse", "mouse", "bird"]
DOES = ["sleeps in the garden", "runs over the street", "eats all the bread", "watches the old man", "hides in a box"]
TEXTS = [f"The {animal} {does}." for animal in ANIMALS for does in DOES]
TABLE = pl.DataFrame({"text": TEXTS, "domain": [text.split()[1] for text in TEXTS]})


def find(data: Any = TEXTS, **options: Any) -> CandidatesRun:
    usual: dict[str, Any] = {"pair": TrigramEncoder(), "k": 2, "duplicates": False, "cache": False}
    return sim.candidates(data, **{**usual, **options})


def pairs(found: CandidatesRun, stratum: str | None = None) -> set[frozenset[str]]:
    """The pairs as sets of texts; of one stratum."""
    kept = found.descriptions["stratum"].to_list()
    both = zip(found.items.lefts, found.items.rights, kept, strict=True)
    return {frozenset((left, right)) for left, right, way in both if stratum in (None, way)}


def test_neighbours_are_those_of_all_cosines() -> None:
    vectors = np.stack([trigram_vector(text) for text in TEXTS]).astype(np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -1)
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :2]
    second, third = np.sort(cosines, axis=1)[:, -2], np.sort(cosines, axis=1)[:, -3]
    sure = second - third > 1e-5
    expected = {frozenset((TEXTS[row], TEXTS[other])) for row in np.flatnonzero(sure) for other in nearest[row]}
    found = pairs(find())
    assert sure.sum() > 15
    assert expected <= found
    assert all(len(pair) == 2 for pair in found)


def test_a_pair_is_there_once_whatever_found_it() -> None:
    found = find(by=["neighbours", "words", "random", "hard-negatives"], pairs={"random": 0.5})
    assert len(pairs(found)) == len(found.items)
    step = next(step for step in found.steps if step.name == "pairs")
    by = step.facts["found by"]
    assert set(by) == {"neighbours", "words", "random", "hard-negatives"}
    assert sum(by.values()) == step.after == len(found.items)
    assert pairs(found, "neighbours") == pairs(find())


def test_shared_words_find_without_vectors() -> None:
    found = find(by="words", pair=None)
    assert "cosine" not in found.descriptions.columns
    assert all(len(set(left.split()) & set(right.split())) > 1 for left, right in map(tuple, pairs(found)))


def test_random_pairs_are_a_share_of_k_for_each_text() -> None:
    found = find(by="random", pair=None, k=4, pairs={"random": 0.5})
    assert len(found.items) == 0.5 * 4 * len(TEXTS)
    assert pairs(found) == pairs(find(by="random", pair=None, k=4, pairs={"random": 0.5}))
    assert pairs(found) != pairs(find(by="random", pair=None, k=4, pairs={"random": 0.5}, seed=1))


def test_within_and_across() -> None:
    same = {text: text.split()[1] for text in TEXTS}
    within = pairs(find(TABLE, pairs={"within": "domain"}))
    assert {len({same[text] for text in pair}) for pair in within} == {1}
    across = pairs(find(TABLE, pairs={"across": "domain"}, by=["neighbours", "random"]))
    assert {len({same[text] for text in pair}) for pair in across} == {2}


def test_never_of_one_document() -> None:
    table = TABLE.rename({"domain": "document"})
    assert {len({text.split()[1] for text in pair}) for pair in pairs(find(table))} == {2}


def test_groups_are_paired_with_all_their_texts() -> None:
    """Five images with five captions: with k = 1, each image has a nearest one, and all 25 pairs of captions come."""
    table = TABLE.rename({"domain": "group"})
    found = find(table, k=1, pairs={"of": "group"})
    by_group: dict[frozenset[str], int] = {}
    for pair in pairs(found):
        animals = frozenset(text.split()[1] for text in pair)
        by_group[animals] = by_group.get(animals, 0) + 1
    assert set(by_group.values()) == {25}
    assert frozenset().union(*by_group) == set(ANIMALS)


def test_more_neighbours_than_texts_is_a_note() -> None:
    found = find(TEXTS[:4], k=10)
    assert len(found.items) == 6
    assert any("k is 10" in note for note in found.notes)


def test_no_two_texts_may_be_paired() -> None:
    with pytest.raises(ArgumentError, match="one text alone makes no pair; give more texts"):
        find(TEXTS[:1])
    with pytest.raises(ArgumentError, match=r"no two of 25 texts may be paired.*\[pairs\]"):
        find(TABLE.with_columns(document=pl.lit("one")))


def test_given_pairs_keep_sides_and_columns(tmp_path: Path) -> None:
    table = pl.DataFrame(
        {
            "premise": ["A cat sleeps.", "A dog runs.", "A dog runs.", "It rains!!"],
            "hypothesis": ["A cat is asleep.", "It rains.", "It rains.", "A cat sleeps."],
            "label": ["entailment", "neutral", "neutral", "contradiction"],
        }
    )
    table.write_csv(tmp_path / "nli.tsv", separator="\t")
    found = sim.candidates(
        pairs={"data": str(tmp_path / "nli.tsv")}, filters="label != neutral", select={"fixed_sides": True}, cache=False
    )
    rows = set(zip(found.items.lefts, found.items.rights, found.descriptions["label"], strict=True))
    assert rows == {
        ("A cat sleeps.", "A cat is asleep.", "entailment"),
        ("It rains!", "A cat sleeps.", "contradiction"),
    }
    step = next(step for step in found.steps if step.name == "pairs")
    assert step.losses == {"the same pair again": 1}
    assert step.after == 3
    assert set(found.descriptions["stratum"]) == {"given"}


def test_given_pairs_whose_text_was_dropped_are_counted(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("left,right\nA cat sleeps.,A cat is asleep.\nA cat sleeps.,No.\nHm,Hm\n")
    found = sim.candidates(pairs={"data": str(tmp_path / "pairs.csv")}, clean={"characters": "5.."}, cache=False)
    step = next(step for step in found.steps if step.name == "pairs")
    assert step.losses == {"a text was dropped": 2}
    assert len(found.items) == 1
    with pytest.raises(ArgumentError, match="none of 3 given pairs has two texts left"):
        sim.candidates(pairs={"data": str(tmp_path / "pairs.csv")}, clean={"characters": "15.."}, cache=False)


def test_vectors_from_a_file_follow_their_texts_through_cleaning(tmp_path: Path) -> None:
    texts = ["", TEXTS[0], "x", *TEXTS[1:]]
    vectors = np.stack([trigram_vector(text) for text in texts])
    np.save(tmp_path / "vectors.npy", vectors)
    found = find(texts, pair=None, texts={"vectors": str(tmp_path / "vectors.npy")}, clean={"characters": "5.."})
    assert pairs(found) == pairs(find())
    expected = sorted(find().descriptions["cosine"])
    assert sorted(found.descriptions["cosine"]) == pytest.approx(expected, abs=2e-6)


def test_vectors_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "vectors.npy", np.ones((3, 4), np.float32))
    with pytest.raises(InputError, match=r"vectors\.npy.*25"):
        find(pair=None, texts={"vectors": str(tmp_path / "vectors.npy")})
