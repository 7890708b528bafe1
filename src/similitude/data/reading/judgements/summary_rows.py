"""Rows below a wide table that summarise it: means, sums, standard deviations."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from similitude.data.reading.column_types import NUMBER, cast
from similitude.data.reading.judgements.answer_values import answer_texts, blanked
from similitude.data.reading.judgements.tables import some_rows
from similitude.data.reading.tables import RawTable

__all__ = ["without_summary_rows"]

WORDS = re.compile(
    r"^(grand |row |column |overall )?(mean|means|average|averages|avg|total|totals|sum|median|sd|std|std\.? ?dev\.?|"
    r"standard deviation|variance|var|min|max|minimum|maximum|count|n|mittelwert|mittel|durchschnitt|summe|gesamt|"
    r"standardabweichung|moyenne|somme|total g\u00e9n\u00e9ral|media|promedio|suma|gemiddelde|totaal|\u5e73\u5747|"
    r"\u5408\u8ba1|\u603b\u8ba1)( scores?| ratings?)?:?$"
)
"""Words, in lower case, that name a row of summaries."""

LAST = 6
"""As many rows at the end are looked at."""

SHORT = ("n", "min", "max", "count", "var")
MANY = 6
"""In so short a table, a row with a short name may well be an item."""

FEWEST = 3
"""With fewer rows above, a row without a name is no likely summary."""


def without_summary_rows(table: RawTable) -> RawTable:
    """The table without means, sums and the like below it, and a note on them."""
    texts = {name: answer_texts(column) for name, column in table.columns.items()}
    numbers = np.array([_numbers(column) for column in texts.values()])
    if len(table) < 2 or not numbers.size:
        return table
    summaries = {at: word for at in _last_rows(numbers) if (word := _label(texts, at)) is not None}
    if len(summaries) == 1 and len(table) <= MANY:
        summaries = {at: word for at, word in summaries.items() if word.lower() not in SHORT}
    found = {at: word for at, word in summaries.items() if _sums_up(texts, numbers, at, set(summaries), named=True)}
    found |= {
        at: "a row without a name"
        for at in _last_rows(numbers)[:1]
        if at not in summaries and _sums_up(texts, numbers, at, {*summaries, at}, named=False)
    }
    if not found:
        return table
    kept = np.array([at not in found for at in range(len(table))])
    notes = [f"{table.where(at)}: {word!r} sums up the rows above; left out" for at, word in sorted(found.items())]
    return replace(some_rows(table, kept), notes=(*table.notes, *notes))


def _numbers(column: pl.Series) -> NDArray[np.float64]:
    return cast(blanked(column), NUMBER).values.fill_null(float("nan")).to_numpy()


def _last_rows(numbers: NDArray[np.float64]) -> list[int]:
    """The last rows that hold numbers, from the end."""
    full = np.flatnonzero(np.isfinite(numbers).any(axis=0))
    return [int(at) for at in full[::-1][:LAST]]


def _label(texts: Mapping[str, pl.Series], at: int) -> str | None:
    """The cell of a row that is a word for a summary."""
    cells = (column[at] for column in texts.values())
    return next((cell.strip() for cell in cells if cell and WORDS.match(cell.strip().lower())), None)


def _sums_up(
    texts: Mapping[str, pl.Series], numbers: NDArray[np.float64], at: int, apart: set[int], *, named: bool
) -> bool:
    """Whether a row holds one statistic of each column of the rows above it."""
    above = np.array([row for row in range(at) if row not in apart], dtype=np.int64)
    body = numbers[:, above]
    used = np.isfinite(numbers[:, at]) & (np.isfinite(body).sum(axis=1) > 0)
    if not used.any() or len(above) < (1 if named else FEWEST) or (not named and used.sum() < 2):
        return False
    row, body = numbers[used, at], body[used]
    written = [column[at] or "" for column, here in zip(texts.values(), used, strict=True) if here]
    slack = np.array([_slack(cell) for cell in written])
    fits = {name: bool((np.abs(value - row) <= slack).all()) for name, value in _statistics(body).items()}
    whole = bool((body[np.isfinite(body)] % 1 == 0).all())
    fractions = bool((row % 1 != 0).any())
    if named:
        return any(fits.values()) or (whole and fractions)
    beyond = bool((row > np.nanmax(body, axis=1)).all())
    return (fits["mean"] and fractions and whole) or (fits["sum"] and beyond)


def _statistics(body: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the deviation of one number
        return {
            "mean": np.nanmean(body, axis=1),
            "sum": np.nansum(body, axis=1),
            "median": np.nanmedian(body, axis=1),
            "deviation": np.nanstd(body, axis=1),
            "sample deviation": np.nanstd(body, axis=1, ddof=1),
            "variance": np.nanvar(body, axis=1),
            "sample variance": np.nanvar(body, axis=1, ddof=1),
            "least": np.nanmin(body, axis=1),
            "most": np.nanmax(body, axis=1),
            "count": np.isfinite(body).sum(axis=1).astype(np.float64),
        }


def _slack(cell: str) -> float:
    """Half of the last digit that is written."""
    digits = re.search(r"[.,](\d+)$", cell.strip())
    return 0.5 * 10.0 ** -len(digits.group(1)) + 1e-9 if digits else 1e-9
