"""How much memory is free, and which tables must be kept on disk because they would take up too much of it.

``SIMILITUDE_MEMORY``
    How much memory tables may take up, such as ``8GB``; by default what the system says is free.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from similitude.data.byte_sizes import shown_size, size_in
from similitude.errors import InputError

__all__ = ["belongs_on_disk", "free_memory", "refuse_too_large"]

VARIABLE = "SIMILITUDE_MEMORY"
SYSTEM = Path("/proc/meminfo")
GROUPS = Path("/proc/self/cgroup")
CONTAINER = Path("/sys/fs/cgroup")
SHARE = 0.5
"""The share of free memory that a table may take up; checks of all rows need the rest."""

SMALL = 1 << 26
"""Tables of fewer bytes are always held in memory, so that nobody looks for free memory."""

EXTRA = "install what keeps large tables on disk; in your clone of Similitude: pip install '.[large]'"


def belongs_on_disk(size: int, where: str) -> bool:
    """Whether a table is too large for memory, so that it must be kept on disk.

    Args:
        size: of the table in bytes.
        where: the file, for messages.

    Raises:
        InputError: it is too large, and what keeps tables on disk is not installed.
    """
    if size < SMALL and VARIABLE not in os.environ:
        return False
    free = free_memory()
    if free is None or size <= SHARE * free:
        return False
    if find_spec("pyarrow") is not None:
        return True
    if size > free:
        raise _too_large(size, free, where, EXTRA)
    return False


def refuse_too_large(size: int, where: str) -> None:
    """Check that a file that must be read as a whole fits into memory.

    Raises:
        InputError: it does not.
    """
    free = None if size < SMALL else free_memory()
    if free is not None and size > free:
        remedy = "save it as UTF-8 whose rows all have the same columns, or as Parquet; such files may be larger"
        raise _too_large(size, free, where, remedy)


def free_memory(environment: Mapping[str, str] = os.environ) -> int | None:
    """The bytes of memory that are free for tables; None where the system does not tell.

    >>> free_memory({"SIMILITUDE_MEMORY": "2GB"})
    2000000000
    """
    said = size_in(environment, VARIABLE)
    if said is not None:
        return said
    return min((*_free_in_system(), *_free_in_container()), default=None)


def _free_in_system() -> Iterator[int]:
    for line in _lines(SYSTEM):
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) * 1024


def _free_in_container() -> Iterator[int]:
    """What the control groups of the process may still use, of both versions; files in memory can be dropped."""
    for folder, limit, used, files in _control_groups():
        most, now = _lines(folder / limit), _lines(folder / used)
        if most and now and most[0].isdigit():
            kept = dict(line.split() for line in _lines(folder / "memory.stat"))
            yield max(0, int(most[0]) - int(now[0]) + int(kept.get(files, 0)))


def _control_groups() -> Iterator[tuple[Path, str, str, str]]:
    """The folders of the process's control groups, and the names of what they say of memory."""
    for line in _lines(GROUPS):
        _, controllers, path = line.split(":", 2)
        if not controllers:
            yield CONTAINER / path.lstrip("/"), "memory.max", "memory.current", "file"
            yield CONTAINER, "memory.max", "memory.current", "file"
        elif "memory" in controllers.split(","):
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache")
            yield CONTAINER / "memory" / path.lstrip("/"), *names
            yield CONTAINER / "memory", *names


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []


def _too_large(size: int, free: int, where: str, remedy: str) -> InputError:
    what = f"needs about {shown_size(size)} of memory, and {shown_size(free)} are free"
    return InputError(what, where=where, remedy=remedy)
