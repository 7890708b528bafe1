"""Fast parser of separated text for regular files, as most are.

Polars parses the file, at millions of rows per second. A file is regular if quotes enclose whole fields and all rows
have the same number of fields, apart from blank lines. The first is checked before Polars parses it. The second
follows from sums: Polars refuses longer rows, so no row is shorter if the separators of all rows together are as many
as they must be. Other files are left to the exact parser in `quoted_rows`, which locates errors.
"""

from __future__ import annotations

from mmap import mmap
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.byte_blocks import blank_lines, count_byte, quotes_enclose_fields, stray_returns
from similitude.data.reading.mapped_text import forget_pages
from similitude.data.reading.records import Records
from similitude.data.reading.tables import numbered

__all__ = ["regular_records"]


class _Lines(NamedTuple):
    """First and last line of each row."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def regular_records(data: bytes | mmap, separator: str, *, quoted: bool, path: Path | None = None) -> Records | None:
    """The records of a regular text; None if the text is not regular.

    Args:
        data: the text.
        separator: between fields.
        quoted: whether fields may be enclosed in quotes.
        path: the file that holds the text, if it was mapped into memory; Polars then reads the file by itself.
    """
    enclosed = quoted and data.find(b'"') >= 0
    if not _can_be_regular(data, separator, enclosed=enclosed):
        return None
    width = _first_width(data, separator, enclosed=enclosed)
    if width == 1 or not _end_fits(data, separator, width, enclosed=enclosed):
        return None
    separators, line_count = count_byte(data, separator), _line_count(data)
    forget_pages(data)
    frame = _parse(data if path is None else path, separator, width, quoted=quoted)
    if frame is None or frame.is_empty():
        return None
    lines = _lines(frame, enclosed=enclosed)
    blank = _blank_rows(frame, lines, data)
    filled = frame.height - (0 if blank is None else int(blank.sum()))
    inside = _count_inside(frame, separator).sum() if enclosed else 0
    if lines.ends[-1] != line_count or separators != inside + filled * (width - 1):
        return None
    counts = np.broadcast_to(np.int64(width), frame.height)
    records = Records(frame=frame, counts=counts, starts=lines.starts, ends=lines.ends)
    return records if blank is None else records.keep(~blank)


def _can_be_regular(data: bytes | mmap, separator: str, *, enclosed: bool) -> bool:
    if data[:1] in (b"\n", b"\r") or len(separator.encode()) > 1:
        return False
    if enclosed:
        return quotes_enclose_fields(data, separator)
    return not stray_returns(data).size


def _first_width(data: bytes | mmap, separator: str, *, enclosed: bool) -> int:
    """The number of fields of the first row."""
    outside, separators, start = True, 0, 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        for part in data[start:end].split(b'"') if enclosed else [data[start:end]]:
            separators += part.count(separator.encode()) if outside else 0
            outside = not outside
        outside = not outside if enclosed else True  # n quotes make n + 1 parts
        if outside:
            break
        start = end + 1
    return separators + 1


def _end_fits(data: bytes | mmap, separator: str, width: int, *, enclosed: bool) -> bool:
    """Whether the last line can be left to Polars, which ignores an empty field too many at the end of the file."""
    if data[-1:] != separator.encode():
        return True
    line = data[data.rfind(b"\n") + 1 :]
    return line.count(separator.encode()) == width - 1 and not (enclosed and b'"' in line)


def _parse(source: bytes | mmap | Path, separator: str, width: int, *, quoted: bool) -> pl.DataFrame | None:
    schema = {str(position): pl.String for position in range(width)}
    try:
        return pl.read_csv(
            source.absolute() if isinstance(source, Path) else bytes(source),
            has_header=False,
            schema=schema,
            separator=separator,
            quote_char='"' if quoted else None,
            glob=False,
        )
    except pl.exceptions.PolarsError:
        return None


def _lines(frame: pl.DataFrame, *, enclosed: bool) -> _Lines:
    """The lines of each row, by the line breaks inside its fields."""
    breaks = _count_inside(frame, "\n") if enclosed else None
    if breaks is None or not breaks.any():
        numbers = numbered(frame.height)
        return _Lines(numbers, numbers)
    ends = np.cumsum(breaks + 1)
    return _Lines(ends - breaks, ends)


def _count_inside(frame: pl.DataFrame, character: str) -> NDArray[np.int64]:
    """How often a character occurs in the fields of each row."""
    total = np.zeros(frame.height, dtype=np.int64)
    for column in frame.get_columns():
        found = column.str.contains(character, literal=True).fill_null(value=False)
        if found.any():
            total += column.str.count_matches(character, literal=True).fill_null(0).to_numpy()
    return total


def _blank_rows(frame: pl.DataFrame, lines: _Lines, data: bytes | mmap) -> NDArray[np.bool_] | None:
    """The rows that are blank lines; None if there are none."""
    if any(column.null_count() == 0 for column in frame.get_columns()):
        return None
    null = frame.select(pl.all_horizontal(pl.all().is_null())).to_series().to_numpy()
    blank = null & np.isin(lines.starts, blank_lines(data)) if null.any() else null
    return blank if blank.any() else None


def _line_count(data: bytes | mmap) -> int:
    return count_byte(data, "\n") + (data[-1:] != b"\n")
