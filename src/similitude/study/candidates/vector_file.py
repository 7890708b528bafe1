"""A file of vectors that several workers fill at the same time, each its own rows."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.collect.candidates.array_file import mapped_array
from similitude.data.writing.atomic import draft_beside, put_in_place

__all__ = ["PAGE", "create_vectors", "open_vectors", "write_vectors"]

PAGE = 4096
"""Bytes of a page of a file system.

The header fills one page, and pieces of a multiple of 1,024 rows fill whole pages. So no two workers write to the same
page, which a network file system could lose.
"""


def create_vectors(path: Path, rows: int, width: int) -> None:
    """Make a file of numpy's format with room for all vectors; one that is there already is kept.

    Raises:
        ArgumentError: there is no room on the disk.
    """
    if path.exists():
        return
    with draft_beside(path) as draft:
        with draft.open("wb") as file:
            file.write(_header(rows, width))
            if size := rows * width * 4:
                _reserve(file.fileno(), size)
        put_in_place(draft, path)


def write_vectors(path: Path, start: int, vectors: NDArray[np.float32]) -> None:
    """Write vectors to their place, and wait until they are on disk."""
    with path.open("r+b") as file:
        file.seek(PAGE + start * vectors.shape[1] * 4)
        file.write(np.ascontiguousarray(vectors, "<f4").tobytes())
        file.flush()
        os.fsync(file.fileno())


def open_vectors(path: Path) -> NDArray[np.float32]:
    """The vectors, mapped from the file."""
    return mapped_array(path)


def _reserve(file: int, size: int) -> None:
    """Make room behind the header; where the system can, on the disk itself, so that a full disk shows now."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file, PAGE, size)
    else:
        os.truncate(file, PAGE + size)


def _header(rows: int, width: int) -> bytes:
    """A header of numpy's format 1.0, filled up with blanks to one page."""
    described = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {width}), }}".encode()
    length = PAGE - 10
    return b"\x93NUMPY\x01\x00" + length.to_bytes(2, "little") + described.ljust(length - 1) + b"\n"
