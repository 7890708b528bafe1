"""Characters and runs of characters as numbers, and how rare each is.

A gram of up to three characters is one number, its code: 21 bits a character, as many as Unicode needs. So a gram's
code, and with it the order in which sums are taken, never depends on the other texts.
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
    """Texts as code points, end to end.

    Attributes:
        points: of the first text, then of the second, and so on.
        lengths: code points of each text.
    """

    points: Codes
    lengths: Codes


class Grams(NamedTuple):
    """The grams of several texts.

    Attributes:
        bags: which text holds which gram, and how often.
        distinct: the code of each gram, ascending; an entry's gram is a place among them.
    """

    bags: Bags
    distinct: Codes


def written_texts(texts: Sequence[str]) -> CodedTexts:
    """Folded texts as code points."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
    return CodedTexts(points, np.fromiter(map(len, texts), np.int64, len(texts)))


def folded(text: str) -> str:
    """The text as it is compared: see `similitude.systems.strings.tokens.fold`; NUL is a blank.

    >>> folded(" Die  STRASSE")
    'die strasse'
    """
    return fold(text.replace("\0", " "))


def grams_of(written: CodedTexts, n: int) -> Grams:
    """The distinct runs of n characters of each text, 1 to 3.

    A blank is no gram of one character. A text shorter than n, unless empty, has one gram: itself.

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
    """Bags of symbols 0 .. span - 1, each of which stands in the text that owns it.

    >>> bags_of(np.array([0, 0, 2]), np.array([1, 1, 0]), 3, 2).counts
    array([2, 1])
    """
    span = max(span, 1)
    keys, counts = np.unique(owners * span + symbols, return_counts=True)
    return Bags(keys, counts, np.searchsorted(keys, np.arange(texts + 1) * span), span)


@dataclass(frozen=True, eq=False, kw_only=True)
class GramFrequencies:
    """In how many texts each character and each pair of neighbouring characters occurs.

    Attributes:
        texts: how many texts there were.
        characters: their codes, ascending.
        character_counts: texts that hold each.
        pairs: codes of pairs, ascending.
        pair_counts: texts that hold each.
    """

    texts: int
    characters: Codes
    character_counts: NDArray[np.int32]
    pairs: Codes
    pair_counts: NDArray[np.int32]

    @classmethod
    def count(cls, texts: Sequence[str]) -> Self:
        """Of these texts, each counted once however often it is among them, once folded."""
        distinct = sorted({folded(text) for text in texts})
        blocks = list(text_blocks(distinct, [""] * len(distinct)))
        kept: dict[str, Any] = {}
        for n, name in ((1, "character"), (2, "pair")):
            codes, counts = _added_up([_counted(distinct[block], n) for block in blocks])
            kept |= {f"{name}s": codes, f"{name}_counts": counts.astype(np.int32)}
        return cls(texts=len(distinct), **kept)

    def idf(self, codes: Codes, n: int) -> NDArray[np.float64]:
        """ln((1 + texts) / (1 + documents)) of each gram of n characters; one that no text held has documents 0.

        Triples are not counted. One is as rare as the rarer of its two pairs.
        """
        if n == 1:
            return self._idf(codes, self.characters, self.character_counts)
        if n == 2:
            return self._idf(codes, self.pairs, self.pair_counts)
        # A text of one or two characters is a triple that is filled up with zeros; its last pair would be no pair.
        whole = codes & _LAST != 0
        front, back = self.idf(codes >> _BITS, 2), self.idf(codes & (1 << 2 * _BITS) - 1, 2)
        return np.where(whole, np.maximum(front, back), front)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What is learned, by name, for a file; grams as texts."""
        return {
            "characters": gram_texts(self.characters),
            "character_counts": self.character_counts,
            "pairs": gram_texts(self.pairs),
            "pair_counts": self.pair_counts,
        }

    @classmethod
    def from_arrays(cls, texts: int, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Back from `arrays`.

        Raises:
            KeyError: one is missing.
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
        # One more of each at the end, a gram that does not exist, so that a search beyond the last one finds something.
        places = np.searchsorted(known, codes)
        found = np.append(known, -1)[places] == codes
        documents = np.where(found, np.append(counts, 0)[places], 0)
        return np.log((1 + self.texts) / (1 + documents))


def gram_texts(codes: Codes) -> NDArray[np.str_]:
    """Grams of up to two characters as texts of numpy's."""
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
    """The grams of some texts, and how many of the texts hold each."""
    grams = grams_of(written_texts(texts), n)
    return grams.distinct, np.bincount(grams.bags.grams, minlength=len(grams.distinct))


def _added_up(parts: Sequence[tuple[Codes, Codes]]) -> tuple[Codes, Codes]:
    none = np.empty(0, np.int64)
    codes, places = np.unique(np.concatenate([none, *(codes for codes, _ in parts)]), return_inverse=True)
    counts = np.zeros(len(codes), np.int64)
    np.add.at(counts, places, np.concatenate([none, *(counts for _, counts in parts)]))
    return codes, counts
