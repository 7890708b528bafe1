"""From a path to bytes, with an error that helps wherever a path leads nowhere."""

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
"""First bytes of files that hold a table only inside something else."""


def existing(path: Path) -> Path:
    """The path, if something is there.

    Raises:
        InputError: nothing is there; the message suggests names in the folder that come near.
    """
    try:
        if path.exists():
            return path
    except OSError as error:  # a name that is too long, a folder that may not be entered
        raise InputError(f"cannot be read: {error.strerror}", where=str(path), remedy="check the path") from None
    raise InputError("no such file", where=str(path), remedy=_near(path))


def read_bytes(path: Path) -> bytes:
    """All bytes of a file.

    Raises:
        InputError: it cannot be read, is a folder, or is empty.
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
    """Raise for files in which nothing but white space stands.

    Raises:
        InputError: the file is empty.
    """
    if not content[:1000].strip() and not content.strip():
        raise InputError("the file is empty", where=path.name, remedy="a benchmark needs at least one row")


def refuse_packed(path: Path, opening: bytes) -> None:
    """Raise for archives and workbooks.

    Raises:
        FormatError: the file begins as an archive or a workbook does.
    """
    for signature, (what, remedy) in PACKED.items():
        if opening.startswith(signature):
            raise FormatError(what, where=path.name, remedy=remedy.replace("FILE", path.name))


def holdings(folder: Path, limit: int = 8) -> str:
    """What a folder holds, as a short list."""
    names = sorted(entry.name + "/" * entry.is_dir() for entry in folder.iterdir())
    more = [f"{len(names) - limit} more"] if len(names) > limit else []
    return ", ".join(names[:limit] + more) or "nothing"


def folder_error(folder: Path) -> InputError:
    """The error for a folder where a file is meant."""
    return InputError(
        f"is a folder, and not one of a known layout; it holds {holdings(folder)}",
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
