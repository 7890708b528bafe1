"""Binary classification: confusion counts, accuracy, precision, recall, F1."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array

__all__ = ["Confusion", "accuracy", "confusion", "f1", "harmonic_mean", "precision", "recall", "share"]

Answers = NDArray[np.bool_]


class Confusion(NamedTuple):
    """Confusion counts of two binary answers.

    Attributes:
        both: true positives.
        system_only: false positives.
        gold_only: false negatives.
        neither: true negatives.
    """

    both: Array
    system_only: Array
    gold_only: Array
    neither: Array


def confusion(gold: Answers, system: Answers) -> Confusion:
    """Confusion counts along the last axis; leading axes broadcast."""
    both = np.count_nonzero(gold & system, axis=-1).astype(np.float64)
    gold_yes = np.count_nonzero(gold, axis=-1)
    system_yes = np.count_nonzero(system, axis=-1)
    neither = gold.shape[-1] - gold_yes - system_yes + both
    return Confusion(both, system_yes - both, gold_yes - both, neither)


def share(part: Array, whole: Array, when_empty: float = np.nan) -> Array:
    """Part divided by whole; ``when_empty`` where the whole is 0."""
    part, whole = np.broadcast_arrays(np.asarray(part, dtype=np.float64), whole)
    return np.asarray(np.divide(part, whole, out=np.full(part.shape, when_empty), where=whole != 0))


def accuracy(counts: Confusion) -> Array:
    """The share of items on which gold and system agree."""
    agreed = counts.both + counts.neither
    return share(agreed, agreed + counts.system_only + counts.gold_only)


def precision(counts: Confusion, when_empty: float = np.nan) -> Array:
    """TP / (TP + FP); ``when_empty`` if the system never says yes."""
    return share(counts.both, counts.both + counts.system_only, when_empty)


def recall(counts: Confusion, when_empty: float = np.nan) -> Array:
    """TP / (TP + FN); ``when_empty`` if gold never says yes."""
    return share(counts.both, counts.both + counts.gold_only, when_empty)


def f1(counts: Confusion, when_empty: float = np.nan) -> Array:
    """2 TP / (2 TP + FP + FN); ``when_empty`` if neither side ever says yes."""
    return share(2 * counts.both, 2 * counts.both + counts.system_only + counts.gold_only, when_empty)


def harmonic_mean(a: Array, b: Array) -> Array:
    """2ab / (a + b); nan where a + b is 0, and where only one of them is negative: the mean would not lie between them.

    >>> harmonic_mean(np.array([0.5, 0.0, -0.2, -0.2]), np.array([1.0, 0.0, -0.6, 0.1])).round(4)
    array([ 0.6667,     nan, -0.3   ,     nan])
    """
    return share(2 * a * b, np.where(a * b < 0, 0.0, a + b))
