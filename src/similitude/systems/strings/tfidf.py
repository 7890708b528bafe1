"""Similarity weighted by the rarity of words or n-grams in the collection: tf-idf cosine and soft tf-idf.

All must be fitted on the collection's texts first (``fit``), so that the score of an item does not depend on the other
items. The fitted state is not part of a system's identity: a run is rebuilt by fitting again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import PairwiseSystem, TextPairs, settle_empty
from similitude.systems.strings.arguments import check, check_between, check_choice
from similitude.systems.strings.bags import Bags, ngram_bags, shared_entries, sums_by
from similitude.systems.strings.ngram_overlap import bag_cosines
from similitude.systems.strings.symbols import token_symbols
from similitude.systems.strings.term_weights import Frequencies, Weights, term_weights
from similitude.systems.strings.tokens import fold, words
from similitude.systems.strings.word_alignment import Matches, closest_words

__all__ = ["CharNgramTfidf", "SoftTfidf", "TfidfCosine"]

WordWeights = Literal["smooth", "cohen"]
Side = Literal["both", "left", "right"]
Alphabet = Literal["any", "dkpro"]

_DKPRO_ALPHABET = frozenset("abcdefhijklmnopqrstuvwxyz0123456789")
"""The characters that CharacterNGramMeasure keeps: its list has j where g belongs, so that no n-gram has a g."""

Fitted = TypeVar("Fitted", bound="_Tfidf")


@dataclass(frozen=True)
class _Tfidf(PairwiseSystem):
    """The base of all: fitting, and the weight of each term in each text."""

    frequencies: Frequencies | None = dataclasses.field(default=None, repr=False, compare=False, kw_only=True)

    def fit(self: Fitted, texts: Sequence[str]) -> Fitted:
        """A copy fitted on these texts; the original is unchanged."""
        return dataclasses.replace(self, frequencies=Frequencies.count(texts, self._terms))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts.

        Raises:
            ArgumentError: the system has not been fitted.
        """
        if self.frequencies is None:
            raise ArgumentError(
                f"'{self.name}' has not been fitted on the texts of the collection",
                remedy="call fit(texts) first; similitude evaluate does so automatically",
            )
        pairs = TextPairs.of(lefts, rights)
        symbols = token_symbols([self._terms(text) for text in pairs.texts])
        bags = ngram_bags(symbols, 1)
        weights = term_weights(self._weights, self.frequencies, symbols.names, bags.grams, bags.counts)
        scores = self._similarities(bags, weights, symbols.names, pairs)
        return scores if self._weights == "smooth" else _equal_without_weight(scores, bags, weights, pairs)

    @property
    def _weights(self) -> Weights:
        return "smooth"

    def _terms(self, text: str) -> list[str]:
        return words(text)

    def _similarities(
        self, bags: Bags, weights: NDArray[np.float64], names: Sequence[str], pairs: TextPairs
    ) -> NDArray[np.float64]:
        raise NotImplementedError


@SYSTEMS.register("tfidf-cosine", "tfidf")
@dataclass(frozen=True)
class TfidfCosine(_Tfidf):
    """Cosine of tf * idf over words, with tf the count in the text and idf = ln((1 + N) / (1 + df)) + 1.

    N is the number of texts in `fit`, and df the number of those with the word; an unseen word has df = 0. Range 0..1,
    symmetric. Two empty texts give 1, one empty text 0. Scoring before `fit` raises ArgumentError.

    ``weights="cohen"`` has tf = ln(count + 1) and idf = ln(N / df) instead, with df = 1 for unseen words, as Cohen et
    al. define it and SecondString computes it. A word of all texts weighs nothing; two texts of such words alone give 1
    if they have the same words, otherwise 0.

    Args:
        weights: "smooth" or "cohen".

    References:
        Salton and Buckley (1988), Term-weighting approaches in automatic text retrieval; idf smoothed as in
        scikit-learn.
        Cohen, Ravikumar and Fienberg (2003), A comparison of string distance metrics for name-matching tasks.

    >>> fitted = TfidfCosine().fit(["a cat", "a dog"])  # idf a = 1, cat = dog = ln(3/2) + 1 = 1.4055
    >>> fitted.similarities(["a cat"], ["a dog"]).round(4)  # 1 / (1 + 1.4055²)
    array([0.3361])
    """

    name: ClassVar[str] = "tfidf-cosine"
    summary: ClassVar[str] = "cosine of word counts, weighted by rarity"

    weights: WordWeights = "smooth"

    def __post_init__(self) -> None:
        check_choice(self.name, "weights", self.weights, get_args(WordWeights))

    @property
    def _weights(self) -> Weights:
        return self.weights

    def _similarities(
        self, bags: Bags, weights: NDArray[np.float64], names: Sequence[str], pairs: TextPairs
    ) -> NDArray[np.float64]:
        return bag_cosines(bags, weights, pairs)


