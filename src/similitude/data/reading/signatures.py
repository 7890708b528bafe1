"""Signatures: the first bytes of files that hold no table, and what to do about each."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["SIGNATURE_SIZE", "FileKind", "kind_of"]

SIGNATURE_SIZE = 1024
"""So many bytes tell the kind of a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileKind:
    """A kind of file that cannot be read as a table.

    Attributes:
        opening: how such files begin.
        what: what the file is; the end of "the file ...".
        remedy: what to do instead; ``FILE`` stands for the file's name.
    """

    opening: re.Pattern[bytes]
    what: str
    remedy: str


def kind_of(opening: bytes) -> FileKind | None:
    """The kind of a file that begins so, if it is one that holds no table."""
    return next((kind for kind in KINDS if kind.opening.match(opening)), None)


def _kind(opening: bytes, what: str, remedy: str) -> FileKind:
    return FileKind(opening=re.compile(opening, re.DOTALL), what=what, remedy=remedy)


_AS_TABLE = "save the table as CSV (UTF-8) or Parquet"
_SHEET = "save the sheet as CSV (UTF-8)"
_NO_DATA = "name the file with the data"
_MEMBER = rb"PK\x03\x04.{22}.{4}"  # the header of a member of a ZIP archive; its name follows

KINDS = (
    _kind(rb"\x1f\x8b", "is compressed with gzip", "unpack it first: gunzip FILE"),
    _kind(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", "is compressed with bzip2", "unpack it first: bunzip2 FILE"),
    _kind(rb"\xfd7zXZ", "is compressed with xz", "unpack it first: unxz FILE"),
    _kind(rb"\]\0\0.{10}", "is compressed with LZMA", "unpack it first: unlzma FILE"),
    _kind(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", "is compressed with zstd", "unpack it first: unzstd FILE"),
    _kind(rb"\x04\x22\x4d\x18", "is compressed with LZ4", "unpack it first: unlz4 FILE"),
    _kind(rb"\x1f[\x9d\xa0]", "is compressed with compress", "unpack it first: uncompress FILE"),
    _kind(rb"LZIP[\0\x01]", "is compressed with lzip", "unpack it first: lzip -d FILE"),
    _kind(_MEMBER + rb"[^/]{1,99}\.npy", "is an archive of NumPy arrays (.npz)", "save one of its arrays as CSV"),
    _kind(_MEMBER + rb"mimetypeapplication/vnd\.oasis", "is an OpenDocument file", _SHEET),
    _kind(_MEMBER + rb"[^/]{1,99}/data\.pkl", "holds the weights of a PyTorch model", _NO_DATA),
    _kind(rb"PK(\x03\x04|\x05\x06|\x07\x08)", "is a ZIP archive or an Excel workbook", f"unpack it, or {_SHEET}"),
    _kind(
        rb"\xd0\xcf\x11\xe0", "is an old Excel workbook, or one with a password", f"{_SHEET}, or as .xlsx without one"
    ),
    _kind(rb".{257}ustar", "is a tar archive", "unpack it first: tar -xf FILE"),
    _kind(rb"7z\xbc\xaf\x27\x1c", "is a 7z archive", "unpack it first: 7z x FILE"),
    _kind(rb"Rar!\x1a\x07", "is a RAR archive", "unpack it first: unrar x FILE"),
    _kind(
        rb"%PDF-", "is a PDF document", "find the table as CSV, or copy it into a sheet and save that as CSV (UTF-8)"
    ),
    _kind(rb"\{\\rtf", "is a rich-text document", "save it as plain text (UTF-8)"),
    _kind(
        rb"(\xef\xbb\xbf)?\s*(<!--.*?-->\s*)?(?i:<!doctype html|<html[\s>])",
        "is a web page, not data; the download went wrong",
        "download the file itself; many sites offer it as 'Raw' or 'Download'",
    ),
    _kind(
        rb"version https://git-lfs",
        "is a Git LFS pointer, not the data",
        "fetch the data in its repository: git lfs pull",
    ),
    _kind(rb"SQLite format 3\0", "is an SQLite database", "export the table as CSV: sqlite3 -csv -header FILE"),
    _kind(
        rb"\x80([\x02\x03][^\x80-\xff]|[\x04\x05]\x95)",
        "is a Python pickle, which could run any code when it is loaded",
        _AS_TABLE,
    ),
    _kind(rb"\x93NUMPY", "is a NumPy array", "save it as text: numpy.savetxt"),
    _kind(rb"\x89HDF\r\n\x1a\n", "is an HDF5 file", _AS_TABLE),
    _kind(rb"Obj\x01", "is an Avro file", _AS_TABLE),
    _kind(rb"ORC[\x00-\x1f]", "is an ORC file", _AS_TABLE),
    _kind(rb"RD[AX][23]\n|X\n\0\0\0[\x02\x03]", "is an R data file", "write the table in R: write.csv"),
    _kind(rb"\$FL[23]@\(#\)", "is an SPSS file", _AS_TABLE),
    _kind(rb"<stata_dta>|[\x71-\x73][\x01\x02]\x01\0", "is a Stata file", _AS_TABLE),
    _kind(rb"GGUF[\x01-\x0f]\0\0\0|.{4}\0\0\0\0\{\"", "holds the weights of a model", _NO_DATA),
    _kind(rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|II\*\0|MM\0\*", "is an image", _NO_DATA),
    _kind(
        rb"ID3[\x02-\x04]\0|OggS\0|fLaC\0|RIFF.{4}(WAVE|AVI )|\0\0\0.ftyp|\x1aE\xdf\xa3",
        "is sound or video",
        _NO_DATA,
    ),
    _kind(rb"\x7fELF|MZ.{1,2}\0|\xca\xfe\xba\xbe|\xcf\xfa\xed\xfe|\0asm", "is a program", _NO_DATA),
    _kind(rb"\0\x05\x16\x07", "is a companion file of macOS", "name the file without '._' at its beginning"),
)
"""Compressed files are unpacked before (see ``spool``); they are listed for readers that take no packed files."""
