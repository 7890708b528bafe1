"""Workbooks that unpack to gigabytes, or to more than they say, are refused before they are unpacked."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest
from small_workbook import small_workbook

from similitude.data.reading import read
from similitude.data.reading.containers.archive_size import refuse_bomb
from similitude.errors import FormatError

pytest.importorskip("python_calamine", reason="needs the extra workbook")

ROWS = [["left", "right"], ["a b", "c d"]]


def with_part(content: bytes) -> bytes:
    """A workbook with one more part."""
    sink = io.BytesIO(small_workbook({"one": ROWS}))
    with zipfile.ZipFile(sink, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/more.xml", content)
    return sink.getvalue()


def test_a_plain_workbook_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(small_workbook({"one": ROWS}))
    refuse_bomb(path)
    assert len(read(path)) == 1


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    """70 MB of zeros take less than 70 kB: far more than fifty times."""
    path = tmp_path / "bomb.xlsx"
    path.write_bytes(with_part(bytes(70_000_000)))
    assert path.stat().st_size < 200_000
    with pytest.raises(FormatError, match=r"bomb\.xlsx: unpacks to 70.* times its size"):
        read(path)


def test_a_part_that_is_longer_than_it_says_is_refused(tmp_path: Path) -> None:
    content = bytearray(with_part(bytes(1_000_000)))
    said = struct.pack("<I", 1_000_000)
    while (at := content.find(said)) >= 0:
        content[at : at + 4] = struct.pack("<I", 10)
    path = tmp_path / "lies.xlsx"
    path.write_bytes(bytes(content))
    with pytest.raises(FormatError, match="damaged, or longer than it says"):
        read(path)


def test_the_old_format_is_no_archive(tmp_path: Path) -> None:
    path = tmp_path / "old.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(600))
    refuse_bomb(path)
