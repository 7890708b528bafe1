"""potato: exports of the Potato annotation tool: JSON lines, CSV, TSV, or a folder with one file for each annotator.

Layouts: Potato 1.x (``annotated_instances.jsonl``: id, displayed_text, label_annotations {scheme: {label: value}},
span_annotations, behavioral_data; as CSV and TSV: user, instance_id, displayed_text and ``scheme:::label`` columns) and
the exports of Potato 2.x (``annotations.jsonl``: instance_id, user_id, labels; as CSV and TSV ``scheme.label``
columns). A Likert answer is a label ``scale_4`` (1.x) or ``4`` (2.x); best-worst answers are the letters of positions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from similitude.data.reading.judgements.answers import Answers
from similitude.data.reading.judgements.column_types import text_column
from similitude.data.reading.judgements.format import JudgementFormat, JudgementSource
from similitude.data.reading.judgements.formats.exports import Export, export_answers
from similitude.data.reading.judgements.tables import header_of, read_table
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.tables import Column, RawTable
from similitude.errors import FormatError, InputError

__all__ = ["potato"]

SUMMARY = "annotations made with Potato: annotated_instances.jsonl, its CSV and TSV, or the whole folder"
RECOGNISED = "lines or columns with label_annotations, SCHEME:::LABEL, or instance_id, user_id and labels"

FILE = "annotated_instances.jsonl"
OLD, NEW = ":::", "."
"""Separators of scheme and label in the column names of 1.x and of 2.x."""

IDS, USERS = ("instance_id", "id"), ("user_id", "user")
LABELS = ("label_annotations", "labels")
TUPLES = ("bws_items", "_bws_items", "items")
BOX = "text_box"
ON = ("true", "on", "yes")
POINT = re.compile(r"^(?:scale_)?([+-]?\d+(?:\.\d+)?)$")
SPENT = re.compile(r"(\d+)d\s*(\d+)h\s*(\d+)m\s*(\d+)s")
PARTS = re.compile(r"(?:^|<br\s*/?>)\s*(?:<b>)?[A-Z]\.(?:</b>)?\s*")


def potato() -> JudgementFormat:
    """Exports of Potato."""
    return JudgementFormat(name="potato", summary=SUMMARY, recognised=RECOGNISED, fits=_fits, answers=_answers)


def _fits(sniffer: Sniffer) -> bool:
    if sniffer.is_folder:
        return bool(_files(sniffer.path))
    there = set(header_of(sniffer))
    if "label_annotations" in there or {"instance_id", "user_id", "labels"} <= there:
        return True
    old = any(OLD in name for name in there)
    new = "user_id" in there and any(NEW in name for name in there)
    return "instance_id" in there and (old or new)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*/{FILE}"))


def _answers(source: JudgementSource) -> list[Answers]:
    if source.path.is_dir():
        files = _files(source.path)
        if not files:
            raise FormatError(f"no */{FILE} there", where=str(source.path), remedy="pass the folder of all annotators")
        parts = [_file_answers(replace(source, path=path), annotator=path.parent.name) for path in files]
        return [_labelled(part, path) for part, path in zip(parts, files, strict=True)]
    return [_file_answers(source, annotator=None)]


def _labelled(answers: Answers, path: Path) -> Answers:
    """The answers with the annotator's folder in the name of the file, because all files have the same name."""
    return replace(answers, table=replace(answers.table, file=f"{path.parent.name}/{path.name}"))


def _file_answers(source: JudgementSource, annotator: str | None) -> Answers:
    table = read_table(source)
    export = _from_lines(table) if set(LABELS) & set(table.columns) else _from_columns(table)
    if "best" in export.given and "option1" not in export.shown and not source.columns.get("items"):
        what = "best and worst are positions, but the file does not list the items at these positions"
        raise InputError(what, where=source.path.name, remedy="add the items of its tuple to every line as bws_items")
    return export_answers(_with_annotator(export, annotator, source.path), source)


def _from_lines(table: RawTable) -> Export:
    labels = _first(table, LABELS)
    rows = [cell if isinstance(cell, dict) else {} for cell in labels]
    times = [_seconds(cell) for cell in table.columns.get("behavioral_data", [None] * len(table))]
    return Export(
        table=table,
        shown=_shown(table),
        given=_given(rows),
        comments=_comments(rows),
        context={"question": text_column(_first(table, IDS)), "seconds": times, **_user(table)},
        notes=table.notes,
    )


def _from_columns(table: RawTable) -> Export:
    between = OLD if any(OLD in name for name in table.columns) else NEW
    named = {name: text_column(column).to_list() for name, column in table.columns.items() if between in name}
    rows: list[dict[str, dict[str, Any]]] = [{} for _ in range(len(table))]
    for name, column in named.items():
        scheme, _, label = name.partition(between)
        for row, value in zip(rows, column, strict=True):
            if value is not None:
                row.setdefault(scheme, {})[label] = value
    context = {"question": text_column(_first(table, IDS)), **_user(table)}
    return Export(
        table=table,
        shown=_shown(table),
        given=_given(rows),
        comments=_comments(rows),
        context=context,
        notes=table.notes,
    )


