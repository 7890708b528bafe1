"""label-studio: exports of Label Studio as JSON, JSON-MIN or CSV.

Layouts of version 1.x, checked against the task format in its guide and the converter in its SDK. JSON is a list of
tasks, each with ``data`` and ``annotations`` (``completions`` before 1.0); an annotation has ``result``,
``completed_by`` (a number, or an object with id and email) and ``lead_time`` in seconds. JSON-MIN and CSV have one row
for each annotation, with ``annotator``, ``annotation_id`` and ``lead_time`` besides data and answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from similitude.data.reading.json_text import parse_document
from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.column_types import text_column
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.formats.exports import Export, export_answers
from similitude.data.reading.judgements.tables import header_of, need_columns, read_table
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import Column, RawTable, numbered
from similitude.data.reading.text_decoder import load_document
from similitude.errors import FormatError, InputError

__all__ = ["label_studio"]

SUMMARY = "an export of Label Studio: JSON, JSON-MIN or CSV, with ratings, numbers, choices or pairwise answers"
RECOGNISED = "a JSON list of tasks with annotations, or rows with annotation_id, annotator and lead_time"

TASKS = re.compile(r'^\s*\[\s*\{.*?"(?:annotations|completions|annotation_id)"\s*:', re.DOTALL)
OWN = {"annotator", "annotation_id", "lead_time", "created_at", "updated_at", "id", "agreement", "history"}
"""Columns of JSON-MIN and CSV that hold neither data nor answers."""

SIDES = {"left": "1", "right": "2"}
VALUES = ("rating", "number", "choices", "text", "selected")


class _Annotation(NamedTuple):
    """One annotator's answers to one task."""

    task: str
    annotator: Any
    seconds: Any
    time: Any
    data: Mapping[str, Any]
    answers: Mapping[str, Any]
    comments: frozenset[str] = frozenset()


def label_studio() -> JudgementFormat:
    """Exports of Label Studio."""
    return JudgementFormat(name="label-studio", summary=SUMMARY, recognised=RECOGNISED, fits=_fits, answers=_answers)


def _fits(sniffer: Sniffer) -> bool:
    if sniffer.is_folder or sniffer.on_hub:
        return False
    return bool(TASKS.match(sniffer.text)) or {"annotation_id", "annotator", "lead_time"} <= set(header_of(sniffer))


def _answers(source: JudgementSource) -> list[Answers]:
    is_list = Sniffer.of(source).text.lstrip().startswith("[")
    export = _from_json(source) if is_list else _from_table(source)
    return [export_answers(export, source)]


def _from_json(source: JudgementSource) -> Export:
    file = source.path.name
    document = parse_document(load_document(source.path, source.encoding), file)
    if not isinstance(document, list) or not all(isinstance(task, dict) for task in document):
        raise FormatError("the JSON document is not a list of tasks", where=file, remedy="name another --format")
    found = [each for task in document for each in _annotations(task)]
    kept = [each for each in found if each is not None]
    if not kept:
        what = f"none of {len(document):,} tasks has an annotation"
        raise InputError(what, where=file, remedy="export the tasks with their annotations")
    cancelled = len(found) - len(kept)
    notes = (f"{file}: {cancelled:,} annotations were skipped by their annotators; left out",) if cancelled else ()
    return _export(file, kept, notes)


def _export(file: str, annotations: Sequence[_Annotation], notes: tuple[str, ...]) -> Export:
    places = numbered(len(annotations))
    labels = [each.task for each in annotations]
    table = RawTable(file=file, columns={}, starts=places, ends=places, unit="task", labels=labels)
    return Export(
        table=table,
        shown=_columns([each.data for each in annotations]),
        given=_with_sides(_columns([each.answers for each in annotations])),
        comments=frozenset[str]().union(*(each.comments for each in annotations)),
        context={
            "question": labels,
            "annotator": [each.annotator for each in annotations],
            "seconds": [each.seconds for each in annotations],
            "time": [each.time for each in annotations],
        },
        notes=notes,
    )


