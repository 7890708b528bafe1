"""A ZIP archive that has the same bytes whenever and wherever it is made of the same files."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping

__all__ = ["SUMS", "archive_bytes"]

SUMS = "SHA256SUMS"
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a ZIP archive can state."""


def archive_bytes(folder: str, files: Mapping[str, bytes]) -> bytes:
    """The archive of a folder, with the SHA-256 of every file in a file that ``sha256sum --check`` reads.

    Args:
        folder: the name of the folder.
        files: contents by path within it.
    """
    sums = "".join(f"{hashlib.sha256(files[path]).hexdigest()}  {path}\n" for path in sorted(files))
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in sorted({**files, SUMS: sums.encode()}.items()):
            entry = zipfile.ZipInfo(f"{folder}/{path}", LONG_AGO)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(entry, content, compresslevel=9)
    return written.getvalue()
