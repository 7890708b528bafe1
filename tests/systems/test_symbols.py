import numpy as np
import pytest

from similitude.errors import ArgumentError
from similitude.systems.strings.symbols import Symbols, read_symbols, spell


def test_symbols_number_the_sorted_words() -> None:
    # sorted: be 1, not 2, or 3, to 4
    symbols = read_symbols(["To be or", "", "not to be"], "word")
    assert symbols.flat.tolist() == [4, 1, 3, 2, 4, 1]
    assert symbols.lengths.tolist() == [3, 0, 3]


def test_symbols_number_the_sorted_characters() -> None:
    symbols = read_symbols(["ba", "你a"], "character")  # a 1, b 2, 你 3
    assert symbols.flat.tolist() == [2, 1, 3, 1]
    assert symbols.names == ["", "a", "b", "你"]


@pytest.mark.parametrize("unit", ["word", "character"])
def test_no_texts_and_blank_texts(unit) -> None:
    assert read_symbols([], unit).lengths.tolist() == []
    assert spell(read_symbols(["", " "], unit)) == ["", ""]


def test_spelling_has_one_character_a_word_and_equal_words_share_it() -> None:
    one, other = spell(read_symbols(["to be or not to be", "be not"], "word"))
    assert len(one) == 6
    assert one[0] == one[4]
    assert other == one[1] + one[3]


def test_spelling_survives_the_surrogate_range() -> None:
    numbers = [f"w{i:05}" for i in range(0xE100)]
    (spelt,) = spell(read_symbols([" ".join(numbers)], "word"))
    assert len(set(spelt)) == len(numbers)


def test_too_many_words_to_spell() -> None:
    with pytest.raises(ArgumentError, match="fewer or shorter"):
        spell(Symbols(np.empty(0, np.int64), np.empty(0, np.int64), [""] * (0x110000 + 1)))
