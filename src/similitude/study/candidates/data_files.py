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
    found: list[Path] = []
    for each in several:
        is_path = isinstance(each, Path) or isinstance(data, str)  # a text in a list is one only if it exists
        files = _files(str(each), may_have_wildcards=is_path)
        if not files:  # do not look for the names of a million texts
            return None
        found += files
    return [[file.name, digest_of_files([file])] for file in found]


def _files(written: str, *, may_have_wildcards: bool) -> list[Path]:
    """The regular files that a path names, in order; none for standard input, an address or a text."""
    try:
        if may_have_wildcards and "*" in written:
            anchor = Path(written).anchor
            paths = sorted(Path(anchor).glob(str(Path(written).relative_to(anchor))))
        else:
            paths = [Path(written)] if written.strip() else []
        inside = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
        return [file for file in inside if file.is_file()]
    except (OSError, ValueError):  # a text that is too long for a name, or has a NUL
        return []
