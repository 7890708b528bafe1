"""Word overlap: USTS, equation 1, and the paper's Table 10."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import similitude as sim
from similitude.inspect.words import overlap_tokens, word_overlap, word_overlaps

WORDS = st.lists(st.sampled_from("abcd"), max_size=8)


def test_repetitions_count_on_the_first_side_only():
    # a, a and b of the first are in the second: (3 + 1) / (4 + 1).
    assert word_overlap(list("aabc"), list("abd")) == pytest.approx(4 / 5)
    # The other way round a and b: (2 + 1) / (4 + 1).
    assert word_overlap(list("abd"), list("aabc")) == pytest.approx(3 / 5)


def test_the_ends_of_the_range():
    assert word_overlap([], []) == 1.0
    assert word_overlap(["a"], []) == 0.5
    assert word_overlap(list("abc"), list("abc")) == 1.0
    assert word_overlap(list("abc"), list("xyz")) == 0.25


@given(WORDS, WORDS)
def test_overlap_is_a_share_and_order_does_not_matter(first, second):
    assert 0 < word_overlap(first, second) <= 1
    assert word_overlap(sorted(first), second[::-1]) == word_overlap(first, second)


def test_english_keeps_case_and_punctuation_and_chinese_takes_every_word():
    assert overlap_tokens("A man, a dog.", "en") == ["A", "man,", "a", "dog."]
    assert overlap_tokens("北京清华大学", "zh") == ["北京", "清华", "清华大学", "华大", "大学"]
    assert overlap_tokens("北京 大学", "zh", whitespace=True) == ["北京", "大学"]


def test_the_language_of_each_item_decides():
    mixed = sim.Benchmark.from_columns(left=["我们学习"] * 2, right=["他们学习"] * 2, language=["zh-CN", None])
    # Chinese: 我们 学习 and 他们 学习 have one of two words in common: (1 + 1) / (2 + 1).
    # Without a language each text is one token, and these differ: (0 + 1) / (1 + 1).
    assert word_overlaps(mixed.items) == pytest.approx([2 / 3, 1 / 2])


def test_table_10_of_usts(evidence):
    pairs = sim.read(evidence / "usts" / "usts_multilingual_case_study_examples.json.bz2")
    table = pairs.frame.select("language", "source", overlap=word_overlaps(pairs.items))
    printed = {("zh", "usts-u"): 0.42, ("zh", "usts-c"): 0.45, ("en", "usts-u"): 0.40, ("en", "usts-c"): 0.43}
    for (language, source), rows in table.group_by("language", "source"):
        assert round(rows["overlap"].mean(), 2) == printed.pop((language, source))
    assert not printed
    both = {language: round(rows["overlap"].mean(), 2) for (language,), rows in table.group_by("language")}
    assert both == {"zh": 0.44, "en": 0.41}
