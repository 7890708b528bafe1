"""Pearson, Spearman and Kendall correlation along the last axis; nan where either side is constant."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from similitude.stats.arrays import Array
from similitude.stats.ranks import average_ranks

__all__ = ["Correlation", "is_constant", "kendall", "pearson", "spearman"]

Correlation = Literal["pearson", "spearman"]
"""The correlations that ratings and ceilings are described by."""


SMALLEST = 1e-140
"""The squares of shorter vectors, and of those longer than its inverse, are beyond the range of floating point."""


def is_constant(values: Array) -> NDArray[np.bool_]:
    """Whether all values along the last axis are exactly equal."""
    return np.asarray(values.max(axis=-1) == values.min(axis=-1))


def pearson(x: Array, y: Array) -> Array:
    """Pearson's r along the last axis; leading axes broadcast. nan for empty arrays.

    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([[2.0, 4.0, 6.0], [3.0, 2.0, 1.0]]))
    array([ 1., -1.])
    """
    if x.shape[-1] == 0:
        return np.full(np.broadcast_shapes(x.shape, y.shape)[:-1], np.nan)
    x_unit, y_unit = _unit(x), _unit(y)
    return np.asarray(np.clip(np.einsum("...n,...n->...", x_unit, y_unit), -1.0, 1.0))


def spearman(x: Array, y: Array) -> Array:
    """Spearman's rho along the last axis: Pearson's r of the average ranks."""
    return pearson(average_ranks(x), average_ranks(y))


def kendall(x: Array, y: Array) -> Array:
    """Kendall's tau-b, which corrects for ties on both sides, along the last axis."""
    from scipy.stats import kendalltau

    x, y = np.broadcast_arrays(x, y)
    rows = zip(x.reshape(-1, x.shape[-1]), y.reshape(-1, y.shape[-1]), strict=True)
    taus = [kendalltau(a, b).statistic if a.size > 1 else np.nan for a, b in rows]
    return np.array(taus).reshape(x.shape[:-1])


def _unit(values: Array) -> Array:
    """The values centred and scaled to length 1; nan where they are constant, whatever rounding leaves as variance."""
    values = np.asarray(values, dtype=np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        centred, length = _centred(values)
    if not ((length > SMALLEST) & (length < 1 / SMALLEST)).all():
        _, exponents = np.frexp(np.abs(values).max(axis=-1, keepdims=True))
        centred, length = _centred(np.ldexp(values, -exponents))
    length = np.where(is_constant(values), np.nan, length)
    return np.asarray(centred / length[..., None])


def _centred(values: Array) -> tuple[Array, Array]:
    """The deviations from the mean, and their length."""
    centred = values - values.mean(axis=-1, keepdims=True)
    return centred, np.sqrt(np.einsum("...n,...n->...", centred, centred))
