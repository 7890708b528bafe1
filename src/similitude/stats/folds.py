"""Folds for cross-validation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["stratified_folds"]


def stratified_folds(classes: NDArray[np.intp], folds: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The fold of each member, from 0; each class is spread over the folds as evenly as possible.

    Classes are dealt one after the other, each from where the one before ended, so that folds have nearly equal sizes.

    >>> folds = stratified_folds(np.array([0] * 6 + [1] * 4), 2, np.random.default_rng(0))
    >>> np.bincount(folds[:6]), np.bincount(folds[6:])
    (array([3, 3]), array([2, 2]))
    """
    fold = np.empty(classes.size, dtype=np.intp)
    names = rng.permutation(folds)
    dealt = 0
    for each in np.unique(classes):
        members = rng.permutation(np.flatnonzero(classes == each))
        fold[members] = names[(dealt + np.arange(members.size)) % folds]
        dealt += members.size
    return fold
