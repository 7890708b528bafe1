"""Similarity by edit distance: Levenshtein, Damerau, Jaro, Jaro-Winkler. Computed by rapidfuzz in C++.

All compare texts character by character, folded as in `tokens.fold` (``lowercase=False`` keeps the case).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein as RapidDamerau
from rapidfuzz.distance import Jaro as RapidJaro
from rapidfuzz.distance import JaroWinkler as RapidJaroWinkler
from rapidfuzz.distance import Levenshtein as RapidLevenshtein

from similitude.data.scale import Scale
from similitude.systems.catalogue import SYSTEMS
from similitude.systems.pairwise import UNIT, PairwiseSystem, TextPairs
from similitude.systems.strings.arguments import check_between, check_choice
from similitude.systems.strings.second_string_jaro import second_string_jaro
from similitude.systems.strings.tokens import fold

__all__ = ["Damerau", "Jaro", "JaroWinkler", "Levenshtein"]

Edits = Literal["share", "number"]
Definition = Literal["standard", "second-string"]

_WINKLER = 0.7
"""The prefix counts only above this Jaro similarity in Winkler's program and in rapidfuzz."""


@dataclass(frozen=True)
class _EditSystem(PairwiseSystem):
    """A system that counts edits with one distance of rapidfuzz."""

    distance: ClassVar[Any]
    workers: ClassVar[int] = 1

    lowercase: bool = True
    edits: Edits = "share"

    def __post_init__(self) -> None:
        check_choice(self.name, "edits", self.edits, get_args(Edits))

    @property
    def range(self) -> Scale | None:
        """From 0 to 1; none for a number of edits."""
        return UNIT if self.edits == "share" else None

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity per pair of texts, in 0..1, or minus the number of edits."""
        folded = _folded(lefts, rights, self.lowercase)
        if self.edits == "share":
            scorer = self.distance.normalized_similarity
            return process.cpdist(*folded, scorer=scorer, dtype=np.float64, workers=self.workers)
        counted = process.cpdist(*folded, scorer=self.distance.distance, dtype=np.float64, workers=self.workers)
        return 0.0 - counted


@SYSTEMS.register("levenshtein")
@dataclass(frozen=True)
class Levenshtein(_EditSystem):
    """1 - edits / length of the longer text; edits are insertions, deletions and substitutions of characters.

    Range 0..1, symmetric. Two empty texts give 1, one empty text 0. ``edits="number"`` gives minus the number of edits,
    without a range; DKPro Similarity's LevenshteinComparator gives that number, case included, without the sign.

    Args:
        lowercase: whether to ignore case.
        edits: "share" of the longer text, or minus their "number".

    References:
        Levenshtein (1966), Binary codes capable of correcting deletions, insertions, and reversals.

    >>> Levenshtein().similarities(["kitten"], ["sitting"]).round(4)  # 3 edits, longer text has 7: 1 - 3/7
    array([0.5714])
    """

    name: ClassVar[str] = "levenshtein"
    summary: ClassVar[str] = "1 - character edits / length of the longer text"
    distance: ClassVar[Any] = RapidLevenshtein


@SYSTEMS.register("damerau", "damerau-levenshtein")
@dataclass(frozen=True)
class Damerau(_EditSystem):
    """Levenshtein with the transposition of two adjacent characters as a fourth edit.

    The unrestricted distance, which is a metric: characters may be edited again after a transposition. Range 0..1,
    symmetric. Two empty texts give 1, one empty text 0. ``edits="number"`` gives minus the number of edits, without a
    range.

    Args:
        lowercase: whether to ignore case.
        edits: "share" of the longer text, or minus their "number".

    References:
        Damerau (1964), A technique for computer detection and correction of spelling errors.

    >>> Damerau().similarities(["abcd"], ["acbd"])  # one transposition, 4 characters: 1 - 1/4
    array([0.75])
    """

    name: ClassVar[str] = "damerau"
    summary: ClassVar[str] = "1 - character edits, transpositions included / length of the longer text"
    distance: ClassVar[Any] = RapidDamerau
    workers = -1  # all cores: this is the only distance that fills a table cell by cell and gains from them


@SYSTEMS.register("jaro")
@dataclass(frozen=True)
class Jaro(PairwiseSystem):
    """(m/|a| + m/|b| + (m - t)/m) / 3: m characters match within half the longer length, t of them out of order.

    Two equal characters match if they are at most max(|a|, |b|)/2 - 1 positions apart; t is half the number of matching
    characters in a different order. Range 0..1, symmetric. No match gives 0, two empty texts 1.

    ``definition="second-string"`` is JaroSecondStringComparator of DKPro Similarity, which uses the library
    SecondString: characters match less than half the shorter length + 1 positions apart, and texts in which the matches
    of left in right and of right in left differ in number give 0. In sentences that is common; the two definitions
    agree on most names.

    Args:
        lowercase: whether to ignore case.
        definition: "standard" or "second-string".

    References:
        Jaro (1989), Advances in record-linkage methodology as applied to the 1985 census of Tampa, Florida.

    >>> Jaro().similarities(["martha"], ["marhta"]).round(4)  # m = 6, t = 1: (1 + 1 + 5/6) / 3
    array([0.9444])
    """

    name: ClassVar[str] = "jaro"
    summary: ClassVar[str] = "share of characters that match nearby, minus those out of order"

    lowercase: bool = True
    definition: Definition = "standard"

    def __post_init__(self) -> None:
        check_choice(self.name, "definition", self.definition, get_args(Definition))

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        return _jaro(*_folded(lefts, rights, self.lowercase), self.definition)


@SYSTEMS.register("jaro-winkler")
@dataclass(frozen=True)
class JaroWinkler(PairwiseSystem):
    """Jaro + prefix * prefix_weight * (1 - Jaro), where prefix is the length of the common prefix, at most 4.

    As in Winkler's program, the prefix counts only if Jaro is above a threshold, 0.7. Range 0..1, symmetric. No match
    gives 0, two empty texts 1.

    ``definition="second-string"`` is JaroWinklerSecondStringComparator of DKPro Similarity: `Jaro` as SecondString
    computes it, and the prefix always counts, so that two texts whose Jaro is 0 may give up to 0.4.

    Args:
        prefix_weight: what each common character of the prefix adds, from 0 to 0.25.
        lowercase: whether to ignore case.
        definition: "standard" or "second-string".
        threshold: the prefix counts only above this Jaro similarity; 0 for always, as in the printed formula. None for
            that of the definition: 0.7, or 0 in SecondString.

    References:
        Winkler (1990), String comparator metrics and enhanced decision rules in the Fellegi-Sunter model.
        Cohen, Ravikumar and Fienberg (2003), A comparison of string distance metrics for name-matching tasks.

    >>> JaroWinkler().similarities(["martha"], ["marhta"]).round(4)  # prefix "mar": 0.9444 + 3 * 0.1 * 0.0556
    array([0.9611])
    """

    name: ClassVar[str] = "jaro-winkler"
    summary: ClassVar[str] = "Jaro, raised for a common prefix"

    prefix_weight: float = 0.1
    lowercase: bool = True
    definition: Definition = "standard"
    threshold: float | None = None

    def __post_init__(self) -> None:
        check_choice(self.name, "definition", self.definition, get_args(Definition))
        check_between(self.name, "prefix_weight", self.prefix_weight, 0.0, 0.25)
        if self.threshold is not None:
            check_between(self.name, "threshold", self.threshold, 0.0, 1.0)

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 per pair of texts."""
        folded = _folded(lefts, rights, self.lowercase)
        if self.definition == "standard" and self._threshold == _WINKLER:
            scorer, weight = RapidJaroWinkler.normalized_similarity, {"prefix_weight": self.prefix_weight}
            return process.cpdist(*folded, scorer=scorer, dtype=np.float64, scorer_kwargs=weight)
        jaro = _jaro(*folded, self.definition)
        prefixes = np.fromiter(map(_prefix_length, *folded), np.int64, len(lefts))
        raised = jaro + prefixes * self.prefix_weight * (1.0 - jaro)
        return np.where((jaro > self._threshold) | (self._threshold == 0.0), raised, jaro)

    @property
    def _threshold(self) -> float:
        if self.threshold is not None:
            return self.threshold
        return _WINKLER if self.definition == "standard" else 0.0


def _jaro(lefts: Sequence[str], rights: Sequence[str], definition: Definition) -> NDArray[np.float64]:
    """Jaro of folded texts."""
    if definition == "standard":
        return process.cpdist(lefts, rights, scorer=RapidJaro.normalized_similarity, dtype=np.float64)
    return np.fromiter(map(second_string_jaro, lefts, rights), np.float64, len(lefts))


def _prefix_length(left: str, right: str) -> int:
    for place, (one, other) in enumerate(zip(left[:4], right[:4], strict=False)):
        if one != other:
            return place
    return min(len(left), len(right), 4)


def _folded(lefts: Sequence[str], rights: Sequence[str], lowercase: bool) -> tuple[list[str], list[str]]:
    pairs = TextPairs.of(lefts, rights)
    return pairs.columns([fold(text, lowercase=lowercase) for text in pairs.texts])
