r"""Files decoded to lines of valid UTF-8.

Only ``\n`` and ``\r\n`` end a line; U+2028, ``\x0b`` and the like are part of the text. Lines that cannot be used
(invalid bytes, NUL, more than 1 MB) become problems of their rows, so that an error can name such a line, or it can be
skipped without losing the other rows.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from similitude.data.reading.encoding_errors import encoding_remedy, is_wide, refuse_mistaken
from similitude.data.reading.files import read_bytes, refuse_empty
from similitude.data.reading.problems import RowProblem
from similitude.data.reading.utf8 import is_utf8
from similitude.errors import ArgumentError, InputError

__all__ = ["LONGEST_LINE", "DecodedText", "encoding_of", "load_document", "load_text"]

LONGEST_LINE = 1_000_000
"""In bytes; a longer line in a line-oriented file is a problem."""

NOT_OF_FILES = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape"})
"""Encodings of names and of Python's source, which files of text do not have."""

MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
"""Byte-order marks, which take precedence over the encoding that the user named."""


@dataclass(frozen=True, kw_only=True)
class DecodedText:
    """The text of a file.

    Attributes:
        name: the file's name, for messages.
        data: the text in UTF-8, without byte-order mark; lines that are too long are blank.
        problems: problems of lines that cannot be used.
    """

    name: str
    data: bytes
    problems: tuple[RowProblem, ...] = ()

    @cached_property
    def raw_lines(self) -> list[str]:
        """The lines, split at line feeds; a line may end in a carriage return."""
        lines = self.data.decode().split("\n")
        return lines if lines[-1] else lines[:-1]

    @cached_property
    def lines(self) -> list[str]:
        """The lines without their line ends."""
        windows = b"\r\n" in self.data
        return [line.removesuffix("\r") for line in self.raw_lines] if windows else self.raw_lines


def load_text(path: Path, encoding: str = "utf-8") -> DecodedText:
    """The text of a line-oriented file.

    Raises:
        InputError: the file is missing, a folder, or empty.
        ArgumentError: Python does not know the encoding.
    """
    data, bad = _utf8(path, encoding)
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    data, long = _without_long_lines(data, path.name)
    return DecodedText(name=path.name, data=data, problems=(*long, *bad, *_nul_lines(data, path.name)))


def load_document(path: Path, encoding: str = "utf-8") -> str:
    """The text of a file that is one document, with lines of any length.

    Raises:
        InputError: the file is missing, a folder, empty, or holds invalid bytes.
        ArgumentError: Python does not know the encoding.
    """
    data, bad = _utf8(path, encoding)
    for problem in bad:
        raise InputError(problem.what, where=problem.where, remedy=problem.remedy)
    return data.decode()


def encoding_of(data: bytes, named: str) -> tuple[str, int]:
    """The encoding that the byte-order mark gives, else the one named; and the length of the mark or marks."""
    for mark, encoding in MARKS.items():
        if data.startswith(mark):
            return encoding, len(mark) * (2 if data.startswith(2 * mark) else 1)
    return _known(named), 0


def _utf8(path: Path, named: str) -> tuple[bytes, list[RowProblem]]:
    """The file as valid UTF-8, and problems of lines in which bytes were replaced."""
    data = read_bytes(path)
    encoding, mark = encoding_of(data, named)
    data = data[mark:]
    refuse_empty(path, data)
    if not mark:
        refuse_mistaken(data, encoding, path.name)
    if encoding == "utf-8" and is_utf8(data):
        return data, []
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        replaced = _replaced_whole if is_wide(encoding) else _replaced
        return replaced(data, encoding, error, path.name)
    return (data if encoding == "utf-8" else text.encode()), []


def _known(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)
    except (LookupError, ValueError):  # ValueError: a NUL in the name, or the encoding "undefined"
        name = ""
    if not name or name in NOT_OF_FILES:
        raise ArgumentError(f"no encoding named '{encoding}'", remedy="try utf-8, latin-1, cp1252, utf-16") from None
    return "utf-8" if name == "utf-8-sig" else name


def _replaced(data: bytes, encoding: str, error: UnicodeDecodeError, name: str) -> tuple[bytes, list[RowProblem]]:
    end = b"\n" if b"\n" in data else b"\r"
    lines, problems = data.split(end), []
    start = data.rfind(end, 0, error.start) + 1
    remedy = encoding_remedy(data, data[start:].split(end, 1)[0], error.start - start, encoding)
    for number, line in enumerate(lines, start=1):
        try:
            lines[number - 1] = line.decode(encoding).encode()
        except UnicodeDecodeError as error:
            lines[number - 1] = line.decode(encoding, errors="replace").encode()
            byte = f"byte 0x{line[error.start]:02x} at byte {error.start + 1}"
            problems.append(_bad_bytes(number, f"{byte} is not {encoding.upper()}", remedy, name))
    return end.join(lines), problems


def _replaced_whole(data: bytes, encoding: str, error: UnicodeDecodeError, name: str) -> tuple[bytes, list[RowProblem]]:
    text = data.decode(encoding, errors="replace")
    what = f"byte 0x{data[error.start]:02x} at byte {error.start + 1} of the file is not {encoding.upper()}"
    remedy = encoding_remedy(data, b"", 0, encoding)
    lines = [number for number, line in enumerate(text.split("\n"), start=1) if "\ufffd" in line]
    return text.encode(), [_bad_bytes(number, what, remedy, name) for number in lines]


def _bad_bytes(line: int, what: str, remedy: str, name: str) -> RowProblem:
    return RowProblem(place=line, where=f"{name}, line {line}", what=what, remedy=remedy)


def _without_long_lines(data: bytes, name: str) -> tuple[bytes, list[RowProblem]]:
    """The text with lines beyond the limit made blank, and their problems."""
    if not _may_have_long_lines(data):
        return data, []
    ends = np.append(line_breaks(data), len(data))
    lengths = np.diff(ends, prepend=-1) - 1
    long = np.flatnonzero(lengths > LONGEST_LINE)
    problems = [_too_long(int(line) + 1, int(lengths[line]), name) for line in long]
    for line in long[::-1]:
        data = data[: ends[line] - lengths[line]] + data[ends[line] :]
    return data, problems


def _may_have_long_lines(data: bytes) -> bool:
    """Whether some block of half the limit has no line break; otherwise no line can be too long."""
    half = LONGEST_LINE // 2
    return any(data.find(b"\n", start, start + half) < 0 for start in range(0, len(data) - half + 1, half))


def _too_long(line: int, length: int, name: str) -> RowProblem:
    return RowProblem(
        place=line,
        where=f"{name}, line {line}",
        what=f"the line has {length:,} bytes, more than {LONGEST_LINE:,}",
        remedy="check the line ends, or store long texts as Parquet",
    )


def _nul_lines(data: bytes, name: str) -> list[RowProblem]:
    if b"\0" not in data:
        return []
    lines = [number for number, line in enumerate(data.split(b"\n"), start=1) if b"\0" in line]
    remedy = "the file may be damaged; correct the line"
    return [
        RowProblem(place=n, where=f"{name}, line {n}", what="the line has a NUL byte", remedy=remedy) for n in lines
    ]


def line_breaks(data: bytes) -> NDArray[np.int64]:
    """The positions of all line feeds."""
    return np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n"))
