"""Builders of files: text, bytes, containers of every kind, and things in a folder that are no files."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import socket
import sqlite3
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import polars as pl

from .case import Make

__all__ = [
    "HEAD",
    "LEFTS",
    "RIGHTS",
    "ROWS",
    "SCORES",
    "arrow_bytes",
    "column_letter",
    "csv_of",
    "dangling",
    "device",
    "fifo",
    "folder",
    "frame",
    "gzipped",
    "json_file",
    "json_lines",
    "loop",
    "parquet_bytes",
    "raw",
    "records",
    "several",
    "sized_bomb",
    "socket_file",
    "sqlite_bytes",
    "tarred",
    "text",
    "workbook",
    "zipped",
]

ROWS: tuple[tuple[str, str, float], ...] = (
    ("A man plays a guitar.", "A man is playing the guitar.", 4.8),
    ("A dog runs in the park.", "A cat sleeps on the sofa.", 0.6),
    ("The meeting was moved to Monday.", "They postponed the meeting until Monday.", 4.4),
    ("Prices rose by two percent.", "Prices rose by ten percent.", 2.9),
    ("She reads a book.", "He repairs a car.", 0.2),
    ("Die Sonne scheint.", "Heute scheint die Sonne.", 4.1),
    ("Ich mag Tee.", "Ich trinke gern Kaffee.", 2.2),
    ("He lives in Berlin.", "He moved away from Berlin.", 2.0),
)
"""Eight pairs with scores from 0.2 to 4.8, of which the only usual scale that fits is 0..5."""

LEFTS = tuple(left for left, _, _ in ROWS)
RIGHTS = tuple(right for _, right, _ in ROWS)
SCORES = tuple(score for _, _, score in ROWS)
HEAD = "sentence1,sentence2,score\n"


# --- text -------------------------------------------------------------------------------------------------------------


def text(name: str, content: str, encoding: str = "utf-8") -> Make:
    """A text file; line ends are written as they are."""
    return raw(name, content.encode(encoding))


def raw(name: str, content: bytes) -> Make:
    """A file of these bytes."""

    def make(folder: Path) -> Path:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return Path(name)

    return make


def csv_of(
    rows: Sequence[Sequence[object]] = ROWS,
    header: Sequence[str] | None = ("sentence1", "sentence2", "score"),
    separator: str = ",",
    end: str = "\n",
) -> str:
    """Rows as separated text; fields with a separator, a quote or a line end in them are quoted."""
    lines = [*([] if header is None else [header]), *rows]
    return "".join(separator.join(_field(value, separator) for value in line) + end for line in lines)


def _field(value: object, separator: str) -> str:
    written = "" if value is None else str(value)
    if any(mark in written for mark in (separator, '"', "\n", "\r")):
        return '"' + written.replace('"', '""') + '"'
    return written


def with_scores(*written: object, name: str = "score", more: Sequence[object] = ()) -> str:
    """The pairs as CSV with these scores in place of the first ones, as they are written."""
    scores = [*written, *SCORES[len(written) :]]
    rows = [(left, right, score, *more) for left, right, score in zip(LEFTS, RIGHTS, scores, strict=True)]
    return csv_of(rows, ("sentence1", "sentence2", name, *(f"more{at}" for at, _ in enumerate(more))))


def several(*makes: Make) -> Make:
    """Several files, read together."""
    return lambda folder: [make(folder) for make in makes]


# --- JSON -------------------------------------------------------------------------------------------------------------


def records(rows: Sequence[Sequence[object]] = ROWS, names: Sequence[str] = ("sentence1", "sentence2", "score")) -> Any:
    """Rows as a list of objects."""
    return [dict(zip(names, row, strict=True)) for row in rows]


def json_file(name: str, document: Any) -> Make:
    """A JSON document."""
    return text(name, json.dumps(document, ensure_ascii=False))


def json_lines(entries: Sequence[Any]) -> str:
    """Objects, one per line."""
    return "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)


# --- columnar files ---------------------------------------------------------------------------------------------------


def frame(**columns: Any) -> pl.DataFrame:
    """The pairs as a data frame, with columns added or replaced."""
    return pl.DataFrame({"sentence1": LEFTS, "sentence2": RIGHTS, "score": SCORES} | columns, strict=False)


def parquet_bytes(table: pl.DataFrame) -> bytes:
    """The bytes of a Parquet file."""
    sink = io.BytesIO()
    table.write_parquet(sink)
    return sink.getvalue()


def arrow_bytes(table: pl.DataFrame) -> bytes:
    """The bytes of an Arrow (Feather) file."""
    sink = io.BytesIO()
    table.write_ipc(sink)
    return sink.getvalue()


def npy_bytes(values: Any, *, pickled: bool = False) -> bytes:
    """The bytes of a NumPy file."""
    sink = io.BytesIO()
    np.save(sink, values, allow_pickle=pickled)
    return sink.getvalue()


def sqlite_bytes(folder: Path) -> bytes:
    """The bytes of an SQLite database with one table of pairs."""
    path = folder / "made.sqlite"
    with sqlite3.connect(path) as base:
        base.execute("create table pairs (sentence1, sentence2, score)")
        base.executemany("insert into pairs values (?, ?, ?)", ROWS)
    base.close()
    content = path.read_bytes()
    path.unlink()
    return content


# --- workbooks --------------------------------------------------------------------------------------------------------


def column_letter(at: int) -> str:
    """The letters of a column of a workbook, from 0."""
    first, last = divmod(at, 26)
    return (column_letter(first - 1) if first else "") + chr(ord("A") + last)


def workbook(sheets: Mapping[str, Sequence[Sequence[Any]]], *, dates: Sequence[str] = (), extra: str = "") -> bytes:
    """The bytes of an .xlsx file.

    Args:
        sheets: the rows of each sheet; a text that starts with = is a formula whose value was not saved, a tuple of two
            is a formula and its saved value, and a text like #N/A is an error.
        dates: the cells that are shown as dates.
        extra: more XML at the end of each sheet, such as merged cells.
    """
    sink = io.BytesIO()
    names = list(sheets)
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("[Content_Types].xml", _content_types(len(names)))
        archive.writestr("_rels/.rels", _relations([("officeDocument", "xl/workbook.xml")]))
        archive.writestr("xl/workbook.xml", _book(names))
        targets = [("worksheet", f"worksheets/sheet{at}.xml") for at, _ in enumerate(names, start=1)]
        archive.writestr("xl/_rels/workbook.xml.rels", _relations([*targets, ("styles", "styles.xml")]))
        archive.writestr("xl/styles.xml", _STYLES)
        for at, rows in enumerate(sheets.values(), start=1):
            archive.writestr(f"xl/worksheets/sheet{at}.xml", _sheet(rows, set(dates), extra))
    return sink.getvalue()


_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_STYLES = (
    f'<styleSheet xmlns="{_MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
    '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="2"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/></cellXfs>'
    "</styleSheet>"
)


def _content_types(count: int) -> str:
    parts = [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
    parts += [(f"/xl/worksheets/sheet{at}.xml", "worksheet") for at in range(1, count + 1)]
    overrides = "".join(f'<Override PartName="{part}" ContentType="{_KIND}.{kind}+xml"/>' for part, kind in parts)
    rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    xml = '<Default Extension="xml" ContentType="application/xml"/>'
    return f'<Types xmlns="{_PACKAGE}/content-types">{rels}{xml}{overrides}</Types>'


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    lines = "".join(
        f'<Relationship Id="rId{at}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{lines}</Relationships>'


def _book(names: Sequence[str]) -> str:
    sheets = "".join(
        f'<sheet name="{escape(name)}" sheetId="{at}" r:id="rId{at}"/>' for at, name in enumerate(names, start=1)
    )
    return f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{sheets}</sheets></workbook>'


def _sheet(rows: Sequence[Sequence[Any]], dates: set[str], extra: str) -> str:
    lines = []
    for number, row in enumerate(rows, start=1):
        cells = "".join(_cell(f"{column_letter(at)}{number}", value, dates) for at, value in enumerate(row))
        lines.append(f'<row r="{number}">{cells}</row>')
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(lines)}</sheetData>{extra}</worksheet>'


def _cell(place: str, value: Any, dates: set[str]) -> str:
    style = ' s="1"' if place in dates else ""
    match value:
        case None:
            return ""
        case bool():
            return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
        case int() | float():
            return f'<c r="{place}"{style}><v>{value}</v></c>'
        case (formula, saved):
            return f'<c r="{place}"><f>{escape(formula)}</f><v>{saved}</v></c>'
        case str() if value.startswith("="):
            return f'<c r="{place}"><f>{escape(value[1:])}</f></c>'
        case str() if value.startswith("#") and value.isupper():
            return f'<c r="{place}" t="e"><v>{value}</v></c>'
        case _:
            return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>'


# --- packed files -----------------------------------------------------------------------------------------------------


def gzipped(content: bytes) -> bytes:
    """Packed with gzip, without the time."""
    return gzip.compress(content, mtime=0)


def packed(content: bytes, how: str) -> bytes:
    """Packed with bz2 or xz."""
    return {"bz2": bz2.compress, "xz": lzma.compress}[how](content)


def zipped(**members: bytes) -> bytes:
    """A zip archive; two underscores in a name stand for a dot."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "."), content)
    return sink.getvalue()


