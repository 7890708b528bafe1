"""What all string systems promise, tested once for all of them."""

import dataclasses
import random
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.data.item import Items
from similitude.data.protocols import FitsTexts
from similitude.systems import SYSTEMS, make_system
from similitude.systems.pairwise import UNIT, PairwiseSystem
from similitude.testing import check_system

VARIANTS = [
    "levenshtein(lowercase=false)",
    "jaro-winkler(prefix_weight=0.2)",
    "monge-elkan(inner=levenshtein)",
    "longest-common-subsequence(unit=word)",
    "longest-common-substring(unit=word)",
    "length-ratio(unit=word)",
    "greedy-string-tiling(min_match=1)",
    "soft-tfidf(threshold=0.6)",
    "word-ngram-jaccard(n=2)",
    "word-ngram-containment(n=4)",
    "char-ngram-cosine(n=5)",
    "char-ngram-jaccard(n=2)",
    "jaro(definition=second-string)",
    "jaro-winkler(definition=second-string)",
    "jaro-winkler(threshold=0)",
    "monge-elkan(definition=alignment)",
    "monge-elkan(inner=alignment)",
    "longest-common-subsequence(of=shorter)",
    "longest-common-substring(of=longer, lowercase=false)",
    "greedy-string-tiling(unit=character)",
    "word-ngram-jaccard(n=2, tokens=break-iterator, lowercase=false)",
    "word-cosine(weights=binary)",
    "word-cosine(weights=log, tokens=break-iterator, lowercase=false)",
    "tfidf-cosine(weights=cohen)",
    "soft-tfidf(weights=cohen)",
    "char-ngram-tfidf(n=2, alphabet=dkpro)",
]
DIRECTED = [
    "word-ngram-containment(of=left)",
    "word-ngram-containment(n=2, of=right)",
    "monge-elkan(definition=second-string)",
    "monge-elkan(inner=second-string, of=left)",
    "monge-elkan(inner=levenshtein, of=right)",
    "longest-common-subsequence(of=left)",
    "greedy-string-tiling(unit=character, of=left)",
    "soft-tfidf(weights=cohen, of=left)",
]


def string_systems() -> list[str]:
    return [name for name in SYSTEMS if SYSTEMS.maker(name).__module__.startswith("similitude.systems.strings")]


ALL = [*string_systems(), *VARIANTS, *DIRECTED]
SYMMETRIC = [name for name in ALL if name not in DIRECTED]

TEXTS = [
    "",
    " ",
    "a",
    "A man is playing a guitar on the stage.",
    "A man is playing the guitar on a stage!",
    "Die Mädchen essen süße Äpfel in der Küche.",
    "Die Maedchen assen suesse Aepfel",
    "Straße",
    "一个男人在弹吉他",
    "一个男人在台上弹吉他。",
    "男人",
    "😀",
    "😢 so sad 😢",
    "?!",
    "...",
    "word word word word",
    "naïve café",
    "3.5 million people",
    "العربية",
]


def long_text(characters: int) -> str:
    rng = random.Random(7)
    vocabulary = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyzäöüß", k=rng.randint(3, 9))) for _ in range(1500)]
    return " ".join(rng.choices(vocabulary, k=characters))[:characters]


LONG = long_text(20_000)


def long_for(name: str) -> str:
    """Alignments fill a table of all pairs of characters, in Python's own time."""
    return LONG[:2_000] if "alignment" in name or name.startswith("monge-elkan(") else LONG


def ready(name: str) -> PairwiseSystem:
    system = make_system(name)
    fitted = system.fit([*TEXTS, LONG]) if isinstance(system, FitsTexts) else system
    assert isinstance(fitted, PairwiseSystem)
    return fitted


def score(name: str, lefts: list[str], rights: list[str]) -> np.ndarray:
    return ready(name).score(Items.from_pairs(lefts, rights)).scores


def all_pairs() -> tuple[list[str], list[str]]:
    return [left for left in TEXTS for _ in TEXTS], TEXTS * len(TEXTS)


def test_there_are_enough_of_them() -> None:
    assert len(string_systems()) >= 14


