import math

import pytest

from similitude.errors import ArgumentError
from similitude.systems.strings.word_cosine import WordCosine


def test_by_hand() -> None:
    # test 2, string 1 and string 1, test 1, other 1: dot 3, norms √5 and √3
    pair = ["test string test"], ["string test other"]
    assert WordCosine().similarities(*pair) == pytest.approx([3 / math.sqrt(15)])
    # both words of the left are among the three of the right: 2 / √(2 * 3)
    assert WordCosine("binary").similarities(*pair) == pytest.approx([2 / math.sqrt(6)])
    # test counts 1 + ln 2 = t: (t + 1) / √((t² + 1) * 3)
    t = 1 + math.log(2)
    assert WordCosine("log").similarities(*pair) == pytest.approx([(t + 1) / math.sqrt((t * t + 1) * 3)])


@pytest.mark.parametrize(
    ("weights", "left", "right", "expected"),
    [
        ("binary", "test String1", "test String2", 0.5),
        ("binary", "This is my string", "That should be your string", 0.2236),
        ("counts", "test String1 test", "string2 test", 0.6324),
        ("counts", "1 3 4 5 6 7 8 9 3 10 7 11 .", "2 3 12 13 5 3 7 11 14 15 3 7 .", 0.688033),
        ("counts", "", "", 1.0),
    ],
)
def test_values_of_the_tests_of_dkpro(weights, left: str, right: str, expected: float) -> None:
    """CosineSimilarityTest: tfBinaryL2, tfFrequencyL1L2, test and emptyListTest."""
    system = WordCosine(weights, tokens="break-iterator", lowercase=False)
    assert system.similarities([left], [right]) == pytest.approx([expected], abs=1e-4)


def test_punctuation_counts_only_with_its_tokens() -> None:
    assert WordCosine().similarities(["good!"], ["good"]) == [1.0]
    assert WordCosine(tokens="break-iterator").similarities(["good!"], ["good"]) == pytest.approx([1 / math.sqrt(2)])


@pytest.mark.parametrize(
    ("wrong", "choices"), [({"weights": "idf"}, "counts, binary, log"), ({"tokens": "x"}, "words")]
)
def test_unknown_choices(wrong: dict[str, str], choices: str) -> None:
    with pytest.raises(ArgumentError, match=choices):
        WordCosine(**wrong)  # type: ignore[arg-type]
