"""Atomic writes: a file appears complete or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import polars as pl

from similitude.errors import ArgumentError, FullDiskError

__all__ = ["draft_beside", "flush_to_disk", "full_disk", "is_full_disk", "put_in_place", "write_atomically"]

FULL = re.compile(r"No space left on device|\d+ requested and \d+ written")
"""What Polars and NumPy say of a full disk; their errors have no number."""


def write_atomically(path: Path, save: Callable[[Path], Any]) -> None:
    """Write a file under a temporary name in the same folder, then rename it.

    Args:
        path: the file to write; an older file there is replaced.
        save: writes the content to the path that it is given.

    Raises:
        ArgumentError: ``path`` is a folder, its folder does not exist, or it cannot be written.
    """
    if path.is_dir():
        raise ArgumentError("is a folder", where=str(path), remedy="name a file")
    with draft_beside(path) as draft:
        save(draft)
        put_in_place(draft, path)


@contextmanager
def draft_beside(path: Path) -> Iterator[Path]:
    """A temporary path in the same folder; what is left there at the end is deleted.

    Raises:
        ArgumentError: the folder does not exist, or something cannot be written.
        FullDiskError: the disk is full.
    """
    if not path.parent.is_dir():
        raise ArgumentError("its folder does not exist", where=str(path), remedy=f"create {path.parent} first")
    draft = path.with_name(f".{path.name[:80]}.{uuid4().hex[:8]}.tmp")
    try:
        yield draft
    except (OSError, pl.exceptions.PolarsError) as error:
        if is_full_disk(error):
            raise full_disk(str(path)) from None
        why = getattr(error, "strerror", None) or str(error)
        remedy = "check permissions and free space"
        raise ArgumentError(f"cannot be written: {why}", where=str(path), remedy=remedy) from None
    finally:
        if draft.is_dir():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.unlink(missing_ok=True)


def is_full_disk(error: BaseException) -> bool:
    """Whether an error says that the disk, or the user's share of it, is full."""
    by_number = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT)
    return by_number or (isinstance(error, OSError | pl.exceptions.PolarsError) and bool(FULL.search(str(error))))


def full_disk(where: str = "") -> FullDiskError:
    """The error for the user."""
    return FullDiskError(
        "cannot be written: the disk is full", where=where, remedy="free some space, and run the same command again"
    )


def put_in_place(draft: Path, path: Path) -> None:
    """Flush a file or folder to disk, and rename it to its final path."""
    for part in (draft, *draft.rglob("*")):
        flush_to_disk(part)
    draft.replace(path)
    flush_to_disk(path.parent)


def flush_to_disk(path: Path) -> None:
    """Wait until a file or folder is on disk (fsync)."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
