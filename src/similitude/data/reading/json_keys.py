"""Keys that one JSON object has twice, of which parsers silently keep the last."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from similitude.data.reading.problems import RowProblem, excerpt
from similitude.errors import FormatError

__all__ = ["kept_keys", "may_repeat_keys", "repeated_key", "repeated_keys"]

KEY_END, ESCAPED = b'":', b'\\":'
"""How a key ends, and how a quote within a text looks like the end of a key."""

SPACED, BACKSLASH = (b'" :', b'"\t:'), b'\\\\"'
"""White space after a key, and a backslash at the end of a text: keys cannot be counted by `KEY_END`."""

NESTED = frozenset({dict, list})


def repeated_keys(lines: Sequence[bytes], objects: Sequence[object], name: str) -> list[RowProblem]:
    """Problems of lines whose object has a key twice.

    Args:
        lines: one object each.
        objects: the parsed lines.
        name: the file's name, for messages.
    """
    suspects = _suspects(lines, objects)
    found = ((number, repeated_key(lines[number])) for number in suspects)
    return [_problem(number + 1, key, name) for number, key in found if key is not None]


def may_repeat_keys(data: bytes, kept: int) -> bool:
    """Whether an object in a text of JSON lines may have a key twice.

    A line has at least as many `KEY_END` as its object keeps keys, unless white space follows a key; those after an
    escaped quote are within a text. So if the numbers for the whole text are equal, they are equal for each line, and
    no key was lost.

    Args:
        data: the text.
        kept: the number of keys of all its objects.
    """
    escaped = data.count(ESCAPED) if b"\\" in data else 0
    if data.count(KEY_END) - escaped != kept or SPACED[0] in data or (b"\t" in data and SPACED[1] in data):
        return True
    return escaped > 0 and BACKSLASH in data


def kept_keys(objects: Iterable[object]) -> int:
    """The number of keys of objects and of all objects within them."""
    total, level = 0, list(objects)
    while level:
        dicts = [each for each in level if type(each) is dict]
        lists = [each for each in level if type(each) is list]
        total += sum(map(len, dicts))
        inner = chain(chain.from_iterable(map(dict.values, dicts)), chain.from_iterable(lists))
        level = [each for each in inner if type(each) in NESTED]
    return total


def repeated_key(text: bytes | str) -> str | None:
    """The first key that an object in this JSON text has twice; None if there is none."""
    twice: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
        there = dict(pairs)
        if len(there) < len(pairs):
            keys = [key for key, _ in pairs]
            twice.append(next(key for key in keys if keys.count(key) > 1))
        return there

    try:
        json.loads(text, object_pairs_hook=look)
    except (ValueError, RecursionError):
        return None
    return twice[0] if twice else None


def _suspects(lines: Sequence[bytes], objects: Sequence[object]) -> Iterator[int]:
    """The lines in which keys cannot be counted, or have another number than those that were kept."""
    uncountable = [end for end in (*SPACED, BACKSLASH) if any(end in line for line in lines)]
    for number, (line, value) in enumerate(zip(lines, objects, strict=True)):
        if isinstance(value, dict) and (_miscounts(line, value) or any(end in line for end in uncountable)):
            yield number


def _miscounts(line: bytes, value: dict[str, Any]) -> bool:
    count = line.count(KEY_END)
    return count != len(value) and count - line.count(ESCAPED) != kept_keys([value])


def _problem(line: int, key: str, name: str) -> RowProblem:
    what = f"the key {excerpt(key)} is there twice"
    return RowProblem(
        place=line, where=f"{name}, line {line}", what=what, remedy="give each key once", error=FormatError
    )
