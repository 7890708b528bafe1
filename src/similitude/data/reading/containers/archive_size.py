"""The size of what a workbook unpacks to, checked before it is unpacked: small files can hold gigabytes of zeros."""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path

from similitude.data.byte_sizes import shown_size
from similitude.errors import FormatError

__all__ = ["refuse_bomb"]

SMALL = 1 << 26
"""Workbooks that unpack to fewer bytes are always read."""
LARGEST_RATIO = 50
"""Workbooks of people unpack to about ten times their size."""


def refuse_bomb(path: Path) -> None:
    """Refuse a workbook that unpacks to far more than people write, or to more than it says.

    Raises:
        FormatError: it does, or a part of it is damaged.
    """
    if not zipfile.is_zipfile(path):  # the old format, which packs nothing
        return
    with zipfile.ZipFile(path) as archive:
        unpacked, packed = sum(each.file_size for each in archive.infolist()), path.stat().st_size
        if unpacked > SMALL and unpacked > LARGEST_RATIO * packed:
            what = f"unpacks to {shown_size(unpacked)}, {unpacked // packed:,} times its size"
            raise FormatError(what, where=path.name, remedy="save its rows as CSV, and read that")
        damaged = _damaged(archive)
    if damaged:
        what = f"its part {damaged} is damaged, or longer than it says"
        raise FormatError(what, where=path.name, remedy="save it again as .xlsx without a password")


def _damaged(archive: zipfile.ZipFile) -> str:
    """The first part whose content is not what the archive says; reads no more than the sizes that it states."""
    try:
        return archive.testzip() or ""
    except (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, OSError) as error:
        return f"({str(error)[:80]})"
