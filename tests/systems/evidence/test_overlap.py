"""What two texts share: by hand, against a plain count with sets, either way round, and blind to the other pairs."""

import math
from collections import Counter

import numpy as np
import pytest
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq

from similitude.systems.evidence import overlap as module
from similitude.systems.evidence.grams import GramFrequencies, folded, gram_texts
from similitude.systems.evidence.overlap import COMPARISONS, LENGTHS, overlap

# Of "ab" and "ac" (2 texts): a stands in 2, idf ln(3/3) = 0; b, c, ab and ac in 1, idf ln(3/2); all else in 0, ln 3.
TWO = GramFrequencies.count(["ab", "ac", "AB "])
ONCE, NEVER = math.log(3 / 2), math.log(3)

WORDS = ["red", "car", "hund", "strasse", "12", "3.5", "汽车", "我们", "去北京", "iPhone", "!", "ü"]


def compared(left, right, frequencies=TWO):
    found = overlap([left], [right], frequencies)
    return dict(zip(found.names, found.values[0].tolist(), strict=True))


def some_texts(count, seed=0):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, rng.integers(0, 7))) for _ in range(count)]


def test_document_frequencies_count_folded_texts_once():
    assert TWO.texts == 2
    assert gram_texts(TWO.characters).tolist() == ["a", "b", "c"]
    assert TWO.character_counts.tolist() == [2, 1, 1]
    assert gram_texts(TWO.pairs).tolist() == ["ab", "ac"]
    assert TWO.pair_counts.tolist() == [1, 1]


def test_characters_by_hand():
    # "abb": a 1, b 2, of weights 0 and (1 + ln 2) ONCE; "cbd": c, b, d, of weights ONCE, ONCE, NEVER. Only b is shared.
    numbers = compared("abb", "cbd")
    right = math.sqrt(2 * ONCE**2 + NEVER**2)
    assert numbers["cosine of characters"] == pytest.approx(ONCE / right)
    assert numbers["characters shared, higher share"] == pytest.approx(1)  # b is all that weighs anything in abb
    assert numbers["characters shared, lower share"] == pytest.approx(ONCE / (2 * ONCE + NEVER))
    assert numbers["characters shared, ln(1 + idf)"] == pytest.approx(math.log(1 + ONCE))
    assert numbers["rarest character shared"] == pytest.approx(ONCE)
    assert numbers["Jaccard of characters"] == pytest.approx(1 / 4)  # b of a, b, c, d
    # Pairs: ab (ONCE) and bb (NEVER); cb and bd (NEVER both). None is shared, but all are part of the lengths.
    of_b = 1 + math.log(2)
    lengths = math.sqrt((of_b**2 + 1) * ONCE**2 + NEVER**2) * math.sqrt(2 * ONCE**2 + 3 * NEVER**2)
    assert numbers["cosine of characters and pairs"] == pytest.approx(of_b * ONCE**2 / lengths)
    shared_pairs = [name for name in numbers if "pair" in name and "characters" not in name and "partial" not in name]
    assert [numbers[name] for name in shared_pairs] == [0] * len(shared_pairs)
    assert numbers["longest common subsequence"] == pytest.approx(1 / 3)  # b
    assert (numbers["shorter length"], numbers["longer length"]) == pytest.approx((math.log(4), math.log(4)))


def test_pairs_and_triples_by_hand():
    # "abc": ab (ONCE), bc (NEVER), and abc, as rare as bc; "abd": ab, bd and abd likewise. ab is shared.
    numbers = compared("abc", "abd")
    assert numbers["cosine of pairs and triples"] == pytest.approx(ONCE**2 / (ONCE**2 + 2 * NEVER**2))
    assert numbers["pairs shared, lower share"] == pytest.approx(ONCE / (ONCE + NEVER))
    assert numbers["pairs shared, higher share"] == pytest.approx(ONCE / (ONCE + NEVER))
    assert numbers["pairs shared, ln(1 + idf)"] == pytest.approx(math.log(1 + ONCE))
    assert numbers["rarest pair shared"] == pytest.approx(ONCE)
    assert numbers["Jaccard of pairs"] == pytest.approx(1 / 3)
    assert numbers["Jaccard of triples"] == 0


