"""Ridge regression whose penalty is chosen by generalised cross-validation, and its predictions of held-out folds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from similitude.stats.arrays import Array, Integers

__all__ = ["held_out_ridge"]

PENALTIES = 10.0 ** np.arange(-2, 6.5, 0.5)


def held_out_ridge(features: Array, targets: Array, folds: Integers, after_fold: Callable[[], object] = int) -> Array:
    """Predict the target of each row by a ridge regression on the other folds.

    The penalty minimises the generalised cross-validation of Golub, Heath and Wahba (1979) on the rows of the fit. The
    intercept is not penalised. Features are used as they are, so that they should have a common size.

    Args:
        features: rows x features.
        targets: one per row.
        folds: of each row, from 0.
        after_fold: is called when a fold is done.

    >>> x = np.arange(8.0)[:, None]
    >>> held_out_ridge(x, 2 * x[:, 0] + 1, np.arange(8) % 2).round(2)
    array([ 1.,  3.,  5.,  7.,  9., 11., 13., 15.])
    """
    predicted = np.empty(len(targets))
    for fold in np.unique(folds):
        seen = folds != fold
        weights, intercept = _fitted(features[seen], targets[seen])
        predicted[~seen] = features[~seen] @ weights + intercept
        after_fold()
    return predicted


def _fitted(features: Array, targets: Array) -> tuple[Array, float]:
    """Slopes and intercept."""
    centre, mean = features.mean(axis=0), float(targets.mean())
    left, sizes, right = np.linalg.svd(features - centre, full_matrices=False)
    along = left.T @ (targets - mean)
    kept = sizes**2 / (sizes**2 + PENALTIES[:, None])
    rest = float(np.square(targets - mean).sum() - np.square(along).sum())
    missed = np.square((1 - kept) * along).sum(axis=1) + rest
    scores = missed / np.square(len(targets) - 1 - kept.sum(axis=1))
    best = PENALTIES[int(np.argmin(np.where(len(targets) - 1 - kept.sum(axis=1) > 0.5, scores, np.inf)))]
    weights = right.T @ (sizes / (sizes**2 + best) * along)
    return weights, mean - float(centre @ weights)
