"""Frames of tables that are too large for memory: kept in a temporary file, which is mapped into memory.

The columns are written batch by batch, as Arrow stores them, and Polars takes the mapped columns as they are. The
system loads the pages that are looked at, and drops them where memory is short. The file has no name, so that nothing
is left of it when the frame is gone, or the process is killed.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

import polars as pl

from similitude.errors import InputError

__all__ = ["frame_on_disk", "mapped_frame", "temporary_folder"]

IN_MEMORY = "/tmp"
"""The usual folder for temporary files, which many systems keep in memory."""

LARGE = Path("/var/tmp")
"""The folder for large temporary files, which is on disk."""

BATCH = 1 << 18
"""Rows of a batch."""


def temporary_folder() -> str:
    """The folder for large temporary files: the one that ``TMPDIR`` names, else one that is on disk."""
    usual = tempfile.gettempdir()
    chosen = usual != IN_MEMORY or "TMPDIR" in os.environ
    return usual if chosen or not os.access(LARGE, os.W_OK) else str(LARGE)


def frame_on_disk(batches: Iterable[pl.DataFrame], where: str) -> pl.DataFrame | None:
    """The rows of all batches, in a file that is mapped into memory; None if there is no batch.

    Args:
        batches: frames with the same columns.
        where: the file that they come from, for messages.

    Raises:
        InputError: the disk is full.
    """
    with tempfile.TemporaryFile(dir=temporary_folder(), prefix="similitude-") as file:
        try:
            written = _write(batches, file)
        except OSError as error:
            remedy = "name a folder on a larger disk with the environment variable TMPDIR"
            what = f"cannot be kept on disk in {temporary_folder()}: {error.strerror or error}"
            raise InputError(what, where=where, remedy=remedy) from None
        return mapped_frame(file) if written else None


def _write(batches: Iterable[pl.DataFrame], file: IO[bytes]) -> bool:
    """Write the batches as Arrow does; say whether there were any."""
    import pyarrow as pa

    writer = None
    for batch in batches:
        table = batch.to_arrow(compat_level=pl.CompatLevel.newest())
        writer = writer or pa.ipc.new_file(pa.PythonFile(file, mode="w"), table.schema)
        writer.write_table(table, max_chunksize=BATCH)
    if writer is None:
        return False
    writer.close()
    file.flush()
    return True


def mapped_frame(file: IO[bytes]) -> pl.DataFrame:
    """The frame in an Arrow file, mapped into memory; the file may be closed and deleted."""
    import pyarrow as pa

    pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    table = pa.ipc.open_file(pa.BufferReader(pa.py_buffer(pages))).read_all()
    frame = pl.from_arrow(table, rechunk=False)
    assert isinstance(frame, pl.DataFrame)
    return frame