@pytest.mark.parametrize("name", ALL)
def test_identical_texts_give_exactly_one(name: str) -> None:
    texts = [*TEXTS, long_for(name)]
    assert score(name, texts, texts).tolist() == [1.0] * len(texts)


@pytest.mark.parametrize("name", ALL)
def test_scores_are_finite_and_in_range(name: str) -> None:
    scores = score(name, *all_pairs())
    assert scores.dtype == np.float64
    assert np.isfinite(scores).all()
    assert scores.min() >= 0.0
    assert scores.max() <= 1.0


@pytest.mark.parametrize("name", ALL)
def test_an_empty_text_has_nothing_in_common_with_another(name: str) -> None:
    assert score(name, ["", "", "Äpfel", " \n"], ["", "apple", "", "\t"]).tolist() == [1.0, 0.0, 0.0, 1.0]


@pytest.mark.parametrize("name", SYMMETRIC)
def test_symmetric(name: str) -> None:
    lefts, rights = all_pairs()
    np.testing.assert_array_equal(score(name, lefts, rights), score(name, rights, lefts))


@pytest.mark.parametrize("name", ALL)
def test_composed_and_decomposed_characters_are_the_same(name: str) -> None:
    composed = [unicodedata.normalize("NFC", text) for text in TEXTS]
    decomposed = [unicodedata.normalize("NFD", text) for text in TEXTS]
    assert score(name, composed, decomposed).tolist() == [1.0] * len(TEXTS)


@pytest.mark.parametrize("name", ALL)
def test_very_long_texts(name: str) -> None:
    text = long_for(name)
    (near,) = score(name, [text], [f"{text} and something else"])
    assert 0.95 < near <= 1.0


@pytest.mark.parametrize("name", [name for name in ALL if not name.startswith("length-ratio")])
def test_nothing_in_common_is_near_zero(name: str) -> None:
    # no letter of one is like a letter of the other, for the alignment of characters
    assert score(name, ["bcdfgh"], ["kqswxyz"]).tolist() == [0.0]
    # without Chinese characters in the alphabet, both are empty
    assert score(name, ["一个男人"], ["女孩子们"]).tolist() == [1.0 if "dkpro" in name else 0.0]


@pytest.mark.parametrize("name", ALL)
def test_keeps_the_contracts_of_every_system(name: str) -> None:
    check_system(name, texts=TEXTS, tolerance=0)
    system = ready(name)
    assert make_system(str(system.identity)) == system
    assert (system.range, system.reads) == (UNIT, frozenset())
    assert dataclasses.is_dataclass(system)
    assert system.similarities([], []).tolist() == []


@pytest.mark.parametrize(
    "name",
    [
        "word-ngram-jaccard(n=2, tokens=break-iterator, short=nothing)",
        "word-ngram-containment(n=3, tokens=break-iterator, short=nothing, of=left)",
        "levenshtein(lowercase=false, edits=number)",
        "damerau(edits=number)",
    ],
)
def test_definitions_in_which_equal_texts_need_not_give_one(name: str) -> None:
    """They keep the contracts of every system all the same, and equal texts are never less alike than others."""
    check_system(name, texts=TEXTS, tolerance=0)
    system = ready(name)
    scores = score(name, *all_pairs()).reshape(len(TEXTS), len(TEXTS))
    assert make_system(str(system.identity)) == system
    assert np.isfinite(scores).all()
    assert (scores <= np.diag(scores)[:, None]).all()
    if system.range is not None:
        assert (scores.min(), scores.max()) == (0.0, 1.0)


@pytest.mark.parametrize("name", ALL)
@settings(max_examples=15, deadline=None)
@given(texts=st.lists(st.text(max_size=25), min_size=2, max_size=6))
def test_any_texts_at_all(name: str, texts: list[str]) -> None:
    system = ready(name)
    lefts, rights = texts[:-1], texts[1:]
    scores = system.similarities(lefts, rights)
    assert ((scores >= 0.0) & (scores <= 1.0)).all()
    assert (system.similarities(texts, texts) == 1.0).all()
    if name in SYMMETRIC:
        np.testing.assert_array_equal(system.similarities(rights, lefts), scores)
    alone = np.concatenate([system.similarities([left], [right]) for left, right in zip(lefts, rights, strict=True)])
    np.testing.assert_array_equal(alone, scores)
