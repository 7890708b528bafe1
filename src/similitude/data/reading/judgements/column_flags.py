"""Options that name columns, for messages."""

from __future__ import annotations

from collections.abc import Sequence

from similitude.data.reading.column_names import column_flag

__all__ = ["flags"]

SHORT = 40
"""A longer list of columns is written as a pattern, if one fits."""


def flags(values: Sequence[str], there: Sequence[str], name: str = "raters") -> str:
    """The option that names these columns, short enough to copy.

    >>> flags(["r1", "r2"], ["id", "r1", "r2"])
    '--column raters=r1,r2'
    """
    written = ",".join(values)
    start = _shared_start(values)
    if len(written) > SHORT and start and [each for each in there if each.startswith(start)] == list(values):
        written = f"{start}*"
    return column_flag(name, written)


def _shared_start(names: Sequence[str]) -> str:
    first, last = min(names), max(names)
    size = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:size].rstrip("0123456789")
