"""Compressed files and ZIP archives of one file, unpacked block by block.

A file is recognised by its first bytes, whatever its name. Several streams in one file are unpacked one after the
other; bytes that follow the last stream are an error, never dropped.
"""

from __future__ import annotations

import bz2
import lzma
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Protocol

from similitude.data.reading.files import opening_bytes, unreadable
from similitude.data.reading.problems import listing
from similitude.data.reading.signatures import SIGNATURE_SIZE
from similitude.errors import FormatError, InputError
from similitude.paths import printable

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["BLOCK", "SUFFIXES", "Packed", "packed"]

BLOCK = 1 << 20
"""Bytes that are read at a time."""


class Decompressor(Protocol):
    """One compressed stream."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""

    @property
    def needs_input(self) -> bool:
        """Whether nothing more can be unpacked without more bytes."""

    @property
    def unused_data(self) -> bytes:
        """The bytes after the end of the stream."""

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        """The next bytes, at most so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A packed file.

    Attributes:
        name: the name of its content.
        blocks: the content, block by block.
    """

    name: str
    blocks: Iterator[bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compression:
    """A method of compression: how its files begin and are named, and what unpacks them."""

    name: str
    opening: re.Pattern[bytes]
    suffixes: tuple[str, ...]
    start: Callable[[], Decompressor]


class _Gzip:
    """A stream of gzip; zlib's own object has another interface than those of bz2, lzma and zstd."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._stream.eof

    @property
    def needs_input(self) -> bool:
        return not self._stream.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._stream.unused_data

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        return self._stream.decompress(self._stream.unconsumed_tail + data, max_length)


COMPRESSIONS = (
    Compression(name="gzip", opening=re.compile(rb"\x1f\x8b\x08"), suffixes=(".gz", ".gzip"), start=_Gzip),
    Compression(
        name="zstd",
        opening=re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
        suffixes=(".zst", ".zstd"),
        start=zstd.ZstdDecompressor,
    ),
    Compression(
        name="xz",
        opening=re.compile(rb"\xfd7zXZ\0|\]\0\0.{10}", re.DOTALL),
        suffixes=(".xz", ".lzma"),
        start=lzma.LZMADecompressor,
    ),
    Compression(
        name="bzip2",
        opening=re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
        suffixes=(".bz2", ".bz"),
        start=bz2.BZ2Decompressor,
    ),
)

SUFFIXES = (*(suffix for method in COMPRESSIONS for suffix in method.suffixes), ".zip")
SHORT_SUFFIXES = {".tgz": ".tar", ".txz": ".tar", ".tbz": ".tar", ".tbz2": ".tar", ".tzst": ".tar"}
CLUTTER = re.compile(r"(^|/)(__MACOSX/|\._|\.DS_Store$|Thumbs\.db$|desktop\.ini$)")
"""Files that operating systems add to archives."""


def packed(path: Path) -> Packed | None:
    """The content of a packed file; None for other files, and for archives that are a format of their own.

    Raises:
        InputError: the file cannot be read, or is a ZIP archive that holds no file or several.
    """
    opening = opening_bytes(path, SIGNATURE_SIZE)
    if opening.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _zipped(path)
    method = next((each for each in COMPRESSIONS if each.opening.match(opening)), None)
    return Packed(name=_content_name(path.name, method), blocks=_unpacked(path, method)) if method else None


def _content_name(name: str, method: Compression) -> str:
    for suffix in method.suffixes:
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            return name[: -len(suffix)]
    stem, dot, ending = name.rpartition(".")
    return stem + SHORT_SUFFIXES.get(dot + ending.lower(), dot + ending)


def _unpacked(path: Path, method: Compression) -> Iterator[bytes]:
    where, remedy = printable(path.name), "copy the file from its source again"
    try:
        with path.open("rb") as file:
            yield from _streams(file, method.start)
    except EOFError:
        raise InputError(f"the {method.name} file is cut off", where=where, remedy=remedy) from None
    except (zlib.error, lzma.LZMAError, zstd.ZstdError, ValueError) as error:
        raise InputError(f"the {method.name} file is damaged: {error}", where=where, remedy=remedy) from None
    except OSError as error:
        if error.errno is not None:
            raise unreadable(path, error) from None
        raise InputError(f"the {method.name} file is damaged: {error}", where=where, remedy=remedy) from None


def _streams(file: BinaryIO, start: Callable[[], Decompressor]) -> Iterator[bytes]:
    """The content of all streams in a file."""
    data = file.read(BLOCK)
    while data:
        stream = start()
        while not stream.eof:
            if stream.needs_input and not data:
                data = file.read(BLOCK)
                if not data:
                    raise EOFError
            yield stream.decompress(data, BLOCK)
            data = b""
        data = _without_padding(file, stream.unused_data)


def _without_padding(file: BinaryIO, data: bytes) -> bytes:
    """The bytes of the next stream; NULs may come before it."""
    data = data.lstrip(b"\0")
    while not data and (block := file.read(BLOCK)):
        data = block.lstrip(b"\0")
    return data


def _zipped(path: Path) -> Packed | None:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [each for each in archive.infolist() if not each.is_dir() and not CLUTTER.search(each.filename)]
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise _bad_archive(path, error) from None
    except OSError as error:
        raise unreadable(path, error) from None
    names = [each.filename for each in members]
    if _is_format(names):
        return None
    if len(members) != 1:
        raise _not_one(path, names)
    if members[0].flag_bits & 1:
        raise FormatError("needs a password", where=printable(path.name), remedy="unpack it first")
    name = re.split(r"[/\\]", names[0])[-1]
    return Packed(name=_safe(name), blocks=_member(path, members[0]))


def _is_format(names: list[str]) -> bool:
    """Whether an archive is a file format of its own: a workbook, a document, arrays, the weights of a model."""
    marks = {"[Content_Types].xml", "mimetype"}
    arrays = bool(names) and all(name.endswith(".npy") for name in names)
    return arrays or any(name in marks or name.endswith("/data.pkl") for name in names)


def _not_one(path: Path, names: list[str]) -> FormatError:
    if not names:
        return FormatError("is a ZIP archive without files", where=printable(path.name), remedy="name another file")
    what = f"is a ZIP archive of {len(names):,} files: {listing(names, 10)}"
    return FormatError(what, where=printable(path.name), remedy="unpack it and name the files to read")


def _member(path: Path, member: zipfile.ZipInfo) -> Iterator[bytes]:
    try:
        with zipfile.ZipFile(path) as archive, archive.open(member) as file:
            while block := file.read(BLOCK):
                yield block
    except (zipfile.BadZipFile, EOFError, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError) as error:
        raise _bad_archive(path, error) from None
    except OSError as error:
        raise (_bad_archive(path, error) if error.errno is None else unreadable(path, error)) from None


def _bad_archive(path: Path, error: Exception) -> InputError:
    if isinstance(error, NotImplementedError):
        what, remedy = f"the ZIP archive cannot be unpacked: {error}", "unpack it first"
    else:
        what = f"the ZIP archive is damaged or cut off{f': {error}' if str(error) else ''}"
        remedy = "copy the file from its source again"
    return InputError(what, where=printable(path.name), remedy=remedy)


def _safe(name: str) -> str:
    """A name that stays in its folder."""
    return name.replace("\0", "") if name.strip(".\0") else "content"
