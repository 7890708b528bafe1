import math

import numpy as np
import pytest
from rapidfuzz.distance import JaroWinkler
from sklearn.feature_extraction.text import TfidfVectorizer

from similitude.data.protocols import FitsTexts
from similitude.errors import ArgumentError
from similitude.systems import make_system
from similitude.systems.strings.term_weights import Frequencies
from similitude.systems.strings.tfidf import CharNgramTfidf, SoftTfidf, TfidfCosine
from similitude.systems.strings.tokens import words

TEXTS = ["the cat sat", "the dog sat", "a bird flew off", "the cats sat sat", "dogs bark", "a bird"]


def test_idf_by_hand() -> None:
    frequencies = Frequencies.count(["a a b", "a c", "c"])
    assert frequencies.idf("a") == pytest.approx(math.log(4 / 3) + 1)  # in 2 of 3 texts
    assert frequencies.idf("never seen") == pytest.approx(math.log(4) + 1)


def test_cosine_by_hand() -> None:
    # N = 2. idf a = 1; b, c, unseen z: ln(3/2) + 1 = u, and ln 3 + 1 = v. "a b b" = (1, 2u), "a z" = (1, v): dot 1
    u, v = math.log(3 / 2) + 1, math.log(3) + 1
    fitted = TfidfCosine().fit(["a b", "a c"])
    expected = 1 / math.sqrt((1 + 4 * u * u) * (1 + v * v))
    assert fitted.similarities(["a b b"], ["a z"]) == pytest.approx([expected])


def test_cosine_agrees_with_scikit_learn() -> None:
    vectors = TfidfVectorizer(tokenizer=words, token_pattern=None, lowercase=False).fit_transform(TEXTS).toarray()
    lefts, rights = np.divmod(np.arange(len(TEXTS) ** 2), len(TEXTS))
    scores = TfidfCosine().fit(TEXTS).similarities([TEXTS[i] for i in lefts], [TEXTS[j] for j in rights])
    np.testing.assert_allclose(scores, (vectors @ vectors.T).ravel(), atol=1e-12)


def test_soft_by_hand() -> None:
    # Nothing was seen: all idf are ln(1/1) + 1 = 1. "martha smith" = (1, 1)/√2, "marhta jones" likewise; martha and
    # marhta are 0.9611 alike, the others less than 0.9: 0.9611 / 2 either way
    expected = JaroWinkler.similarity("martha", "marhta") / 2
    assert SoftTfidf().fit([]).similarities(["Martha Smith"], ["Marhta Jones"]) == pytest.approx([expected])
    assert SoftTfidf(threshold=0.97).fit([]).similarities(["Martha Smith"], ["Marhta Jones"]) == [0.0]


def textbook_soft_tfidf(left: list[str], right: list[str], idf, threshold: float) -> float:
    """Cohen et al. (2003), section 2.3, with both directions averaged."""

    def weights(text: list[str]) -> dict[str, float]:
        raw = {word: text.count(word) * idf(word) for word in text}
        norm = math.sqrt(sum(weight**2 for weight in raw.values()))
        return {word: weight / norm for word, weight in raw.items()}

    def one_way(own: dict[str, float], other: dict[str, float]) -> float:
        total = 0.0
        for word, weight in own.items():
            closest = max(sorted(other), key=lambda candidate: JaroWinkler.similarity(word, candidate))
            likeness = JaroWinkler.similarity(word, closest)
            total += weight * other[closest] * likeness if likeness > threshold else 0.0
        return total

    left_weights, right_weights = weights(left), weights(right)
    return min((one_way(left_weights, right_weights) + one_way(right_weights, left_weights)) / 2, 1.0)


@pytest.mark.parametrize("threshold", [0.0, 0.6, 0.9])
def test_soft_agrees_with_the_textbook(threshold: float) -> None:
    fitted = SoftTfidf(threshold=threshold).fit(TEXTS)
    frequencies = Frequencies.count(TEXTS)
    pairs = [(left, right) for left in TEXTS for right in [*TEXTS, "unseen words cat"]]
    scores = fitted.similarities(*map(list, zip(*pairs, strict=True)))
    expected = [textbook_soft_tfidf(words(a), words(b), frequencies.idf, threshold) for a, b in pairs]
    np.testing.assert_allclose(scores, expected, atol=1e-12)


@pytest.mark.parametrize("system", [TfidfCosine(), SoftTfidf(threshold=0.8)])
def test_fitting_leaves_the_system_and_its_identity_alone(system) -> None:
    fitted = system.fit(TEXTS)
    assert isinstance(system, FitsTexts)
    assert system.frequencies is None
    assert fitted == system
    assert hash(fitted) == hash(system)
    assert fitted.identity == system.identity
    assert make_system(str(fitted.identity)) == system


