"""Problems of rows: collected while a file is read, then raised as an error or listed as skipped."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import polars as pl

from similitude.data.provenance import Skipped
from similitude.errors import InputError

__all__ = ["OnError", "RowProblem", "excerpt", "listing", "nothing_left", "settle"]

OnError = Literal["stop", "skip"]
"""What to do with bad rows: raise an error, or leave them out and list them."""

LEAVE_OUT = "or leave such rows out with --on-error skip"

MANY = 20
"""With as many bad rows, the file is more likely to be misread than bad, so nobody is advised to leave them out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowProblem:
    """A problem of one row.

    Attributes:
        place: the number of the line (or row), by which problems are sorted.
        where: file and line, for messages.
        what: what is wrong; quotes the value.
        remedy: how to correct it.
        error: the class of error to raise.
    """

    place: int
    where: str
    what: str
    remedy: str
    error: type[InputError] = InputError


def settle(problems: Iterable[RowProblem], on_error: str) -> tuple[Skipped, ...]:
    """Raise the first problem, or list all bad rows as skipped.

    Args:
        problems: the problems of one file, in any order; of several problems of a row, the first counts.
        on_error: "stop" raises an error, "skip" lists the rows.

    Raises:
        InputError: there is a problem and ``on_error`` is "stop"; the message counts the other bad rows.
    """
    by_place: dict[int, RowProblem] = {}
    for problem in problems:
        by_place.setdefault(problem.place, problem)
    ordered = sorted(by_place.values(), key=lambda problem: problem.place)
    if ordered and on_error == "stop":
        raise _first_of(ordered)
    return tuple(Skipped(where=problem.where, why=problem.what) for problem in ordered)


def nothing_left(noun: str, files: Iterable[str], skipped: Sequence[Skipped]) -> InputError:
    """The error for files of which every row was skipped."""
    first = f"; the first: {skipped[0].where}: {skipped[0].why}" if skipped else ""
    return InputError(
        f"no {noun} is left; {len(skipped):,} were skipped{first}",
        where=", ".join(files),
        remedy="read without --on-error skip to see what is wrong, or name the format with --format",
    )


def excerpt(value: object, width: int = 40) -> str:
    """A value in quotes, shortened to a width."""
    if isinstance(value, pl.Series):
        value = value.to_list()
    if isinstance(value, datetime.date | datetime.time | datetime.timedelta):
        value = str(value)
    shown = value if isinstance(value, str) else repr(value)
    return repr(shown if len(shown) <= width else shown[: width - 1] + "…")


def listing(names: Iterable[str], limit: int = 20) -> str:
    """Names from a file in one line; special characters are escaped, long names and long lists shortened."""
    shown = [excerpt(name, 32)[1:-1] for name in names]
    more = [f"{len(shown) - limit} more"] if len(shown) > limit else []
    return ", ".join(shown[:limit] + more) or "none"


def _first_of(problems: Sequence[RowProblem]) -> InputError:
    first, others = problems[0], len(problems) - 1
    more = f" (and {others:,} more {'row has a problem' if others == 1 else 'rows have problems'})" if others else ""
    remedy = f"{first.remedy}, {LEAVE_OUT}" if others < MANY else first.remedy
    return first.error(first.what + more, where=first.where, remedy=remedy)
