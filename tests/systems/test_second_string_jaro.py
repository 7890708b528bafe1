import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Jaro

from similitude.systems.strings.second_string_jaro import second_string_jaro

LETTERS = st.text("abc", max_size=14)


def textbook(left: str, right: str) -> float:
    """The definition in the documentation of SecondString, with a mark on every character that is taken."""

    def common(own: str, other: str, reach: int) -> str:
        taken, found = set(), ""
        for i, character in enumerate(own):
            near = range(max(0, i - reach), min(i + reach, len(other)))
            free = [j for j in near if j not in taken and other[j] == character]
            if free:
                taken.add(free[0])
                found += character
        return found

    if left == right:
        return 1.0
    reach = min(len(left), len(right)) // 2 + 1
    one, two = common(left, right, reach), common(right, left, reach)
    if not one or len(one) != len(two):
        return 0.0
    swapped = sum(a != b for a, b in zip(one, two, strict=True)) // 2
    return (len(one) / len(left) + len(two) / len(right) + (len(one) - swapped) / len(one)) / 3


@pytest.mark.parametrize(("left", "right"), [("martha", "marhta"), ("dixon", "dicksonx"), ("dwayne", "duane")])
def test_agrees_with_the_standard_definition_on_names(left: str, right: str) -> None:
    assert second_string_jaro(left, right) == pytest.approx(Jaro.similarity(left, right))


def test_by_hand() -> None:
    # "abcd" and "dabc": reach 3, so that places j with i - 3 <= j < i + 3 count. a (0 -> 1), b, c match; d of the left
    # (3 -> 0) too, since 0 >= 3 - 3. From the right, d (0 -> 3) does not, since 3 < 0 + 3 fails: 4 and 3 matches give 0
    assert second_string_jaro("abcd", "dabc") == 0.0
    # the standard definition lets characters match 4 // 2 - 1 = 1 place apart: a, b, c of 4 and 4, in order
    assert Jaro.similarity("abcd", "dabc") == pytest.approx((3 / 4 + 3 / 4 + 1) / 3)
    # "abcx", "cbay": a, b, c match both ways; a and c are out of order: 2 // 2 = 1
    assert second_string_jaro("abcx", "cbay") == pytest.approx((3 / 4 + 3 / 4 + 2 / 3) / 3)


def test_half_of_an_odd_number_out_of_order_is_rounded_down() -> None:
    # "abc", "bca": reach 2. From the left b, c match, a (0 -> 2) is too far; from the right a (2 -> 0) matches too:
    # 0 >= 2 - 2. 2 and 3 matches
    assert second_string_jaro("abc", "bca") == 0.0
    # "abcd", "bcad": a (0 -> 2), b, c, d match, from the right too; abcd and bcad differ in three places: 3 // 2 = 1
    assert second_string_jaro("abcd", "bcad") == pytest.approx((1 + 1 + 3 / 4) / 3)


@settings(max_examples=300, deadline=None)
@given(LETTERS, LETTERS)
def test_agrees_with_the_textbook(left: str, right: str) -> None:
    assert second_string_jaro(left, right) == pytest.approx(textbook(left, right))
    assert second_string_jaro(left, right) == second_string_jaro(right, left)
