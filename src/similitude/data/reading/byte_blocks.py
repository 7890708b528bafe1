"""Positions and counts of single bytes in a long text, block by block, so that the memory needed is bounded."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from mmap import mmap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["ByteCounts", "Quotes", "blank_lines", "enclosing_quotes", "positions_by_block", "stray_returns"]

BLOCK = 1 << 20
STRETCH = 1 << 25
"""Bytes that one thread counts at a time."""

Positions = NDArray[np.int64]


class Quotes(NamedTuple):
    """Quotes that enclose fields.

    Attributes:
        total: how many there are.
        doubled: how many pairs of them stand for one quote inside a field.
    """

    total: int
    doubled: int


def positions_by_block(data: bytes | mmap, byte: str) -> Iterator[Positions]:
    """The positions of a byte, one array for each block of the text."""
    raw = np.frombuffer(data, dtype=np.uint8)
    for start in range(0, len(raw), BLOCK):
        yield np.flatnonzero(raw[start : start + BLOCK] == ord(byte)) + start


class ByteCounts(NamedTuple):
    """How often some bytes occur in a text, found out in one pass.

    Attributes:
        of: characters to their numbers.
        lowest: the lowest byte.
        highest: the highest byte.
    """

    of: Mapping[str, int]
    lowest: int
    highest: int

    @classmethod
    def in_text(cls, data: bytes | mmap, characters: str) -> ByteCounts:
        """Count these characters in blocks that stay in the cache of the processor, on all of its cores."""
        raw, wanted = np.frombuffer(data, dtype=np.uint8), tuple(dict.fromkeys(characters))
        starts = range(0, len(raw), STRETCH)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda start: _counted(raw[start : start + STRETCH], wanted), starts))
        counts = {character: sum(each.of[character] for each in found) for character in wanted}
        return cls(counts, min(each.lowest for each in found), max(each.highest for each in found))


def _counted(raw: NDArray[np.uint8], wanted: Sequence[str]) -> ByteCounts:
    """The counts of a stretch of the text, in blocks of a size that was measured to be fastest."""
    counts, lowest, highest = dict.fromkeys(wanted, 0), 255, 0
    same = np.empty(BLOCK, dtype=np.bool_)
    for start in range(0, len(raw), BLOCK):
        block = raw[start : start + BLOCK]
        lowest, highest = min(lowest, int(block.min())), max(highest, int(block.max()))
        for character in wanted:
            np.equal(block, ord(character), out=same[: len(block)])
            counts[character] += int(np.count_nonzero(same[: len(block)]))
    return ByteCounts(counts, lowest, highest)


def blank_lines(data: bytes | mmap) -> Positions:
    """The numbers of the lines that hold nothing, or nothing but a carriage return."""
    raw = np.frombuffer(data, dtype=np.uint8)
    found: list[Positions] = []
    line, last = 1, -1
    for breaks in positions_by_block(data, "\n"):
        lengths = np.diff(breaks, prepend=last) - 1
        blank = (lengths == 0) | ((lengths == 1) & (raw[breaks - 1] == ord("\r")))
        found.append(np.flatnonzero(blank) + line)
        line, last = line + len(breaks), int(breaks[-1]) if len(breaks) else last
    if len(raw) - last == 2 and raw[-1] == ord("\r"):
        found.append(np.array([line], dtype=np.int64))
    return np.concatenate(found)


def enclosing_quotes(data: bytes | mmap, separator: str, *, returns: bool) -> Quotes | None:
    """The quotes, if each of them opens a field, closes it, or is doubled inside it, and lines end in line feeds alone.

    A carriage return outside quotes that does not end a line is as bad as a stray quote.

    Args:
        data: the text.
        separator: between fields.
        returns: whether the text holds carriage returns.
    """
    raw = np.frombuffer(data, dtype=np.uint8)
    stray = stray_returns(data) if returns else np.zeros(0, dtype=np.int64)
    seen = doubled = 0
    for quotes in positions_by_block(data, '"'):
        openings, closings = quotes[seen % 2 :: 2], quotes[1 - seen % 2 :: 2]
        if not (_open_fields(raw, openings, separator) and _close_fields(raw, closings, separator)):
            return None
        doubled += int(np.count_nonzero(_byte_at(raw, closings + 1) == ord('"')))
        seen += len(quotes)
    return Quotes(seen, doubled) if seen % 2 == 0 and _all_inside(data, stray) else None


def _open_fields(raw: NDArray[np.uint8], quotes: Positions, separator: str) -> bool:
    before = np.where(quotes > 0, raw[np.maximum(quotes - 1, 0)], ord("\n"))
    return bool(_is_edge(before, separator).all())


def _close_fields(raw: NDArray[np.uint8], quotes: Positions, separator: str) -> bool:
    after = _byte_at(raw, quotes + 1)
    windows_end = (after == ord("\r")) & (_byte_at(raw, quotes + 2) == ord("\n"))
    return bool((_is_edge(after, separator) | windows_end).all())


def _byte_at(raw: NDArray[np.uint8], positions: Positions) -> NDArray[np.uint8]:
    """The bytes at these positions; behind the end of the text there are line feeds."""
    found = raw[np.minimum(positions, len(raw) - 1)]
    return np.where(positions < len(raw), found, np.uint8(ord("\n")))


def _is_edge(byte: NDArray[np.uint8], separator: str) -> NDArray[np.bool_]:
    return np.asarray((byte == ord(separator)) | (byte == ord("\n")) | (byte == ord('"')))


def stray_returns(data: bytes | mmap) -> Positions:
    """The positions of carriage returns that do not end a line."""
    raw = np.frombuffer(data, dtype=np.uint8)
    stray = [found[_byte_at(raw, found + 1) != ord("\n")] for found in positions_by_block(data, "\r")]
    return np.concatenate(stray) if stray else np.zeros(0, dtype=np.int64)


def _all_inside(data: bytes | mmap, positions: Positions) -> bool:
    """Whether all these positions are inside quotes."""
    if not len(positions):
        return True
    seen = 0
    for block, quotes in enumerate(positions_by_block(data, '"')):
        here = positions[(positions >= block * BLOCK) & (positions < (block + 1) * BLOCK)]
        if ((np.searchsorted(quotes, here) + seen) % 2 == 0).any():
            return False
        seen += len(quotes)
    return True
