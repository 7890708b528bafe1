"""Monge-Elkan: mean similarity of each word to the closest word of the other text, or alignment of the whole texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import PairwiseSystem, TextPairs, settle_empty
from similitude.systems.strings.affine_alignment import Gaps, alignment_similarities
from similitude.systems.strings.arguments import check_choice
from similitude.systems.strings.bags import Bags, ngram_bags, sums_by
from similitude.systems.strings.symbols import read_symbols
from similitude.systems.strings.tokens import fold
from similitude.systems.strings.word_alignment import INNER, Inner, Matches, closest_words

__all__ = ["MongeElkan"]

Definition = Literal["words", "alignment", "second-string"]
Side = Literal["both", "left", "right"]

_GAPS: dict[Definition, Gaps] = {"alignment": "both", "second-string": "left"}


@SYSTEMS.register("monge-elkan")
@dataclass(frozen=True)
class MongeElkan(PairwiseSystem):
    """Mean similarity of each word to the closest word of the other text, averaged over both directions.

    The direction left to right is 1/|a| Σ_i max_j inner(a_i, b_j). It is not symmetric, so the similarity is the mean
    of both directions; ``of="left"`` is that direction alone, as Monge and Elkan define it. A word that occurs twice
    counts twice. Range 0..1, symmetric with ``of="both"``. Two empty texts give 1, one empty text 0.

    Monge and Elkan compare two words by a local alignment of their characters with affine gaps, ``inner="alignment"``
    (`affine_alignment`). The library SecondString calls this alignment itself "MongeElkan", and DKPro Similarity
    computes it on whole texts, where it differs in kind: ``definition="alignment"``. Its program has a slip by which
    only characters of the left text may be skipped; ``definition="second-string"`` (whole texts, as in the published
    features of DKPro's MongeElkanSecondStringComparator) and ``inner="second-string"`` (words) do as it does, and are
    not symmetric. Neither looks at ``inner`` or ``of`` when the definition is not "words".

    Args:
        inner: the similarity of two words, "jaro-winkler", "jaro", "levenshtein", "alignment" or "second-string".
        of: the text whose words are looked for in the other, "both", "left" or "right".
        definition: "words", or "alignment" or "second-string" for an alignment of the whole texts.

    References:
        Monge and Elkan (1996), The field matching problem: algorithms and applications.
        Cohen, Ravikumar and Fienberg (2003), A comparison of string distance metrics for name-matching tasks.

    >>> exact = MongeElkan(inner="levenshtein")  # cat: 1; hat: best is cat, 2/3. Left 5/6, right 1
    >>> exact.similarities(["cat hat"], ["cat"]).round(4)
    array([0.9167])
    >>> whole = MongeElkan(definition="second-string")  # ten characters are the same, n and m alike: (10 * 5 + 3) / 55
    >>> whole.similarities(["test String"], ["test Strimg"]).round(4)
    array([0.9636])
    """

    name: ClassVar[str] = "monge-elkan"
    summary: ClassVar[str] = "mean similarity of each word to the closest word of the other text"

    inner: Inner = "jaro-winkler"
    of: Side = "both"
    definition: Definition = "words"

    def __post_init__(self) -> None:
        check_choice(self.name, "inner", self.inner, INNER)
        check_choice(self.name, "of", self.of, get_args(Side))
        check_choice(self.name, "definition", self.definition, get_args(Definition))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        pairs = TextPairs.of(lefts, rights)
        if self.definition in _GAPS:
            folded = [fold(text) for text in pairs.texts]
            return alignment_similarities(folded, pairs.left, pairs.right, _GAPS[self.definition])
        return self._by_words(pairs)

    def _by_words(self, pairs: TextPairs) -> NDArray[np.float64]:
        symbols = read_symbols(pairs.texts, "word")
        bags = ngram_bags(symbols, 1)
        left_way, right_way = closest_words(bags, symbols.names, pairs, self.inner)
        left_lengths, right_lengths = symbols.lengths[pairs.left], symbols.lengths[pairs.right]
        left, right = _mean(bags, left_way, left_lengths), _mean(bags, right_way, right_lengths)
        means = {"both": (left + right) / 2.0, "left": left, "right": right}
        return settle_empty(means[self.of], left_lengths, right_lengths)


def _mean(bags: Bags, matches: Matches, lengths: NDArray[np.int64]) -> NDArray[np.float64]:
    """Mean similarity of the words of each text, weighted by their counts."""
    terms = matches.similarity * bags.counts[matches.entry]
    return sums_by(matches.pair, terms, len(lengths)) / np.maximum(lengths, 1)
