"""Character n-grams as integer codes, and their document frequencies.

A gram of up to three characters is one integer, its code, with 21 bits per character. So the code of a gram, and with
it the order of summation, never depends on the other texts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from similitude.systems.pairwise import text_blocks
from similitude.systems.strings.bags import Bags, positions_within
from similitude.systems.strings.tokens import fold

__all__ = ["CodedTexts", "GramFrequencies", "Grams", "bags_of", "folded", "gram_texts", "grams_of", "written_texts"]

Codes = NDArray[np.int64]

_BITS = 21
_LAST = (1 << _BITS) - 1
_BLANK = ord(" ")


class CodedTexts(NamedTuple):
    """Texts as concatenated code points.

    Attributes:
        points: the code points of the first text, then of the second, and so on.
        lengths: the number of code points of each text.
    """

    points: Codes
    lengths: Codes


class Grams(NamedTuple):
    """The n-grams of several texts.

    Attributes:
        bags: which text contains which gram, and how often.
        distinct: the distinct codes, ascending; a gram in `bags` is an index into them.
    """

    bags: Bags
    distinct: Codes


def written_texts(texts: Sequence[str]) -> CodedTexts:
    """Encode folded texts as code points."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
    return CodedTexts(points, np.fromiter(map(len, texts), np.int64, len(texts)))


def folded(text: str) -> str:
    """Fold a text as `similitude.systems.strings.tokens.fold` does; NUL becomes a blank.

    >>> folded(" Die  STRASSE")
    'die strasse'
    """
    return fold(text.replace("\0", " "))


def grams_of(written: CodedTexts, n: int) -> Grams:
    """The character n-grams of each text, for n from 1 to 3.

    Blanks are not unigrams. A text shorter than n, unless empty, has one gram: itself.

    >>> grams = grams_of(written_texts(["abab", "a"]), 2)
    >>> grams.bags.counts, gram_texts(grams.distinct[grams.bags.grams])
    (array([2, 1, 1]), array(['ab', 'ba', 'a'], dtype='<U2'))
    """
    points, lengths = _without_blanks(written) if n == 1 else written
    each = np.where(lengths > 0, np.maximum(lengths - n + 1, 1), 0)
    owners = np.repeat(np.arange(len(lengths)), each)
    first = np.repeat(np.cumsum(lengths) - lengths, each) + positions_within(each)
    ends = np.cumsum(lengths)[owners]
    filled = np.append(points, np.zeros(n, np.int64))
    codes = np.zeros(len(owners), np.int64)
    for step in range(n):
        codes = codes << _BITS | np.where(first + step < ends, filled[first + step], 0)
    distinct, ranks = np.unique(codes, return_inverse=True)
    return Grams(bags_of(owners, ranks, len(lengths), len(distinct)), distinct)


def bags_of(owners: Codes, symbols: Codes, texts: int, span: int) -> Bags:
    """Bags of symbols 0 .. span - 1, each with the index of the text that contains it.

    >>> bags_of(np.array([0, 0, 2]), np.array([1, 1, 0]), 3, 2).counts
    array([2, 1])
    """
    span = max(span, 1)
    keys, counts = np.unique(owners * span + symbols, return_counts=True)
    return Bags(keys, counts, np.searchsorted(keys, np.arange(texts + 1) * span), span)


