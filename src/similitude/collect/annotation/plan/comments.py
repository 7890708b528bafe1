"""The comments of a study's file, by key, so that a rewritten file keeps them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

__all__ = ["Comments", "KeyPath", "comments_in"]

KeyPath = tuple[str | int, ...]
"""The way to a key or table: ``("batch", "minutes")``, ``("example", 1)``."""

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"""^\s*("[^"]*"|'[^']*'|[\w-]+)\s*=\s*(.*)$""")
_STRING = re.compile(r'''"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\])*"|'[^']*\'''', re.DOTALL)
_OPENED = re.compile(r'"""|\'\'\'')


@dataclass(frozen=True, slots=True, kw_only=True)
class Comments:
    """Comments with the key or table that they belong to.

    Attributes:
        above: the lines directly above a key or a header.
        beside: the comment at the end of a key's or header's line.
        top: the lines at the top of the file, up to the first blank line or key.
        end: the lines below the last key.
    """

    above: dict[KeyPath, list[str]] = field(default_factory=dict)
    beside: dict[KeyPath, str] = field(default_factory=dict)
    top: list[str] = field(default_factory=list)
    end: list[str] = field(default_factory=list)


def comments_in(text: str) -> Comments:
    r"""The comments of a TOML text.

    >>> comments_in('# mine\n\n[batch]\nminutes = 5  # short\n')
    Comments(above={}, beside={('batch', 'minutes'): '# short'}, top=['# mine'], end=[])
    """
    scan = _Scan()
    for line in _logical_lines(text):
        scan.take(line)
    scan.comments.end.extend(scan.waiting)
    return scan.comments


class _Scan:
    """One pass over the lines of a file."""

    def __init__(self) -> None:
        self.comments = Comments()
        self.table: KeyPath = ()
        self.waiting: list[str] = []
        self.begun = False
        self.counts: Counter[str] = Counter()

    def take(self, line: str) -> None:
        """Take the next line."""
        written = line.strip()
        if written.startswith("#"):
            self.waiting.append(written)
        elif not written:
            self._end_of_top()
        elif header := _HEADER.match(line):
            self._enter(header[2], repeated=header[1] == "[[")
            self._settle(self.table, header[3] or "")
        elif key := _KEY.match(line):
            self._settle((*self.table, key[1].strip("\"'")), _trailing(key[2]))

    def _end_of_top(self) -> None:
        if not self.begun and self.waiting:
            self.comments.top.extend(self.waiting)
            self.waiting.clear()
        self.begun = self.begun or bool(self.comments.top)

    def _enter(self, name: str, *, repeated: bool) -> None:
        parts = [part.strip().strip("\"'") for part in name.split(".")]
        if repeated:
            self.table = (*parts, self.counts[name])
            self.counts[name] += 1
            return
        inside = self.counts.get(parts[0], 0)
        self.table = (parts[0], inside - 1, *parts[1:]) if inside else tuple(parts)

    def _settle(self, path: KeyPath, beside: str) -> None:
        if not self.begun:  # comments above the first key speak of the whole file
            self.comments.top.extend(self.waiting)
            self.waiting.clear()
            self.begun = True
        if self.waiting:
            self.comments.above[path] = [*self.waiting]
            self.waiting.clear()
        if beside:
            self.comments.beside[path] = beside


def _logical_lines(text: str) -> list[str]:
    """The lines, with those of a value over several lines joined."""
    lines: list[str] = []
    held = ""
    for line in text.splitlines():
        held = f"{held}\n{line}" if held else line
        if _is_whole(held):
            lines.append(held)
            held = ""
    return [*lines, *([held] if held else [])]


def _is_whole(text: str) -> bool:
    key = _KEY.match(text.partition("\n")[0])
    if key is None:
        return True
    bare = _STRING.sub('""', text.partition("=")[2])
    if _OPENED.search(bare):
        return False
    bare = re.sub(r"#[^\n]*", "", bare)
    return bare.count("[") <= bare.count("]") and bare.count("{") <= bare.count("}")


def _trailing(value: str) -> str:
    """The comment after a value; a value over several lines keeps none."""
    bare = _STRING.sub(lambda found: "x" * len(found[0]), value)
    at = bare.find("#")
    return "" if at < 0 or "\n" in value else value[at:].strip()
