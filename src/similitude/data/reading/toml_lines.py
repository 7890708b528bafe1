"""Line numbers of keys in TOML text, which `tomllib` does not keep."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["line_of"]

_HEADER = re.compile(r"^\s*\[\[?\s*([^\]]+?)\s*\]\]?")


def line_of(text: str, path: Sequence[str | int]) -> int:
    r"""The line of a key, counted from 1; the line of the table that should hold it where the key is not written.

    Args:
        text: the TOML file.
        path: the way to the key: ``("batch", "minutes")``, ``("example", 1, "left")``.

    >>> line_of('name = "x"\n[batch]\nminutes = 0\n', ("batch", "minutes"))
    3
    """
    names = [part for part in path if isinstance(part, str)]
    repeat = next((part for part in path if isinstance(part, int)), 0)
    lines = text.splitlines()
    for depth in range(len(names), 0, -1):
        found = _find(lines, names[: depth - 1], names[depth - 1], repeat)
        if found:
            return found
    return 1


def _find(lines: Sequence[str], tables: Sequence[str], key: str, repeat: int) -> int:
    """The line of a key in a table, of the table's header, or of a key with an inline table; 0 for none."""
    current: list[str] = []
    seen = -1
    for number, line in enumerate(lines, start=1):
        header = _HEADER.match(line)
        if header:
            current = [part.strip().strip("\"'") for part in header[1].split(".")]
            if current in (list(tables[:1]), [*tables, key]):
                seen += 1
            elif current[:1] == list(tables[:1]):
                seen = max(seen, 0)  # a table inside the last one, or inside one without a header
            if current == [*tables, key] and seen >= repeat:
                return number
        elif current == list(tables) and (not tables or seen >= repeat) and _is_key(line, key):
            return number
    return 0


def _is_key(line: str, key: str) -> bool:
    return re.match(rf"""^\s*["']?{re.escape(key)}["']?\s*[=.]""", line) is not None