@SYSTEMS.register("char-ngram-tfidf")
@dataclass(frozen=True)
class CharNgramTfidf(_Tfidf):
    """Cosine of idf = ln(N / df) over the distinct character n-grams of letters and digits.

    Blanks and punctuation are dropped, so that n-grams cross the ends of words. An n-gram counts once, however often it
    occurs; N is the number of texts in `fit`, df the number of those with the n-gram, and an unseen one weighs nothing.
    Range 0..1, symmetric. Two texts without letters and digits give 1, one 0; two texts whose n-grams all weigh nothing
    give 1 if they have the same ones, otherwise 0. Scoring before `fit` raises ArgumentError.

    It is CharacterNGramMeasure of DKPro Similarity, except for its alphabet, which has no g: ``alphabet="dkpro"`` keeps
    a to z without g and digits, as it does. DKPro's own experiments count a pair as one text of the collection.

    Args:
        n: characters per n-gram, 2 to 5.
        alphabet: the letters and digits that are kept, "any" or "dkpro".

    References:
        Barrón-Cedeño, Rosso, Agirre and Labaka (2010), Plagiarism detection across distant language pairs.

    >>> fitted = CharNgramTfidf(n=2).fit(["ab c", "bc d", "de"])  # idf ab = cd = de = ln 3, bc = ln(3/2)
    >>> fitted.similarities(["ab c"], ["bc d"]).round(4)  # bc² / (ln²3 + bc²)
    array([0.1199])
    """

    name: ClassVar[str] = "char-ngram-tfidf"
    summary: ClassVar[str] = "cosine of character n-grams of letters and digits, weighted by rarity"

    n: int = 3
    alphabet: Alphabet = "any"

    def __post_init__(self) -> None:
        check_between(self.name, "n", self.n, 2, 5)
        check_choice(self.name, "alphabet", self.alphabet, get_args(Alphabet))

    @property
    def _weights(self) -> Weights:
        return "binary"

    def _terms(self, text: str) -> list[str]:
        keep = str.isalnum if self.alphabet == "any" else _DKPRO_ALPHABET.__contains__
        kept = "".join(filter(keep, fold(text)))
        if len(kept) < self.n:
            return [kept] if kept else []
        return [kept[start : start + self.n] for start in range(len(kept) - self.n + 1)]

    def _similarities(
        self, bags: Bags, weights: NDArray[np.float64], names: Sequence[str], pairs: TextPairs
    ) -> NDArray[np.float64]:
        return bag_cosines(bags, weights, pairs)


@SYSTEMS.register("soft-tfidf")
@dataclass(frozen=True)
class SoftTfidf(_Tfidf):
    """tf-idf cosine in which words with nearly the same spelling match too.

    The direction left to right is Σ_w V(w, a) V(v, b) JW(w, v) over the words w of a whose closest word v in b has a
    Jaro-Winkler similarity JW above the threshold; V are the normalised tf-idf weights of `TfidfCosine`. It is not
    symmetric, so the similarity is the mean of both directions, capped at 1 (several words that resemble the same one
    would exceed it). Range 0..1, symmetric. Two empty texts give 1, one empty text 0. Scoring before `fit` raises
    ArgumentError.

    ``weights="cohen", of="left"`` is the definition of Cohen et al.: their weights, and one direction, not symmetric.

    Args:
        threshold: words match only above this similarity; from 0 up to, not including, 1.
        weights: "smooth" or "cohen", as in `TfidfCosine`.
        of: the text whose words are looked for in the other, "both", "left" or "right".

    References:
        Cohen, Ravikumar and Fienberg (2003), A comparison of string distance metrics for name-matching tasks.

    >>> fitted = SoftTfidf().fit(["Martha", "Marhta", "Smith"])  # all equally rare, so only JW = 0.9611 remains
    >>> fitted.similarities(["Martha"], ["Marhta"]).round(4)
    array([0.9611])
    """

    name: ClassVar[str] = "soft-tfidf"
    summary: ClassVar[str] = "tf-idf cosine in which words with nearly the same spelling match"

    threshold: float = 0.9
    weights: WordWeights = "smooth"
    of: Side = "both"

    def __post_init__(self) -> None:
        check(0.0 <= self.threshold < 1.0, self.name, "threshold", self.threshold, "from 0 up to, not including, 1")
        check_choice(self.name, "weights", self.weights, get_args(WordWeights))
        check_choice(self.name, "of", self.of, get_args(Side))

    @property
    def _weights(self) -> Weights:
        return self.weights

    def _similarities(
        self, bags: Bags, weights: NDArray[np.float64], names: Sequence[str], pairs: TextPairs
    ) -> NDArray[np.float64]:
        left_way, right_way = closest_words(bags, names, pairs, cutoff=self.threshold)
        left, right = self._dots(left_way, weights, pairs), self._dots(right_way, weights, pairs)
        dots = {"both": (left + right) / 2.0, "left": left, "right": right}[self.of]
        squares = bags.sums(weights * weights)
        norms = np.sqrt(squares[pairs.left] * squares[pairs.right])
        cosines = np.divide(dots, norms, out=np.zeros_like(norms), where=norms > 0)
        return settle_empty(np.minimum(cosines, 1.0), bags.sizes[pairs.left], bags.sizes[pairs.right])

    def _dots(self, matches: Matches, weights: NDArray[np.float64], pairs: TextPairs) -> NDArray[np.float64]:
        close = np.where(matches.similarity > self.threshold, matches.similarity, 0.0)
        # The product of weights first: for equal texts, where close is 1, it equals the square in the norm exactly.
        terms = weights[matches.entry] * weights[matches.partner] * close
        return sums_by(matches.pair, terms, len(pairs.left))


def _equal_without_weight(
    scores: NDArray[np.float64], bags: Bags, weights: NDArray[np.float64], pairs: TextPairs
) -> NDArray[np.float64]:
    """1 for pairs of texts with the same terms, none of which weighs anything."""
    total = bags.sums(weights)
    weightless = (total[pairs.left] == 0.0) & (total[pairs.right] == 0.0)
    if not weightless.any():
        return scores
    shared = np.bincount(shared_entries(bags, pairs.left, pairs.right).pair, minlength=len(scores))
    same = (shared == bags.sizes[pairs.left]) & (shared == bags.sizes[pairs.right])
    return np.where(weightless & same, 1.0, scores)