def _first(table: RawTable, names: Sequence[str]) -> Column:
    return next((table.columns[name] for name in names if name in table.columns), [None] * len(table))


def _user(table: RawTable) -> dict[str, Column]:
    return {"annotator": text_column(_first(table, USERS))} if set(USERS) & set(table.columns) else {}


def _with_annotator(export: Export, annotator: str | None, path: Path) -> Export:
    """The export with an annotator: the name of the folder, if the file can be the work of one person."""
    if "annotator" in export.context:
        return export
    questions = list(export.context["question"])
    if annotator is None and len(set(questions)) < len(questions):
        note = f"{path.name}: the file holds answers of several people without names; pass the folder of all annotators"
        return replace(export, notes=(*export.notes, note))
    who = annotator or path.resolve().parent.name
    notes = () if annotator else (f"{path.name}: read as the answers of '{who}', the name of its folder",)
    context = {**export.context, "annotator": [who] * len(questions)}
    return replace(export, context=context, notes=(*export.notes, *notes))


def _shown(table: RawTable) -> dict[str, Column]:
    """What was shown: the id, the two texts of a pair, and the items of a tuple in numbered columns."""
    shown: dict[str, Column] = {"item": text_column(_first(table, IDS))}
    tuples = [_names(cell) for cell in _first(table, TUPLES)]
    parts = [_texts(cell) for cell in _first(table, ("displayed_text",))]
    if not any(tuples):
        tuples = parts
    if any(len(part) == 2 for part in parts):
        pairs = [part if len(part) == 2 else (None, None) for part in parts]
        shown |= {"left": [left for left, _ in pairs], "right": [right for _, right in pairs]}
    size = max(map(len, tuples), default=0)
    return shown | {f"option{at + 1}": [row[at] if at < len(row) else None for row in tuples] for at in range(size)}


def _names(cell: Any) -> list[str]:
    """The ids of the items of a tuple."""
    if not isinstance(cell, list):
        return []
    return [str(item.get("source_id", item.get("id", item.get("text")))) if isinstance(item, dict) else str(item)
            for item in cell]  # fmt: skip


def _texts(cell: Any) -> list[str]:
    """The texts of an instance that shows a list: ``A. one<br>B. two``."""
    if not isinstance(cell, str) or not PARTS.match(cell):
        return []
    return [part.strip() for part in PARTS.split(cell)[1:]]


def _given(rows: Sequence[Mapping[str, Any]]) -> dict[str, Column]:
    """The answers, one column for each scheme, with separate columns for best and worst."""
    answers: list[dict[str, Any]] = []
    for row in rows:
        flat: dict[str, Any] = {}
        for scheme, labels in row.items():
            flat |= _answer(scheme, labels)
        answers.append(flat)
    names = dict.fromkeys(name for row in answers for name in row)
    return {name: [row.get(name) for row in answers] for name in names}


def _comments(rows: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """The schemes whose answers are typed into a box."""
    return frozenset(
        scheme for row in rows for scheme, labels in row.items() if isinstance(labels, dict) and BOX in labels
    )


def _answer(scheme: str, labels: Any) -> dict[str, Any]:
    """The answer under a scheme: a number or label, or the best and the worst."""
    if isinstance(labels, dict) and isinstance(labels.get("labels"), dict):
        labels = labels["labels"]
    if not isinstance(labels, dict):
        return {scheme: labels}
    if {"best", "worst"} <= set(labels):
        return {"best": labels["best"], "worst": labels["worst"]}
    chosen = {label: value for label, value in labels.items() if value not in (None, "", False, "false")}
    if len(chosen) != 1:
        return {scheme: list(chosen) or None}
    return {scheme: _one(*next(iter(chosen.items())))}


def _one(label: str, value: Any) -> str:
    """The number in a label, the value that was entered, or the label that was ticked."""
    point = POINT.match(label)
    if point:
        return point[1]
    typed = str(value).strip()
    return label if value is True or typed.lower() in ON or typed == label or label[:1].isdigit() else typed


def _seconds(behaviour: Any) -> float | None:
    """How long an instance was open, in seconds; Potato stores seconds, milliseconds, or words."""
    if not isinstance(behaviour, dict):
        return None
    if isinstance(behaviour.get("total_time_ms"), int | float):
        return float(behaviour["total_time_ms"]) / 1000
    if isinstance(behaviour.get("time_spent"), int | float):
        return float(behaviour["time_spent"])
    spent = SPENT.search(str(behaviour.get("time_string", "")))
    if spent is None:
        return None
    days, hours, minutes, seconds = map(int, spent.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
