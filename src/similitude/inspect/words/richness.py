"""Lexical richness: RTTR and MTLD."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from similitude.errors import ArgumentError

__all__ = ["THRESHOLD", "Richness", "mtld", "richness", "rttr"]

THRESHOLD = 0.72
"""The type-token ratio at which a factor of MTLD ends (McCarthy and Jarvis, 2010)."""


class Richness(NamedTuple):
    """RTTR and MTLD of one text, or their means over several texts; nan without words."""

    rttr: float
    mtld: float


def richness(words: Sequence[Hashable], threshold: float = THRESHOLD) -> Richness:
    """Root type-token ratio and MTLD of the same words.

    >>> richness("a b a c d".split())
    Richness(rttr=1.79, mtld=6.0)
    """
    return Richness(rttr(words), mtld(words, threshold))


def rttr(words: Sequence[Hashable]) -> float:
    """Root type-token ratio, Guiraud's R: the number of types divided by the square root of the number of words.

    Range (0, sqrt(n)]; higher is richer, and longer texts have higher values. Undefined (nan) without words.

    References:
        Guiraud (1954), Les caractères statistiques du vocabulaire.

    >>> rttr("the cat sees the cat".split())  # 3 / sqrt(5)
    1.3416407864998738
    """
    return len(set(words)) / math.sqrt(len(words)) if words else math.nan


def mtld(words: Sequence[Hashable], threshold: float = THRESHOLD) -> float:
    """Measure of textual lexical diversity: the mean number of words in a factor.

    Words are read one by one. When the type-token ratio falls to the threshold or below, a factor is complete and the
    next one begins. The words after the last factor count as the fraction (1 - ratio) / (1 - threshold) of a factor.
    Words per factor are averaged over both directions. A text without repeated words would have no factor; as in
    LexicalRichness, it has one, so that its value is its number of words. That is less than the value of a text of the
    same length with one repetition, so interpret averages over short texts with care.

    Range [1, infinity); higher is richer; depends on the order of words. Undefined (nan) without words.

    Args:
        words: the words, in order.
        threshold: the ratio at which a factor ends, above 0 and below 1.

    Raises:
        ArgumentError: the threshold is not between 0 and 1.

    References:
        McCarthy and Jarvis (2010), MTLD, vocd-D, and HD-D: A validation study of sophisticated approaches to lexical
        diversity assessment.

    >>> mtld("a b a".split())  # a b a: 2/3 <= 0.72, one factor in 3 words, both ways
    3.0
    """
    if not 0 < threshold < 1:
        what = f"{threshold:g} is not a threshold for MTLD"
        raise ArgumentError(what, remedy="give a number between 0 and 1, such as 0.72")
    if not words:
        return math.nan
    ways = (words, reversed(words))
    return sum(len(words) / (_factors(way, threshold) or 1.0) for way in ways) / 2


def _factors(words: Iterable[Hashable], threshold: float) -> float:
    """The number of factors in this order of words, with the fraction at the end."""
    factors, seen, length, ratio = 0, set[Hashable](), 0, 1.0
    for word in words:
        seen.add(word)
        length += 1
        ratio = len(seen) / length
        if ratio <= threshold:
            factors, seen, length, ratio = factors + 1, set(), 0, 1.0
    return factors + (1 - ratio) / (1 - threshold)
