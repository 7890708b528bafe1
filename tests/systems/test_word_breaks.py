import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from similitude.systems.strings.tokens import fold
from similitude.systems.strings.word_breaks import break_tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They've got it.", ["they've", "got", "it", "."]),
        ("the U.S. dollar", ["the", "u.s", ".", "dollar"]),  # a full stop within a word, then one after it
        ("a tech-loaded index", ["a", "tech-loaded", "index"]),
        ("-- dubbed", ["-", "-", "dubbed"]),
        ("up 1,615.02 points", ["up", "1,615.02", "points"]),
        ("$17 million, or 12%.", ["$17", "million", ",", "or", "12%", "."]),
        ("#1 of 5 & 6&", ["#1", "of", "5", "&", "6&"]),
        ("<.IXIC> climbed", ["<", ".", "ixic", ">", "climbed"]),
        ("the 31-year-old", ["the", "31", "-", "year-old"]),
        ("B2B and 3rd", ["b2b", "and", "3rd"]),
        ("snake_case", ["snake_case"]),
        ("日本語のテスト", ["日本語", "の", "テスト"]),  # kanji, hiragana, katakana
        ("Äpfel 😀!", ["äpfel", "😀", "!"]),
        ("हिन्दी", ["हिन्दी"]),
        ("", []),
        (" \n", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert break_tokens(text) == expected


def test_case_is_kept_where_asked() -> None:
    assert break_tokens("The End", lowercase=False) == ["The", "End"]


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab.-'\"_12,$%&# カひ日é\u0301"), max_size=20))
def test_nothing_but_blanks_is_lost(text: str) -> None:
    assert "".join(break_tokens(text)) == re.sub(r"\s", "", fold(text))
