"""Mean and sigma of each item from the outputs for its texts, in numpy.

An item has several outputs: one per member of an ensemble and pass of MC-Dropout (member and pass together are a
*draw*), in one order of the two texts or in both. The prediction is the equal mixture of all outputs: the mean of their
means and, by the law of total variance, the mean of their variances plus the variance of their means.

A point head has no variance, so its sigma is the standard deviation over draws (each averaged over orders), and there
is none with a single draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude.systems.conditional.vector_scores import dense
from similitude.systems.uncertain.architecture import Architecture
from similitude.systems.uncertain.heads import camps_of, moments_of

__all__ = ["PredictedMoments", "outputs_of", "predict_moments"]

Vectors = NDArray[np.float32]
Array = NDArray[np.float64]


class PredictedMoments(NamedTuple):
    """Mean and sigma of each item, in shares of the scale; no sigmas where nothing is said of spread."""

    means: Array
    sigmas: Array | None


def outputs_of(
    architecture: Architecture, values: Vectors, rows: NDArray[np.intp], heads: Sequence[Mapping[str, Vectors]]
) -> Vectors:
    """Outputs as items x orders x draws x outputs of the head.

    Args:
        architecture: determines the encoding.
        values: texts x (draws x values), draws member by member: outputs for pairs read together, vectors for texts
            read alone.
        rows: items x orders x parts: indices into ``values``.
        heads: the members' heads, for texts read alone.
    """
    if architecture.parts == 1:
        return values[rows[..., 0]].reshape(*rows.shape[:2], -1, architecture.outputs)
    each = values.reshape(len(values), len(heads), -1, heads[0]["inner.weight"].shape[1] // 4)
    sides = rows.reshape(-1, 2)
    outputs = [
        _through(head, each[sides[:, 0], member], each[sides[:, 1], member]) for member, head in enumerate(heads)
    ]
    return np.stack(outputs, axis=1).reshape(*rows.shape[:2], -1, architecture.outputs)


def predict_moments(architecture: Architecture, outputs: Vectors | Array) -> PredictedMoments:
    """The equal mixture of all outputs.

    Args:
        architecture: determines the head.
        outputs: items x orders x draws x outputs of the head.
    """
    means, variances = moments_of(camps_of(architecture, np.asarray(outputs, np.float64)))
    if architecture.has_spread:
        total = variances.mean(axis=(1, 2)) + means.var(axis=(1, 2))
        return PredictedMoments(means.mean(axis=(1, 2)), np.sqrt(total))
    draws = means.mean(axis=1)
    return PredictedMoments(draws.mean(axis=1), draws.std(axis=1) if draws.shape[1] > 1 else None)


def _through(head: Mapping[str, Vectors], left: Vectors, right: Vectors) -> Vectors:
    """The head over u, v, |u - v| and u * v: rows x passes x outputs."""
    features = np.concatenate([left, right, np.abs(left - right), left * right], axis=-1)
    flat = features.reshape(-1, features.shape[-1])
    inner = np.tanh(dense(flat, head["inner.weight"], head["inner.bias"]))
    return dense(inner, head["outer.weight"], head["outer.bias"]).reshape(*features.shape[:2], -1)
