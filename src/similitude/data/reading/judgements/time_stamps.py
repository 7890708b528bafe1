"""Time stamps of answers: dates, clock times and Unix times as numbers of seconds."""

from __future__ import annotations

import re

import polars as pl

from similitude.data.reading.judgements.answer_values import answer_texts
from similitude.data.reading.tables import Column

__all__ = ["is_moment", "moments", "two_moments"]

OFFSET = r"(:\d{2}(?:\.\d+)?)\s*(?:UTC|GMT)?([+-]\d{2}):?(\d{2})?$"
ZONE = r"\s+(?:[A-Z]{3,4})(\s+\d{4})$"
"""The name of a zone before the year, as Mechanical Turk writes it."""

DAYS = ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%Y%m%d")
CLOCKS = (" %H:%M:%S%.f", " %H:%M:%S", " %H:%M", "")
OTHERS = ("%a %b %d %H:%M:%S %Y", "%b %d, %Y %H:%M:%S", "%b %d, %Y %I:%M %p", "%b %d, %Y", "%d %b %Y %H:%M:%S")
SLASHES = tuple(f"%{first}/%{second}/%Y" for first, second in ("md", "dm"))
HALF_DAY = (" %I:%M:%S %p", " %I:%M %p")
FORMATS = (*(day + clock for day in DAYS for clock in CLOCKS), *OTHERS)
CLOCK = r"^\s*\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?\s*(?i:am|pm)?\s*$"
DIGIT = re.compile(r"\d")

EARLIEST = 1e8
"""Unix times from 1973 on."""

IN_MILLISECONDS = 1e11


def moments(column: Column) -> pl.Series | None:
    """The moments in seconds; None if the values are no time stamps, or can be read in two ways.

    >>> moments(pl.Series(["2024-05-01T10:00:01Z", "2024-05-01 12:00:00+02:00"])).diff().to_list()
    [None, -1.0]
    """
    if isinstance(column, pl.Series) and column.dtype.is_temporal():
        return _seconds(column.cast(pl.Datetime("us"))) if column.dtype != pl.Duration else None
    texts = answer_texts(column)
    if not len(texts.drop_nulls()):
        return None
    numbers = texts.cast(pl.Float64, strict=False)
    if numbers.null_count() == texts.null_count():
        return _unix(numbers)
    return _written(texts)


def two_moments(column: Column) -> tuple[pl.Series, pl.Series] | None:
    """The moments with the month first and with the day first, if both fit: 3/4/2024; None if not.

    >>> first, second = two_moments(pl.Series(["1/2/2024", "1/3/2024"]))
    >>> first.diff().to_list(), second.diff().to_list()
    ([None, 86400.0], [None, 2505600.0])
    """
    plain = answer_texts(column).str.strip_chars()
    both = [_of_format(plain, day) for day in SLASHES]
    return (both[0], both[1]) if both[0] is not None and both[1] is not None else None


def is_moment(texts: pl.Series) -> bool:
    """Whether all values of a column are dates, clock times or Unix times."""
    given = texts.drop_nulls()
    if not len(given) or not DIGIT.search(given[0]):  # Every format has digits; most columns of texts end here.
        return False
    return bool(given.str.contains(CLOCK).all()) or _slashed(given) or moments(given) is not None


def _slashed(given: pl.Series) -> bool:
    return "/" in given[0] and any(
        not _parsed(given, day + clock).null_count() for day in SLASHES for clock in (*CLOCKS, *HALF_DAY)
    )


def _unix(numbers: pl.Series) -> pl.Series | None:
    low, high = float(numbers.min()), float(numbers.max())  # type: ignore[arg-type]
    if not EARLIEST < low <= high < EARLIEST * EARLIEST:
        return None
    return numbers / 1000 if low > IN_MILLISECONDS else numbers


def _written(texts: pl.Series) -> pl.Series | None:
    written = pl.col("it")
    zones = texts.to_frame("it").select(
        plain=written.str.replace(r"(\d)T(\d)", "$1 $2")
        .str.replace(OFFSET, "$1")
        .str.replace(r"\s*(?:Z|UTC|GMT)$", "")
        .str.replace(ZONE, "$1")
        .str.strip_chars(),
        hours=written.str.extract(OFFSET, 2),
        minutes=written.str.extract(OFFSET, 3),
    )
    plain = zones["plain"]
    for form in FORMATS:
        read = _parsed(plain, form)
        if read.null_count() == texts.null_count():
            hours, minutes = (zones[name].cast(pl.Float64).fill_null(0) for name in ("hours", "minutes"))
            return _seconds(read) - hours * 3600 - minutes * 60 * hours.sign().replace(0.0, 1.0)
    both = [_of_format(plain, day) for day in SLASHES]
    found = [each for each in both if each is not None]
    return found[0] if len(found) == 1 else None


def _of_format(plain: pl.Series, day: str) -> pl.Series | None:
    for clock in (*CLOCKS, *HALF_DAY):
        read = _parsed(plain, day + clock)
        if read.null_count() == plain.null_count():
            return _seconds(read)
    return None


def _parsed(plain: pl.Series, form: str) -> pl.Series:
    if "%H" in form or "%I" in form:
        return plain.str.to_datetime(form, strict=False)
    return plain.str.to_date(form, strict=False).cast(pl.Datetime("us"))


def _seconds(moments: pl.Series) -> pl.Series:
    return moments.dt.epoch("us").cast(pl.Float64) / 1e6
