"""Blank texts and pairs of the same text."""

from __future__ import annotations

from typing import Any

import pytest

from similitude.inspect.checks import Finding, check
from similitude.testing.unchecked_benchmark import unchecked_benchmark


def found(**columns: Any) -> dict[str, Finding]:
    benchmark = unchecked_benchmark(scale=columns.pop("scale", "0..5"), **columns)
    return {each.code: each for each in check(benchmark, only=["blank-texts", "identical-texts"]).findings}


@pytest.mark.parametrize("blank", ["", "  \t", "\u200b", "\ufeff \u00a0", "\x00", None])
def test_nothing_to_be_seen_is_an_error(blank: str | None) -> None:
    codes = found(left=["a", blank], right=["b", "c"], score=[1, 2])
    assert set(codes) == {"blank-texts"}
    assert (codes["blank-texts"].count, codes["blank-texts"].severity) == (1, "error")
    assert codes["blank-texts"].examples[0].startswith("2: ")


@pytest.mark.parametrize("bare", ["...", " ?! ", "。", "\u200b—", "+"])
def test_nothing_but_punctuation_is_a_warning(bare: str) -> None:
    codes = found(left=["a", "c"], right=["b", bare], score=[1, 2])
    assert set(codes) == {"blank-texts-punctuation"}
    assert codes["blank-texts-punctuation"].severity == "warning"


@pytest.mark.parametrize("text", ["ok", "7", "好", "😀", "€", "¿qué?"])
def test_letters_digits_emoji_and_currency_are_content(text: str) -> None:
    assert found(left=[text], right=["other"], score=[1]) == {}


def test_a_condition_may_be_missing_but_not_blank() -> None:
    codes = found(left=["a", "b", "c"], right=["d", "e", "f"], score=[1, 2, 3], condition=[None, " ", "the colour"])
    assert codes["blank-texts"].count == 1


def test_identical_texts_below_four_fifths_of_the_scale_are_errors() -> None:
    # on 1..5, 80 % of the way up is 1 + 0.8 * 4 = 4.2: the pair at 4 is low, those at 4.2, 5 and without gold are not
    codes = found(
        left=["a cat", "b", "c", "d", "e"],
        right=["A  cat", "b", "c", "d", "f"],
        score=[4, 4.2, 5, None, 1],
        scale="1..5",
    )
    assert (codes["identical-texts-low"].count, codes["identical-texts-low"].severity) == (1, "error")
    assert "identical texts scored low" in codes["identical-texts-low"].message
    assert codes["identical-texts-low"].examples == ("1: 'a cat' | 'A  cat' = 4",)
    assert (codes["identical-texts"].count, codes["identical-texts"].severity) == (3, "note")


def test_two_blank_texts_are_blank_not_identical() -> None:
    assert set(found(left=["", "a"], right=["", "b"], score=[0, 1])) == {"blank-texts"}
