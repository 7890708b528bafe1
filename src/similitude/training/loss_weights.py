"""Weights in the loss: of each item, and of each pair where an objective compares the two items of a pair.

A label counts as far as it is to be believed, and an item that a teacher labelled as much as the user says. A term over
a pair rests on both its labels, so its weight is the product of theirs; the teacher's weight counts once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["ITEM", "PAIR", "loss_weights", "weights_without_conditions"]

ITEM, PAIR = 0, 1
"""The columns of weights."""


def loss_weights(
    items: int,
    unit: int,
    *,
    labels: NDArray[np.float32] | None = None,
    sources: NDArray[np.float32] | None = None,
    alone: NDArray[np.bool_] | None = None,
) -> NDArray[np.float32] | None:
    """The weights of items: items x 2, its own and that of its pair; None if all are equal.

    Args:
        items: how many there are.
        unit: 2 if items 0 and 1 are a pair, 2 and 3 the next, and so on; 1 if there are no pairs.
        labels: how far each label is to be believed; items beyond these have 1.
        sources: how much an item counts by who labelled it, the same for both items of a pair.
        alone: whether an item stands there twice, as a pair with itself: each counts half, and the pair nothing.

    >>> loss_weights(4, 2, labels=np.float32([1, 0.5]), sources=np.float32([1, 1, 0.25, 0.25])).tolist()
    [[1.0, 0.5], [0.5, 0.5], [0.25, 0.25], [0.25, 0.25]]
    >>> loss_weights(4, 2, alone=np.array([False, False, True, True])).tolist()
    [[1.0, 1.0], [1.0, 1.0], [0.5, 0.0], [0.5, 0.0]]
    """
    if labels is None and sources is None and alone is None:
        return None
    believed, counted = np.ones((2, items), np.float32)
    if labels is not None:
        believed[: len(labels)] = labels
    if sources is not None:
        counted = sources
    of_pairs = believed.reshape(-1, unit).prod(axis=1).repeat(unit)
    weights = np.stack([believed * counted, of_pairs * counted], axis=1)
    if alone is not None:
        weights[: len(alone)][alone] *= np.array([0.5, 0.0], np.float32)
    return weights


def weights_without_conditions(weights: Tensor, dropped: Tensor | None) -> Tensor:
    """Weights, with that of the pair for items whose target is the mean of both labels of their pair.

    Args:
        weights: items x 2.
        dropped: whether each item has lost its condition; None if none has.
    """
    if dropped is None:
        return weights
    return weights.where(~dropped.unsqueeze(1), weights[:, PAIR:])
