"""Files as bytes, and errors for paths that cannot be read."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from similitude.data.reading.free_memory import refuse_too_large
from similitude.data.reading.signatures import SIGNATURE_SIZE, kind_of
from similitude.errors import FormatError, InputError
from similitude.paths import holdings, missing_path, printable

__all__ = [
    "existing",
    "folder_error",
    "opening_bytes",
    "read_bytes",
    "refuse_empty",
    "refuse_packed",
    "status",
    "unreadable",
]

WHOLE = 2
"""Bytes of memory for each byte of a file that is read as a whole: the file, and its table."""

REFUSALS: dict[int | None, tuple[str, str]] = {
    errno.EACCES: ("cannot be read: no permission", "check the permissions of the file and of its folder"),
    errno.EIO: ("cannot be read: the disk reports an error", "copy the file from its source again"),
    errno.ELOOP: ("is a link that leads back to itself", "name the file itself"),
    errno.ENAMETOOLONG: ("cannot be read: the name is too long", "check the path"),
    errno.ENOENT: ("was removed while it was read", "keep the file in place and read it again"),
    errno.ENOTDIR: ("cannot be read: a part of the path is a file, not a folder", "check the path"),
    errno.ESTALE: ("was removed while it was read", "keep the file in place and read it again"),
}
"""What to say of the errors of the operating system, and a remedy."""


def existing(path: Path) -> Path:
    """The path, if it exists.

    Raises:
        InputError: it does not exist; the message suggests similar names in the folder.
    """
    status(path)
    return path


def status(path: Path) -> os.stat_result:
    """What the operating system knows of a path: kind, size, times.

    Raises:
        InputError: it does not exist; the message suggests similar names in the folder.
    """
    try:
        return path.stat()
    except FileNotFoundError:
        raise missing_path(path) from None
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None


def read_bytes(path: Path) -> bytes:
    """The content of a file.

    Raises:
        InputError: the file cannot be read, is a folder, is empty, or is no table (see `refuse_packed`).
    """
    if existing(path).is_dir():
        raise folder_error(path)
    refuse_too_large(WHOLE * status(path).st_size, path.name)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None
    refuse_empty(path, data)
    refuse_packed(path, data[:SIGNATURE_SIZE])
    return data


def opening_bytes(path: Path, size: int) -> bytes:
    """The first bytes of a file."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise unreadable(path, error) from None


def refuse_empty(path: Path, content: bytes | str) -> None:
    """Check that a file is not empty.

    Raises:
        InputError: it holds nothing but white space.
    """
    if not content[:1000].strip() and not content.strip():
        raise InputError("the file is empty", where=path.name, remedy="a benchmark needs at least one row")


def refuse_packed(path: Path, opening: bytes) -> None:
    """Check that a file is not of a kind that holds no table: an archive, a document, an image, a program.

    Raises:
        FormatError: it begins like one.
    """
    kind = kind_of(opening)
    if kind is not None:
        raise FormatError(kind.what, where=printable(path.name), remedy=kind.remedy.replace("FILE", path.name))


def unreadable(path: Path, error: OSError | ValueError) -> InputError:
    """The error for a path that the operating system refuses."""
    number = error.errno if isinstance(error, OSError) else None
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    what, remedy = REFUSALS.get(number, (f"cannot be read: {reason}", "check the path and its permissions"))
    return InputError(what, where=printable(path), remedy=remedy)


def folder_error(folder: Path) -> InputError:
    """The error for a folder that no format reads."""
    return InputError(
        f"this folder has no known layout; it holds {holdings(folder)}",
        where=str(folder),
        remedy="pass one file in it, or several at once to read them together",
    )
