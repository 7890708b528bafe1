"""Files as bytes, and errors for paths that cannot be read."""

from __future__ import annotations

import difflib
import errno
import os
import re
from collections.abc import Sequence
from pathlib import Path

from similitude.data.reading.free_memory import refuse_too_large
from similitude.data.reading.signatures import SIGNATURE_SIZE, kind_of
from similitude.errors import FormatError, InputError

__all__ = [
    "existing",
    "folder_error",
    "holdings",
    "opening_bytes",
    "printable",
    "read_bytes",
    "refuse_empty",
    "refuse_packed",
    "status",
    "unreadable",
]

URL = re.compile("(https?|ftp|s3|gs):/")
LONGEST_PATH = 200
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
        raise _missing(path) from None
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


def printable(path: str | Path) -> str:
    """A path for messages: in one line, special characters escaped, a very long one shortened."""
    escaped = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(path))
    half = LONGEST_PATH // 2
    return escaped if len(escaped) <= LONGEST_PATH else f"{escaped[:half]}…{escaped[-half:]}"


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


def _missing(path: Path) -> InputError:
    if path.is_symlink():
        target = printable(path.readlink())
        return InputError(
            f"is a link to {target}, which does not exist", where=printable(path), remedy="name the file itself"
        )
    return InputError("no such file", where=printable(path), remedy=_near(path))


def _near(path: Path) -> str:
    if URL.match(str(path)):
        return "files from the web are not fetched; download it first"
    if not path.parent.is_dir():
        return f"there is no folder {printable(path.parent)} either"
    try:
        names = sorted(entry.name for entry in path.parent.iterdir())
    except OSError:
        return "check the path"
    near = _matches(path.name, names)
    return f"did you mean {' or '.join(near)}?" if near else f"{path.parent} holds {holdings(path.parent)}"


def _matches(name: str, names: Sequence[str]) -> list[str]:
    return difflib.get_close_matches(name, names, n=3, cutoff=0.6)