@dataclass(frozen=True, eq=False, kw_only=True)
class GramFrequencies:
    """Document frequencies of characters and of character bigrams.

    Attributes:
        texts: the number of texts.
        characters: codes of the characters, ascending.
        character_counts: the number of texts that contain each.
        pairs: codes of the bigrams, ascending.
        pair_counts: the number of texts that contain each.
    """

    texts: int
    characters: Codes
    character_counts: NDArray[np.int32]
    pairs: Codes
    pair_counts: NDArray[np.int32]

    @classmethod
    def count(cls, texts: Sequence[str]) -> Self:
        """Count over the distinct folded texts."""
        distinct = sorted({folded(text) for text in texts})
        blocks = list(text_blocks(distinct, [""] * len(distinct)))
        kept: dict[str, Any] = {}
        for n, name in ((1, "character"), (2, "pair")):
            codes, counts = _added_up([_counted(distinct[block], n) for block in blocks])
            kept |= {f"{name}s": codes, f"{name}_counts": counts.astype(np.int32)}
        return cls(texts=len(distinct), **kept)

    def idf(self, codes: Codes, n: int) -> NDArray[np.float64]:
        """Inverse document frequency ln((1 + texts) / (1 + documents)) of each n-gram; 0 documents for an unseen one.

        Trigrams are not counted; the idf of one is the higher of those of its two bigrams.
        """
        if n == 1:
            return self._idf(codes, self.characters, self.character_counts)
        if n == 2:
            return self._idf(codes, self.pairs, self.pair_counts)
        # A text of one or two characters is a trigram padded with zeros, so its last bigram is not a bigram.
        whole = codes & _LAST != 0
        front, back = self.idf(codes >> _BITS, 2), self.idf(codes & (1 << 2 * _BITS) - 1, 2)
        return np.where(whole, np.maximum(front, back), front)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The learned arrays by name, with grams as texts."""
        return {
            "characters": gram_texts(self.characters),
            "character_counts": self.character_counts,
            "pairs": gram_texts(self.pairs),
            "pair_counts": self.pair_counts,
        }

    @classmethod
    def from_arrays(cls, texts: int, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild from `arrays`.

        Raises:
            KeyError: an array is missing.
            ValueError: they do not fit together.
        """
        kept: dict[str, Any] = {}
        for n, name in ((1, "character"), (2, "pair")):
            codes, counts = _gram_codes(arrays[f"{name}s"], n), arrays[f"{name}_counts"].astype(np.int32)
            if codes.shape != counts.shape or (np.diff(codes) <= 0).any():
                raise ValueError("grams and their counts do not fit together")
            kept |= {f"{name}s": codes, f"{name}_counts": counts}
        return cls(texts=int(texts), **kept)

    def _idf(self, codes: Codes, known: Codes, counts: NDArray[np.int32]) -> NDArray[np.float64]:
        # Append a gram that does not exist, so that a search beyond the last one finds something.
        places = np.searchsorted(known, codes)
        found = np.append(known, -1)[places] == codes
        documents = np.where(found, np.append(counts, 0)[places], 0)
        return np.log((1 + self.texts) / (1 + documents))


def gram_texts(codes: Codes) -> NDArray[np.str_]:
    """Codes of up to two characters as numpy strings."""
    front, back = codes >> _BITS, codes & _LAST
    points = np.stack([np.where(front > 0, front, back), np.where(front > 0, back, 0)], axis=1)
    return np.ascontiguousarray(points, "<u4").view("<U2").reshape(-1)


def _gram_codes(texts: NDArray[np.str_], n: int) -> Codes:
    points = np.ascontiguousarray(texts, "<U2").view("<u4").reshape(-1, 2).astype(np.int64)
    return points[:, 0] if n == 1 else points[:, 0] << _BITS | points[:, 1]


def _without_blanks(written: CodedTexts) -> CodedTexts:
    kept = written.points != _BLANK
    owners = np.repeat(np.arange(len(written.lengths)), written.lengths)
    return CodedTexts(written.points[kept], np.bincount(owners[kept], minlength=len(written.lengths)))


def _counted(texts: Sequence[str], n: int) -> tuple[Codes, Codes]:
    """The n-grams of some texts, and the number of texts that contain each."""
    grams = grams_of(written_texts(texts), n)
    return grams.distinct, np.bincount(grams.bags.grams, minlength=len(grams.distinct))


def _added_up(parts: Sequence[tuple[Codes, Codes]]) -> tuple[Codes, Codes]:
    none = np.empty(0, np.int64)
    codes, places = np.unique(np.concatenate([none, *(codes for codes, _ in parts)]), return_inverse=True)
    counts = np.zeros(len(codes), np.int64)
    np.add.at(counts, places, np.concatenate([none, *(counts for _, counts in parts)]))
    return codes, counts
