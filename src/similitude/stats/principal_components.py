"""Principal components of rows of numbers, and rows times a matrix, to the same last bits whatever the other rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["ROWS_AT_A_TIME", "Components", "principal_components", "rows_times"]

Array = NDArray[np.float64]

ROWS_AT_A_TIME = 64
"""Rows of a product. Always as many, filled with zeros, so that its last bits do not depend on the other items."""


class Components(NamedTuple):
    """Principal components, that of the largest variance first.

    Attributes:
        directions: numbers of a row x components, each of length 1.
        variances: of the rows along each direction.
    """

    directions: Array
    variances: Array


def principal_components(centred: Array, count: int) -> Components:
    """The directions along which rows differ most.

    Args:
        centred: rows whose mean is 0.
        count: of components, at most as many as a row has numbers.

    >>> principal_components(np.array([[3.0, 0.0], [-3.0, 0.0]]), 1).variances
    array([9.])
    """
    from scipy.linalg import eigh

    width = centred.shape[1]
    covariance = centred.T @ centred / len(centred)
    variances, directions = eigh(covariance, subset_by_index=[width - count, width - 1])
    return Components(directions[:, ::-1], variances[::-1])


def rows_times(rows: Array, matrix: Array) -> Array:
    """``rows @ matrix``; what comes of a row does not depend on the others, to the last bit."""
    filled = np.concatenate([rows, np.zeros((-len(rows) % ROWS_AT_A_TIME, rows.shape[1]))])
    starts = range(0, len(filled), ROWS_AT_A_TIME)
    parts = [filled[start : start + ROWS_AT_A_TIME] @ matrix for start in starts]
    return np.concatenate([np.zeros((0, matrix.shape[1])), *parts])[: len(rows)]
