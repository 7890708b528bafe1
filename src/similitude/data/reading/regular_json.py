r"""Fast parser of JSON lines for regular files: every line has the same keys in the same order, and plain values.

A regular expression made from the first lines proves that each line has these keys, each once, and under each key
texts alone or numbers alone, or null. Polars may then parse the lines with a fixed schema, without dropping keys or
converting values. Lines without escapes are split at their quotes (`json_pieces`), which is faster. Other files are
left to the exact parser in `json_text`, which locates errors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from mmap import mmap
from typing import Any

import polars as pl

from similitude.data.reading.column_names import ALIASES
from similitude.data.reading.disk_frames import frame_on_disk
from similitude.data.reading.free_memory import belongs_on_disk
from similitude.data.reading.json_pieces import SPACE, LinePieces, split_block
from similitude.data.reading.mapped_text import forget_pages

__all__ = ["regular_columns"]

BLOCK = 1 << 23
AHEAD = 8
"""Blocks that each thread computes before they are joined or written."""

SAMPLED = 100
NEVER = "\x01"
"""A byte that JSON does not allow, used as the separator of fields, so that a line is one field."""

HEX = "[0-9a-fA-F]"
PAIR = rf"\\u[dD][89abAB]{HEX}{{2}}\\u[dD][c-fC-F]{HEX}{{2}}"
ESCAPED = rf'\\["\\/bfnrt]|\\u[0-9a-cA-CefEF]{HEX}{{3}}|\\u[dD][0-7]{HEX}{{2}}|{PAIR}'
TEXT = rf'"(?:[^"\\\x00-\x1f]|{ESCAPED})*"'
WHOLE = "-?(?:0|[1-9][0-9]{0,17})"
DECIMAL = r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,30}(?:[eE][+-]?[0-9]{1,2})?|[eE][+-]?[0-9]{1,2})"
MIXED = r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?"

Kind = tuple[pl.DataType, str]
"""The type of a key's values, and their pattern."""

NUMERIC = frozenset(name for ours in ("score", "sigma") for name in ALIASES[ours])
"""Keys under which 4 and 4.0 mean the same; under others, such as ids, whole numbers and decimals must not be mixed."""


def regular_columns(data: bytes | mmap, where: str = "the text") -> dict[str, pl.Series] | None:
    """The columns of regular JSON lines; None if the text is not regular. Those of a large file are kept on disk.

    Args:
        data: the text.
        where: the file, for messages.
    """
    kinds = _kinds(_first_objects(data))
    if not kinds:
        return None
    try:
        frames = _frames(data, kinds)
        on_disk = isinstance(data, mmap) and belongs_on_disk(len(data), where)
        whole = frame_on_disk(frames, where) if on_disk else pl.concat(frames)
    except _IrregularError:
        return None
    return None if whole is None else {column.name: column for column in whole.get_columns()}


class _IrregularError(Exception):
    """A line does not have the shape of the others."""


def _frames(data: bytes | mmap, kinds: Mapping[str, Kind]) -> Iterator[pl.DataFrame]:
    """The values of every block, computed a few blocks ahead.

    Raises:
        _IrregularError: a line does not have the shape.
    """
    pieces = LinePieces.of(data[: 1 << 20].split(b"\n")[0].decode(), kinds)
    threads = pl.thread_pool_size()
    with ThreadPoolExecutor(threads) as pool:
        blocks = _blocks(data)
        while some := list(islice(blocks, AHEAD * threads)):
            for frame in pool.map(lambda ends: _values(_block(data, *ends), pieces, kinds), some):
                if frame is None:
                    raise _IrregularError
                yield frame


def _block(data: bytes | mmap, start: int, end: int) -> bytes:
    """A block of the text, which the memory that maps the file need not hold any more."""
    block = data[start:end]
    forget_pages(data)
    return block


def _values(block: bytes, pieces: LinePieces | None, kinds: Mapping[str, Kind]) -> pl.DataFrame | None:
    """The values of a block; None if one of its lines does not have the shape."""
    split = None if pieces is None else split_block(block, pieces)
    return _parse(block, kinds) if split is None else split


def _parse(block: bytes, kinds: Mapping[str, Kind]) -> pl.DataFrame | None:
    """The values of a block that has escapes, or texts that are null."""
    shape = _shape({name: pattern for name, (_, pattern) in kinds.items()})
    schema = {name: dtype for name, (dtype, _) in kinds.items()}
    return pl.read_ndjson(block, schema=schema) if _fits(block, shape) else None


def _first_objects(data: bytes | mmap) -> list[Mapping[str, Any]]:
    """The objects on the first lines; empty if one of them is not an object."""
    lines = data[: 1 << 20].split(b"\n")[:SAMPLED]
    whole = lines if len(lines) == SAMPLED or len(data) <= 1 << 20 else lines[:-1]
    try:
        values = [json.loads(line) for line in whole if line]
    except (ValueError, RecursionError):
        return []
    return values if all(isinstance(value, dict) for value in values) else []


def _kinds(objects: Sequence[Mapping[str, Any]]) -> dict[str, Kind]:
    """The type of each key's values, and their pattern; empty if there is no such type."""
    names = list(objects[0]) if objects else []
    if any(list(each) != names for each in objects):
        return {}
    kinds = {name: _kind(name, {type(each[name]) for each in objects} - {type(None)}) for name in names}
    return {name: kind for name, kind in kinds.items() if kind is not None} if None not in kinds.values() else {}


def _kind(name: str, types: set[type]) -> Kind | None:
    if types <= {str}:
        return pl.String(), TEXT
    if types <= {int, float} and name.lower() in NUMERIC:
        return pl.Float64(), MIXED
    if types == {int}:
        return pl.Int64(), WHOLE
    return (pl.Float64(), DECIMAL) if types == {float} else None


def _shape(patterns: Mapping[str, str]) -> str:
    """The regular expression that a line with these keys matches as a whole."""
    members = (
        f"{SPACE}{re.escape(json.dumps(name, ensure_ascii=False))}{SPACE}:{SPACE}(?:{pattern}|null){SPACE}"
        for name, pattern in patterns.items()
    )
    return rf"^{SPACE}\{{{','.join(members)}\}}{SPACE}$"


def _blocks(data: bytes | mmap) -> Iterator[tuple[int, int]]:
    """The ends of blocks of the text, cut at ends of lines."""
    start = 0
    while start < len(data):
        last = data.rfind(b"\n", start, start + BLOCK) if start + BLOCK < len(data) else -1
        end = last + 1 or len(data)
        yield start, end
        start = end


def _fits(block: bytes, shape: str) -> bool:
    """Whether every line has the shape."""
    if NEVER.encode() in block or block.startswith(b"\n"):
        return False
    lines = pl.read_csv(block, has_header=False, separator=NEVER, quote_char=None, schema={"line": pl.String})
    return bool(lines.select(pl.col("line").str.contains(shape).fill_null(value=False).all()).item())
