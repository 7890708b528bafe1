"""Files as bytes, and errors for paths that cannot be read."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from similitude.errors import FormatError, InputError

__all__ = ["existing", "folder_error", "holdings", "opening_bytes", "read_bytes", "refuse_empty", "refuse_packed"]

PACKED = {
    b"\x1f\x8b": ("is compressed with gzip", "unpack it first: gunzip FILE"),
    b"PK\x03\x04": ("is a ZIP archive or an Excel workbook", "unpack it, or save the sheet as CSV (UTF-8)"),
    b"BZh": ("is compressed with bzip2", "unpack it first: bunzip2 FILE"),
    b"\xfd7zXZ": ("is compressed with xz", "unpack it first: unxz FILE"),
    b"\x28\xb5\x2f\xfd": ("is compressed with zstd", "unpack it first: unzstd FILE"),
    b"\xd0\xcf\x11\xe0": ("is an old Excel workbook", "save the sheet as CSV (UTF-8)"),
}
"""First bytes of archives, compressed files and workbooks; what they are, and a remedy."""


def existing(path: Path) -> Path:
    """The path, if it exists.

    Raises:
        InputError: it does not exist; the message suggests similar names in the folder.
    """
    try:
        if path.exists():
            return path
    except OSError as error:  # the name is too long, or the folder is not accessible
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), remedy="check the path") from None
    raise InputError("no such file", where=str(path), remedy=_near(path))


def read_bytes(path: Path) -> bytes:
    """The content of a file.

    Raises:
        InputError: the file cannot be read, is a folder, is empty, or is an archive.
    """
    if existing(path).is_dir():
        raise folder_error(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), remedy="check its permissions") from None
    refuse_empty(path, data)
    refuse_packed(path, data[:8])
    return data


def opening_bytes(path: Path, size: int) -> bytes:
    """The first bytes of a file."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), remedy="check its permissions") from None


def refuse_empty(path: Path, content: bytes | str) -> None:
    """Check that a file is not empty.

    Raises:
        InputError: it holds nothing but white space.
    """
    if not content[:1000].strip() and not content.strip():
        raise InputError("the file is empty", where=path.name, remedy="a benchmark needs at least one row")


def refuse_packed(path: Path, opening: bytes) -> None:
    """Check that a file is neither an archive nor a workbook.

    Raises:
        FormatError: it begins like one.
    """
    for signature, (what, remedy) in PACKED.items():
        if opening.startswith(signature):
            raise FormatError(what, where=path.name, remedy=remedy.replace("FILE", path.name))


def holdings(folder: Path, limit: int = 8) -> str:
    """The content of a folder as a short list."""
    names = sorted(entry.name + "/" * entry.is_dir() for entry in folder.iterdir())
    more = [f"{len(names) - limit} more"] if len(names) > limit else []
    return ", ".join(names[:limit] + more) or "nothing"


def folder_error(folder: Path) -> InputError:
    """The error for a folder that no format reads."""
    return InputError(
        f"this folder has no known layout; it holds {holdings(folder)}",
        where=str(folder),
        remedy="pass one file in it, or several at once to read them together",
    )


def _near(path: Path) -> str:
    if not path.parent.is_dir():
        return f"there is no folder {path.parent} either"
    names = sorted(entry.name for entry in path.parent.iterdir())
    near = _matches(path.name, names)
    return f"did you mean {' or '.join(near)}?" if near else f"{path.parent} holds {holdings(path.parent)}"


def _matches(name: str, names: Sequence[str]) -> list[str]:
    return difflib.get_close_matches(name, names, n=3, cutoff=0.6)
