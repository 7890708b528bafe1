"""`read_predictions`: one score per item, from a file or an object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from similitude.data.prediction import Predictions
from similitude.data.provenance import FileReading, Provenance
from similitude.data.reading.arguments import DECIMALS, check_choice
from similitude.data.reading.containers import object_table
from similitude.data.reading.format import BenchmarkSource
from similitude.data.reading.predictions.headed_table import headed_roles
from similitude.data.reading.predictions.headless_table import headless_roles
from similitude.data.reading.predictions.ids import is_running
from similitude.data.reading.predictions.numbers import Numbers, score_column
from similitude.data.reading.predictions.roles import Candidates, Roles, ask, named_roles
from similitude.data.reading.predictions.table_file import file_table
from similitude.data.reading.predictions.values import value_table
from similitude.data.reading.problems import excerpt, settle
from similitude.data.reading.tables import RawTable
from similitude.data.scale import Scale
from similitude.errors import InputError

__all__ = ["PredictionTable", "open_predictions", "read_predictions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionTable:
    """A table of predictions that was read, but not yet matched with items.

    Attributes:
        table: its raw columns.
        source: how it was read.
    """

    table: RawTable
    source: BenchmarkSource

    def for_items(self, ids: Sequence[str], *, range: Scale | None = None) -> Predictions:
        """The predictions for these items, in this order, with what was understood as provenance.

        Args:
            ids: the ids of the items.
            range: the range of the scores, which helps to tell scores from other numbers.

        Raises:
            InputError: a value is not a number, an item has no prediction or two, or the numbers of rows differ.
        """
        candidates = Candidates(
            table=self.table,
            ids=ids,
            chosen=self.source.columns,
            range=range,
            decimal=self.source.decimal,
            missing=self.source.missing,
        )
        named = named_roles(candidates)
        roles = (headless_roles if candidates.headless else headed_roles)(candidates, named)
        order = _order(candidates, roles)
        scores, sigmas = self._column(roles.score), self._column(roles.sigma)
        _refuse_row_numbers(candidates, roles, scores)
        _refuse_negative(self.table, roles, sigmas)
        return Predictions(
            scores[order],
            None if sigmas is None else sigmas[order],
            provenance=_provenance(candidates, roles, scores[order]),
        )

    def _column(self, name: str | None) -> Any:
        if name is None:
            return None
        return score_column(self.table, name, self.source.decimal, self.source.missing)


def open_predictions(
    source: Any,
    *,
    columns: Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    separator: str | None = None,
    header: bool | None = None,
    decimal: str = ".",
    missing: Sequence[str] = (),
    sheet: str | None = None,
) -> PredictionTable:
    """Read a table of predictions.

    Args:
        source: a file (separated text, JSON, Parquet, Arrow, a workbook, a NumPy array, one number per line), or an
            object: an array, a list of numbers, scores by id, a data frame, a list of records.
        columns: our columns (id, score, sigma) to the file's; an empty name leaves ours out. Columns without names
            have numbers, from 1.
        encoding: the encoding of text files.
        separator: what separates the fields of a text; found out by default.
        header: whether the first row names the columns; found out by default.
        decimal: the character before decimals.
        missing: codes for predictions that are missing.
        sheet: the sheet of a workbook.

    Raises:
        InputError: the file cannot be read.
    """
    check_choice("decimal", decimal, DECIMALS)
    is_path = isinstance(source, str | Path)
    read = BenchmarkSource(
        path=Path(source) if is_path else Path("predictions"),
        encoding=encoding,
        columns=dict(columns or {}),
        separator=separator,
        header=header,
        decimal=decimal,
        missing=tuple(missing),
        sheet=sheet,
    )
    table = file_table(read) if is_path else _memory_table(source)
    settle(table.problems, "stop")
    return PredictionTable(table=table, source=read)


def read_predictions(
    source: Any, ids: Sequence[str], encoding: str = "utf-8", *, range: Scale | None = None, **options: Any
) -> Predictions:
    """Predictions for the items with these ids, in this order.

    A table with the ids of the items is matched by id; otherwise there must be one row for each item, in order. A
    missing score is nan. What was understood is in the provenance of the predictions.

    Args:
        source: a file or an object; see `open_predictions`.
        ids: the ids of the items.
        encoding: the encoding of text files.
        range: the range of the scores, if it is known.
        options: further arguments of `open_predictions`.

    Raises:
        InputError: a value is not a number, an item has no prediction or two, the numbers of rows differ, or the table
            can be read in more than one way; the message names the option that decides.
    """
    return open_predictions(source, encoding=encoding, **options).for_items(ids, range=range)


def _memory_table(value: Any) -> RawTable:
    found = value_table(value, "predictions")
    return object_table(value, "predictions") if found is None else found


def _order(candidates: Candidates, roles: Roles) -> NDArray[np.intp]:
    """The row of each item in the table."""
    table, count = candidates.table, len(candidates.ids)
    if roles.id is not None:
        return candidates.match(roles.id).rows(table, roles.id)
    if len(table) != count:
        raise InputError(
            f"{len(table):,} predictions for {count:,} items{_why_not(candidates)}",
            where=table.file,
            remedy="give one per line for every item of the gold file, or a table with an id column",
        )
    return np.arange(count)


def _why_not(candidates: Candidates) -> str:
    """A likely reason why the numbers of rows differ."""
    table, more = candidates.table, len(candidates.table) - len(candidates.ids)
    first = str(next(iter(table.columns.values()))[0]) if len(table) else ""
    if candidates.headless and more == 1 and first.strip() in ("0", "1"):
        return f" (if the first line, {excerpt(first)}, names the column, say so with --predictions-header yes)"
    blank = int(table.ends[-1]) - int(table.starts[0]) + 1 - len(table) if len(table) and table.unit == "line" else 0
    return f" ({blank:,} blank lines were not counted)" if blank > 0 and more < 0 else ""


def _refuse_row_numbers(candidates: Candidates, roles: Roles, scores: Numbers) -> None:
    if is_running(scores) and not roles.sure:
        what = f"the scores in column {excerpt(roles.score)} only count the rows ({scores[0]:g} to {scores[-1]:g})"
        raise ask(candidates, what, f"score={roles.score}")


def _refuse_negative(table: RawTable, roles: Roles, sigmas: Numbers | None) -> None:
    bad = np.flatnonzero(sigmas < 0) if sigmas is not None else np.zeros(0, dtype=np.intp)
    if bad.size and sigmas is not None:
        what = f"{sigmas[bad[0]]:g} in column {excerpt(roles.sigma)} is below 0"
        remedy = "a standard deviation is 0 or more; leave the column out with --predictions-column sigma="
        raise InputError(what, where=table.where(int(bad[0])), remedy=remedy)


def _provenance(candidates: Candidates, roles: Roles, scores: Numbers) -> Provenance:
    table = candidates.table
    match = None if roles.id is None else candidates.match(roles.id)
    used = {"id": roles.id, "score": roles.score, "sigma": roles.sigma}
    reading = FileReading(
        file=table.file,
        container=table.container,
        layout="predictions",
        rows=len(table),
        kept=len(scores),
        columns={ours: theirs for ours, theirs in used.items() if theirs is not None},
        unused=tuple(name for name in table.columns if name not in used.values()),
        details={**table.details, "matched": "by row" if match is None else "by id"},
        missing=_codes(candidates, roles.score),
    )
    notes = (*table.notes, *roles.notes, *([] if match is None else match.notes(table)), *_unused(reading))
    return Provenance(
        files=(table.file,),
        format="predictions",
        notes=tuple(_said(table, notes)),
        warnings=tuple(_said(table, _warnings(candidates, scores))),
        readings=(reading,),
    )


def _said(table: RawTable, texts: Sequence[str]) -> list[str]:
    return [text if text.startswith(table.file) else f"{table.file}: {text}" for text in texts]


def _unused(reading: FileReading) -> list[str]:
    return [f"columns not used: {', '.join(reading.unused)}"] if reading.unused else []


def _codes(candidates: Candidates, score: str) -> dict[str, int]:
    written = [str(value).strip() for value in candidates.table.columns[score] if value is not None]
    return {code: count for code in candidates.missing if (count := written.count(code))}


def _warnings(candidates: Candidates, scores: Numbers) -> list[str]:
    """What is likely to be wrong with scores that can be read."""
    blank = np.flatnonzero(np.isnan(scores))
    there = scores[~np.isnan(scores)]
    warnings = []
    if blank.size:
        first = excerpt(candidates.ids[int(blank[0])])
        some = f"item {first}" if blank.size == 1 else f"items {first}, ..."
        warnings.append(f"{blank.size:,} of {scores.size:,} predictions are missing ({some})")
    if there.size > 1 and np.ptp(there) == 0:
        warnings.append(f"all predictions are {there[0]:g}")
    return warnings + _off_range(candidates.range, there)


def _off_range(scale: Scale | None, scores: Numbers) -> list[str]:
    if scale is None or scores.size < 2:
        return []
    low, high = float(scores.min()), float(scores.max())
    off = int((~scale.holds(scores)).sum())
    if off:
        return [f"{off:,} predictions lie off the range {scale} (from {low:g} to {high:g}); give it with --range"]
    if scale.low <= 0 and scale.high > 1 and low >= 0 and high <= 1 and scores.size > 9:
        return [f"all predictions lie in 0..1, and the range is taken as {scale}; if it is 0..1, say --range 0..1"]
    return []
