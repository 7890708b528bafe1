"""Monge-Elkan: mean similarity of each word to the closest word of the other text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import PairwiseSystem, TextPairs, settle_empty
from similitude.systems.strings.arguments import check_choice
from similitude.systems.strings.bags import Bags, ngram_bags, sums_by
from similitude.systems.strings.symbols import read_symbols
from similitude.systems.strings.word_alignment import INNER, Inner, Matches, closest_words

__all__ = ["MongeElkan"]


@SYSTEMS.register("monge-elkan")
@dataclass(frozen=True)
class MongeElkan(PairwiseSystem):
    """Mean similarity of each word to the closest word of the other text, averaged over both directions.

    The direction left to right is 1/|a| Σ_i max_j inner(a_i, b_j). It is not symmetric, so the similarity is the mean
    of both directions. A word that occurs twice counts twice. Range 0..1, symmetric. Two empty texts give 1, one empty
    text 0.

    Args:
        inner: the similarity of two words, "jaro-winkler", "jaro" or "levenshtein".

    References:
        Monge and Elkan (1996), The field matching problem: algorithms and applications.

    >>> exact = MongeElkan(inner="levenshtein")  # cat: 1; hat: best is cat, 2/3. Left 5/6, right 1
    >>> exact.similarities(["cat hat"], ["cat"]).round(4)
    array([0.9167])
    """

    name: ClassVar[str] = "monge-elkan"
    summary: ClassVar[str] = "mean similarity of each word to the closest word of the other text"

    inner: Inner = "jaro-winkler"

    def __post_init__(self) -> None:
        check_choice(self.name, "inner", self.inner, list(INNER))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        pairs = TextPairs.of(lefts, rights)
        symbols = read_symbols(pairs.texts, "word")
        bags = ngram_bags(symbols, 1)
        left_way, right_way = closest_words(bags, symbols.names, pairs, self.inner)
        left_lengths, right_lengths = symbols.lengths[pairs.left], symbols.lengths[pairs.right]
        means = _mean(bags, left_way, left_lengths) + _mean(bags, right_way, right_lengths)
        return settle_empty(means / 2.0, left_lengths, right_lengths)


def _mean(bags: Bags, matches: Matches, lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean similarity of the words of each text, weighted by their counts."""
    terms = matches.similarity * bags.counts[matches.entry]
    return sums_by(matches.pair, terms, len(lengths)) / np.maximum(lengths, 1)