def tarred(**members: bytes) -> bytes:
    """A tar archive, packed with gzip."""
    sink = io.BytesIO()
    with tarfile.open(fileobj=sink, mode="w:gz") as archive:
        for name, content in members.items():
            entry = tarfile.TarInfo(name.replace("__", "."))
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return sink.getvalue()


def sized_bomb(megabytes: int) -> bytes:
    """A small gzip file that unpacks to many megabytes of blanks behind a header."""
    sink = io.BytesIO()
    with gzip.GzipFile(fileobj=sink, mode="wb", compresslevel=9, mtime=0) as file:
        file.write(HEAD.encode())
        block = b" " * (1 << 20)
        for _ in range(megabytes):
            file.write(block)
    return sink.getvalue()


# --- no files ---------------------------------------------------------------------------------------------------------


def folder(name: str, **files: str | bytes) -> Make:
    """A folder; two underscores in a name stand for a dot."""

    def make(where: Path) -> Path:
        whole = where / name
        whole.mkdir(parents=True)
        for file, content in files.items():
            target = whole / file.replace("__", ".")
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return Path(name)

    return make


def fifo(name: str) -> Make:
    """A pipe with a name, into which nobody writes."""

    def make(where: Path) -> Path:
        os.mkfifo(where / name)
        return Path(name)

    return make


def dangling(name: str) -> Make:
    """A link to a file that is gone."""

    def make(where: Path) -> Path:
        (where / name).symlink_to("gone.csv")
        return Path(name)

    return make


def loop(name: str) -> Make:
    """A link to itself."""

    def make(where: Path) -> Path:
        (where / name).symlink_to(name)
        return Path(name)

    return make


def socket_file(name: str) -> Make:
    """A socket with a name."""

    def make(where: Path) -> Path:
        before = Path.cwd()
        os.chdir(where)  # the path of a socket may not be long
        try:
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(name)
        finally:
            os.chdir(before)
        return Path(name)

    return make


def device(path: str) -> Make:
    """Something that is there already, such as /dev/zero."""
    return lambda _: Path(path)
