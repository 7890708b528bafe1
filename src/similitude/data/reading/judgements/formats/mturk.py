"""mturk: results of a batch on Amazon Mechanical Turk.

Layout: the batch results CSV of the requester site, as in public result files: HITId, HITTypeId, ..., AssignmentId,
WorkerId, AssignmentStatus, ..., WorkTimeInSeconds, ..., then ``Input.NAME`` for what was shown and ``Answer.NAME`` for
answers. Forms with crowd elements write answers as JSON in one column, ``Answer.taskAnswers``, or as true and false in
one column for each choice, ``Answer.NAME.CHOICE``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import polars as pl

from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.column_types import text_column
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.formats.exports import Export, export_answers, keep_rows
from similitude.data.reading.judgements.tables import header_of, need_columns, read_table
from similitude.data.reading.tables import Column, RawTable
from similitude.errors import ColumnError, InputError

__all__ = ["mturk"]

NEEDED = ("HITId", "AssignmentId", "WorkerId")
STATUS = "AssignmentStatus"
SHOWN, GIVEN = "Input.", "Answer."
AS_JSON = "taskAnswers"


def mturk() -> JudgementFormat:
    """Batches on Mechanical Turk."""
    return JudgementFormat(
        name="mturk",
        summary="results of a Mechanical Turk batch as CSV; rejected assignments are left out and counted",
        recognised="the header has HITId, AssignmentId and WorkerId",
        fits=lambda sniffer: set(NEEDED) <= set(header_of(sniffer)),
        answers=_answers,
    )


def _answers(source: JudgementSource) -> list[Answers]:
    table = read_table(source)
    need_columns(table, *NEEDED)
    export = Export(
        table=table,
        shown=_under(SHOWN, table.columns),
        given=_given(_under(GIVEN, table.columns)),
        context={"annotator": table.columns["WorkerId"], "question": table.columns["HITId"], **_times(table)},
        notes=table.notes,
    )
    if not export.given:
        raise ColumnError("no column 'Answer.NAME'", where=table.file, remedy="download the results of the batch")
    return [export_answers(_accepted(export), _without_prefixes(source))]


def _under(prefix: str, columns: Mapping[str, Column]) -> dict[str, Column]:
    return {name.removeprefix(prefix): column for name, column in columns.items() if name.startswith(prefix)}


def _times(table: RawTable) -> dict[str, Column]:
    """How long the work took, and when it was submitted."""
    names = {"seconds": "WorkTimeInSeconds", "time": "SubmitTime"}
    return {ours: table.columns[theirs] for ours, theirs in names.items() if theirs in table.columns}


def _without_prefixes(source: JudgementSource) -> JudgementSource:
    """The source with the columns that the user named, without the prefixes Input. and Answer."""
    plain = {
        ours: ",".join(name.strip().removeprefix(SHOWN).removeprefix(GIVEN) for name in theirs.split(","))
        for ours, theirs in source.columns.items()
    }
    return replace(source, columns=plain)


def _accepted(export: Export) -> Export:
    """The export without assignments that the requester rejected."""
    column = export.table.columns.get(STATUS)
    if column is None:
        return export
    rejected = (text_column(column).str.to_lowercase() == "rejected").fill_null(value=False)
    count = int(rejected.sum())
    if not count:
        return export
    if count == len(rejected):
        what = f"all {count:,} assignments were rejected"
        raise InputError(what, where=export.table.file, remedy="download the results of another batch")
    note = f"{export.table.file}: {count:,} of {len(rejected):,} assignments were rejected; left out"
    return replace(keep_rows(export, (~rejected).to_numpy()), notes=(*export.notes, note))


def _given(columns: Mapping[str, Column]) -> dict[str, Column]:
    """The answers by the names of the questions, for any kind of form."""
    if AS_JSON in columns:
        rows = [_flat(_decoded(cell)) for cell in text_column(columns[AS_JSON]).to_list()]
        names = dict.fromkeys(name for row in rows for name in row)
        return {name: [row.get(name) for row in rows] for name in names}
    return _ticked({name: text_column(column) for name, column in columns.items()})


def _decoded(cell: str | None) -> Mapping[str, Any]:
    try:
        value = json.loads(cell or "{}")
    except ValueError:
        return {}
    first = value[0] if isinstance(value, list) and value else value
    return first if isinstance(first, dict) else {}


def _flat(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Names to values; for a set of choices, those that are true."""
    flat: dict[str, Any] = {}
    for name, value in answers.items():
        if isinstance(value, dict):
            flat[name] = [key for key, on in value.items() if on is True]
        elif value is not None and str(value).strip():
            flat[name] = str(value)
    return {name: value for name, value in flat.items() if value}


def _ticked(columns: Mapping[str, pl.Series]) -> dict[str, Column]:
    """The columns, with all NAME.CHOICE columns of true and false merged into one column of the chosen choices."""
    given: dict[str, Column] = {}
    for name, column in columns.items():
        question, dot, choice = name.rpartition(".")
        on = column.str.to_lowercase()
        if not dot or not on.drop_nulls().is_in(["true", "false"]).all():
            given[name] = column
            continue
        before = given.get(question, [None] * len(column))
        ticks = (on == "true").fill_null(value=False).to_list()
        given[question] = [
            [*(several or ()), choice] if tick else several for several, tick in zip(before, ticks, strict=True)
        ]
    return given
