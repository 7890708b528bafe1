import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.errors import ArgumentError
from similitude.systems.strings.common_sequences import LongestCommonSubsequence, LongestCommonSubstring

LETTERS = st.text("abc", max_size=14)
FEW = settings(max_examples=150, deadline=None)


def textbook_subsequence(left, right) -> int:
    """Wagner and Fischer's table."""
    table = [[0] * (len(right) + 1) for _ in range(len(left) + 1)]
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def textbook_substring(left, right) -> int:
    """The longest common suffix of all pairs of beginnings."""
    best, previous = 0, [0] * (len(right) + 1)
    for a in left:
        current = [0] + [previous[j] + 1 if a == b else 0 for j, b in enumerate(right)]
        best, previous = max(best, *current), current
    return best


def share(common: int, left, right) -> float:
    return 2 * common / (len(left) + len(right)) if left or right else 1.0


@FEW
@given(LETTERS, LETTERS)
def test_characters_agree_with_the_textbook(left: str, right: str) -> None:
    subsequence, substring = textbook_subsequence(left, right), textbook_substring(left, right)
    assert LongestCommonSubsequence().similarities([left], [right]) == pytest.approx([share(subsequence, left, right)])
    assert LongestCommonSubstring().similarities([left], [right]) == pytest.approx([share(substring, left, right)])


@FEW
@given(LETTERS, LETTERS)
def test_words_agree_with_the_textbook(left: str, right: str) -> None:
    pair = [" ".join(left)], [" ".join(right)]
    subsequence, substring = textbook_subsequence(left, right), textbook_substring(left, right)
    assert LongestCommonSubsequence("word").similarities(*pair) == pytest.approx([share(subsequence, left, right)])
    assert LongestCommonSubstring("word").similarities(*pair) == pytest.approx([share(substring, left, right)])


def test_words_by_hand() -> None:
    lefts, rights = ["the old cat sat on the mat"], ["the cat sat on a mat"]
    # in order: the cat sat on mat, 5 of 7 and 6 words
    assert LongestCommonSubsequence("word").similarities(lefts, rights) == pytest.approx([2 * 5 / 13])
    # unbroken: cat sat on
    assert LongestCommonSubstring("word").similarities(lefts, rights) == pytest.approx([2 * 3 / 13])


@pytest.mark.parametrize("system", [LongestCommonSubsequence, LongestCommonSubstring])
def test_unknown_unit(system) -> None:
    with pytest.raises(ArgumentError, match="one of character, word"):
        system(unit="sentence")
