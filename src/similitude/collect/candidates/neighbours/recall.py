"""Recall: the share of the pairs of an exact search that a search found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.neighbours.directed_pairs import Pairs

__all__ = ["pair_recall"]


def pair_recall(exact: Pairs, others: NDArray[np.int32]) -> float:
    """The share of the exact pairs that stand in the list of one of their two texts; nan if there are no exact pairs.

    Args:
        exact: nearest neighbours of a sample of rows, by exact search.
        others: the lists that a search found for all rows.
    """
    if not len(exact):
        return float("nan")
    left, right = exact["text"], exact["other"]
    is_found = (others[left] == right[:, None]).any(axis=1) | (others[right] == left[:, None]).any(axis=1)
    return float(is_found.mean())
