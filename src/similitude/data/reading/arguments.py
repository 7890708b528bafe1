"""Arguments that the readers of benchmarks and of judgements share."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import Any

from similitude.data.reading.sniffer import HUB
from similitude.data.scale import Scale
from similitude.errors import ArgumentError

DECIMALS = (".", ",")
"""The characters that may stand before the decimals of a number."""

FLAGS = ("format", "column", "scale", "encoding", "separator", "header", "decimal", "missing", "sheet", "on-error")
"""The options of the command line that say how a file is read."""

__all__ = [
    "DECIMALS",
    "FLAGS",
    "as_columns",
    "as_missing",
    "as_scale",
    "as_text",
    "check_choice",
    "default_name",
    "listed_paths",
    "with_prefixed_flags",
]


def listed_paths(path: str | Path | Sequence[str | Path]) -> list[str | Path]:
    """One path or several, as a list.

    Raises:
        ArgumentError: the list is empty.
    """
    paths = [path] if isinstance(path, str | Path) else list(path)
    if not paths:
        raise ArgumentError("the list is empty: no file to read, and no row", remedy="give at least one")
    if any(str(each) == "" for each in paths):
        raise ArgumentError("the path is empty", remedy="name a file or folder; '.' is the current folder")
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


def as_text(name: str, value: Any) -> str | None:
    """An argument that is a text, or None.

    Raises:
        ArgumentError: it is something else.
    """
    if value is None or isinstance(value, str):
        return value
    raise ArgumentError(f"{name}={value!r} is no text", remedy=f'give {name}="..."')


def as_columns(columns: Any) -> dict[str, str]:
    """The argument ``columns``: our names of columns to those of the data.

    Raises:
        ArgumentError: it is no mapping of texts.
    """
    if columns is None:
        return {}
    example = 'columns={"left": "question1"}'
    if not isinstance(columns, Mapping):
        what = f"columns is a {type(columns).__name__}, which does not say which column is which"
        raise ArgumentError(what, remedy=f"give a dict from our names to yours, as in {example}")
    given = {ours: _joined(theirs) for ours, theirs in columns.items()}
    odd = next((each for pair in given.items() for each in pair if not isinstance(each, str)), None)
    if odd is not None:
        raise ArgumentError(f"columns holds {odd!r}, which names no column", remedy=f"give names, as in {example}")
    return given


def _joined(theirs: Any) -> Any:
    """Several columns as the readers take them; numbers that name columns become text, and None leaves ours out."""
    if theirs is None:
        return ""
    if isinstance(theirs, list | tuple):
        return ",".join(map(str, theirs))
    return str(theirs) if isinstance(theirs, int) and not isinstance(theirs, bool) else theirs


def as_scale(scale: Any) -> Scale | None:
    """The argument ``scale``: written as ``"0..5"``, as both ends, or as a scale.

    >>> as_scale((0, 5))
    Scale(low=0.0, high=5.0, origin='declared')

    Raises:
        ArgumentError: it is something else.
        ScaleError: the text is no scale.
    """
    if scale is None or isinstance(scale, Scale):
        return scale
    if isinstance(scale, str):
        return Scale.parse(scale)
    if isinstance(scale, list | tuple) and len(scale) == 2 and all(isinstance(end, Real) for end in scale):
        return Scale(low=float(scale[0]), high=float(scale[1]))
    raise ArgumentError(f"scale={scale!r} has no two ends", remedy='give both, as in scale="0..5"')


def as_missing(missing: Any) -> tuple[str, ...]:
    """The argument ``missing``: one code, or several, in text or numbers.

    >>> as_missing([99, "-1"]), as_missing(-1)
    (('99', '-1'), ('-1',))

    Raises:
        ArgumentError: it is something else.
    """
    if missing is None:
        return ()
    codes = [missing] if isinstance(missing, str | Real) or not isinstance(missing, Iterable) else list(missing)
    odd = next((each for each in codes if not isinstance(each, str | Real)), None)
    if odd is not None:
        raise ArgumentError(f"missing holds {odd!r}, which is no code", remedy='give codes, as in missing=["99"]')
    return tuple(each if isinstance(each, str) else f"{float(each):.17g}" for each in codes)


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
