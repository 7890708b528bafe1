"""Similarity weighted by the rarity of words in the collection: tf-idf cosine and soft tf-idf.

Both must be fitted on the collection's texts first (``fit``), so that the score of an item does not depend on the other
items. The fitted state is not part of a system's identity: a run is rebuilt by fitting again.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from similitude.errors import ArgumentError
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import PairwiseSystem, TextPairs, settle_empty
from similitude.systems.strings.arguments import check
from similitude.systems.strings.bags import Bags, ngram_bags, sums_by
from similitude.systems.strings.ngram_overlap import bag_cosines
from similitude.systems.strings.symbols import read_symbols
from similitude.systems.strings.tokens import words
from similitude.systems.strings.word_alignment import Matches, closest_words

__all__ = ["SoftTfidf", "TfidfCosine", "WordFrequencies"]


@dataclass(frozen=True, slots=True)
class WordFrequencies:
    """Document frequencies of words: the number of texts of a collection that contain each."""

    texts: int
    of_word: Mapping[str, int]

    @classmethod
    def count(cls, texts: Sequence[str]) -> WordFrequencies:
        """Count the texts that contain each word."""
        return cls(len(texts), Counter(word for text in texts for word in set(words(text))))

    def idf(self, word: str) -> float:
        """Inverse document frequency ln((1 + N) / (1 + df)) + 1; the smoothing keeps unseen words defined.

        >>> WordFrequencies.count(["a cat", "a dog"]).idf("a")  # ln(3/3) + 1
        1.0
        """
        return float(np.log((1 + self.texts) / (1 + self.of_word.get(word, 0)))) + 1.0


Fitted = TypeVar("Fitted", bound="_Tfidf")


@dataclass(frozen=True)
class _Tfidf(PairwiseSystem):
    """The base of both systems: fitting, and the tf-idf weight of each word in each text."""

    frequencies: WordFrequencies | None = dataclasses.field(default=None, repr=False, compare=False, kw_only=True)

    def fit(self: Fitted, texts: Sequence[str]) -> Fitted:
        """A copy fitted on these texts; the original is unchanged."""
        return dataclasses.replace(self, frequencies=WordFrequencies.count(texts))

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
        symbols = read_symbols(pairs.texts, "word")
        bags = ngram_bags(symbols, 1)
        idf = np.array([self.frequencies.idf(name) for name in symbols.names])
        return self._similarities(bags, bags.counts * idf[bags.grams], symbols.names, pairs)

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

    References:
        Salton and Buckley (1988), Term-weighting approaches in automatic text retrieval; idf smoothed as in
        scikit-learn.

    >>> fitted = TfidfCosine().fit(["a cat", "a dog"])  # idf a = 1, cat = dog = ln(3/2) + 1 = 1.4055
    >>> fitted.similarities(["a cat"], ["a dog"]).round(4)  # 1 / (1 + 1.4055²)
    array([0.3361])
    """

    name: ClassVar[str] = "tfidf-cosine"
    summary: ClassVar[str] = "cosine of word counts, weighted by rarity"

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

    Args:
        threshold: words match only above this similarity; from 0 up to, not including, 1.

    References:
        Cohen, Ravikumar and Fienberg (2003), A comparison of string distance metrics for name-matching tasks.

    >>> fitted = SoftTfidf().fit(["Martha", "Marhta", "Smith"])  # all equally rare, so only JW = 0.9611 remains
    >>> fitted.similarities(["Martha"], ["Marhta"]).round(4)
    array([0.9611])
    """

    name: ClassVar[str] = "soft-tfidf"
    summary: ClassVar[str] = "tf-idf cosine in which words with nearly the same spelling match"

    threshold: float = 0.9

    def __post_init__(self) -> None:
        check(0.0 <= self.threshold < 1.0, self.name, "threshold", self.threshold, "from 0 up to, not including, 1")

    def _similarities(
        self, bags: Bags, weights: NDArray[np.float64], names: Sequence[str], pairs: TextPairs
    ) -> NDArray[np.float64]:
        left_way, right_way = closest_words(bags, names, pairs, cutoff=self.threshold)
        both_ways = self._dots(left_way, weights, pairs) + self._dots(right_way, weights, pairs)
        squares = bags.sums(weights * weights)
        norms = np.sqrt(squares[pairs.left] * squares[pairs.right])
        cosines = np.divide(both_ways / 2.0, norms, out=np.zeros_like(norms), where=norms > 0)
        return settle_empty(np.minimum(cosines, 1.0), bags.sizes[pairs.left], bags.sizes[pairs.right])

    def _dots(self, matches: Matches, weights: NDArray[np.float64], pairs: TextPairs) -> NDArray[np.float64]:
        close = np.where(matches.similarity > self.threshold, matches.similarity, 0.0)
        # The product of weights first: for equal texts, where close is 1, it equals the square in the norm exactly.
        terms = weights[matches.entry] * weights[matches.partner] * close
        return sums_by(matches.pair, terms, len(pairs.left))
