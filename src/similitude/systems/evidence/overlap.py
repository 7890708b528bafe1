"""Character overlap of two texts, in any language.

Texts are folded: case, white space and compatibility forms do not count. A gram is a character, a bigram or a trigram.
Its idf is learned from texts; see `GramFrequencies`. Ratios with a denominator of 0, because a text is blank or all its
grams occur in every text, are 1 if both texts are equal and 0 otherwise.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.data.protocols import Listener
from similitude.systems.encoders.pair_features import Comparisons
from similitude.systems.evidence.grams import GramFrequencies, Grams, bags_of, folded, grams_of, written_texts
from similitude.systems.pairwise import TextPairs, text_blocks
from similitude.systems.strings.bags import Shared, shared_entries, sums_by

__all__ = ["COMPARISONS", "LENGTHS", "overlap"]

Array = NDArray[np.float64]

COMPARISONS = (
    "cosine of characters",
    "cosine of characters and pairs",
    "cosine of pairs and triples",
    "characters shared, lower share",
    "characters shared, higher share",
    "characters shared, ln(1 + idf)",
    "rarest character shared",
    "pairs shared, lower share",
    "pairs shared, higher share",
    "pairs shared, ln(1 + idf)",
    "rarest pair shared",
    "Jaccard of characters",
    "Jaccard of pairs",
    "Jaccard of triples",
    "longest common subsequence",
    "partial ratio",
    "numbers and Latin words shared",
)
"""The names of the comparisons, in order."""

LENGTHS = ("shorter length", "longer length")
"""The names of the lengths: ln(1 + characters)."""

BLOCK_CHARACTERS = 500_000
"""Characters compared at a time: bounds memory to about 200 MB."""

PARTIAL_CHARACTERS = 256
"""Characters of a text that the partial ratio reads. Its time grows with the cube of the length: 12 s for two texts of
5,000.
"""

_RUN = re.compile(r"\d+|[a-z\u00df-\u00f6\u00f8-\u024f\u1e00-\u1eff]+")


def overlap(
    lefts: Sequence[str],
    rights: Sequence[str],
    frequencies: GramFrequencies,
    listener: Listener | None = None,
) -> Comparisons:
    """`COMPARISONS` and `LENGTHS` of each pair of texts.

    Cosines are of vectors of (1 + ln tf) * idf, where tf is the count of a gram in the text. Shares are the idf of the
    distinct grams in both texts, divided by the idf of those in one text: the lower and the higher of the two. The
    longest common subsequence is divided by the length of the longer text; the partial ratio is the similarity of the
    shorter text to the best matching part of the longer one, in the first 256 characters of each; for runs of digits
    and of Latin letters it is ln(1 + the number of distinct ones in both). All values are 0 or more, shares and ratios
    at most 1, and higher means more similar.

    Symmetric. The features of a pair do not depend on the other pairs, not even in their last bits.

    >>> frequencies = GramFrequencies.count(["ab", "ac"])  # idf: a ln(3/3), b and c ln(3/2)
    >>> overlap(["ab"], ["cb"], frequencies).values[0, 3:5].round(2)  # b of b, and b of c and b
    array([0.5, 1. ], dtype=float32)
    """
    parts = [np.empty((0, len(COMPARISONS) + len(LENGTHS)))]
    for block in text_blocks(lefts, rights, BLOCK_CHARACTERS):
        if listener is not None:
            listener.progress("comparing", block.start, len(lefts))
        parts.append(_block(_folded_pairs(lefts[block], rights[block]), frequencies))
    return Comparisons((*COMPARISONS, *LENGTHS), np.concatenate(parts).astype(np.float32))


def _folded_pairs(lefts: Sequence[str], rights: Sequence[str]) -> TextPairs:
    """The distinct folded texts, and the indices of each pair's two texts; the one that sorts first is left."""
    pairs = TextPairs.of(lefts, rights)
    left, right = pairs.columns([folded(text) for text in pairs.texts])
    return TextPairs.of(list(map(min, left, right)), list(map(max, left, right)))


