"""Similarities from counting edits: Levenshtein, Damerau, Jaro, Jaro-Winkler. Computed by rapidfuzz, in C++."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein as RapidLevenshtein

from similitude.systems.names import SYSTEMS
from similitude.systems.strings.pairwise import PairwiseSystem

__all__ = ["Levenshtein"]


@SYSTEMS.register("levenshtein")
@dataclass(frozen=True)
class Levenshtein(PairwiseSystem):
    """1 - edits / length of the longer text; edits are insertions, deletions and substitutions of characters.

    >>> Levenshtein().similarities(["kitten"], ["sitting"]).round(4)  # 3 edits, longer text has 7: 1 - 3/7
    array([0.5714])
    """

    name: ClassVar[str] = "levenshtein"
    summary: ClassVar[str] = "1 - character edits / length of the longer text"

    def similarities(self, lefts: Sequence[str], rights: Sequence[str]) -> NDArray[np.float64]:
        """One similarity in 0..1 for each pair of texts."""
        return process.cpdist(lefts, rights, scorer=RapidLevenshtein.normalized_similarity, dtype=np.float64)
