"""Scores from vectors in numpy: the last step of a bi- or tri-encoder."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from similitude.systems.conditional.architecture import Architecture
from similitude.systems.encoders.similarity import paired_cosines

__all__ = ["dense", "scores_of"]

_BLOCK = 64
"""Rows per matrix product, padded with zeros to a fixed number, so that its last bits do not depend on the other items.
"""

Vectors = NDArray[np.float32]


def scores_of(
    architecture: Architecture, vectors: Vectors, rows: NDArray[np.intp], head: Mapping[str, Vectors]
) -> NDArray[np.float64]:
    """One score per item.

    Args:
        architecture: the encoding.
        vectors: one per distinct text.
        rows: items x parts: indices into ``vectors``.
        head: the weights of a tri-encoder's head, if it has one.

    >>> vectors = np.array([[1, 2], [2, 1], [1, 0]], np.float32)
    >>> scores_of(Architecture(), vectors, np.array([[0, 1]]), {})
    array([0.8])
    >>> scores_of(Architecture(encoding="tri"), vectors, np.array([[0, 1, 2]]), {})
    array([1.])
    """
    if architecture.encoding == "cross":
        return np.asarray(vectors[rows[:, 0], 0], np.float64)
    if architecture.encoding == "bi":
        return paired_cosines(vectors, rows[:, 0], rows[:, 1])
    places = np.arange(len(rows), dtype=np.intp)
    condition = vectors[rows[:, 2]]
    sides = [_combined(condition, vectors[rows[:, side]], head) for side in (0, 1)]
    return paired_cosines(np.concatenate(sides), places, places + len(rows))


def _combined(condition: Vectors, sentence: Vectors, head: Mapping[str, Vectors]) -> Vectors:
    if not head:
        return condition * sentence
    inner = np.tanh(dense(np.hstack([condition, sentence]), head["inner.weight"], head["inner.bias"]))
    return dense(inner, head["outer.weight"], head["outer.bias"])


def dense(rows: Vectors, weight: Vectors, bias: Vectors) -> Vectors:
    """A dense layer in blocks of fixed shape: a row does not depend on the others, not even in its last bits."""
    weight = np.ascontiguousarray(weight.T)
    filled = np.concatenate([rows, np.zeros((-len(rows) % _BLOCK, rows.shape[1]), np.float32)])
    blocks = [filled[start : start + _BLOCK] @ weight for start in range(0, len(filled), _BLOCK)]
    return np.concatenate([np.zeros((0, len(bias)), np.float32), *blocks])[: len(rows)] + bias
