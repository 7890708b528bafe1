"""The files of a study on the shelf: where they are, and whether they have changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

__all__ = ["DATABASES", "PLAN", "file_stamp", "study_folders"]

PLAN = "study.toml"
"""The file that makes a folder a study."""
DATABASES = (".db", ".db-wal", ".db-shm", ".db-journal")
"""Endings of files that the server writes itself."""


def study_folders(folder: Path) -> list[str]:
    """The names of the folders that hold a study, sorted; hidden ones are not studies."""
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir()]
    return sorted(name for name in names if (folder / name / PLAN).is_file())


def file_stamp(folder: Path) -> str:
    """A hash of the files that lie in a study's folder, databases left out; copies of a folder have the same."""
    told = hashlib.sha256()
    for line in sorted(_files(folder)):
        told.update(line.encode())
    return told.hexdigest()


def _files(folder: Path) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.name.endswith(DATABASES) and not entry.name.startswith(".") and entry.is_file():
                found = entry.stat()
                yield f"{entry.name}\0{_content(entry.path, found.st_ino, found.st_size, found.st_mtime_ns)}\0"


@lru_cache(maxsize=4096)
def _content(path: str, inode: int, size: int, changed: int) -> str:
    """The hash of a file's content, read again only when the file system says that it may have changed."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
