"""Errors of encodings: a file in another encoding than the one named, with a remedy that was tried on its bytes."""

from __future__ import annotations

from similitude.data.reading.legacy_encodings import (
    first_high_line,
    is_plausible,
    mostly_utf8,
    suggested_encodings,
    wide_encoding,
)
from similitude.data.reading.problems import excerpt
from similitude.errors import InputError

__all__ = ["encoding_remedy", "is_wide", "refuse_mistaken", "refuse_wide"]

MULTIBYTE = ("gb", "big5", "shift", "euc", "cp932", "cp949", "johab", "hz", "iso2022")
"""How the names of encodings begin whose characters may have several bytes."""

UNMARKED = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}
"""What Python takes these encodings for where a text has no byte-order mark."""

CONTEXT = 16
"""Characters that are shown before the one in question."""


LATIN, WESTERN = "iso8859-1", "cp1252"
CONTROLS = bytes(byte for byte in range(0x80, 0xA0) if byte not in (0x81, 0x85, 0x8D, 0x8F, 0x90, 0x9D))
"""Bytes that are control characters in Latin-1 and letters or signs in cp1252; 0x85 ends a line in some texts."""


def refuse_mistaken(data: bytes, encoding: str, name: str) -> None:
    """Check that the bytes of a file are not plainly in another encoding, where decoding might not fail.

    Args:
        data: the content, which has no byte-order mark.
        encoding: the encoding as Python names it.
        name: the file's name, for messages.

    Raises:
        InputError: the file is UTF-16 or UTF-32 and another encoding is named, or is UTF-8 and would be
            garbled without an error.
    """
    refuse_wide(data, encoding, name)
    if encoding == "utf-8":
        return
    if not _is_utf8_instead(data, encoding):
        _refuse_controls(data, encoding, name)
        return
    high = first_high_line(data)
    line, place = (high.line, high.place) if high else (data[:400].split(b"\n")[0], 0)
    shown = f", which would read {_reading(line, place, 'utf-8')} as {_reading(line, place, encoding)}"
    raise InputError(
        f"the text is UTF-8, not {encoding.upper()}{shown}",
        where=name,
        remedy="leave out --encoding, or name utf-8",
    )


def _refuse_controls(data: bytes, encoding: str, name: str) -> None:
    """Check that a text is not in cp1252, of which Latin-1 makes control characters without an error.

    Raises:
        InputError: Latin-1 is named, and bytes that it does not use stand for characters of cp1252.
    """
    if encoding != LATIN or data.translate(None, CONTROLS) == data:
        return
    lines = data.split(b"\n")
    number, line = next((at, each) for at, each in enumerate(lines, start=1) if each.translate(None, CONTROLS) != each)
    place = next(at for at, byte in enumerate(line) if byte in CONTROLS)
    raise InputError(
        f"byte 0x{line[place]:02x} is a control character in Latin-1; in cp1252 the line reads "
        f"{_reading(line, place, WESTERN)}",
        where=f"{name}, line {number}",
        remedy="name the encoding: --encoding cp1252",
    )


def refuse_wide(data: bytes, encoding: str, name: str) -> None:
    """Check that the beginning of a file is not in a UTF-16 or UTF-32 other than the encoding.

    Raises:
        InputError: it is.
    """
    wide = wide_encoding(data)
    if wide is None or wide == UNMARKED.get(encoding, encoding):
        return
    what = f"the text is {wide.upper()} without a byte-order mark, not {encoding.upper()}"
    shown = excerpt(data[:400].decode(wide, errors="ignore").split("\n")[0].rstrip("\r"))
    raise InputError(what, where=name, remedy=f"--encoding {wide} reads it: {shown}")


def encoding_remedy(data: bytes, line: bytes, place: int, encoding: str) -> str:
    """What to do about bytes that the encoding does not have.

    Args:
        data: the content of the file.
        line: the first line with such bytes.
        place: where they are in the line.
        encoding: the encoding that does not have them.
    """
    if is_wide(encoding):
        return "the file is damaged there; correct it"
    names = suggested_encodings(data)
    if names:
        return ", ".join(f"--encoding {name} reads it: {_reading(line, place, name)}" for name in names)
    if encoding == "utf-8" and mostly_utf8(data):
        return "the rest of the file is UTF-8, so the line is damaged or was copied from elsewhere; correct it"
    return "the file is damaged, or in a rare encoding: name it with --encoding"


def is_wide(encoding: str) -> bool:
    """Whether all characters of an encoding have several bytes, so that bytes cannot be cut at line breaks."""
    return len("\n".encode(encoding)) > 1


def _is_utf8_instead(data: bytes, encoding: str) -> bool:
    """Whether text is UTF-8 and would be garbled by the encoding; ASCII is garbled by UTF-16 and UTF-32 alone."""
    if is_wide(encoding):
        return b"\0" not in data and (data.isascii() or mostly_utf8(data))
    if data.isascii() or not mostly_utf8(data):
        return False
    return not (encoding.startswith(MULTIBYTE) and is_plausible(data, encoding))


def _reading(line: bytes, place: int, encoding: str) -> str:
    """How the part of a line around a byte reads in an encoding, in quotes."""
    before = len(line[:place].decode(encoding, errors="ignore"))
    return excerpt(line.decode(encoding, errors="replace")[max(0, before - CONTEXT) :].rstrip("\r"))
