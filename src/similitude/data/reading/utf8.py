"""A check for valid UTF-8 that needs no second copy of the text."""

from __future__ import annotations

import codecs
from mmap import mmap

__all__ = ["is_utf8"]

BLOCK = 1 << 20


def is_utf8(data: bytes | mmap) -> bool:
    """Whether the bytes are valid UTF-8; they are decoded block by block, and blocks of ASCII not at all."""
    view, start = memoryview(data), 0
    while start < len(data):
        block = view[start : start + BLOCK]
        last = start + BLOCK >= len(data)
        read = _valid_length(block, final=last)
        if read is None:
            return False
        start += read
    return True


def _valid_length(block: memoryview, *, final: bool) -> int | None:
    """How many bytes are whole characters; None if some are invalid."""
    if bytes(block).isascii():
        return len(block)
    try:
        return codecs.utf_8_decode(block, "strict", final)[1]
    except UnicodeDecodeError:
        return None
