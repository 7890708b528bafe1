import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.errors import ArgumentError
from similitude.systems.strings.string_tiling import GreedyStringTiling


def textbook_tiling(left: str, right: str, min_match: int, pattern_first: bool = False) -> int:
    """Wise (1993), figure 1, word for word: scan for all longest matches of unmarked tokens, mark, and scan again."""
    pattern, text = (left, right) if pattern_first else sorted((left, right), key=lambda side: (len(side), side))
    marked_pattern, marked_text, covered = set(), set(), 0
    longest = min_match + 1
    while longest > min_match:
        longest, matches = min_match, []
        for p in range(len(pattern)):
            for t in range(len(text)):
                j = 0
                while (
                    p + j < len(pattern)
                    and t + j < len(text)
                    and pattern[p + j] == text[t + j]
                    and p + j not in marked_pattern
                    and t + j not in marked_text
                ):
                    j += 1
                if j == longest:
                    matches.append((p, t, j))
                elif j > longest:
                    matches, longest = [(p, t, j)], j
        for p, t, j in matches:
            if not marked_pattern & {*range(p, p + j)} and not marked_text & {*range(t, t + j)}:
                marked_pattern |= {*range(p, p + j)}
                marked_text |= {*range(t, t + j)}
                covered += j
    return covered


def test_tiles_by_hand() -> None:
    # tiles: "we ran home" (3) and "in the rain" (3), in another order; 6 of 7 words on either side
    system = GreedyStringTiling()
    assert system.similarities(["then in the rain we ran home"], ["we ran home today in the rain"]) == pytest.approx(
        [2 * 6 / 14]
    )
    # "in the" is too short for a tile of three
    assert system.similarities(["in the rain"], ["in the snow"]) == [0.0]


def test_short_texts_match_only_as_a_whole() -> None:
    scores = GreedyStringTiling().similarities(["hello you"] * 3, ["Hello, you!", "hello", "oh hello you"])
    assert scores.tolist() == [1.0, 0.0, 0.0]


@settings(max_examples=300, deadline=None)
@given(st.text("abc", max_size=20), st.text("abc", max_size=20), st.integers(1, 4))
def test_agrees_with_the_textbook(left: str, right: str, min_match: int) -> None:
    covered = len(left) if left == right else textbook_tiling(left, right, min_match)
    expected = 2 * covered / (len(left) + len(right)) if left or right else 1.0
    pair = [" ".join(left)], [" ".join(right)]
    assert GreedyStringTiling(min_match).similarities(*pair) == pytest.approx([expected])


def test_repetitive_texts_stay_feasible() -> None:
    assert np.isfinite(GreedyStringTiling().similarities(["ha " * 400], ["ha ho " + "ha " * 300])).all()


def test_min_match_out_of_range() -> None:
    with pytest.raises(ArgumentError, match="1 or more"):
        GreedyStringTiling(min_match=0)


def test_the_value_of_the_test_of_dkpro() -> None:
    """GreedyStringTilingTest: .522. Tiles " quick brown " (13) and " over the " (10) of 44 characters: 23/44."""
    system = GreedyStringTiling(unit="character", of="left")
    left = "The quick brown fox jumps over the lazy dog."
    right = "Lorem ipsum quick brown dolor, consectetur over the nomen tuum."
    assert system.similarities([left], [right]) == pytest.approx([23 / 44])
    # the same tiles cover 23 of the right text's 63 characters
    assert GreedyStringTiling(unit="character", of="right").similarities([left], [right]) == pytest.approx([23 / 63])


def test_the_left_text_leads_where_it_is_measured() -> None:
    """Two tiles of equal length are in each other's way; the one that comes first in the leading text is placed."""
    # "abc" and "cde" share c in the left text. Left leads: abc, then nothing is left of cde but "de". 3 of 5
    pair = ["abcde"], ["cde abc"]
    assert GreedyStringTiling(unit="character", of="left").similarities(*pair) == pytest.approx([3 / 5])


@settings(max_examples=200, deadline=None)
@given(st.text("abc", max_size=15), st.text("abc", max_size=15), st.integers(1, 4))
def test_shares_of_the_left_text_agree_with_the_textbook(left: str, right: str, min_match: int) -> None:
    covered = len(left) if left == right else textbook_tiling(left, right, min_match, pattern_first=True)
    expected = covered / len(left) if left else float(left == right)
    system = GreedyStringTiling(min_match, unit="character", of="left")
    assert system.similarities([left], [right]) == pytest.approx([expected])


def test_unknown_choices() -> None:
    with pytest.raises(ArgumentError, match="character, word"):
        GreedyStringTiling(unit="x")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="mean, left"):
        GreedyStringTiling(of="x")  # type: ignore[arg-type]