def _block(pairs: TextPairs, frequencies: GramFrequencies) -> Array:
    written = written_texts(pairs.texts)
    one, two, three = (_Side(grams_of(written, n), n, pairs, frequencies) for n in (1, 2, 3))
    lengths = np.stack([written.lengths[pairs.left], written.lengths[pairs.right]])
    columns = [
        _cosines([one], pairs),
        _cosines([one, two], pairs),
        _cosines([two, three], pairs),
        *one.shared_idf(),
        *two.shared_idf(),
        *(side.jaccard() for side in (one, two, three)),
        *_sequences(pairs),
        _shared_runs(pairs),
        *np.log1p([lengths.min(axis=0), lengths.max(axis=0)]),
    ]
    return np.stack(columns, axis=1)


class _Products(NamedTuple):
    """Products of tf-idf vectors: of the two texts of each pair, and of each text with itself."""

    dots: Array
    squares: Array


class _Side:
    """N-grams of one size: what both texts of each pair contain."""

    def __init__(self, grams: Grams, n: int, pairs: TextPairs, frequencies: GramFrequencies) -> None:
        self.bags, self.pairs = grams.bags, pairs
        self.idf = frequencies.idf(grams.distinct, n)[grams.bags.grams]
        self.shared: Shared = shared_entries(grams.bags, pairs.left, pairs.right)

    def products(self) -> _Products:
        weights = (1 + np.log(self.bags.counts)) * self.idf
        dots = sums_by(self.shared.pair, weights[self.shared.left] * weights[self.shared.right], len(self.pairs.left))
        return _Products(dots, self.bags.sums(weights * weights))

    def shared_idf(self) -> tuple[Array, Array, Array, Array]:
        """Lower and higher share, ln(1 + idf), and the highest idf."""
        idf, count = self.idf[self.shared.left], len(self.pairs.left)
        both, totals = sums_by(self.shared.pair, idf, count), self.bags.sums(self.idf)
        shares = np.stack([_shares(both, totals[side], self.pairs) for side in (self.pairs.left, self.pairs.right)])
        rarest = np.zeros(count)
        np.maximum.at(rarest, self.shared.pair, idf)
        return shares.min(axis=0), shares.max(axis=0), np.log1p(both), rarest

    def jaccard(self) -> Array:
        both = np.bincount(self.shared.pair, minlength=len(self.pairs.left)).astype(np.float64)
        either = self.bags.sizes[self.pairs.left] + self.bags.sizes[self.pairs.right] - both
        return _shares(both, either, self.pairs)


def _cosines(sides: Sequence[_Side], pairs: TextPairs) -> Array:
    made = [side.products() for side in sides]
    dots = np.sum([part.dots for part in made], axis=0)
    squares = np.sum([part.squares for part in made], axis=0)
    # The root of the product: for equal texts it equals their dot product exactly.
    return np.minimum(_shares(dots, np.sqrt(squares[pairs.left] * squares[pairs.right]), pairs), 1.0)


def _shares(parts: Array, wholes: Array, pairs: TextPairs) -> Array:
    """Ratios; 1 or 0, by equality of the texts, where the denominator is 0."""
    same = (pairs.left == pairs.right).astype(np.float64)
    return np.asarray(np.divide(parts, wholes, out=same, where=wholes > 0))


def _sequences(pairs: TextPairs) -> tuple[Array, Array]:
    """Longest common subsequence and partial ratio, by rapidfuzz."""
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import LCSseq

    whole, beginnings = (pairs.columns([text[:end] for text in pairs.texts]) for end in (None, PARTIAL_CHARACTERS))
    longest = process.cpdist(*whole, scorer=LCSseq.normalized_similarity, dtype=np.float64)
    partial = process.cpdist(*beginnings, scorer=fuzz.partial_ratio, dtype=np.float64)
    return longest, partial / 100.0


def _shared_runs(pairs: TextPairs) -> Array:
    """ln(1 + the number of distinct runs of digits or Latin letters in both texts)."""
    seen: defaultdict[str, int] = defaultdict()
    seen.default_factory = seen.__len__
    runs = [_RUN.findall(text) for text in pairs.texts]
    owners = np.repeat(np.arange(len(runs)), [len(found) for found in runs])
    symbols = np.fromiter((seen[run] for found in runs for run in found), np.int64, len(owners))
    bags = bags_of(owners, symbols, len(runs), len(seen))
    shared = shared_entries(bags, pairs.left, pairs.right)
    return np.asarray(np.log1p(np.bincount(shared.pair, minlength=len(pairs.left))))
