"""Fast parser of separated text for regular files, as most are.

numpy finds the positions of separators, quotes and line breaks. If quotes enclose whole fields and all rows have the
same number of fields, Polars parses the file, at about a million rows per second. Other files are left to the exact
parser in `quoted_rows`, which locates errors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.records import Records
from similitude.data.reading.text_decoder import line_breaks

__all__ = ["regular_records"]

Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shape:
    """First and last line of each row, its number of fields, and whether it is blank."""

    starts: Positions
    ends: Positions
    widths: Positions
    blank: NDArray[np.bool_]


def regular_records(data: bytes, separator: str, *, quoted: bool) -> Records | None:
    """The records of a regular text; None if the text is not regular."""
    shape = _shape(data, separator, quoted=quoted)
    if shape is None or shape.blank.all():
        return None
    widths = shape.widths[~shape.blank]
    if (widths != widths[0]).any() or widths[0] == 1:
        return None
    frame = _parse(data, separator, int(widths[0]), quoted=quoted)
    if frame is None or frame.height != len(shape.starts):
        return None
    return Records(frame=frame, counts=shape.widths, starts=shape.starts, ends=shape.ends).keep(~shape.blank)


def _parse(data: bytes, separator: str, width: int, *, quoted: bool) -> pl.DataFrame | None:
    schema = {str(position): pl.String for position in range(width)}
    try:
        return pl.read_csv(
            data, has_header=False, schema=schema, separator=separator, quote_char='"' if quoted else None
        )
    except pl.exceptions.PolarsError:
        return None


def _shape(data: bytes, separator: str, *, quoted: bool) -> _Shape | None:
    raw = np.frombuffer(data, dtype=np.uint8)
    breaks = line_breaks(data)
    separators = np.flatnonzero(raw == ord(separator))
    row_breaks, quotes = breaks, np.zeros(0, dtype=np.int64)
    if quoted and b'"' in data:
        quotes = np.flatnonzero(raw == ord('"'))
        if not _well_quoted(raw, quotes, separator):
            return None
        separators, row_breaks = _outside(separators, quotes), _outside(breaks, quotes)
    if quoted and _has_stray_returns(data, raw, quotes):
        return None
    return _rows(raw, breaks, row_breaks, separators)


def _rows(raw: NDArray[np.uint8], breaks: Positions, row_breaks: Positions, separators: Positions) -> _Shape:
    closed = len(row_breaks) > 0 and row_breaks[-1] == len(raw) - 1
    stops = row_breaks if closed else np.append(row_breaks, len(raw))
    begins = np.append(0, stops[:-1] + 1)
    lengths = stops - begins
    bare = (lengths == 0) | ((lengths == 1) & (raw[np.minimum(begins, len(raw) - 1)] == ord("\r")))
    return _Shape(
        starts=np.searchsorted(breaks, begins) + 1,
        ends=np.searchsorted(breaks, stops) + 1,
        widths=np.diff(np.searchsorted(separators, stops), prepend=0) + 1,
        blank=bare,
    )


def _well_quoted(raw: NDArray[np.uint8], quotes: Positions, separator: str) -> bool:
    """Whether every quote opens a field, closes it, or is doubled inside it."""
    if len(quotes) % 2:
        return False
    edge = np.array([ord(separator), ord("\n"), ord('"')], dtype=np.uint8)
    padded = np.concatenate([np.array([ord("\n")], dtype=np.uint8), raw, np.array([ord("\n")] * 2, dtype=np.uint8)])
    before = padded[quotes[0::2]]
    after = padded[quotes[1::2] + 2]
    windows_end = (after == ord("\r")) & (padded[quotes[1::2] + 3] == ord("\n"))
    return bool(np.isin(before, edge).all() and (np.isin(after, edge) | windows_end).all())


def _outside(positions: Positions, quotes: Positions) -> Positions:
    outside: Positions = positions[np.searchsorted(quotes, positions) % 2 == 0]
    return outside


def _has_stray_returns(data: bytes, raw: NDArray[np.uint8], quotes: Positions) -> bool:
    """Whether there is a carriage return outside quotes that does not end a line."""
    if b"\r" not in data or data.count(b"\r") == data.count(b"\r\n"):
        return False
    returns = _outside(np.flatnonzero(raw == ord("\r")), quotes)
    return bool((raw[np.minimum(returns + 1, len(raw) - 1)] != ord("\n")).any())
