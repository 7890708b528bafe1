"""Findings about rows, and how their messages show numbers, texts and rows."""

from __future__ import annotations

import polars as pl

from similitude.data.plural import listed
from similitude.inspect.checks.findings import MOST_EXAMPLES, Finding, Severity

__all__ = ["example_rows", "percentage", "row_finding", "shortened", "value_range"]

_LONGEST = 40


def row_finding(
    code: str, severity: Severity, frame: pl.DataFrame, message: str, remedy: str, detail: str | None = None
) -> Finding:
    """A finding that concerns the rows of a frame, the first of which are its examples.

    Args:
        code: as in `Finding`.
        severity: as in `Finding`.
        frame: the rows; see `example_rows`.
        message: as in `Finding`.
        remedy: as in `Finding`.
        detail: a column of texts to add to each example.
    """
    examples = example_rows(frame, detail)
    return Finding(code=code, severity=severity, message=message, count=frame.height, remedy=remedy, examples=examples)


def percentage(part: float, whole: float) -> str:
    """Part over whole in percent.

    >>> percentage(1, 8), percentage(1, 1)
    ('12.5 %', '100 %')
    """
    return f"{100 * part / whole:.3g} %"


def value_range(values: pl.Series) -> str:
    """The lowest and the highest value; nan counts as the highest.

    >>> value_range(pl.Series([2.5, 1]))
    '1 to 2.5'
    """
    ordered = values.drop_nulls().sort().to_numpy()
    return f"{ordered[0]:g} to {ordered[-1]:g}"


def shortened(text: str | None, longest: int = _LONGEST) -> str:
    r"""A text in quotes, shortened if it is long; characters that cannot be printed are escaped.

    >>> shortened("tab\there"), shortened("x" * 50, longest=5)
    ("'tab\\u0009here'", "'xxxx…'")
    """
    if text is None:
        return "none"
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "'" + "".join(mark if mark.isprintable() else f"\\u{ord(mark):04x}" for mark in cut) + "'"


def example_rows(frame: pl.DataFrame, detail: str | None = None) -> tuple[str, ...]:
    """The first rows as examples: id, both texts, score, and the column ``detail`` if one is named.

    Args:
        frame: has the columns id, left, right and score; ``id`` may hold lists of ids.
        detail: a column of texts to add at the end.
    """
    return tuple(_row(row, detail) for row in frame.head(MOST_EXAMPLES).iter_rows(named=True))


def _row(row: dict[str, object], detail: str | None) -> str:
    ids, left, right, score = row["id"], row["left"], row["right"], row["score"]
    name = listed(ids) if isinstance(ids, list) else str(ids)
    texts = " | ".join(shortened(text if isinstance(text, str) else None) for text in (left, right))
    number = f" = {score:g}" if isinstance(score, float) else ""
    return f"{name}: {texts}{number}" + (f" ({row[detail]})" if detail else "")
