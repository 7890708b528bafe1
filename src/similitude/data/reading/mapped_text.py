"""Large plain text files, mapped into memory rather than read, so that a file and its table are never there at once."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import NamedTuple

from similitude.data.reading.byte_blocks import ByteCounts
from similitude.data.reading.files import existing
from similitude.data.reading.text_decoder import LONGEST_LINE, encoding_of
from similitude.data.reading.utf8 import is_utf8

__all__ = ["MappedText", "forget_pages", "mapped_text"]

BEYOND_ASCII = 0x80
LEAST = 1 << 22
"""Files of fewer bytes are read; that is as fast."""


class MappedText(NamedTuple):
    """A file that is mapped into memory.

    Attributes:
        data: the text.
        counts: how often some characters occur in it.
    """

    data: mmap.mmap
    counts: ByteCounts


def mapped_text(path: Path, encoding: str = "utf-8", count: str = "") -> MappedText | None:
    """A file of valid UTF-8 that needs no change to be parsed; None if it is small, or not such a file.

    The text has neither a byte-order mark nor NUL bytes nor lines that are too long.

    Args:
        path: the file.
        encoding: the one that the user named.
        count: characters to count.
    """
    if not existing(path).is_file() or path.stat().st_size < LEAST:
        return None
    with path.open("rb") as file:
        text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if encoding_of(text[:8], encoding) != ("utf-8", 0) or _may_have_long_lines(text):
        return None
    counts = ByteCounts.in_text(text, count)
    usable = counts.lowest > 0 and (counts.highest < BEYOND_ASCII or is_utf8(text))
    return MappedText(text, counts) if usable else None


def forget_pages(text: bytes | mmap.mmap) -> None:
    """Let go of the memory that a mapped text takes up; what is needed later is mapped again."""
    if isinstance(text, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        text.madvise(mmap.MADV_DONTNEED)


def _may_have_long_lines(text: mmap.mmap) -> bool:
    half = LONGEST_LINE // 2
    return any(text.find(b"\n", start, start + half) < 0 for start in range(0, len(text) - half + 1, half))
