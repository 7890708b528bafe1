"""How findings put things: counts, shortened texts, rows as examples."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from similitude.inspect.checks.findings import MOST_EXAMPLES

__all__ = ["counted", "listed", "rows", "share", "shortened", "span"]

_LONGEST = 40


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(1234, "row")
    ('1 row', '1,234 rows')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def share(part: float, whole: float) -> str:
    """A share in percent.

    >>> share(1, 8), share(1, 1)
    ('12.5 %', '100 %')
    """
    return f"{100 * part / whole:.3g} %"


def span(values: pl.Series) -> str:
    """The lowest and the highest of some numbers; nan counts as the highest.

    >>> span(pl.Series([2.5, 1]))
    '1 to 2.5'
    """
    ordered = values.drop_nulls().sort().to_numpy()
    return f"{ordered[0]:g} to {ordered[-1]:g}"


def shortened(text: str | None, longest: int = _LONGEST) -> str:
    r"""A text in quotes, cut where it is long, with what cannot be seen written as an escape.

    >>> shortened("tab\there"), shortened("x" * 50, longest=5)
    ("'tab\\u0009here'", "'xxxx…'")
    """
    if text is None:
        return "none"
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "'" + "".join(mark if mark.isprintable() else f"\\u{ord(mark):04x}" for mark in cut) + "'"


def listed(values: Iterable[str | None]) -> str:
    """A few values in one line.

    >>> listed(["a", "b", "c", "d", "e", "f", "g"])
    'a, b, c, d, e, ...'
    """
    words = [str(value) for value in values]
    return ", ".join(words[:MOST_EXAMPLES]) + (", ..." if len(words) > MOST_EXAMPLES else "")


def rows(frame: pl.DataFrame, detail: str | None = None) -> tuple[str, ...]:
    """The first rows as examples: id, both texts, score, and the column ``detail`` where one is named.

    Args:
        frame: has the columns id, left, right and score; ``id`` may hold lists of ids.
        detail: a column of texts, put at the end.
    """
    return tuple(_row(row, detail) for row in frame.head(MOST_EXAMPLES).iter_rows(named=True))


def _row(row: dict[str, object], detail: str | None) -> str:
    ids, left, right, score = row["id"], row["left"], row["right"], row["score"]
    name = listed(ids) if isinstance(ids, list) else str(ids)
    texts = " | ".join(shortened(text if isinstance(text, str) else None) for text in (left, right))
    number = f" = {score:g}" if isinstance(score, float) else ""
    return f"{name}: {texts}{number}" + (f" ({row[detail]})" if detail else "")
