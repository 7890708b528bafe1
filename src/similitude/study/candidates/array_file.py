"""Arrays in files, written completely or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.writing.atomic import write_atomically

__all__ = ["open_array", "write_array"]


def write_array(array: NDArray[Any], path: Path) -> None:
    """Write an array in numpy's format."""

    def save(draft: Path) -> None:
        with draft.open("wb") as file:
            np.save(file, array, allow_pickle=False)

    write_atomically(path, save)


def open_array(path: Path) -> NDArray[Any]:
    """The array in a file, mapped into memory."""
    array: NDArray[Any] = np.load(path, mmap_mode="r")
    return array
