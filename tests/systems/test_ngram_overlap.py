import math

import pytest

from similitude.errors import ArgumentError
from similitude.systems import make_system
from similitude.systems.strings.ngram_overlap import (
    CharNgramCosine,
    CharNgramJaccard,
    WordNgramContainment,
    WordNgramJaccard,
)

PAIR = ["the cat sat on the mat"], ["the cat lay on the mat today"]


def test_jaccard_by_hand() -> None:
    # words: {the cat sat on mat}, {the cat lay on mat today}: 4 of 7
    assert WordNgramJaccard(1).similarities(*PAIR) == pytest.approx([4 / 7])
    # pairs: {the-cat cat-sat sat-on on-the the-mat} and {the-cat cat-lay lay-on on-the the-mat mat-today}: 3 of 8
    assert WordNgramJaccard(2).similarities(*PAIR) == pytest.approx([3 / 8])
    # threes: on-the-mat is shared, 4 and 5 in all: 1 of 8
    assert WordNgramJaccard(3).similarities(*PAIR) == pytest.approx([1 / 8])


def test_containment_by_hand() -> None:
    # shared 4 of the left's 5 and the right's 6
    assert WordNgramContainment(1).similarities(*PAIR) == pytest.approx([4 / 5])
    assert WordNgramContainment(1, of="left").similarities(*PAIR) == pytest.approx([4 / 5])
    assert WordNgramContainment(1, of="right").similarities(*PAIR) == pytest.approx([4 / 6])


def test_cosine_by_hand() -> None:
    # abab: ab 2, ba 1; aba: ab 1, ba 1. Dot 3, norms √5 and √2
    assert CharNgramCosine(2).similarities(["abab"], ["aba"]) == pytest.approx([3 / math.sqrt(10)])


def test_character_jaccard_by_hand() -> None:
    # {ab ba} and {ab bc}: 1 of 3
    assert CharNgramJaccard(2).similarities(["abab"], ["abc"]) == pytest.approx([1 / 3])


@pytest.mark.parametrize("name", ["word-ngram-jaccard", "word-ngram-containment"])
def test_texts_with_fewer_words_than_n(name: str) -> None:
    system = make_system(f"{name}(n=3)")
    scores = system.similarities(["good day", "good day", "good day"], ["Good day!", "good night", "good day to you"])
    assert scores.tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("name", ["char-ngram-cosine", "char-ngram-jaccard"])
def test_texts_with_fewer_characters_than_n(name: str) -> None:
    scores = make_system(f"{name}(n=5)").similarities(["ja", "ja", "ja", "ja"], ["Ja", "no", "jaja ja", "jaa"])
    assert scores.tolist() == [1.0, 0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("name", "wrong", "ends"),
    [
        ("word-ngram-jaccard", (0, 6), "1 to 5"),
        ("word-ngram-containment", (0, 6), "1 to 5"),
        ("char-ngram-cosine", (1, 6), "2 to 5"),
        ("char-ngram-jaccard", (1, 6), "2 to 5"),
    ],
)
def test_n_out_of_range(name: str, wrong: tuple[int, ...], ends: str) -> None:
    for n in wrong:
        with pytest.raises(ArgumentError, match=f"n={n} is not valid.*{ends}"):
            make_system(f"{name}(n={n})")


def test_unknown_side() -> None:
    with pytest.raises(ArgumentError, match="smaller, left, right"):
        WordNgramContainment(of="both")  # type: ignore[arg-type]


def test_values_of_the_tests_of_dkpro() -> None:
    """WordNGramMeasureTest: trigrams of "The quick brown fox jumps over the lazy dog"; 1 shared, 7 and 3 in all."""
    pair = ["The quick brown fox jumps over the lazy dog"], ["The quick brown dog jumps"]
    dkpro = {"tokens": "break-iterator", "lowercase": False, "short": "nothing"}
    assert WordNgramJaccard(3, **dkpro).similarities(*pair) == pytest.approx([0.111], abs=1e-3)  # 1/9
    containment = WordNgramContainment(3, of="left", **dkpro)
    assert containment.similarities(*pair) == pytest.approx([0.142], abs=1e-3)  # 1/7
    assert containment.similarities(pair[0], pair[0]).tolist() == [1.0]


def test_punctuation_marks_are_tokens_of_the_break_iterator() -> None:
    # {good day .} and {good night .}: 2 of 4; as words 1 of 3
    pair = ["Good day."], ["good night."]
    assert WordNgramJaccard(tokens="break-iterator").similarities(*pair) == pytest.approx([2 / 4])
    assert WordNgramJaccard().similarities(*pair) == pytest.approx([1 / 3])
    # with case, "Good" and "good" differ: 1 of 5
    assert WordNgramJaccard(tokens="break-iterator", lowercase=False).similarities(*pair) == pytest.approx([1 / 5])


@pytest.mark.parametrize("name", ["word-ngram-jaccard", "word-ngram-containment"])
def test_short_texts_may_have_no_ngram_at_all(name: str) -> None:
    system = make_system(f"{name}(n=2, short=nothing)")
    lefts, rights = ["yes", "yes", "", "yes it is", "yes it is"], ["yes", "yes it is", "", "yes it was", "yes"]
    # {yes-it it-is}, {yes-it it-was}: 1 of 3, contained 1 of 2
    expected = [0.0, 0.0, 0.0, 1 / 3 if "jaccard" in name else 1 / 2, 0.0]
    assert system.similarities(lefts, rights) == pytest.approx(expected)


@pytest.mark.parametrize(("argument", "choices"), [("tokens", "words, break-iterator"), ("short", "whole, nothing")])
def test_unknown_choices(argument: str, choices: str) -> None:
    with pytest.raises(ArgumentError, match=choices):
        WordNgramJaccard(**{argument: "x"})  # type: ignore[arg-type]