def test_a_triple_is_as_rare_as_its_rarer_pair():
    # Of 3 texts ab stands in 3, bc in 2, xy in 1: idf ln(4/4), ln(4/3), ln(4/2).
    counted = GramFrequencies.count(["ab", "abc", "abcxy"])
    codes = [((ord(a) << 21) + ord(b) << 21) + ord(c) for a, b, c in ("abc", "cxy", "cab")]
    # abc: bc; cxy: cx, in 1; cab: ca, in none.
    assert counted.idf(np.array(codes), 3) == pytest.approx([math.log(4 / 3), math.log(2), math.log(4)])


def test_runs_of_digits_and_letters():
    assert compared("买 iPhone １２ 与 5g", "iphone,12 和 12!")["numbers and Latin words shared"] == pytest.approx(
        math.log(3)  # iphone and 12
    )
    assert compared("我们 123", "我们 12")["numbers and Latin words shared"] == 0


def test_a_text_inside_the_other():
    assert compared("a red car", "car")["partial ratio"] == 1
    assert compared("car", "xyz")["partial ratio"] == 0


def test_long_texts_are_compared_in_no_time():
    rng = np.random.default_rng(0)
    left, right = ("".join(rng.choice(list("abcdefgh "), 6000)) for _ in range(2))
    numbers = compared(left, right)  # all of a partial ratio would take a quarter of a minute
    assert 0 < numbers["partial ratio"] < 1
    assert numbers["longer length"] > 8.6  # ln 6,000 = 8.70


def test_case_and_blanks_do_not_count():
    plain, other = compared("die strasse", "ein weg"), compared("  Die\t STRASSE\n", "EIN \0 weg")
    assert plain == other
    assert compared("a b", "ab")["Jaccard of characters"] == 1  # a blank is no character
    assert compared("a b", "ab")["Jaccard of pairs"] == 0  # but part of pairs: "a " and " b" against "ab"


@pytest.mark.parametrize("text", ["", "  ", "a", "ab", "aaaa", "x", "我", "\ud800", "a red car"])
def test_the_same_text_twice(text):
    numbers = compared(text, text)
    ones = [name for name in COMPARISONS if not any(part in name for part in ("idf", "rarest", "numbers"))]
    assert [numbers[name] for name in ones] == [1] * len(ones)


@pytest.mark.parametrize("other", ["a", "ab", "x", "我们"])
def test_a_blank_text_shares_nothing(other):
    numbers = compared("", other)
    assert [numbers[name] for name in COMPARISONS] == [0] * len(COMPARISONS)
    assert numbers["shorter length"] == 0


def test_texts_of_characters_that_every_text_holds():
    # a weighs nothing: what is undefined is 0 for different texts.
    numbers = compared("a", "aa")
    assert numbers["cosine of characters"] == 0
    assert numbers["Jaccard of characters"] == 1
    assert np.isfinite(list(numbers.values())).all()


def test_against_a_plain_count():
    lefts, rights = some_texts(60), some_texts(60, seed=1)
    counted = GramFrequencies.count(lefts)
    found = overlap(lefts, rights, counted)
    expected = [plain(left, right, lefts) for left, right in zip(lefts, rights, strict=True)]
    np.testing.assert_allclose(found.values, expected, rtol=2e-6, atol=1e-6)
    assert found.names == (*COMPARISONS, *LENGTHS)


