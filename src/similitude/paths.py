"""Paths as users write them: how messages show them, and what is said of one that does not exist.

Imports nothing that computes, so that a command can refuse a wrong path at once.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from similitude.errors import InputError

__all__ = ["holdings", "missing_path", "printable", "refuse_missing"]

URL: Final = re.compile("(https?|ftp|s3|gs):/")
SCHEME: Final = re.compile(r"[a-z]+:")
LONGEST_PATH: Final = 200


def refuse_missing(names: Iterable[str]) -> None:
    """Refuse files that do not exist; names with a scheme, such as ``sample:opinions``, and ``-`` are no files.

    Raises:
        InputError: a file does not exist.
    """
    for name in names:
        if name == "-" or SCHEME.match(name):
            continue
        try:
            Path(name).lstat()
        except FileNotFoundError:
            raise missing_path(Path(name)) from None
        except (OSError, ValueError):  # the reader says what is wrong with it
            continue


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


def missing_path(path: Path) -> InputError:
    """The error for a path that does not exist; it suggests similar names in the folder."""
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
    near = difflib.get_close_matches(path.name, names, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else f"{path.parent} holds {holdings(path.parent)}"
