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

from similitude.data.reading.byte_blocks import ByteCounts, Quotes, blank_lines, enclosing_quotes, stray_returns
from similitude.data.reading.disk_frames import frame_on_disk
from similitude.data.reading.free_memory import belongs_on_disk
from similitude.data.reading.mapped_text import forget_pages
from similitude.data.reading.records import Records
from similitude.data.reading.tables import numbered

__all__ = ["marks_of", "regular_records"]


class _Lines(NamedTuple):
    """First and last line of each row."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


class _Marks(NamedTuple):
    """Counts of bytes in a text.

    Attributes:
        length: of the whole text.
        breaks: line feeds.
        lines: lines; the last may lack its line feed.
        returns: carriage returns.
        quotes: quotes that enclose fields.
        separators: separators, counted only if no quotes enclose fields.
    """

    length: int
    breaks: int
    lines: int
    returns: int
    quotes: Quotes
    separators: int

    @classmethod
    def of(cls, data: bytes | mmap, separator: str, quotes: Quotes, counts: ByteCounts) -> _Marks:
        breaks = counts.of["\n"]
        return cls(
            length=len(data),
            breaks=breaks,
            lines=breaks + (data[-1:] != b"\n"),
            returns=counts.of["\r"],
            quotes=quotes,
            separators=0 if quotes.total else counts.of[separator],
        )

    def separators_outside(self, frame: pl.DataFrame) -> int:
        """The number of separators between fields.

        Where quotes enclose fields, it is what remains of the text without fields, quotes and line ends; that is found
        much faster than separators inside fields are counted.
        """
        if not self.quotes.total:
            return self.separators
        returns = self.returns - (int(_count_inside(frame, "\r").sum()) if self.returns else 0)
        ends = frame.height - (self.lines - self.breaks) + returns
        return self.length - _bytes_inside(frame) - (self.quotes.total - self.quotes.doubled) - ends


def marks_of(separator: str) -> str:
    """The characters that must be counted to prove that a text with this separator is regular."""
    return f'\n\r"{separator}'


def regular_records(
    data: bytes | mmap, separator: str, *, quoted: bool, counts: ByteCounts | None = None, path: Path | None = None
) -> Records | None:
    """The records of a regular text; None if the text is not regular.

    Args:
        data: the text.
        separator: between fields.
        quoted: whether fields may be enclosed in quotes.
        counts: how often the characters of `marks_of` occur, if they have been counted.
        path: the file that holds the text, if it was mapped into memory; Polars then reads the file by itself.
    """
    if data[:1] in (b"\n", b"\r") or len(separator.encode()) > 1:
        return None
    counts = counts or ByteCounts.in_text(data, marks_of(separator))
    enclosed = quoted and counts.of['"'] > 0
    quotes = _regular_quotes(data, separator, enclosed=enclosed, returns=counts.of["\r"] > 0)
    if quotes is None:
        return None
    width = _first_width(data, separator, enclosed=enclosed)
    if width == 1 or not _end_fits(data, separator, width, enclosed=enclosed):
        return None
    marks = _Marks.of(data, separator, quotes, counts)
    forget_pages(data)
    frame = _parse(data if path is None else path, separator, width, quoted=quoted)
    if frame is None or frame.is_empty():
        return None
    lines = _lines(frame, marks.lines)
    blank = _blank_rows(frame, lines, data)
    filled = frame.height - (0 if blank is None else int(blank.sum()))
    if lines.ends[-1] != marks.lines or marks.separators_outside(frame) != filled * (width - 1):
        return None
    widths = np.broadcast_to(np.int64(width), frame.height)
    records = Records(frame=frame, counts=widths, starts=lines.starts, ends=lines.ends)
    return records if blank is None else records.keep(~blank)


def _regular_quotes(data: bytes | mmap, separator: str, *, enclosed: bool, returns: bool) -> Quotes | None:
    """The quotes of a text that can be regular; None if it cannot."""
    if enclosed:
        return enclosing_quotes(data, separator, returns=returns)
    return None if returns and stray_returns(data).size else Quotes(0, 0)


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
    """The fields as Polars reads them; None if it refuses. Those of a file that is too large are kept on disk."""
    size = source.stat().st_size if isinstance(source, Path) else 0
    rows = pl.scan_csv(
        source.absolute() if isinstance(source, Path) else bytes(source),
        has_header=False,
        schema={str(position): pl.String for position in range(width)},
        separator=separator,
        quote_char='"' if quoted else None,
        glob=False,
    )
    try:
        if isinstance(source, Path) and belongs_on_disk(size, source.name):
            return frame_on_disk(rows.collect_batches(), source.name)
        return rows.collect()
    except pl.exceptions.PolarsError:
        return None


def _lines(frame: pl.DataFrame, line_count: int) -> _Lines:
    """The lines of each row, by the line breaks inside its fields."""
    if frame.height == line_count:
        numbers = numbered(frame.height)
        return _Lines(numbers, numbers)
    breaks = _count_inside(frame, "\n")
    ends = np.cumsum(breaks + 1)
    return _Lines(ends - breaks, ends)


def _count_inside(frame: pl.DataFrame, character: str) -> NDArray[np.int64]:
    """How often a character occurs in the fields of each row."""
    total = np.zeros(frame.height, dtype=np.int64)
    for column in frame.get_columns():
        rows = column.str.contains(character, literal=True).fill_null(value=False).arg_true()
        total[rows.to_numpy()] += column.gather(rows).str.count_matches(character, literal=True).to_numpy()
    return total


def _bytes_inside(frame: pl.DataFrame) -> int:
    """The length of all fields together, without the quotes that enclose them."""
    return sum(int(column.str.len_bytes().sum()) for column in frame.get_columns())


def _blank_rows(frame: pl.DataFrame, lines: _Lines, data: bytes | mmap) -> NDArray[np.bool_] | None:
    """The rows that are blank lines; None if there are none."""
    if any(column.null_count() == 0 for column in frame.get_columns()):
        return None
    null = frame.select(pl.all_horizontal(pl.all().is_null())).to_series().to_numpy()
    blank = null & np.isin(lines.starts, blank_lines(data)) if null.any() else null
    return blank if blank.any() else None
