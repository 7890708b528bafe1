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


@pytest.mark.parametrize(
    ("of", "expected"), [("mean", 6 / 8), ("left", 3 / 5), ("right", 3 / 3), ("shorter", 3 / 3), ("longer", 3 / 5)]
)
def test_lengths_by_hand(of, expected: float) -> None:
    # "ace" of "abcde" and "ace": 3 characters, of 5, of 3, or of 4 on average
    assert LongestCommonSubsequence(of=of).similarities(["abcde"], ["ace"]) == pytest.approx([expected])
    # "bcd": 3 of "abcde", and of "bcd"
    assert LongestCommonSubstring(of=of).similarities(["abcde"], ["bcd"]) == pytest.approx([expected])


def test_values_of_the_tests_of_dkpro() -> None:
    """LongestCommonSubsequenceComparatorTest, also of the norm, and LongestCommonSubstringComparatorTest."""
    lefts, rights = ["This is a test"] * 3, ["This is a test", "a test", "nono"]
    plain = LongestCommonSubsequence(lowercase=False)
    assert plain.similarities(lefts, rights) == pytest.approx([1.0, 0.6, 0.0], abs=1e-3)
    norm = LongestCommonSubsequence(of="left")
    assert norm.similarities(lefts, rights) == pytest.approx([1.0, 0.428, 0.0], abs=1e-3)
    scores = LongestCommonSubstring(lowercase=False).similarities(
        ["test String1", "This is my string"], ["test String2", "That is your string"]
    )
    assert scores == pytest.approx([0.9166, 0.3888], abs=1e-4)


@pytest.mark.parametrize("system", [LongestCommonSubsequence, LongestCommonSubstring])
def test_case_counts_only_where_asked(system) -> None:
    for unit in ("character", "word"):
        assert system(unit).similarities(["AB"], ["ab"]) == [1.0]
        assert system(unit, lowercase=False).similarities(["AB"], ["ab"]) == [0.0]


@pytest.mark.parametrize("system", [LongestCommonSubsequence, LongestCommonSubstring])
def test_unknown_length(system) -> None:
    with pytest.raises(ArgumentError, match="mean, left, right, shorter, longer"):
        system(of="both")
