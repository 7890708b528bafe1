"""Greedy string tiling: the share of two texts covered by common word sequences, in any order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import PairwiseSystem, TextPairs
from similitude.systems.strings.arguments import LENGTHS, UNITS, Length, Unit, check, check_choice
from similitude.systems.strings.bags import ngram_bags, shared_entries
from similitude.systems.strings.common_sequences import share_of_length
from similitude.systems.strings.symbols import read_symbols, spell

__all__ = ["GreedyStringTiling"]


@SYSTEMS.register("greedy-string-tiling", "gst")
@dataclass(frozen=True)
class GreedyStringTiling(PairwiseSystem):
    """2 * words covered by tiles / (|a| + |b|); a tile is a sequence of at least min_match words in both texts.

    Tiles are placed longest first and do not overlap; ties go to the one that comes first in the shorter text, then in
    the longer. Unlike in a common subsequence, tiles may be in a different order in each text. Range 0..1. Symmetric,
    since the shorter text leads (of two equally long ones, the one that sorts first). Two empty texts give 1, one empty
    text 0. A text of fewer than min_match words gives 1 against itself, otherwise 0.

    ``unit="character", of="left"`` is GreedyStringTiling of DKPro Similarity: the share of the left text's characters
    in tiles of at least min_match characters, as in Clough et al. (2002). With "left" and "right", that text leads, and
    the similarity is not symmetric.

    Args:
        min_match: minimum words or characters per tile.
        unit: what tiles are made of, "word" or "character".
        of: the length that the covered part is divided by, "mean", "left", "right", "shorter" or "longer".

    References:
        Wise (1993), String similarity via greedy string tiling and running Karp-Rabin matching.
        Clough, Gaizauskas, Piao and Wilks (2002), METER: MEasuring TExt Reuse.

    >>> tiling = GreedyStringTiling(min_match=2)
    >>> tiling.similarities(["in the rain we ran home"], ["we ran home in the snow"]).round(4)  # 2 * (3 + 2) / 12
    array([0.8333])
    """

    name: ClassVar[str] = "greedy-string-tiling"
    summary: ClassVar[str] = "words covered by common sequences of at least min_match words / mean length"

    min_match: int = 3
    unit: Unit = "word"
    of: Length = "mean"

    def __post_init__(self) -> None:
        check(self.min_match >= 1, self.name, "min_match", self.min_match, "of 1 or more")
        check_choice(self.name, "unit", self.unit, UNITS)
        check_choice(self.name, "of", self.of, LENGTHS)

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        pairs = TextPairs.of(lefts, rights)
        symbols = read_symbols(pairs.texts, self.unit)
        left_lengths, right_lengths = symbols.lengths[pairs.left], symbols.lengths[pairs.right]
        bags = ngram_bags(symbols, self.min_match)
        # Most pairs share no sequence of that length and need no tiling.
        tileable = np.unique(shared_entries(bags, pairs.left, pairs.right).pair)
        covered = np.zeros(len(lefts), np.int64)
        spelt = spell(symbols)
        for pair in tileable.tolist():
            texts = self._leading_first(spelt[pairs.left[pair]], spelt[pairs.right[pair]])
            covered[pair] = _covered(*texts, self.min_match)
        return share_of_length(covered, left_lengths, right_lengths, self.of)

    def _leading_first(self, left: str, right: str) -> tuple[str, str]:
        """The text whose positions decide between tiles of equal length, and the other."""
        if self.of in ("left", "right"):
            return (left, right) if self.of == "left" else (right, left)
        # Symbols sort like their words, so this order depends only on the texts.
        return (left, right) if (len(left), left) <= (len(right), right) else (right, left)


class _Match(NamedTuple):
    """A common sequence; matches sort in the order of placement: longest first, then by position."""

    minus_length: int
    pattern: int
    text: int


def _covered(pattern: str, text: str, min_match: int) -> int:
    """The number of words of either text that tiles cover."""
    if pattern == text:
        return len(text)
    matches = list(_longest_matches(pattern, text, min_match))
    return _laid(matches, bytearray(len(pattern)), bytearray(len(text)), min_match)


def _laid(matches: list[_Match], pattern: bytearray, text: bytearray, min_match: int) -> int:
    """Place tiles greedily, mark the words that they cover, and count them."""
    covered = 0
    heapify(matches)
    while matches:
        match = heappop(matches)
        length = -match.minus_length
        in_pattern, in_text = (slice(start, start + length) for start in (match.pattern, match.text))
        if any(pattern[in_pattern]) or any(text[in_text]):
            for part in _free_parts(match, pattern, text, min_match):
                heappush(matches, part)
        else:
            pattern[in_pattern] = text[in_text] = b"\x01" * length
            covered += length
    return covered


def _longest_matches(pattern: str, text: str, min_match: int) -> Iterator[_Match]:
    """All matches of at least min_match words that cannot be extended at either end."""
    places = defaultdict(list)
    for start in range(len(text) - min_match + 1):
        places[text[start : start + min_match]].append(start)
    for start in range(len(pattern) - min_match + 1):
        for place in places.get(pattern[start : start + min_match], ()):
            if not (start and place and pattern[start - 1] == text[place - 1]):
                yield _Match(-_common_length(pattern, start, text, place), start, place)


def _common_length(pattern: str, start: int, text: str, place: int) -> int:
    length, longest = 0, min(len(pattern) - start, len(text) - place)
    while length < longest and pattern[start + length] == text[place + length]:
        length += 1
    return length


def _free_parts(match: _Match, pattern: bytearray, text: bytearray, min_match: int) -> Iterator[_Match]:
    """The parts of a match that no tile covers yet."""
    begin, length = 0, -match.minus_length
    for step in range(length + 1):
        if step == length or pattern[match.pattern + step] or text[match.text + step]:
            if step - begin >= min_match:
                yield _Match(begin - step, match.pattern + begin, match.text + begin)
            begin = step + 1
