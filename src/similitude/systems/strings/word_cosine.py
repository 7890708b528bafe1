"""Cosine of word vectors without a collection: counts, their logarithms, or whether a word occurs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import PairwiseSystem, TextPairs
from similitude.systems.strings.arguments import TOKENS, Tokens, check_choice
from similitude.systems.strings.bags import ngram_bags
from similitude.systems.strings.ngram_overlap import bag_cosines
from similitude.systems.strings.symbols import read_symbols

__all__ = ["WordCosine"]

Weights = Literal["counts", "binary", "log"]


@SYSTEMS.register("word-cosine")
@dataclass(frozen=True)
class WordCosine(PairwiseSystem):
    """Cosine of the word counts of two texts.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0. ``weights="binary"`` on words is the baseline of
    the SemEval tasks on semantic textual similarity; ``tokens="break-iterator", lowercase=False`` is CosineSimilarity
    of DKPro Similarity on its tokens.

    Args:
        weights: what a word counts: "counts" for how often it occurs, "log" for 1 + ln(count), "binary" for 1.
        tokens: "words", or "break-iterator" for tokens as in Java, where punctuation marks are tokens.
        lowercase: whether to ignore case.

    References:
        Salton and McGill (1983), Introduction to modern information retrieval.
        Agirre, Cer, Diab and Gonzalez-Agirre (2012), SemEval-2012 task 6: a pilot on semantic textual similarity.

    >>> WordCosine().similarities(["one test two test"], ["three test"]).round(4)  # 2 / √((1 + 4 + 1) * 2)
    array([0.5774])
    """

    name: ClassVar[str] = "word-cosine"
    summary: ClassVar[str] = "cosine of word counts"

    weights: Weights = "counts"
    tokens: Tokens = "words"
    lowercase: bool = True

    def __post_init__(self) -> None:
        check_choice(self.name, "weights", self.weights, get_args(Weights))
        check_choice(self.name, "tokens", self.tokens, TOKENS)

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        pairs = TextPairs.of(lefts, rights)
        symbols = read_symbols(pairs.texts, "word", lowercase=self.lowercase, tokens=self.tokens)
        bags = ngram_bags(symbols, 1)
        counts = bags.counts.astype(np.float64)
        weights = {"counts": counts, "binary": np.ones_like(counts), "log": 1.0 + np.log(counts)}
        return bag_cosines(bags, weights[self.weights], pairs)
