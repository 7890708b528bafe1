"""Whether texts have changed since they were read: the files that they are in, and a digest of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from similitude.study.candidates.stage_folder import digest_of_files

__all__ = ["file_state"]


def file_state(data: Any) -> list[list[str]] | None:
    """Name and digest of every file that the data is in; None if it is not in local files.

    Args:
        data: a path, also with ``*``, a folder, or several of these; anything else is not in files.
    """
    several = list(data) if isinstance(data, Sequence) and not isinstance(data, str | bytes) else [data]
    if not several or not all(isinstance(each, str | Path) for each in several):
        return None
    found = [file for each in several for file in _files(str(each))]
    is_complete = all(_files(str(each)) for each in several)
    return [[file.name, digest_of_files([file])] for file in found] if is_complete else None


def _files(written: str) -> list[Path]:
    """The regular files that a path names, in order; none for standard input, an address or a text."""
    if "\n" in written or len(written) > 4096 or "\x00" in written:
        return []
    anchor = Path(written).anchor
    found = Path(anchor).glob(str(Path(written).relative_to(anchor))) if "*" in written else [Path(written)]
    paths = sorted(found)
    inside = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    return [file for file in inside if file.is_file()]
