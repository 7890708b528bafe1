"""RTTR and MTLD: values worked by hand, invariances, and what the peer gave."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from similitude.errors import ArgumentError
from similitude.inspect.words import mtld, plain_words, richness, rttr
from similitude.samples import read_sample

PEER = json.loads((Path(__file__).parents[1] / "reference" / "lexicalrichness.json").read_text(encoding="utf-8"))
WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=60)


def test_rttr_by_hand():
    assert rttr(["the", "cat", "sees", "the", "cat"]) == pytest.approx(3 / math.sqrt(5))
    assert rttr(list("abcd")) == 2.0


def test_mtld_of_whole_factors_by_hand():
    # a b a: ratios 1, 1, 2/3 <= 0.72: a factor; then c d c likewise: 2 factors in 6 words. Backward the same.
    assert mtld(list("abacdc")) == 3.0


def test_mtld_with_a_part_of_a_factor_by_hand():
    # Forward: a b a is a factor, then c d with ratio 1 adds nothing: 5 words / 1 factor = 5.
    # Backward: d c a b a: ratios 1, 1, 1, 1, 4/5, above 0.72 to the end: (1 - 0.8) / (1 - 0.72) = 5/7 of a factor,
    # 5 / (5/7) = 7. Mean of 5 and 7.
    assert mtld(list("abacd")) == pytest.approx(6.0)


def test_mtld_with_another_threshold_by_hand():
    # At 0.5: a a: ratio 1/2 ends a factor; a b a b: 1, 1, 2/3, 1/2 ends another. Forward 6 / 2 = 3.
    # Backward b a b a | a a: 4 words, then 2: the same.
    assert mtld(list("aaabab"), threshold=0.5) == 3.0


def test_a_text_without_repetition_has_its_length_as_mtld():
    assert mtld(list("abcde")) == 5.0
    assert mtld(["a"]) == 1.0


def test_without_words_nothing_is_defined():
    assert all(math.isnan(value) for value in richness([]))


@pytest.mark.parametrize("threshold", [0, 1, 1.2, -0.1, math.nan])
def test_a_threshold_that_is_none_is_refused(threshold):
    with pytest.raises(ArgumentError, match="threshold"):
        mtld(["a"], threshold)


@given(WORDS)
def test_names_of_words_and_reading_direction_do_not_matter(words):
    assert richness([word.upper() for word in words]) == richness(words)
    assert mtld(words[::-1]) == pytest.approx(mtld(words))
    assert rttr(sorted(words)) == rttr(words)


def test_both_are_what_lexicalrichness_gives():
    for case in PEER["richness"]:
        words = list(case["words"])
        assert rttr(words) == pytest.approx(case["rttr"], abs=1e-12)
        ours = [mtld(words, threshold) for threshold in PEER["thresholds"]]
        assert ours == pytest.approx(case["mtld"], abs=1e-12), case["words"]


@pytest.mark.parametrize("part", PEER["samples"])
def test_real_texts_are_measured_as_lexicalrichness_does(part):
    theirs = PEER["samples"][part]
    text = " ".join(read_sample(part).items.texts())
    assert richness(plain_words(text)) == pytest.approx((theirs["rttr"], theirs["mtld"]))
