import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.systems.strings import affine_alignment
from similitude.systems.strings.affine_alignment import ALIKE, Gaps, alignment_similarities

WORDS = st.text("abdtx,", max_size=9)


def similarity(left: str, right: str, gaps: Gaps) -> float:
    (score,) = alignment_similarities([left, right], np.array([0]), np.array([1]), gaps)
    return float(score)


def textbook(left: str, right: str, gaps: Gaps) -> float:
    """Durbin et al. (1998), section 2.3, cell by cell: matched, left skipped, right skipped."""
    if not left or not right:
        return float(left == right)
    cells = {(i, j): (0, 0, 0) for i in range(len(left) + 1) for j in range(len(right) + 1)}
    for i, one in enumerate(left, 1):
        for j, other in enumerate(right, 1):
            alike = any(one in group and other in group for group in ALIKE)
            character = 5 if one == other else 3 if alike else -3
            before, above, beside = cells[i - 1, j - 1], cells[i - 1, j], cells[i, j - 1]
            usable = before if gaps == "both" else before[:2]
            matched = max(0, max(usable) + character)
            cells[i, j] = (matched, max(0, above[0] - 5, above[1] - 1), max(0, beside[0] - 5, beside[2] - 1))
    return max(cell[0] for cell in cells.values()) / (5 * min(len(left), len(right)))


def test_by_hand() -> None:
    # n and m are alike: ten characters at 5 and one at 3, of 11 at 5
    assert similarity("test string", "test strimg", "both") == pytest.approx(53 / 55)
    # "abxcd" against "abcd": ab (10), x skipped (-5), cd (+10); of 4 at 5. Without the gap, ab alone: 10
    assert similarity("abxcd", "abcd", "both") == pytest.approx(15 / 20)
    assert similarity("abxcd", "abcd", "left") == pytest.approx(15 / 20)
    # the same with the texts exchanged: the character to be skipped is now in the right text
    assert similarity("abcd", "abxcd", "both") == pytest.approx(15 / 20)
    assert similarity("abcd", "abxcd", "left") == pytest.approx(10 / 20)
    # a longer gap costs 1 more for each character: 10 - 5 - 1 - 1 + 10 of 20
    assert similarity("abxyzcd", "abcd", "left") == pytest.approx(13 / 20)


@pytest.mark.parametrize("group", ["dt", "gj", "lr", "mn", "bpv", "aeiou", ",."])
def test_characters_that_are_alike(group: str) -> None:
    """Monge and Elkan (1996), as SecondString lists them: 3 points of 5; other characters have nothing in common."""
    for one in group:
        scores = {other: similarity(one, other, "both") for other in "abcdefghijklmnopqrstuvwxyz,."}
        alike = {other for other, score in scores.items() if score == pytest.approx(3 / 5)}
        assert alike == set(group) - {one}
        assert {other for other, score in scores.items() if score == 0.0} == set(scores) - set(group)


def test_empty_strings() -> None:
    assert [similarity(*pair, "both") for pair in (("", ""), ("", "a"), ("a", ""))] == [1.0, 0.0, 0.0]
    assert alignment_similarities([], np.empty(0, np.int64), np.empty(0, np.int64), "left").tolist() == []


@pytest.mark.parametrize("gaps", ["both", "left"])
@settings(max_examples=150, deadline=None)
@given(pairs=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6))
def test_agrees_with_the_textbook(gaps: Gaps, pairs: list[tuple[str, str]]) -> None:
    texts = [text for pair in pairs for text in pair]
    places = np.arange(len(pairs)) * 2
    expected = [textbook(*pair, gaps) for pair in pairs]
    with pytest.MonkeyPatch.context() as patch:
        for cells in (1, 100_000):  # one pair a block, and all of a size in one
            patch.setattr(affine_alignment, "_BLOCK_CELLS", cells)
            found = alignment_similarities(texts, places, places + 1, gaps)
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@settings(max_examples=100, deadline=None)
@given(WORDS, WORDS)
def test_gaps_in_both_texts_are_symmetric_and_never_lower(left: str, right: str) -> None:
    assert similarity(left, right, "both") == similarity(right, left, "both")
    assert similarity(left, right, "both") >= similarity(left, right, "left")


def test_long_texts_need_more_than_16_bits() -> None:
    text = "ab" * 4_000  # 5 * 8,000 points exceed 32,767
    assert similarity(text, text, "left") == 1.0
    assert similarity(text, text[:-1] + "x", "left") == pytest.approx(7_999 / 8_000)
