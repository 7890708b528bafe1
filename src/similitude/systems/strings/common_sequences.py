"""Similarities from the longest sequence that both texts contain, with gaps or in one piece."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import PairwiseSystem, TextPairs, settle_empty
from similitude.systems.strings.arguments import UNITS, Unit, check_choice
from similitude.systems.strings.symbols import spell_texts

__all__ = ["LongestCommonSubsequence", "LongestCommonSubstring"]


@dataclass(frozen=True)
class _CommonSequence(PairwiseSystem):
    """2 * length of a common sequence / (|a| + |b|)."""

    unit: Unit = "character"

    def __post_init__(self) -> None:
        check_choice(self.name, "unit", self.unit, UNITS)

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 for each pair of texts."""
        pairs = TextPairs.of(lefts, rights)
        spelt = pairs.columns(spell_texts(pairs.texts, self.unit))
        return _share_of_mean_length(self._lengths(*spelt), *spelt)

    def _lengths(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.int64]:
        raise NotImplementedError


@SYSTEMS.register("longest-common-subsequence", "lcs")
@dataclass(frozen=True)
class LongestCommonSubsequence(_CommonSequence):
    """2 * longest common subsequence / (|a| + |b|): what both texts say in the same order, gaps allowed.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0. Normalised by the mean length, so that 1 means
    equal; other packages divide by the longer or the shorter one.

    Args:
        unit: what a sequence is made of, "character" or "word".

    References:
        Allison and Dix (1986), A bit-string longest-common-subsequence algorithm.

    >>> LongestCommonSubsequence().similarities(["abcde"], ["ace"])  # "ace": 2 * 3 / (5 + 3)
    array([0.75])
    """

    name: ClassVar[str] = "longest-common-subsequence"
    summary: ClassVar[str] = "longest sequence in both texts, gaps allowed / mean length"

    def _lengths(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.int64]:
        return process.cpdist(lefts, rights, scorer=LCSseq.similarity, dtype=np.int64)


@SYSTEMS.register("longest-common-substring")
@dataclass(frozen=True)
class LongestCommonSubstring(_CommonSequence):
    """2 * longest common substring / (|a| + |b|): the longest piece of one text that the other holds unbroken.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0.

    Args:
        unit: what a sequence is made of, "character" or "word".

    References:
        Gusfield (1997), Algorithms on strings, trees, and sequences, chapter 7.

    >>> LongestCommonSubstring().similarities(["abcde"], ["xbcdy"])  # "bcd": 2 * 3 / (5 + 5)
    array([0.6])
    """

    name: ClassVar[str] = "longest-common-substring"
    summary: ClassVar[str] = "longest unbroken piece in both texts / mean length"

    def _lengths(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.int64]:
        return np.fromiter(map(_longest_piece, lefts, rights), np.int64, len(lefts))


def _longest_piece(left: str, right: str) -> int:
    """Length of the longest common substring.

    Each character of the shorter text can make the longest piece so far longer by one at most, so one search for a
    piece of that length a character is enough; the searches run in C, which beats filling a table by far.
    """
    if left == right:
        return len(left)
    shorter, longer = sorted((left, right), key=len)
    longest = 0
    for end in range(1, len(shorter) + 1):
        if shorter[end - longest - 1 : end] in longer:
            longest += 1
    return longest


def _share_of_mean_length(
    common: NDArray[np.int64], lefts: Sequence[str], rights: Sequence[str]
) -> NDArray[np.float64]:
    left_lengths = np.fromiter(map(len, lefts), np.int64, len(lefts))
    right_lengths = np.fromiter(map(len, rights), np.int64, len(rights))
    share = 2.0 * common / np.maximum(left_lengths + right_lengths, 1)
    return settle_empty(share, left_lengths, right_lengths)
