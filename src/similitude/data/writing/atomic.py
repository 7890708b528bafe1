"""Atomic writes: a file appears complete or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import polars as pl

from similitude.errors import ArgumentError

__all__ = ["draft_beside", "flush_to_disk", "put_in_place", "write_atomically"]


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
    """
    if not path.parent.is_dir():
        raise ArgumentError("its folder does not exist", where=str(path), remedy=f"create {path.parent} first")
    draft = path.with_name(f".{path.name[:80]}.{uuid4().hex[:8]}.tmp")
    try:
        yield draft
    except (OSError, pl.exceptions.PolarsError) as error:
        why = getattr(error, "strerror", None) or str(error)
        remedy = "check permissions and free space"
        raise ArgumentError(f"cannot be written: {why}", where=str(path), remedy=remedy) from None
    finally:
        if draft.is_dir():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.unlink(missing_ok=True)


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
