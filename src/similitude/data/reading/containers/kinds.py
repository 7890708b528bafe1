"""Kinds of containers, told apart by the first bytes of a file."""

from __future__ import annotations

import json
import re
import zipfile
from enum import StrEnum
from pathlib import Path

from similitude.data.reading.encoding_errors import refuse_wide
from similitude.data.reading.files import opening_bytes, refuse_empty, refuse_packed
from similitude.data.reading.text_decoder import encoding_of
from similitude.errors import FormatError, InputError

__all__ = ["SIZE", "Kind", "first_line", "kind_of", "opening_of", "opening_text", "whole_lines"]

SIZE = 1 << 16
"""The number of bytes from which a container is recognised."""

LINES = (".jsonl", ".ndjson")
ZIP, OLD_WORKBOOK = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
SHEETS = frozenset({"xl/workbook.xml", "xl/workbook.bin"})
"""The parts of a ZIP archive by which a workbook (.xlsx, .xlsm, .xlsb) is known."""

BINARY = (b"PAR1", b"ARROW1", b"FEA1", b"\xff\xff\xff\xff", ZIP, OLD_WORKBOOK)
"""First bytes of containers that are not text."""

JSON = re.compile(r"\s*(?:\{|\[\s*[\[{\]])")
FEATHER = b"FEA1"
STORED = {
    ".parquet": "Parquet file",
    ".arrow": "Arrow file",
    ".feather": "Feather file",
    ".xlsx": "workbook",
    ".xlsm": "workbook",
    ".xlsb": "workbook",
    ".xls": "workbook",
    ".ods": "workbook",
}
"""What files with these suffixes are, if they are not damaged."""


class Kind(StrEnum):
    """What holds the values."""

    SEPARATED = "separated text"
    JSON_LINES = "JSON lines"
    JSON = "JSON document"
    PARQUET = "Parquet"
    ARROW = "Arrow file"
    ARROW_STREAM = "Arrow stream"
    WORKBOOK = "workbook"


MAGIC = {b"PAR1": Kind.PARQUET, b"ARROW1": Kind.ARROW, b"\xff\xff\xff\xff": Kind.ARROW_STREAM}


def opening_of(path: Path) -> bytes:
    """The first bytes of a file.

    Raises:
        FormatError: the file is an archive.
        InputError: the file is empty or cannot be read.
    """
    data = opening_bytes(path, SIZE)
    refuse_empty(path, data)
    _refuse_nothing(path, data)
    if not _is_workbook(path, data):
        refuse_packed(path, data)
    return data


def opening_text(path: Path, opening: bytes, encoding: str) -> str:
    """The beginning of a file as text; invalid bytes are replaced."""
    encoding, mark = encoding_of(opening, encoding)
    if opening:
        refuse_empty(path, opening[mark:])
    if not mark and not opening.startswith(BINARY):
        refuse_wide(opening, encoding, path.name)
    return opening[mark:].decode(encoding, errors="replace")


def whole_lines(path: Path, encoding: str) -> str:
    """The beginning of a file as text, without a last line that may be cut."""
    opening = opening_of(path)
    text = opening_text(path, opening, encoding)
    return text if len(opening) < SIZE or "\n" not in text else text[: text.rindex("\n")]


def first_line(text: str) -> str:
    """The first line that is not blank."""
    return re.split("\r?\n|\r", text.lstrip("\r\n"), maxsplit=1)[0]


def kind_of(path: Path, opening: bytes, text: str) -> Kind:
    """What holds the values of a file.

    Args:
        path: the file.
        opening: its first bytes.
        text: the same as text.

    Raises:
        FormatError: the file is of a kind that is no longer read.
    """
    found = next((kind for magic, kind in MAGIC.items() if opening.startswith(magic)), None)
    if found is not None:
        return found
    if _is_workbook(path, opening):
        return Kind.WORKBOOK
    if opening.startswith(FEATHER):
        remedy = "write it again as Feather version 2, Parquet or CSV"
        raise FormatError("is a Feather file of version 1", where=path.name, remedy=remedy)
    _refuse_damaged(path, text)
    return _text_kind(path, text)


def _refuse_nothing(path: Path, opening: bytes) -> None:
    """Refuse NUL bytes alone, which are left of a file after a crash of the machine."""
    if not opening.strip(b"\0 \t\r\n"):
        what = "holds" if len(opening) < SIZE else "begins with"
        raise InputError(
            f"{what} nothing but NUL bytes", where=path.name, remedy="the file is lost; restore it, or fetch it again"
        )


def _refuse_damaged(path: Path, text: str) -> None:
    """Refuse what should be a binary file by its name, but neither begins like one nor is a text of several lines."""
    stored = STORED.get(path.suffix.lower())
    if stored is not None and (not all(map(_is_plain, text[:1000])) or "\n" not in text.strip()):
        raise FormatError(f"not a {stored}: cut off or damaged", where=path.name, remedy="fetch or write it again")


def _is_plain(character: str) -> bool:
    return character.isprintable() or character.isspace()


def _text_kind(path: Path, text: str) -> Kind:
    lines = path.suffix.lower() in LINES
    if not JSON.match(text) and path.suffix.lower() != ".json":
        return Kind.JSON_LINES if lines else Kind.SEPARATED
    if text.lstrip().startswith("["):
        return Kind.JSON
    line = first_line(text)
    alone = text.strip() == line.strip() and len(text) < SIZE
    return Kind.JSON_LINES if lines or (_is_object(line) and not alone) else Kind.JSON


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_workbook(path: Path, opening: bytes) -> bool:
    if opening.startswith(OLD_WORKBOOK):
        return True
    if not opening.startswith(ZIP) or path.suffix.lower() == ".ods":
        return opening.startswith(ZIP)
    try:
        with zipfile.ZipFile(path) as archive:
            return bool(SHEETS & set(archive.namelist()))
    except (OSError, zipfile.BadZipFile):
        return False
