"""Steps in words: counts, shares and the sentence above everything."""

import math

import pytest

from similitude.collect.candidates.steps import Step
from similitude.report.candidates.words import (
    conclusion,
    counted_kept,
    is_filter,
    kept_share,
    percent_text,
    reasons,
    seconds_text,
    shortened,
    value_text,
)


def step(name="cosine >= 0.4", of="pairs", before=10, after=4, **more) -> Step:
    return Step(name=name, of=of, before=before, after=after, **more)


def test_the_conclusion_counts_texts_pairs_filters_and_items(search):
    # 1000 pairs, of which three of four filters keep half: 1000 / 2 / 2 / 1 / 2 = 125, and a tenth is drawn
    assert conclusion(search().steps) == (
        "200 texts led to 12 items: 120 texts were kept, 1,000 pairs were made, 125 pairs passed 4 filters."
    )


def test_the_conclusion_names_the_step_that_kept_nothing(search):
    words = conclusion(search(filters=6).steps)
    assert words.startswith("200 texts led to no items:")
    assert words.endswith("'agreement(label1, label2, label3, label4, label5) < 1' kept none.")


def test_texts_are_not_counted_twice_if_all_are_kept():
    steps = [step("read", of="texts", before=5, after=5), step("pairs", before=5, after=8)]
    assert conclusion(steps) == "5 texts led to 8 pairs: 8 pairs were made."


def test_texts_that_are_made_of_dialogues_are_more_than_were_read():
    steps = [step("read", of="texts", before=5, after=5), step("dialogues", of="texts", before=5, after=30)]
    assert conclusion(steps) == "5 texts led to 30 texts: 30 texts were made of them."


def test_given_pairs_have_no_texts():
    pairs = [step("pairs", before=30, after=30, facts={"found by": {"given": 30}}), step(before=30, after=1)]
    assert conclusion(pairs) == "30 pairs led to 1 pair: 30 pairs were given, 1 pair passed 1 filter."
    assert conclusion([]) == "There are no steps."


def test_filters_are_told_from_stages():
    assert is_filter(step())
    assert not is_filter(step("pairs"))
    assert not is_filter(step("clean", of="texts"))


@pytest.mark.parametrize(
    ("one", "share"),
    [
        (step(), 0.4),
        (step(after=0), 0.0),
        (step(after=10), 1.0),
        (step(before=0, after=0), math.nan),
        (step("pairs", before=10, after=5), math.nan),
        (step("dialogues", of="texts", before=10, after=20), math.nan),
    ],
)
def test_the_share_that_was_kept(one, share):
    assert kept_share(one) == pytest.approx(share, nan_ok=True)


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.0, "0 %"),
        (0.0009, "< 0.1 %"),
        (0.001, "0.1 %"),
        (0.048, "4.8 %"),
        (0.1, "10 %"),
        (0.985, "98 %"),
        (0.991, "99.1 %"),
        (0.999, "99.9 %"),
        (0.9991, "> 99.9 %"),
        (1.0, "100 %"),
        (math.nan, ""),
    ],
)
def test_percentages_round_neither_to_nothing_nor_to_all(share, words):
    assert percent_text(share) == words


def test_counts_with_their_noun():
    assert counted_kept(step()) == "4 pairs, 40 %"
    assert counted_kept(step(after=1)) == "1 pair, 10 %"
    assert counted_kept(step("pairs", after=2000)) == "2,000 pairs"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.7, "1 min 0 s"),
        (61, "1 min 1 s"),
        (3600, "1 h 0 min"),
    ],
)
def test_times(seconds, words):
    assert seconds_text(seconds) == words


def test_the_most_frequent_reasons_stand_first_and_the_others_are_summed():
    losses = {"a": 1, "b": 5, "none": 0, "c": 3, "d": 2}
    assert reasons(losses) == "5 b; 3 c; 2 d; 1 for other reasons"
    assert reasons(losses, most=4) == "5 b; 3 c; 2 d; 1 a"
    assert reasons({}) == ""


@pytest.mark.parametrize(
    ("value", "words"),
    [(True, "yes"), (1234, "1,234"), (0.98731, "0.9873"), (120_000.0, "120,000"), (None, "none"), ("exact", "exact")],
)
def test_values(value, words):
    assert value_text(value) == words


def test_long_texts_are_cut_and_say_how_long_they_are():
    assert shortened("x" * 220) == "x" * 220
    assert shortened("x" * 2210) == "x" * 220 + " … (2,210 characters)"
