"""Scores from vectors in numpy: the last step of a model that encodes texts separately."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from similitude.systems.conditional.architecture import Architecture
from similitude.systems.encoders.similarity import paired_cosines

__all__ = ["dense", "scores_of", "side_vectors"]

_BLOCK = 64
"""Rows per matrix product, padded with zeros to a fixed number."""

Vectors = NDArray[np.float32]


def scores_of(
    architecture: Architecture, vectors: Vectors, rows: NDArray[np.intp], head: Mapping[str, Vectors]
) -> NDArray[np.float64]:
    """One score per item.

    Args:
        architecture: the encoding.
        vectors: one per distinct text.
        rows: items x parts: indices into ``vectors``.
        head: the weights of the layers that compare vectors, if there are any.

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
    if architecture.encoding == "joint":
        return _joint_scores(vectors, rows, head)
    places = np.arange(len(rows), dtype=np.intp)
    sides = side_vectors(architecture, vectors, rows, head)
    return paired_cosines(np.concatenate(sides), places, places + len(rows))


def side_vectors(
    architecture: Architecture, vectors: Vectors, rows: NDArray[np.intp], head: Mapping[str, Vectors]
) -> list[Vectors]:
    """The vectors of the left and of the right sentences under their conditions, whose cosine is the score.

    Args:
        architecture: bi, tri or shift.
        vectors: one per distinct text.
        rows: items x parts: indices into ``vectors``.
        head: the weights of the layers that combine vectors, if there are any.
    """
    sides = [vectors[rows[:, side]] for side in (0, 1)]
    if architecture.encoding == "bi":
        return sides
    condition = vectors[rows[:, 2]]
    if architecture.encoding == "shift":
        return [_through(side - condition, head) for side in sides]
    return [_combined(condition, side, head) for side in sides]


def _combined(condition: Vectors, sentence: Vectors, head: Mapping[str, Vectors]) -> Vectors:
    return _through(np.hstack([condition, sentence]), head) if head else condition * sentence


def _joint_scores(vectors: Vectors, rows: NDArray[np.intp], head: Mapping[str, Vectors]) -> NDArray[np.float64]:
    """The sigmoid of two layers over the pair's vector, |u - v|, u * v and the cosine."""
    together, left, right = (vectors[rows[:, part]] for part in range(3))
    cosine = paired_cosines(vectors, rows[:, 1], rows[:, 2]).astype(np.float32)[:, None]
    outputs = _through(np.hstack([together, np.abs(left - right), left * right, cosine]), head)
    return 1.0 / (1.0 + np.exp(-outputs[:, 0].astype(np.float64)))


def _through(inputs: Vectors, head: Mapping[str, Vectors]) -> Vectors:
    inner = np.tanh(dense(inputs, head["inner.weight"], head["inner.bias"]))
    return dense(inner, head["outer.weight"], head["outer.bias"])


def dense(rows: Vectors, weight: Vectors, bias: Vectors) -> Vectors:
    """A dense layer: a row does not depend on the others, not even in its last bits.

    On some processors, the last bits of a product depend on the place of the row, also in blocks of fixed shape. So
    products are computed with double precision and rounded, which takes those bits away.
    """
    wide = np.ascontiguousarray(weight.T, np.float64)
    filled = np.concatenate([rows, np.zeros((-len(rows) % _BLOCK, rows.shape[1]), np.float32)])
    blocks = [
        (filled[start : start + _BLOCK].astype(np.float64) @ wide).astype(np.float32)
        for start in range(0, len(filled), _BLOCK)
    ]
    return np.concatenate([np.zeros((0, len(bias)), np.float32), *blocks])[: len(rows)] + bias
