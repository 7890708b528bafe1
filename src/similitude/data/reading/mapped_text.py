"""Large plain text files, mapped into memory rather than read, so that a file and its table are never there at once."""

from __future__ import annotations

import mmap
from pathlib import Path

from similitude.data.reading.files import existing
from similitude.data.reading.text_decoder import LONGEST_LINE, encoding_of
from similitude.data.reading.utf8 import is_utf8

__all__ = ["forget_pages", "mapped_text"]

LEAST = 1 << 22
"""Files of fewer bytes are read; that is as fast."""


def mapped_text(path: Path, encoding: str = "utf-8") -> mmap.mmap | None:
    """A file of valid UTF-8 that needs no change to be parsed; None if it is small, or not such a file.

    The text has neither a byte-order mark nor NUL bytes nor lines that are too long.
    """
    if not existing(path).is_file() or path.stat().st_size < LEAST:
        return None
    with path.open("rb") as file:
        text = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if encoding_of(text[:8], encoding) != ("utf-8", 0) or text.find(b"\0") >= 0:
        return None
    return None if _may_have_long_lines(text) or not is_utf8(text) else text


def forget_pages(text: bytes | mmap.mmap) -> None:
    """Let go of the memory that a mapped text takes up; what is needed later is mapped again."""
    if isinstance(text, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
        text.madvise(mmap.MADV_DONTNEED)


def _may_have_long_lines(text: mmap.mmap) -> bool:
    half = LONGEST_LINE // 2
    return any(text.find(b"\n", start, start + half) < 0 for start in range(0, len(text) - half + 1, half))
