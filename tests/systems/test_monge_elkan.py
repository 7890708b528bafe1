import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import JaroWinkler

from similitude.errors import ArgumentError
from similitude.systems.strings import word_alignment as word_matching
from similitude.systems.strings.monge_elkan import MongeElkan

SENTENCES = st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=6)


def textbook_monge_elkan(left: list[str], right: list[str]) -> float:
    def one_way(own: list[str], other: list[str]) -> float:
        return sum(max(JaroWinkler.similarity(a, b) for b in other) for a in own) / len(own)

    return (one_way(left, right) + one_way(right, left)) / 2


def test_by_hand() -> None:
    # Levenshtein inside. martha-marhta 1 - 2/6 = 2/3, smith-smyth 4/5; "jr" has nothing in common with any word.
    # left: (2/3 + 4/5) / 2; right: (2/3 + 4/5 + 0) / 3
    system = MongeElkan(inner="levenshtein")
    expected = ((2 / 3 + 4 / 5) / 2 + (2 / 3 + 4 / 5) / 3) / 2
    assert system.similarities(["Martha Smith"], ["Marhta Smyth oo"]) == pytest.approx([expected])


def test_a_word_that_occurs_twice_counts_twice() -> None:
    # left: (1 + 1 + 0) / 3, right: 1
    assert MongeElkan().similarities(["a a x"], ["a"]) == pytest.approx([(2 / 3 + 1) / 2])


@pytest.mark.parametrize("cells", [1, 1_000_000])
@settings(max_examples=80, deadline=None)
@given(pairs=st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=5))
def test_agrees_with_the_textbook(cells: int, pairs: list[tuple[list[str], list[str]]]) -> None:
    lefts, rights = [" ".join(left) for left, _ in pairs], [" ".join(right) for _, right in pairs]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_matching, "_BLOCK_CELLS", cells)
        scores = MongeElkan().similarities(lefts, rights)
    np.testing.assert_allclose(scores, [textbook_monge_elkan(*pair) for pair in pairs], rtol=0, atol=1e-12)


def test_unknown_inner() -> None:
    with pytest.raises(ArgumentError, match="jaro-winkler, jaro, levenshtein"):
        MongeElkan(inner="cosine")  # type: ignore[arg-type]


def test_directions_by_hand() -> None:
    # as above: "cat hat" against "cat", with Levenshtein inside: left (1 + 2/3) / 2, right 1
    pair = ["cat hat"], ["cat"]
    assert MongeElkan("levenshtein", of="left").similarities(*pair) == pytest.approx([5 / 6])
    assert MongeElkan("levenshtein", of="right").similarities(*pair) == pytest.approx([1.0])


def test_alignment_of_words_by_hand() -> None:
    # "string" and "strimg": five characters the same, n and m alike: 28/30; "test" and "test": 1
    pair = ["test string"], ["strimg test"]
    assert MongeElkan("alignment").similarities(*pair) == pytest.approx([(1 + 28 / 30) / 2])
    # "abxcd" and "abcd" (see test_affine_alignment): from the left x may be skipped, 15/20; from the right not, 10/20
    skipped = ["abxcd"], ["abcd"]
    assert MongeElkan("second-string", of="left").similarities(*skipped) == pytest.approx([15 / 20])
    assert MongeElkan("second-string", of="right").similarities(*skipped) == pytest.approx([10 / 20])
    assert MongeElkan("second-string").similarities(*skipped) == pytest.approx([12.5 / 20])


def test_the_value_of_the_test_of_dkpro() -> None:
    """MongeElkanSecondStringComparatorTest: .9636."""
    system = MongeElkan(definition="second-string")
    assert system.similarities(["test String"], ["test Strimg"]) == pytest.approx([0.9636], abs=1e-4)


def test_whole_texts_are_aligned_in_order() -> None:
    # "ab cd" and "cd ab": "ab" or "cd" alone, 10 of 25; word by word both are found
    pair = ["bk cf"], ["cf bk"]
    assert MongeElkan(definition="alignment").similarities(*pair) == pytest.approx([10 / 25])
    assert MongeElkan("alignment").similarities(*pair) == [1.0]


@pytest.mark.parametrize(("argument", "choices"), [("of", "both, left, right"), ("definition", "words, alignment")])
def test_unknown_choices(argument: str, choices: str) -> None:
    with pytest.raises(ArgumentError, match=choices):
        MongeElkan(**{argument: "x"})  # type: ignore[arg-type]
