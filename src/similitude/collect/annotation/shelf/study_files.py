"""The files of a study on the shelf: where they are, and whether they have changed."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

__all__ = ["PLAN", "file_stamp", "study_folders"]

PLAN = "study.toml"
"""The file that makes a folder a study."""


def study_folders(folder: Path) -> list[str]:
    """The names of the folders that hold a study, sorted; hidden ones are not studies."""
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if not entry.name.startswith(".") and entry.is_dir()]
    return sorted(name for name in names if (folder / name / PLAN).is_file())


def file_stamp(folder: Path) -> str:
    """A hash that changes with the plan, and with size or time of any other file beside it; databases do not count."""
    told = hashlib.sha256((folder / PLAN).read_bytes())
    for line in sorted(_other_files(folder)):
        told.update(line.encode())
    return told.hexdigest()


def _other_files(folder: Path) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            database = entry.name.endswith((".db", ".db-wal", ".db-shm", ".db-journal"))
            if not database and not entry.name.startswith(".") and entry.name != PLAN and entry.is_file():
                found = entry.stat()
                yield f"\0{entry.name}\0{found.st_size}\0{found.st_mtime_ns}"
