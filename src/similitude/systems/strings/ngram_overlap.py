"""Similarity by shared n-grams: Jaccard, containment, cosine.

A text shorter than n has one n-gram, itself: two such texts give 1 if they are equal and 0 otherwise, and 0 against a
longer text. With ``short="nothing"`` it has none, as in DKPro Similarity, and gives 0 against every text, itself too.

DKPro Similarity compares the tokens of ``tokens="break-iterator"``, where punctuation marks are tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import PairwiseSystem, TextPairs, settle_empty
from similitude.systems.strings.arguments import TOKENS, Tokens, Unit, check_between, check_choice
from similitude.systems.strings.bags import Bags, ngram_bags, shared_entries, sums_by
from similitude.systems.strings.symbols import read_symbols

__all__ = ["CharNgramCosine", "CharNgramJaccard", "WordNgramContainment", "WordNgramJaccard"]

Side = Literal["smaller", "left", "right"]
Short = Literal["whole", "nothing"]


class _Overlap(NamedTuple):
    """Number of distinct grams per pair: in both texts, in the left one, in the right one."""

    both: NDArray[np.int64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]


@dataclass(frozen=True)
class _NgramSystem(PairwiseSystem):
    """A system that compares n-grams of words or of characters."""

    unit: ClassVar[Unit]
    sizes: ClassVar[tuple[int, int]]
    """The smallest and the largest n."""

    n: int

    def __post_init__(self) -> None:
        check_between(self.name, "n", self.n, *self.sizes)

    def _bags(self, pairs: TextPairs) -> Bags:
        return ngram_bags(read_symbols(pairs.texts, self.unit), self.n)

    def _settled(self, similarities: NDArray[np.float64], overlap: _Overlap) -> NDArray[np.float64]:
        return settle_empty(similarities, overlap.left, overlap.right)

    def _overlap(self, lefts: Sequence[str], rights: Sequence[str]) -> _Overlap:
        pairs = TextPairs.of(lefts, rights)
        bags = self._bags(pairs)
        shared = shared_entries(bags, pairs.left, pairs.right)
        both = np.bincount(shared.pair, minlength=len(lefts))
        return _Overlap(both, bags.sizes[pairs.left], bags.sizes[pairs.right])


@dataclass(frozen=True)
class _WordNgrams(_NgramSystem):
    unit: ClassVar[Unit] = "word"
    sizes: ClassVar[tuple[int, int]] = (1, 5)

    n: int = 1
    tokens: Tokens = field(default="words", kw_only=True)
    lowercase: bool = field(default=True, kw_only=True)
    short: Short = field(default="whole", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "tokens", self.tokens, TOKENS)
        check_choice(self.name, "short", self.short, get_args(Short))

    def _bags(self, pairs: TextPairs) -> Bags:
        symbols = read_symbols(pairs.texts, self.unit, lowercase=self.lowercase, tokens=self.tokens)
        return ngram_bags(symbols, self.n, short_texts=self.short == "whole")

    def _settled(self, similarities: NDArray[np.float64], overlap: _Overlap) -> NDArray[np.float64]:
        """Without short texts, two texts without n-grams have nothing in common, like one."""
        return similarities if self.short == "nothing" else super()._settled(similarities, overlap)


@dataclass(frozen=True)
class _CharNgrams(_NgramSystem):
    unit: ClassVar[Unit] = "character"
    sizes: ClassVar[tuple[int, int]] = (2, 5)

    n: int = 3


@SYSTEMS.register("word-ngram-jaccard", "jaccard")
@dataclass(frozen=True)
class WordNgramJaccard(_WordNgrams):
    """|A ∩ B| / |A ∪ B| over the sets of word n-grams.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0. ``tokens="break-iterator", short="nothing"`` is
    WordNGramJaccardMeasure of DKPro Similarity (its default n is 3).

    Args:
        n: words per n-gram, 1 to 5.
        tokens: "words", or "break-iterator" for tokens as in Java, where punctuation marks are tokens.
        lowercase: whether to ignore case.
        short: what a text of fewer than n words has: "whole" for one n-gram, itself, or "nothing".

    References:
        Lyon, Malcolm and Dickerson (2001), Detecting short passages of similar text in large document collections.

    >>> WordNgramJaccard().similarities(["the cat sat"], ["the cat ran off"])  # the, cat of 5 words: 2/5
    array([0.4])
    """

    name: ClassVar[str] = "word-ngram-jaccard"
    summary: ClassVar[str] = "word n-grams in both texts / word n-grams in either"

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        overlap = self._overlap(lefts, rights)
        return self._settled(_jaccard(overlap), overlap)


@SYSTEMS.register("char-ngram-jaccard")
@dataclass(frozen=True)
class CharNgramJaccard(_CharNgrams):
    """|A ∩ B| / |A ∪ B| over the sets of character n-grams, blanks included.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0.

    Args:
        n: characters per n-gram, 2 to 5.

    References:
        Jaccard (1912), The distribution of the flora in the alpine zone.

    >>> CharNgramJaccard(n=2).similarities(["night"], ["nacht"]).round(4)  # ht of ni ig gh ht na ac ch: 1/7
    array([0.1429])
    """

    name: ClassVar[str] = "char-ngram-jaccard"
    summary: ClassVar[str] = "character n-grams in both texts / character n-grams in either"

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        overlap = self._overlap(lefts, rights)
        return self._settled(_jaccard(overlap), overlap)


@SYSTEMS.register("word-ngram-containment", "containment")
@dataclass(frozen=True)
class WordNgramContainment(_WordNgrams):
    """|A ∩ B| / min(|A|, |B|) over the sets of word n-grams: how much of one text the other contains.

    Broder's containment is directed, |A ∩ B| / |A| for A in B. Similarity is not, so by default the smaller set is the
    contained one (the overlap coefficient), which is symmetric. ``of="left"`` is Broder's containment of the left text
    in the right one; ``of="right"`` is the reverse. Range 0..1. Two empty texts give 1, one empty text 0.
    ``of="left", tokens="break-iterator", short="nothing"`` is WordNGramContainmentMeasure of DKPro Similarity (its
    default n is 3).

    Args:
        n: words per n-gram, 1 to 5.
        of: the text that is looked for in the other, "smaller", "left" or "right".
        tokens: "words", or "break-iterator" for tokens as in Java, where punctuation marks are tokens.
        lowercase: whether to ignore case.
        short: what a text of fewer than n words has: "whole" for one n-gram, itself, or "nothing".

    References:
        Broder (1997), On the resemblance and containment of documents.

    >>> WordNgramContainment().similarities(["the cat sat"], ["the cat ran off"]).round(4)  # the, cat of 3: 2/3
    array([0.6667])
    """

    name: ClassVar[str] = "word-ngram-containment"
    summary: ClassVar[str] = "word n-grams in both texts / word n-grams in the smaller"

    of: Side = "smaller"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.name, "of", self.of, get_args(Side))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        overlap = self._overlap(lefts, rights)
        sizes = {"left": overlap.left, "right": overlap.right, "smaller": np.minimum(overlap.left, overlap.right)}
        return self._settled(overlap.both / np.maximum(sizes[self.of], 1), overlap)


@SYSTEMS.register("char-ngram-cosine")
@dataclass(frozen=True)
class CharNgramCosine(_CharNgrams):
    """Cosine of character n-gram counts, blanks included.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0.

    Args:
        n: characters per n-gram, 2 to 5.

    References:
        Damashek (1995), Gauging similarity with n-grams: language-independent categorization of text.

    >>> CharNgramCosine(n=2).similarities(["banana"], ["ban"]).round(4)  # ba an na = (1,2,2), (1,1,0): 3 / (3 * √2)
    array([0.7071])
    """

    name: ClassVar[str] = "char-ngram-cosine"
    summary: ClassVar[str] = "cosine of character n-gram counts"

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        pairs = TextPairs.of(lefts, rights)
        bags = self._bags(pairs)
        return bag_cosines(bags, bags.counts.astype(np.float64), pairs)


def bag_cosines(bags: Bags, weights: NDArray[np.float64], pairs: TextPairs) -> NDArray[np.float64]:
    """Cosine of the two bags of each pair, with one weight per entry; exactly 1 for equal bags."""
    shared = shared_entries(bags, pairs.left, pairs.right)
    dots = sums_by(shared.pair, weights[shared.left] * weights[shared.right], len(pairs.left))
    squares = bags.sums(weights * weights)
    # The root of the product, not the product of roots: for equal bags it equals the dot product exactly.
    norms = np.sqrt(squares[pairs.left] * squares[pairs.right])
    cosines = np.divide(dots, norms, out=np.zeros_like(dots), where=norms > 0)
    return settle_empty(np.minimum(cosines, 1.0), bags.sizes[pairs.left], bags.sizes[pairs.right])


def _jaccard(overlap: _Overlap) -> NDArray[np.float64]:
    either = overlap.left + overlap.right - overlap.both
    shares: NDArray[np.float64] = overlap.both / np.maximum(either, 1)
    return shares