def _annotations(task: Mapping[str, Any]) -> list[_Annotation | None]:
    """The annotations of a task, with None for cancelled ones; an entry of JSON-MIN is one annotation."""
    if "annotation_id" in task:
        return [_minimal(task)]
    given = task.get("annotations") or task.get("completions") or []
    name, data = str(task.get("id", "")), task.get("data") or {}
    return [
        None
        if each.get("was_cancelled")
        else _Annotation(
            name,
            _who(each.get("completed_by")),
            each.get("lead_time"),
            _when(each),
            data,
            _results(each),
            frozenset(_name(result) for result in _given(each) if result.get("type") == "textarea"),
        )
        for each in given
        if isinstance(each, dict)
    ]


def _minimal(task: Mapping[str, Any]) -> _Annotation:
    rest = {name: value for name, value in task.items() if name not in OWN}
    answers = {name: _plain(value) for name, value in rest.items()}
    name = str(task.get("id", task["annotation_id"]))
    return _Annotation(name, _who(task.get("annotator")), task.get("lead_time"), _when(task), rest, answers)


def _when(annotation: Mapping[str, Any]) -> Any:
    """The moment of the last change, if the export has it."""
    return annotation.get("updated_at") or annotation.get("created_at")


def _results(annotation: Mapping[str, Any]) -> dict[str, Any]:
    """The answers of an annotation, by the names of their controls."""
    return {_name(result): _plain(result["value"]) for result in _given(annotation)}


def _given(annotation: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    results = annotation.get("result") or []
    return [each for each in results if isinstance(each, dict) and isinstance(each.get("value"), dict)]


def _name(result: Mapping[str, Any]) -> str:
    """The name of the control that was answered."""
    return str(result.get("from_name", result.get("type", "answer")))


def _plain(value: Any) -> Any:
    """The number, choice or text inside a value; a list of several; None if there is none."""
    if isinstance(value, str) and value.strip().startswith(("[", "{")):
        value = _decoded(value)
    if isinstance(value, list):
        return _plain(value[0]) if len(value) == 1 else [str(each) for each in value] or None
    if isinstance(value, dict):
        return next((_plain(value[key]) for key in VALUES if key in value), None)
    return value


def _decoded(cell: str) -> Any:
    try:
        return json.loads(cell)
    except ValueError:
        return cell


def _who(completed_by: Any) -> str | None:
    """The annotator's email if the export has it, else the annotator's number."""
    if isinstance(completed_by, dict):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return None if completed_by is None or isinstance(completed_by, list) else str(completed_by)


def _with_sides(given: Mapping[str, Column]) -> dict[str, Column]:
    """The answers, with those to a pairwise question as the best and the worst of two items."""
    columns = dict(given)
    for name, column in given.items():
        sides = [value for value in column if value is not None]
        if sides and all(isinstance(value, str) and value in SIDES for value in sides):
            best = [SIDES.get(value) if value is not None else None for value in column]
            columns |= {"best": best, "worst": [None if side is None else "21"[int(side) - 1] for side in best]}
            columns.pop(name, None) if name not in ("best", "worst") else None
    return columns


def _columns(rows: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _from_table(source: JudgementSource) -> Export:
    """The export in CSV or TSV, where data and answers are columns of one table."""
    table = read_table(source)
    need_columns(table, "annotator", "lead_time", *(() if "id" in table.columns else ("annotation_id",)))
    rows = len(table)
    names = text_column(table.columns["id"] if "id" in table.columns else table.columns["annotation_id"]).to_list()
    rest = {name: text_column(column).to_list() for name, column in table.columns.items() if name not in OWN}
    given = {name: [_plain(cell) for cell in column] for name, column in rest.items()}
    return Export(
        table=table,
        shown=rest,
        given=_with_sides(given),
        context={
            "question": [name or str(at) for at, name in zip(range(1, rows + 1), names, strict=True)],
            "annotator": table.columns["annotator"],
            "seconds": table.columns["lead_time"],
            "time": table.columns.get("updated_at", table.columns.get("created_at", [None] * rows)),
        },
        notes=table.notes,
    )
