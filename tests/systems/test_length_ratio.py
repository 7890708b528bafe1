import pytest

from similitude.errors import ArgumentError
from similitude.systems.strings.length_ratio import LengthRatio


def test_by_hand() -> None:
    # "one two" has 7 characters and 2 words, "three" 5 and 1
    assert LengthRatio().similarities(["one two"], ["three"]) == pytest.approx([5 / 7])
    assert LengthRatio("word").similarities(["one two"], ["three"]) == pytest.approx([1 / 2])


def test_unknown_unit() -> None:
    with pytest.raises(ArgumentError, match="character, word"):
        LengthRatio(unit="byte")  # type: ignore[arg-type]
