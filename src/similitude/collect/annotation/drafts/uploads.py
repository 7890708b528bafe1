"""Uploaded files: under a safe name, in pieces, whole or not at all."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from similitude.data.writing.atomic import draft_beside, put_in_place
from similitude.errors import InputError

__all__ = ["ENDINGS", "safe_name", "store_upload"]

ENDINGS = (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json", ".xlsx", ".xlsm", ".xls", ".ods", ".parquet", ".arrow")
"""The endings of files that may be uploaded; archives are not among them."""

PIECE = 1 << 20
LONGEST = 60


def safe_name(name: str) -> str:
    r"""The name that an uploaded file gets: without folders, and in letters that every file system takes.

    Raises:
        InputError: the ending is not one of `ENDINGS`.

    >>> safe_name("C:\\data\\Meine Paare.CSV"), safe_name("../../etc/.csv")
    ('meine-paare.csv', 'items.csv')
    """
    last = PurePosixPath(PureWindowsPath(name).name).name
    stem, dot, ending = last.rpartition(".")
    ending = f"{dot}{ending}".lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise InputError(f"files ending in '{ending[:20]}' are not accepted", remedy=f"use one of {known}")
    plain = re.sub(r"[^a-z0-9]+", "-", stem.lower()).strip("-")[:LONGEST]
    return f"{plain or 'items'}{ending}"


def store_upload(source: BinaryIO, name: str, folder: Path, *, limit: int) -> Path:
    """Store an uploaded file, in pieces.

    Args:
        source: the content.
        name: the name that the browser sent.
        folder: where to store it.
        limit: the largest size, in bytes.

    Raises:
        InputError: the file is empty or too large, or its ending is not accepted.
    """
    target = folder / safe_name(name)
    with draft_beside(target) as draft:
        size = _copied(source, draft, limit)
        if size == 0:
            raise InputError("the file is empty", where=target.name, remedy="choose a file with items")
        put_in_place(draft, target)
    return target


def _copied(source: BinaryIO, draft: Path, limit: int) -> int:
    size = 0
    with draft.open("wb") as file:
        while piece := source.read(PIECE):
            size += len(piece)
            if size > limit:
                what = f"the file has more than {limit / 1e6:g} MB"
                raise InputError(what, remedy="upload a part of it, or put the file into the folder by hand")
            file.write(piece)
    return size