@pytest.mark.parametrize("name", ["tfidf-cosine", "soft-tfidf"])
def test_unfitted_systems_say_so(name: str) -> None:
    with pytest.raises(ArgumentError, match=r"call fit\(texts\) first; similitude evaluate does so"):
        make_system(name).similarities(["a"], ["b"])


@pytest.mark.parametrize("threshold", [-0.1, 1.0, float("nan")])
def test_threshold_out_of_range(threshold: float) -> None:
    with pytest.raises(ArgumentError, match="threshold"):
        SoftTfidf(threshold=threshold)


def test_weights_of_cohen_by_hand() -> None:
    # N = 4: "a" in all (weight 0), cat in 1, dog in 2; unseen z counts as in 1. "a cat dog dog": cat ln 2 ln 4,
    # dog ln 3 ln 2; "dog z": dog ln 2 ln 2, z ln 2 ln 4
    fitted = TfidfCosine(weights="cohen").fit(["a cat", "a dog", "a dog", "a"])
    two, three, four = math.log(2), math.log(3), math.log(4)
    dot = three * two * two * two
    norms = math.sqrt(((two * four) ** 2 + (three * two) ** 2) * ((two * two) ** 2 + (two * four) ** 2))
    assert fitted.similarities(["a cat dog dog"], ["dog z"]) == pytest.approx([dot / norms])


def test_texts_whose_words_weigh_nothing() -> None:
    fitted = TfidfCosine(weights="cohen").fit(["the a", "a the"])
    scores = fitted.similarities(["the a", "the a", "the"], ["a the", "the", "unseen"])
    assert scores.tolist() == [1.0, 0.0, 0.0]


def test_one_direction_of_soft_tfidf_by_hand() -> None:
    # Nothing was seen: all words weigh ln 2. "martha martha's" (martha, martha, s) -> as words martha 2, s 1
    fitted = SoftTfidf(weights="cohen", of="left").fit([])
    alike = JaroWinkler.similarity("martha", "marhta")
    # left: martha finds marhta, smith nothing: alike / √(2 * 1); right: marhta finds martha, the same
    assert fitted.similarities(["martha smith"], ["marhta"]) == pytest.approx([alike / math.sqrt(2)])
    # martha and marhta of the left both find marhta: (alike + 1) / √2, more than 1, capped; right: 1 / √2
    assert fitted.similarities(["martha marhta"], ["marhta"]) == [1.0]
    right = SoftTfidf(weights="cohen", of="right").fit([])
    assert right.similarities(["martha marhta"], ["marhta"]) == pytest.approx([1 / math.sqrt(2)])


def test_char_ngrams_by_hand() -> None:
    # N = 3. "ab c" -> abc: ab, bc; "bc d" -> bcd: bc, cd; "de". df ab 1, bc 2, cd 1, de 1
    fitted = CharNgramTfidf(n=2).fit(["ab c", "bc d", "de"])
    rare, common = math.log(3), math.log(3 / 2)
    assert fitted.similarities(["ab c"], ["B-C, d!"]) == pytest.approx([common**2 / (rare**2 + common**2)])
    # unseen n-grams weigh nothing: xy of "abxy" (ab, bx, xy) does not count
    assert fitted.similarities(["abxy"], ["ab"]) == pytest.approx([1.0])


def test_the_values_of_the_test_of_dkpro() -> None:
    """CharacterNGramMeasureTest: .117 and .988, with idf values of its own; without g, "dog" is not in the texts."""
    idf = {"the": 0.01, "ick": 0.3, "fox": 2.5, "dog": 2.1, "laz": 0.28, "azy": 0.27}

    class Given:
        def plain_idf(self, term: str, unseen: int) -> float:
            return idf.get(term, 0.0)

    system = CharNgramTfidf(alphabet="dkpro", frequencies=Given())  # type: ignore[arg-type]
    left = ["The quick brown fox jumps over the lazy dog."] * 2
    scores = system.similarities(left, ["The quick brown dog jumps.", "The quick brown fox jumps."])
    assert scores == pytest.approx([0.117, 0.988], abs=1e-3)


@pytest.mark.parametrize(
    ("make", "remedy"),
    [
        (lambda: TfidfCosine(weights="x"), "smooth, cohen"),
        (lambda: SoftTfidf(weights="x"), "smooth, cohen"),
        (lambda: SoftTfidf(of="x"), "both, left, right"),
        (lambda: CharNgramTfidf(n=6), "from 2 to 5"),
        (lambda: CharNgramTfidf(alphabet="x"), "any, dkpro"),
    ],
)
def test_unknown_choices(make, remedy: str) -> None:
    with pytest.raises(ArgumentError, match=remedy):
        make()