def plain(left, right, collection):
    """The same by dictionaries and sets."""
    seen = {folded(text) for text in collection}
    a, b = sorted((folded(left), folded(right)))

    def grams(text, n):
        runs = [text[i : i + n] for i in range(len(text) - n + 1)] or [text] * bool(text)
        return Counter(gram for gram in runs if gram != " ")

    def idf(gram, n):
        if n == 3 and len(gram) == 3:
            return max(idf(gram[:2], 2), idf(gram[1:], 2))
        return math.log((1 + len(seen)) / (1 + sum(gram in grams(text, min(n, 2)) for text in seen)))

    def share(part, whole):
        return part / whole if whole else float(a == b)

    bags = {n: (grams(a, n), grams(b, n)) for n in (1, 2, 3)}
    rare = {n: {gram: idf(gram, n) for bag in bags[n] for gram in bag} for n in bags}

    def cosine(lengths):
        weights = [
            {(n, g): (1 + math.log(tf)) * rare[n][g] for n in lengths for g, tf in bags[n][side].items()}
            for side in (0, 1)
        ]
        dot = sum(weight * weights[1].get(key, 0) for key, weight in weights[0].items())
        return share(dot, math.prod(math.sqrt(sum(w * w for w in side.values())) for side in weights))

    numbers = [cosine([1]), cosine([1, 2]), cosine([2, 3])]
    for n in (1, 2):
        common = [rare[n][gram] for gram in bags[n][0].keys() & bags[n][1].keys()]
        shares = [share(sum(common), sum(rare[n][gram] for gram in bag)) for bag in bags[n]]
        numbers += [min(shares), max(shares), math.log1p(sum(common)), max(common, default=0)]
    for one, other in bags.values():
        numbers.append(share(len(one.keys() & other.keys()), len(one.keys() | other.keys())))
    numbers += [LCSseq.normalized_similarity(a, b), fuzz.partial_ratio(a, b) / 100]
    words = [set(module._RUN.findall(text)) for text in (a, b)]
    numbers.append(math.log1p(len(words[0] & words[1])))
    return [*numbers, math.log1p(min(len(a), len(b))), math.log1p(max(len(a), len(b)))]


def test_either_way_round_and_whatever_the_others(monkeypatch):
    lefts, rights = some_texts(80, seed=2), some_texts(80, seed=3)
    counted = GramFrequencies.count(lefts)
    whole = overlap(lefts, rights, counted).values
    np.testing.assert_array_equal(overlap(rights, lefts, counted).values, whole)
    for place in (0, 41, 79):
        np.testing.assert_array_equal(overlap([lefts[place]], [rights[place]], counted).values[0], whole[place])
    monkeypatch.setattr(module, "BLOCK_CHARACTERS", 100)
    np.testing.assert_array_equal(overlap(lefts, rights, counted).values, whole)
    assert overlap([], [], counted).values.shape == (0, whole.shape[1])


def test_back_from_arrays():
    counted = GramFrequencies.count([*some_texts(50), "x", "我", "\ud83d \U0001f600"])
    again = GramFrequencies.from_arrays(counted.texts, counted.arrays())
    lefts, rights = some_texts(30, seed=4), ["x", "我", "\U0001f600"] * 10
    np.testing.assert_array_equal(overlap(lefts, rights, again).values, overlap(lefts, rights, counted).values)
    assert {array.dtype.str for array in counted.arrays().values()} == {"<U2", "<i4"}


def test_counting_in_blocks(monkeypatch):
    from similitude.systems import pairwise

    texts = some_texts(60)
    whole = GramFrequencies.count(texts).arrays()
    monkeypatch.setattr(pairwise, "BLOCK_CHARACTERS", 40)
    for name, array in GramFrequencies.count(texts).arrays().items():
        np.testing.assert_array_equal(array, whole[name])


def test_progress_is_told(monkeypatch, hears):
    monkeypatch.setattr(module, "BLOCK_CHARACTERS", 4)
    overlap(["ab", "ab", "cd"], ["ac", "ad", "ce"], TWO, hears)
    assert not hears.notes
    assert hears.told == [("comparing", 0, 3), ("comparing", 1, 3), ("comparing", 2, 3)]
