"""Similarity by the longest sequence that both texts contain, with or without gaps."""

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
from similitude.systems.strings.arguments import LENGTHS, UNITS, Length, Unit, check_choice
from similitude.systems.strings.symbols import spell_texts

__all__ = ["LongestCommonSubsequence", "LongestCommonSubstring", "share_of_length"]


@dataclass(frozen=True)
class _CommonSequence(PairwiseSystem):
    """Length of a common sequence / the mean or another length of the two texts."""

    unit: Unit = "character"
    of: Length = "mean"
    lowercase: bool = True

    def __post_init__(self) -> None:
        check_choice(self.name, "unit", self.unit, UNITS)
        check_choice(self.name, "of", self.of, LENGTHS)

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        pairs = TextPairs.of(lefts, rights)
        spelt = pairs.columns(spell_texts(pairs.texts, self.unit, lowercase=self.lowercase))
        left, right = (np.fromiter(map(len, side), np.int64, len(side)) for side in spelt)
        return share_of_length(self._lengths(*spelt), left, right, self.of)

    def _lengths(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.int64]:
        raise NotImplementedError


@SYSTEMS.register("longest-common-subsequence", "lcs")
@dataclass(frozen=True)
class LongestCommonSubsequence(_CommonSequence):
    """2 * length of the longest common subsequence / (|a| + |b|): a sequence in both texts, gaps allowed.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0. Normalised by the mean length, so that only equal
    texts give 1. ``of`` divides by another length instead; "left" and "right" are not symmetric.

    In DKPro Similarity: ``lowercase=False`` is LongestCommonSubsequenceComparator, ``of="left"`` is
    LongestCommonSubsequenceNormComparator, the share of the left text as in Clough and Stevenson (2011).

    Args:
        unit: the elements of a sequence, "character" or "word".
        of: the length that it is divided by, "mean", "left", "right", "shorter" or "longer".
        lowercase: whether to ignore case.

    References:
        Allison and Dix (1986), A bit-string longest-common-subsequence algorithm.
        Clough and Stevenson (2011), Developing a corpus of plagiarised short answers.

    >>> LongestCommonSubsequence().similarities(["abcde"], ["ace"])  # "ace": 2 * 3 / (5 + 3)
    array([0.75])
    """

    name: ClassVar[str] = "longest-common-subsequence"
    summary: ClassVar[str] = "longest common subsequence, gaps allowed / mean length"

    def _lengths(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.int64]:
        return process.cpdist(lefts, rights, scorer=LCSseq.similarity, dtype=np.int64)


@SYSTEMS.register("longest-common-substring")
@dataclass(frozen=True)
class LongestCommonSubstring(_CommonSequence):
    """2 * length of the longest common substring / (|a| + |b|): the longest contiguous part in both texts.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0. ``of`` divides by another length instead; "left"
    and "right" are not symmetric. ``lowercase=False`` is LongestCommonSubstringComparator of DKPro Similarity.

    Args:
        unit: the elements of a sequence, "character" or "word".
        of: the length that it is divided by, "mean", "left", "right", "shorter" or "longer".
        lowercase: whether to ignore case.

    References:
        Gusfield (1997), Algorithms on strings, trees, and sequences, chapter 7.

    >>> LongestCommonSubstring().similarities(["abcde"], ["xbcdy"])  # "bcd": 2 * 3 / (5 + 5)
    array([0.6])
    """

    name: ClassVar[str] = "longest-common-substring"
    summary: ClassVar[str] = "longest common substring / mean length"

    def _lengths(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.int64]:
        return np.fromiter(map(_longest_piece, lefts, rights), np.int64, len(lefts))


def _longest_piece(left: str, right: str) -> int:
    """Length of the longest common substring.

    Each character of the shorter text can extend the longest match so far by at most one, so one search for a match of
    that length per character is enough; the searches run in C, which is much faster than filling a table.
    """
    if left == right:
        return len(left)
    shorter, longer = sorted((left, right), key=len)
    longest = 0
    for end in range(1, len(shorter) + 1):
        if shorter[end - longest - 1 : end] in longer:
            longest += 1
    return longest


def share_of_length(
    common: NDArray[np.int64], left: NDArray[np.int64], right: NDArray[np.int64], of: Length
) -> NDArray[np.float64]:
    """What is common / the mean or another of the two lengths; pairs with an empty text are settled."""
    shorter, longer = np.minimum(left, right), np.maximum(left, right)
    twice = {"mean": left + right, "left": 2 * left, "right": 2 * right, "shorter": 2 * shorter, "longer": 2 * longer}
    return settle_empty(2.0 * common / np.maximum(twice[of], 1), left, right)
