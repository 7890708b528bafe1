"""What filters do to pairs: the criteria of the papers, losses, border examples, distributions, sums over shards."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest
from candidate_pairs import FixedScorer, block_of, described

from similitude.collect.candidates.features import DescribedPairs, TextProperties
from similitude.collect.candidates.filters import (
    FilterTally,
    Names,
    filter_steps,
    filtered,
    make_filters,
    needs,
    sum_tallies,
)
from similitude.collect.candidates.filters.histogram import Histogram, NameCounts, distribution
from similitude.collect.candidates.pairs import PairBlock
from similitude.data.texts import Texts
from similitude.errors import ArgumentError

COCO = ("iou <= 0.12", "cosine >= 0.4", "length_ratio >= 0.7", "chars >= 50")
FLICKR = ("iou <= 0.2", "cosine >= 0.4", "length_ratio >= 0.7", "chars >= 48")


def filtered_block(block, filters, scorer=None):
    return filtered(described(block, filters, scorer), filters)


def steps_of(block, written, names=None, scorer=None):
    filters = make_filters(written, names)
    return filter_steps(filters, filtered_block(block, filters, scorer).tallies, block.texts)


def words(prefix, count):
    """So many different words, all of them content words."""
    return " ".join(f"{prefix}{number:02d}" for number in range(count))


def at_cosine(*cosines):
    """Unit vectors: the left ones along the first axis, the right ones at these cosines to them."""
    right = [[cosine, math.sqrt(1 - cosine**2)] for cosine in cosines]
    return np.array([[1.0, 0.0]] * len(right) + right, dtype=np.float32)


PAIRS = {
    # name: left, right, cosine. Words of three letters; n words have 4 n - 1 characters.
    # 14 words each, 3 shared: 3 / 25 = 0.12, the border of COCO; 55 characters; ratio 1
    "at iou 0.12": (words("a", 14), f"{words('a', 3)} {words('b', 11)}", 0.4),
    # 12 words each, 4 shared: 4 / 20 = 0.2, the border of Flickr30K; 47 characters, one more makes 48
    "at iou 0.2": (words("a", 12) + ".", f"{words('a', 4)} {words('b', 8)}.", 0.4),
    # 11 words each, 4 shared: 4 / 18 = 0.22
    "beyond iou 0.2": (words("a", 18), f"{words('a', 7)} {words('b', 11)}", 0.9),
    "below cosine 0.4": (words("a", 14), words("b", 14), 0.399),
    # 20 words and 14: 0.7; 20 and 13: 0.65
    "at ratio 0.7": (words("a", 20), words("b", 14), 0.4),
    "below ratio 0.7": (words("a", 20), words("b", 13), 0.4),
    # 12 words have 47 characters: + 3 is 50, + 2 is 49, + 1 is 48
    "at 50 characters": (words("a", 12) + "...", words("b", 14), 0.4),
    "at 49 characters": (words("a", 12) + "..", words("b", 14), 0.4),
    "at 48 characters": (words("a", 12) + ".", words("b", 14), 0.4),
    "at 47 characters": (words("a", 12), words("b", 14), 0.4),
}


@pytest.mark.parametrize(
    ("criteria", "kept"),
    [
        (COCO, ["at iou 0.12", "at ratio 0.7", "at 50 characters"]),
        (
            FLICKR,
            ["at iou 0.12", "at iou 0.2", "at ratio 0.7", "at 50 characters", "at 49 characters", "at 48 characters"],
        ),
    ],
)
def test_the_criteria_of_table_6(criteria, kept):
    lefts, rights, cosines = zip(*PAIRS.values(), strict=True)
    names = np.array(list(PAIRS), dtype=object)
    block = block_of(lefts, rights, vectors=at_cosine(*cosines), columns={"name": names})
    assert filtered_block(block, make_filters(criteria)).pairs.columns["name"].tolist() == kept


def test_the_three_criteria_of_usts():
    # mu / 5 of "five": 0.8, 0.75, 0.8, 0.8; 1 - L2 of vectors at 60 degrees: 0.5. Sigma is mu / 10.
    scorer = FixedScorer()
    scorer.ranges["unsure"] = scorer.ranges["five"]
    lefts = [words("a", count) for count in (12, 12, 11, 12)]
    rights = [f"{words('b', 13)} {mu}" for mu in (4, 3.75, 4, 3.74)]
    written = ["disagreement(unsure, l2) >= 0.25", "sigma(unsure) >= 0.375", "words >= 12"]
    filters = make_filters(written, Names(scorer=scorer))
    block = block_of(lefts, rights, vectors=at_cosine(*[0.5] * 4), columns={"place": np.arange(4)})
    found = filtered_block(block, filters, scorer)
    # the last: 0.748 - 0.5 < 0.25; the third: 11 words
    assert [tally.after for tally in found.tallies] == [3, 3, 2]
    assert found.pairs.columns["place"].tolist() == [0, 1]
    assert scorer.calls == ["unsure"]


def test_xnli_and_paws_as_usts_takes_them():
    columns = {
        "label1": np.array(list("ee"), object),
        "label2": np.array(list("en"), object),
        "label": np.array([0, 0]),
    }
    names = Names(pair_columns=tuple(columns))
    block = block_of(["one two three", "one two"], ["one two four", "one two"], columns=columns)
    xnli = make_filters("agreement(label1, label2) < 1", names)
    assert filtered_block(block, xnli).pairs.left.tolist() == [1]
    paws = make_filters(["label == 0", "word_overlap >= 0.75"], names)  # (2 + 1) / (3 + 1), and (2 + 1) / (2 + 1)
    assert filtered_block(block, paws).pairs.left.tolist() == [0, 1]


def lengths_block(counts):
    """Pairs whose shorter text has as many characters."""
    return block_of(["x" * count for count in counts], ["y" * 99 for _ in counts])


def test_a_step_says_what_was_dropped_and_shows_both_sides_of_the_border():
    (step,) = steps_of(lengths_block([3, 8, 10, 12, 30]), "chars >= 10")
    assert (step.name, step.of, step.before, step.after) == ("chars >= 10", "pairs", 5, 3)
    assert step.losses == {"chars < 10": 2}
    assert [(len(one.left), one.value, one.is_kept) for one in step.examples] == [
        (10, 10.0, True),
        (12, 12.0, True),
        (30, 30.0, True),
        (8, 8.0, False),
        (3, 3.0, False),
    ]
    assert all(one.right == "y" * 99 for one in step.examples)


def test_five_examples_are_kept_on_each_side():
    (step,) = steps_of(lengths_block(range(1, 41)), "chars >= 21")
    assert [one.value for one in step.examples] == [21, 22, 23, 24, 25, 20, 19, 18, 17, 16]


def test_every_border_of_a_filter_has_its_examples_and_losses():
    (step,) = steps_of(lengths_block([1, 9, 10, 20, 21, 70]), "10 <= chars <= 20")
    assert step.losses == {"chars < 10": 2, "chars > 20": 2}
    assert [(one.value, one.is_kept) for one in step.examples] == [
        (10, True),
        (9, False),
        (1, False),
        (20, True),
        (21, False),
        (70, False),
    ]
    assert [one.border for one in step.examples] == ["chars >= 10"] * 3 + ["chars <= 20"] * 3


def test_the_only_border_of_a_filter_needs_no_name():
    (step,) = steps_of(lengths_block([1, 9, 10]), "chars >= 10")
    assert {one.border for one in step.examples} == {""}


def test_pairs_that_fail_twice_are_lost_to_the_larger_failure():
    # "cat": iou 1 is beyond 0.5 by half its range, 3 characters are below 4 by a quarter of 4
    block = block_of(["cat", "dog", "fine day"], ["cat", "day", "other night"])
    (step,) = steps_of(block, "chars >= 4 and iou <= 0.5")
    assert step.losses == {"chars < 4": 1, "iou > 0.5": 1}
    assert [(one.left, one.value) for one in step.examples if not one.is_kept] == [("dog", 3.0), ("cat", 1.0)]


def test_pairs_that_pass_twice_are_examples_of_the_nearer_border():
    # both hold: 7 characters are above 4 by three quarters of 4; iou 1 / 3 is below 0.5 by a sixth, so iou decides
    block = block_of(["cat dog"], ["cat bird"])
    (step,) = steps_of(block, "chars >= 4 and iou <= 0.5")
    assert [one.value for one in step.examples] == [pytest.approx(1 / 3)]


def test_under_not_a_loss_is_what_holds():
    block = block_of(["cat", "cat", "the"], ["cat", "dog", "of"])
    (step,) = steps_of(block, "not (iou > 0.5)")
    assert step.losses == {"iou > 0.5": 1, "iou is undefined: neither text has words other than stop words": 1}
    assert (step.before, step.after) == (3, 1)


def test_losses_of_bare_features():
    columns = {"source": ["a", "b", "a", "a"]}
    assert steps_of(block_of("xy", "zw", **columns), "same(source)")[0].losses == {"not same(source)": 1}
    assert steps_of(block_of("xy", "zw", **columns), "not same(source)")[0].losses == {"same(source)": 1}


def test_two_features_that_are_compared_are_both_shown():
    (step,) = steps_of(block_of(["one two", "a"], ["three", "b c"]), "words(of=left) > words(of=right)")
    assert [(one.value, one.is_kept) for one in step.examples] == [("2.0 and 1.0", True), ("1.0 and 2.0", False)]
    assert step.losses == {"words(of=left) <= words(of=right)": 1}


def test_names_have_examples_and_distributions():
    block = block_of("abc", "def", language=["de", "en", "de", "de", "en", "en"])
    (step,) = steps_of(block, "language == de")
    assert step.losses == {"language != 'de'": 2}
    assert {(one.value, one.is_kept) for one in step.examples} == {("de", True), ("en", False), ("de+en", False)}
    (found,) = step.distributions
    assert (found.name, found.edges, found.before, found.after) == (
        "language",
        ("de", "de+en", "en"),
        (1, 1, 1),
        (1, 0, 0),
    )


def test_filters_are_applied_one_after_the_other():
    steps = steps_of(lengths_block([5, 15, 25]), ["chars >= 10", "chars <= 20"])
    assert [(step.before, step.after) for step in steps] == [(3, 2), (2, 1)]
    assert sum(steps[1].distributions[0].before) == 2


def test_a_feature_is_computed_only_of_what_passed_before():
    scorer = FixedScorer()
    seen = []
    scorer.predictions = lambda written, items, ask=scorer.predictions: (seen.append(len(items)), ask(written, items))[
        1
    ]
    filters = make_filters(["chars(of=left) >= 2", "five >= 1"], Names(scorer=scorer))
    found = filtered_block(block_of(["a", "bb", "cc"], ["x 1", "x 2", "x 0"]), filters, scorer)
    assert seen == [2]
    assert found.pairs.left.tolist() == [1]
    assert found.pairs.columns["five"].tolist() == [2.0]
    assert found.pairs.columns["chars(of=left)"].tolist() == [2.0]


def test_given_columns_pass_through_as_they_are():
    columns = {"label": np.array([3, 4], np.int8), "note": np.array(["x", None], object)}
    filters = make_filters("label == 4", Names(pair_columns=("label", "note")))
    found = filtered_block(block_of("ab", "cd", columns=columns), filters).pairs
    assert found.columns["label"].dtype == np.int8
    assert found.columns["note"].tolist() == [None]


def test_a_filter_that_keeps_nothing_says_what_it_saw():
    with pytest.raises(ArgumentError) as raised:
        steps_of(lengths_block([3, 8, 10, 12]), ["chars >= 2", "chars >= 50"])
    assert str(raised.value) == (
        "filter 'chars >= 50': keeps none of the 4 pairs that came to it; it saw chars: 3 to 12, half of them up to 8; "
        "loosen it, or leave it out (--filter, or keep in [filters])"
    )


def test_a_filter_that_keeps_nothing_because_nothing_is_defined():
    with pytest.raises(ArgumentError, match=r"it saw language: en \(1\), 1 undefined; loosen"):
        steps_of(block_of("ab", "cd", language=["en", None, "en", "de"]), "language == de")


def test_no_pairs_are_no_error():
    (step,) = steps_of(lengths_block([]), "chars >= 2")
    assert (step.before, step.after, step.examples) == (0, 0, ())


WORDS = ("man", "dog", "cat", "plays", "the", "a", "in", "guitar", "house", "red", "blue", "runs", "eats", "3", "not")
WRITTEN = (
    "stratum != random",
    "0.1 <= cosine <= 0.8 or iou < 0.05",
    "iou <= 0.3 and not word_overlap < 0.1",
    "length_ratio >= 0.5",
    "chars >= 20 or negations(of=most) > 0",
)


def random_block(pairs=3000, seed=0):
    rng = np.random.default_rng(seed)
    texts = Texts.from_list([" ".join(rng.choice(WORDS, rng.integers(1, 12))) for _ in range(200)])
    vectors = rng.standard_normal((200, 8)).astype(np.float32) + 0.5
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    left, right = rng.integers(0, 200, (2, pairs))
    return PairBlock(texts, left, right, rng.integers(0, 4, pairs).astype(np.uint8), vectors)


@pytest.mark.parametrize("size", [1, 97, 1000])
def test_what_leaves_does_not_depend_on_shards(size):
    block, filters = random_block(60 if size == 1 else 3000), make_filters(WRITTEN)
    properties = TextProperties.of(block.texts, needs(filters).properties)
    whole = filtered(DescribedPairs(block, properties), filters)
    cut = [block.take(np.arange(at, min(at + size, len(block)))) for at in range(0, len(block), size)]
    parts = [filtered(DescribedPairs(part, properties), filters) for part in cut]
    for name, column in whole.pairs.columns.items():
        np.testing.assert_array_equal(np.concatenate([part.pairs.columns[name] for part in parts]), column)
    np.testing.assert_array_equal(np.concatenate([part.pairs.left for part in parts]), whole.pairs.left)
    # Sums in another order, after a way through JSON.
    shuffled = [parts[at] for at in np.random.default_rng(1).permutation(len(parts))]
    sums = [
        sum_tallies([FilterTally.from_record(json.loads(json.dumps(part.tallies[at].record()))) for part in shuffled])
        for at in range(len(filters))
    ]
    expected, found = (filter_steps(filters, tallies, block.texts) for tallies in (whole.tallies, sums))
    assert [dataclasses.replace(step, seconds=0) for step in found] == [
        dataclasses.replace(step, seconds=0) for step in expected
    ]
    assert size == 1 or all(0 < step.after < step.before for step in found)


def test_of_many_pairs_at_the_same_distance_not_only_the_first_are_shown():
    (step,) = steps_of(random_block(), "iou <= 0.5")
    assert len({one.left for one in step.examples}) > 5


def test_a_histogram_counts_every_value_once():
    found = Histogram.of(np.array([0.0, 0.05, 0.1, 0.1, 1.0, np.nan]))
    shown = distribution("x", found, Histogram.of(np.array([0.1])))
    assert shown.edges[:4] == (0.0, 0.05, 0.1, 0.15)
    assert shown.edges[-1] == 1.0
    assert shown.before == (1, 1, 2, *[0] * 16, 1)  # the last bin holds its upper end
    assert shown.after == (0, 0, 1, *[0] * 17)
    assert (found.undefined, found.low, found.high) == (1, 0.0, 1.0)


@pytest.mark.parametrize("scale", [1e-4, 1.0, 37.0, 1e6, 1e11])
def test_histograms_of_any_range_add_up(scale):
    rng = np.random.default_rng(0)
    values = rng.normal(size=1000) * scale
    whole = Histogram.of(values)
    summed = sum((Histogram.of(part) for part in np.array_split(values, 37)), Histogram.of(np.zeros(0)))
    assert whole.record() == summed.record()
    assert whole.total == 1000
    assert len(whole.counts) <= 4097
    shown = distribution("x", whole, Histogram.of(np.zeros(0)))
    assert sum(shown.before) == 1000
    assert sum(shown.after) == 0
    assert 8 <= len(shown.before) <= 22
    inside, _ = np.histogram(values, shown.edges)
    if scale >= 1:
        assert list(shown.before) == inside.tolist()
    assert whole.quantile(0.5) == pytest.approx(np.median(values), abs=2 * whole.width + 1e-2 * scale)


def test_a_histogram_of_one_value():
    shown = distribution("x", Histogram.of(np.array([3.0, 3.0])), Histogram.of(np.array([3.0])))
    assert (sum(shown.before), sum(shown.after), len(shown.before)) == (2, 1, 1)
    assert shown.edges[0] <= 3 < shown.edges[1]


def test_a_histogram_of_nothing():
    nothing = Histogram.of(np.array([np.nan]))
    assert distribution("x", nothing, nothing).before == ()
    assert Histogram.from_record(json.loads(json.dumps(nothing.record()))).undefined == 1


def test_rare_names_are_counted_together():
    names = {f"n{number:02d}": 30 - number for number in range(25)}
    shown = distribution("source", NameCounts(names, 0), NameCounts({"n00": 1, "n24": 2}, 0))
    assert shown.edges == (*[f"n{number:02d}" for number in range(20)], "others")
    assert shown.before[-1] == 10 + 9 + 8 + 7 + 6
    assert (shown.after[0], shown.after[-1]) == (1, 2)


def test_undefined_values_add_up():
    numbers = Histogram.of(np.array([np.nan, 1.0])) + Histogram.of(np.array([np.nan, np.nan]))
    assert (numbers.undefined, numbers.total) == (3, 1)
    names = NameCounts({"a": 1}, 2) + NameCounts({"a": 2, "b": 1}, 3)
    assert (names.names, names.undefined) == ({"a": 3, "b": 1}, 5)


def test_values_that_differ_in_the_sixth_decimal_have_bins_of_their_own():
    assert Histogram.of(np.array([0.000001, 0.000002, 0.000002])).counts.tolist() == [1, 2]


def test_the_most_frequent_names_are_told_first():
    languages = ["en", "en", "fr", "it", "es", "pt", "nl", "en", "en", "fr", "it", "es", "pt", "nl"]
    with pytest.raises(
        ArgumentError, match=r"language: en \(2\), es \(1\), fr \(1\), it \(1\), nl \(1\) and 1 more; loosen"
    ):
        steps_of(block_of("abcdefg", "hijklmn", language=languages), "language == de")


def test_what_was_compared_is_kept_under_its_written_name():
    names = Names(pair_columns=("words", "label"))
    filters = make_filters(["column(words) == 7", "label == 1"], names)
    columns = {"words": np.array([7]), "label": np.array([1])}
    found = filtered_block(block_of(["one two"], ["three"], columns=columns), filters).pairs
    assert list(found.columns) == ["words", "label", "column(words)"]
