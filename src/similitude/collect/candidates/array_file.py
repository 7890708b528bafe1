"""Arrays in files of numpy's format: written completely or not at all, and mapped into memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from similitude.data.writing.atomic import write_atomically

__all__ = ["mapped_array", "save_array"]

SMALL = 4_096
_mapped: WeakValueDictionary[tuple[Path, int, int], NDArray[Any]] = WeakValueDictionary()
"""Arrays that are in use in this process. If two threads mapped one on their own, its pages would count twice."""


def save_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array."""

    def save(draft: Path) -> None:
        with draft.open("wb") as file:
            np.save(file, array, allow_pickle=False)

    write_atomically(path, save)


def mapped_array(path: Path) -> NDArray[Any]:
    """The array in a file, mapped once for all who use it; a small one is read, as an empty one cannot be mapped."""
    known = path.stat()
    key = path, known.st_mtime_ns, known.st_size
    if (found := _mapped.get(key)) is not None:
        return found
    loaded: NDArray[Any] = np.load(path, mmap_mode=None if known.st_size <= SMALL else "r")
    _mapped[key] = array = loaded.view(np.ndarray)
    return array
