"""Principal components, and a matrix product whose rows do not depend on each other, to the last bit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from similitude.stats.arrays import Array

__all__ = ["ROWS_AT_A_TIME", "Components", "principal_components", "rows_times"]


ROWS_AT_A_TIME = 64
"""Rows of each product. Products of the same size, filled up with zeros, give each row the same last bits."""


class Components(NamedTuple):
    """Principal components, in descending order of variance.

    Attributes:
        directions: dimensions x components, each of length 1.
        variances: the variance along each direction.
    """

    directions: Array
    variances: Array


def principal_components(centred: Array, count: int) -> Components:
    """The first principal components.

    Args:
        centred: rows x dimensions, with mean 0.
        count: the number of components, at most the number of dimensions.

    >>> principal_components(np.array([[3.0, 0.0], [-3.0, 0.0]]), 1).variances
    array([9.])
    """
    from scipy.linalg import eigh

    width = centred.shape[1]
    covariance = centred.T @ centred / len(centred)
    variances, directions = eigh(covariance, subset_by_index=[width - count, width - 1])
    return Components(directions[:, ::-1], variances[::-1])


def rows_times(rows: Array, matrix: Array) -> Array:
    """``rows @ matrix``, where the result of a row does not depend on the other rows, to the last bit."""
    filled = np.concatenate([rows, np.zeros((-len(rows) % ROWS_AT_A_TIME, rows.shape[1]))])
    starts = range(0, len(filled), ROWS_AT_A_TIME)
    parts = [filled[start : start + ROWS_AT_A_TIME] @ matrix for start in starts]
    return np.concatenate([np.zeros((0, matrix.shape[1])), *parts])[: len(rows)]
