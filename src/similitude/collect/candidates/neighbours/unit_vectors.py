"""Unit vectors: what a search takes, and the cosine of a pair of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.array_file import mapped_array
from similitude.errors import InputError

__all__ = ["check_unit_vectors", "pair_cosines"]

COMPARED = 16_384
TOLERATED = 1e-3


def check_unit_vectors(path: Path, count: int) -> None:
    """Check that a file holds one unit vector for each text.

    Raises:
        InputError: it does not; the message names the first row.
    """
    vectors = mapped_array(path)
    if vectors.ndim != 2 or len(vectors) != count:
        shape = " x ".join(map(str, vectors.shape))
        raise InputError(
            f"{shape} numbers for {count:,} texts", where=str(path), remedy="give one vector, a row, for each text"
        )
    for start in range(0, count, COMPARED):
        block = vectors[start : start + COMPARED]
        lengths = np.einsum("ij,ij->i", block, block)
        is_wrong = ~(np.abs(lengths - 1) <= TOLERATED)
        if is_wrong.any():
            row = int(is_wrong.argmax())
            length = float(np.sqrt(lengths[row]))
            raise InputError(
                f"the vector has length {length:.6g}, not 1",
                where=f"{path}, row {start + row + 1}",
                remedy="divide each vector by its length; leave out texts whose vector is zero or not finite",
            )


def pair_cosines(
    vectors: NDArray[np.float32], left: NDArray[np.integer], right: NDArray[np.integer]
) -> NDArray[np.float32]:
    """The cosine of each pair of rows, computed row by row and rounded to 6 decimals: it depends on no other pair."""
    cosines = np.empty(len(left), np.float32)
    for start in range(0, len(left), COMPARED):
        part = slice(start, start + COMPARED)
        cosines[part] = np.einsum("ij,ij->i", vectors[left[part]], vectors[right[part]])
    return np.round(cosines, 6)
