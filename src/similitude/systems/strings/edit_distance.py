"""Similarity by edit distance: Levenshtein, Damerau, Jaro, Jaro-Winkler. Computed by rapidfuzz in C++.

All compare texts character by character, folded as in `tokens.fold` (``lowercase=False`` keeps the case).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein as RapidDamerau
from rapidfuzz.distance import Jaro as RapidJaro
from rapidfuzz.distance import JaroWinkler as RapidJaroWinkler
from rapidfuzz.distance import Levenshtein as RapidLevenshtein

from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import PairwiseSystem, TextPairs
from similitude.systems.strings.arguments import check_between
from similitude.systems.strings.tokens import fold

__all__ = ["Damerau", "Jaro", "JaroWinkler", "Levenshtein"]


@dataclass(frozen=True)
class _EditSystem(PairwiseSystem):
    """A system whose similarities are those of one scorer of rapidfuzz."""

    scorer: ClassVar[Any]
    workers: ClassVar[int] = 1

    lowercase: bool = True

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        return _by_rapidfuzz(self.scorer, lefts, rights, self.lowercase, workers=self.workers)


@SYSTEMS.register("levenshtein")
@dataclass(frozen=True)
class Levenshtein(_EditSystem):
    """1 - edits / length of the longer text; edits are insertions, deletions and substitutions of characters.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0.

    Args:
        lowercase: whether to ignore case.

    References:
        Levenshtein (1966), Binary codes capable of correcting deletions, insertions, and reversals.

    >>> Levenshtein().similarities(["kitten"], ["sitting"]).round(4)  # 3 edits, longer text has 7: 1 - 3/7
    array([0.5714])
    """

    name: ClassVar[str] = "levenshtein"
    summary: ClassVar[str] = "1 - character edits / length of the longer text"
    scorer = staticmethod(RapidLevenshtein.normalized_similarity)


@SYSTEMS.register("damerau", "damerau-levenshtein")
@dataclass(frozen=True)
class Damerau(_EditSystem):
    """Levenshtein with the transposition of two adjacent characters as a fourth edit.

    The unrestricted distance, which is a metric: characters may be edited again after a transposition. Range 0..1,
    symmetric. Two empty texts give 1, one empty text 0.

    Args:
        lowercase: whether to ignore case.

    References:
        Damerau (1964), A technique for computer detection and correction of spelling errors.

    >>> Damerau().similarities(["abcd"], ["acbd"])  # one transposition, 4 characters: 1 - 1/4
    array([0.75])
    """

    name: ClassVar[str] = "damerau"
    summary: ClassVar[str] = "1 - character edits, transpositions included / length of the longer text"
    scorer = staticmethod(RapidDamerau.normalized_similarity)
    workers = -1  # all cores: this is the only scorer that fills a table cell by cell and gains from them


@SYSTEMS.register("jaro")
@dataclass(frozen=True)
class Jaro(_EditSystem):
    """(m/|a| + m/|b| + (m - t)/m) / 3: m characters match within half the longer length, t of them out of order.

    Two equal characters match if they are at most max(|a|, |b|)/2 - 1 positions apart; t is half the number of matching
    characters in a different order. Range 0..1, symmetric. No match gives 0, two empty texts 1.

    Args:
        lowercase: whether to ignore case.

    References:
        Jaro (1989), Advances in record-linkage methodology as applied to the 1985 census of Tampa, Florida.

    >>> Jaro().similarities(["martha"], ["marhta"]).round(4)  # m = 6, t = 1: (1 + 1 + 5/6) / 3
    array([0.9444])
    """

    name: ClassVar[str] = "jaro"
    summary: ClassVar[str] = "share of characters that match nearby, minus those out of order"
    scorer = staticmethod(RapidJaro.normalized_similarity)


@SYSTEMS.register("jaro-winkler")
@dataclass(frozen=True)
class JaroWinkler(PairwiseSystem):
    """Jaro + prefix * prefix_weight * (1 - Jaro), where prefix is the length of the common prefix, at most 4.

    As in Winkler's original, the prefix counts only if Jaro is above 0.7. Range 0..1, symmetric. No match gives 0, two
    empty texts 1.

    Args:
        prefix_weight: what each common character of the prefix adds, from 0 to 0.25.
        lowercase: whether to ignore case.

    References:
        Winkler (1990), String comparator metrics and enhanced decision rules in the Fellegi-Sunter model.

    >>> JaroWinkler().similarities(["martha"], ["marhta"]).round(4)  # prefix "mar": 0.9444 + 3 * 0.1 * 0.0556
    array([0.9611])
    """

    name: ClassVar[str] = "jaro-winkler"
    summary: ClassVar[str] = "Jaro, raised for a common prefix"

    prefix_weight: float = 0.1
    lowercase: bool = True

    def __post_init__(self) -> None:
        check_between(self.name, "prefix_weight", self.prefix_weight, 0.0, 0.25)

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        scorer, weight = RapidJaroWinkler.normalized_similarity, {"prefix_weight": self.prefix_weight}
        return _by_rapidfuzz(scorer, lefts, rights, self.lowercase, scorer_kwargs=weight)


def _by_rapidfuzz(
    scorer: Any, lefts: Sequence[str], rights: Sequence[str], lowercase: bool, **options: Any
) -> NDArray[np.float64]:
    pairs = TextPairs.of(lefts, rights)
    folded = pairs.columns([fold(text, lowercase=lowercase) for text in pairs.texts])
    return process.cpdist(*folded, scorer=scorer, dtype=np.float64, **options)
