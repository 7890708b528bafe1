"""Weights of terms: how much a word or an n-gram that occurs in a text counts, by its rarity in a collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from similitude.systems.strings.tokens import words

__all__ = ["WEIGHTS", "Frequencies", "Weights", "term_weights"]

Weights = Literal["smooth", "cohen", "binary"]
WEIGHTS: tuple[Weights, ...] = get_args(Weights)


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Document frequencies of terms: the number of texts of a collection that contain each."""

    texts: int
    of_term: Mapping[str, int]

    @classmethod
    def count(cls, texts: Sequence[str], terms: Callable[[str], Sequence[str]] = words) -> Frequencies:
        """Count the texts that contain each term, by default each word."""
        return cls(len(texts), Counter(term for text in texts for term in set(terms(text))))

    def idf(self, term: str) -> float:
        """Inverse document frequency ln((1 + N) / (1 + df)) + 1; the smoothing keeps unseen terms defined.

        >>> Frequencies.count(["a cat", "a dog"]).idf("a")  # ln(3/3) + 1
        1.0
        """
        return float(np.log((1 + self.texts) / (1 + self.of_term.get(term, 0)))) + 1.0

    def plain_idf(self, term: str, unseen: int) -> float:
        """ln(N / df), with this df for terms that were not seen, or 0 if that is 0.

        >>> round(Frequencies.count(["a cat", "a dog"]).plain_idf("cat", unseen=1), 4)  # ln(2/1)
        0.6931
        """
        if self.texts == 0:
            return 1.0
        frequency = self.of_term.get(term, unseen)
        return float(np.log(self.texts / frequency)) if frequency else 0.0


def term_weights(
    weights: Weights,
    frequencies: Frequencies,
    names: Sequence[str],
    terms: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> NDArray[np.float64]:
    """The weight of each term of each text, where ``terms`` are places in ``names``.

    - smooth: count * (ln((1 + N) / (1 + df)) + 1), as in scikit-learn
    - cohen: ln(count + 1) * ln(N / df), as in Cohen, Ravikumar and Fienberg (2003); unseen terms have df = 1
    - binary: ln(N / df) however often the term occurs, as in DKPro Similarity; 0 for unseen terms
    """
    if weights == "smooth":
        smooth: NDArray[np.float64] = np.array([frequencies.idf(name) for name in names])[terms]
        return counts * smooth
    unseen = 1 if weights == "cohen" else 0
    idf: NDArray[np.float64] = np.array([frequencies.plain_idf(name, unseen) for name in names])[terms]
    return np.log(counts + 1.0) * idf if weights == "cohen" else idf
