"""One file over https: all of its bytes with the right hash, or an error and no file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import BinaryIO
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from similitude._version import __version__
from similitude.data.public.catalogue import PublicFile

__all__ = ["FetchError", "NoConnectionError", "download", "sha256_of"]

BLOCK = 1 << 16
PATIENCE = 30.0
"""Seconds without an answer after which a connection is given up."""


class FetchError(Exception):
    """Why a file did not come."""


class NoConnectionError(FetchError):
    """The host cannot be reached: no other file of it will come either."""


def download(file: PublicFile, path: Path) -> None:
    """Fetch a file.

    Args:
        file: what is fetched.
        path: where it is written; what it holds after an error is worth nothing.

    Raises:
        FetchError: it does not come, comes in part, or is another file.
        NoConnectionError: the host cannot be reached.
    """
    digest, size = hashlib.sha256(), 0
    with path.open("wb") as target:
        for block in _blocks(file.address):
            size += len(block)
            if size > file.bytes:
                raise FetchError(f"more than the {file.bytes:,} bytes that it should have")
            digest.update(block)
            target.write(block)
    if size < file.bytes:
        raise FetchError(f"interrupted after {size:,} of {file.bytes:,} bytes")
    if digest.hexdigest() != file.sha256:
        raise FetchError(f"another file: its SHA-256 is {digest.hexdigest()}")


def sha256_of(path: Path) -> str:
    """The hash of a file."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _blocks(address: str) -> Iterator[bytes]:
    asked = Request(address, headers={"User-Agent": f"similitude/{__version__}"})
    try:
        with urlopen(asked, timeout=PATIENCE) as answer:
            yield from _read(answer)
    except HTTPError as error:
        raise FetchError(f"the server says {error.code} {error.reason}") from None
    except (URLError, TimeoutError) as error:
        raise NoConnectionError(f"no connection: {getattr(error, 'reason', error)}") from None
    except (HTTPException, OSError) as error:
        raise FetchError(f"interrupted: {error}") from None


def _read(answer: BinaryIO) -> Iterator[bytes]:
    while block := answer.read(BLOCK):
        yield block
