"""Arguments that the readers of benchmarks and of judgements share."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from similitude.data.reading.sniffer import HUB
from similitude.errors import ArgumentError

DECIMALS = (".", ",")
"""The characters that may stand before the decimals of a number."""

FLAGS = ("format", "column", "scale", "encoding", "separator", "header", "decimal", "missing", "sheet", "on-error")
"""The options of the command line that say how a file is read."""

__all__ = ["DECIMALS", "FLAGS", "check_choice", "default_name", "listed_paths", "with_prefixed_flags"]


def listed_paths(path: str | Path | Sequence[str | Path]) -> list[str | Path]:
    """One path or several, as a list.

    Raises:
        ArgumentError: the list is empty.
    """
    paths = [path] if isinstance(path, str | Path) else list(path)
    if not paths:
        raise ArgumentError("no file to read", remedy="name at least one")
    twice = next((each for at, each in enumerate(paths) if each in paths[:at]), None)
    if twice is not None:
        raise ArgumentError("the file is given twice", where=str(twice), remedy="name each file once")
    return paths


def check_choice(name: str, value: str, choices: Collection[str]) -> None:
    """Check an argument that takes one of a few values.

    Raises:
        ArgumentError: it is none of them.
    """
    if value not in choices:
        raise ArgumentError(f"{name}='{value}' is not known", remedy=f"known: {', '.join(choices)}")


def default_name(paths: Sequence[str | Path]) -> str:
    """The name of a single file or folder, of the folder that holds all of several files, else all names joined."""
    names = dict.fromkeys(_name(path) for path in paths)
    folders = {Path(path).resolve().parent.name for path in paths}
    return folders.pop() if len(paths) > 1 and len(folders) == 1 else "+".join(names)


def _name(path: str | Path) -> str:
    if str(path).startswith(HUB):
        return str(path).removeprefix(HUB)
    whole = Path(path).resolve()
    return whole.name if whole.is_dir() else whole.stem


def with_prefixed_flags(remedy: str, of: str) -> str:
    """A remedy that names the options of another file than the first.

    >>> with_prefixed_flags("name it with --column id=NAME", "items")
    'name it with --items-column id=NAME'
    """
    return re.sub(rf"--(?=(?:{'|'.join(FLAGS)})\b)", f"--{of}-", remedy)
