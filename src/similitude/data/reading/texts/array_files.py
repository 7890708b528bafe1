"""Files of arrays: NumPy's ``.npy`` and ``.npz``, and ``.safetensors``. Python objects in them are never loaded."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from similitude.data.reading.column_names import find_column
from similitude.data.reading.problems import listing
from similitude.errors import FormatError, MissingExtraError

__all__ = ["ARCHIVE", "ARRAY", "TENSORS", "archived_array", "array_of", "tensor_of"]

ARRAY: Final = b"\x93NUMPY"
ARCHIVE: Final = b"PK\x03\x04"
TENSORS: Final = ".safetensors"
"""How such files begin, or end in their names."""

DAMAGED = (ValueError, OSError, EOFError, zipfile.BadZipFile, KeyError)


def array_of(path: Path) -> NDArray[Any]:
    """The array of a ``.npy`` file, mapped.

    Raises:
        FormatError: it is damaged, or holds Python objects.
    """
    try:
        found: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except DAMAGED as error:
        raise _unreadable(path, error) from None
    return found


def archived_array(path: Path, name: str | None, usual: Sequence[str]) -> NDArray[Any]:
    """One array of a ``.npz`` file.

    Args:
        path: the file.
        name: of the array; by default the only one, or one with a usual name.
        usual: names, the most likely first.

    Raises:
        FormatError: it is damaged, or it is not known which array is meant.
    """
    try:
        with np.load(path, allow_pickle=False) as archive:
            return np.asarray(archive[_which(path, archive.files, name, usual)])
    except FormatError:
        raise
    except DAMAGED as error:
        raise _unreadable(path, error) from None


def tensor_of(path: Path, name: str | None, usual: Sequence[str]) -> NDArray[Any]:
    """One tensor of a ``.safetensors`` file; arguments and errors as for `archived_array`.

    Raises:
        MissingExtraError: safetensors is not installed.
        FormatError: it is damaged, of a type that NumPy does not have, or it is not known which tensor is meant.
    """
    try:
        from safetensors import SafetensorError, safe_open
    except ImportError:
        raise MissingExtraError("safetensors", "model2vec") from None
    try:
        with safe_open(path, framework="np") as file:
            return np.asarray(file.get_tensor(_which(path, list(file.keys()), name, usual)))
    except FormatError:
        raise
    except (SafetensorError, TypeError, *DAMAGED) as error:
        raise _unreadable(path, error) from None


def _which(path: Path, there: Sequence[str], name: str | None, usual: Sequence[str]) -> str:
    found = find_column(there, [name] if name else usual)
    if found is None and name is None and len(there) == 1:
        found = there[0]
    if found is None:
        wanted = f"no array '{name}'" if name else "it is not known which array holds the vectors"
        remedy = f"name it '{usual[0]}', or store it alone"
        raise FormatError(f"{wanted}; arrays there: {listing(there)}", where=path.name, remedy=remedy)
    return found


def _unreadable(path: Path, error: Exception) -> FormatError:
    said = str(error)
    objects = "pickle" in said or "Python objects" in said
    why = "it holds Python objects" if objects else f"it is damaged or cut off ({said.splitlines()[0][:80]})"
    return FormatError(f"the array cannot be read: {why}", where=path.name, remedy="write it again with numpy.save")
