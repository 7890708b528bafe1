"""Questions with a known answer: gold, training and qualification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.work import Asked, Items, named_file
from similitude.collect.annotation.records import Kind, Question
from similitude.collect.annotation.tasks import AnnotationTask
from similitude.data.addresses import open_benchmark
from similitude.data.item import ITEM_SCHEMA
from similitude.data.reading.json_text import read_json_lines
from similitude.data.reading.problems import settle
from similitude.errors import InputError

__all__ = ["known_questions"]

KINDS: tuple[Kind, ...] = ("gold", "training", "qualification")
REMEDY = "each line needs an item (or left and right) and the right answer; see docs/annotation.md"


def known_questions(plan: StudyPlan, task: AnnotationTask, items: Items, folder: Path) -> list[Asked]:
    """All questions with a known answer in the plan's files.

    Each kind has a file. A line of a ``.jsonl`` file is a question. It names its items: ``item`` (an id of the study's
    items) or ``left`` and ``right``; for a task with options, ``items`` (ids) or ``left`` with ``options`` (texts). It
    gives the right answer in the task's fields; an option is an id or a number from 1. Any other file is read as items
    with scores, and the score is the right answer.

    Raises:
        InputError: a file, or a line in it, is not valid.
    """
    asked: list[Asked] = []
    for kind in KINDS:
        planned = getattr(plan, kind)
        if planned is not None:
            asked += _of_kind(kind, planned.questions, task, items, folder)
    return asked


def _of_kind(kind: Kind, name: str, task: AnnotationTask, items: Items, folder: Path) -> list[Asked]:
    path = named_file(folder, name)
    if not name.endswith((".jsonl", ".ndjson")):
        return _scored(kind, name, task, path)
    if not Path(path).is_file():
        raise InputError("no such file", where=name, remedy=f"[{kind}] questions names a file beside the study")
    table = read_json_lines(Path(path))
    settle(table.problems, "stop")
    names = list(table.columns)
    rows = [dict(zip(names, row, strict=True)) for row in zip(*table.columns.values(), strict=True)]
    return [_read(kind, row, task, items, table.where(place), place) for place, row in enumerate(rows)]


def _scored(kind: Kind, name: str, task: AnnotationTask, path: str) -> list[Asked]:
    frame = open_benchmark(path).frame
    return [
        Asked(
            Question(
                key=f"{kind}:{row['id']}",
                kind=kind,
                items=({column: row[column] for column in ITEM_SCHEMA if row[column] is not None},),
                expected=task.answer_of({"value": row["score"]}) if task.checkable else None,
            ),
            name,
        )
        for row in frame.iter_rows(named=True)
    ]


def _read(kind: Kind, row: Mapping[str, Any], task: AnnotationTask, items: Items, where: str, place: int) -> Asked:
    name = str(row.get("question") or row.get("item") or row.get("id") or place + 1)
    try:
        shown = _items(row, items, name)
        expected = dict(task.answer_of(_with_ids(row, shown, task.choice_fields))) if task.checkable else None
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"cannot be read as a {kind} question: {error}", where=where, remedy=REMEDY) from None
    return Asked(Question(key=f"{kind}:{name}", kind=kind, items=shown, expected=expected), where)


def _items(row: Mapping[str, Any], items: Items, name: str) -> tuple[Mapping[str, Any], ...]:
    if row.get("items") is not None:
        return tuple(_item(each, items) for each in row["items"])
    if row.get("options") is not None:
        shared = {column: row[column] for column in ("left", "context", "language", "condition") if row.get(column)}
        numbered = enumerate(row["options"], start=1)
        return tuple({"id": f"{name}-{number}", **shared, "right": text} for number, text in numbered)
    if row.get("item") is not None:
        return (_item(row["item"], items),)
    own = {column: row[column] for column in ITEM_SCHEMA if row.get(column) is not None}
    return (_item({"id": name, **own}, items),)


def _item(written: Any, items: Items) -> Mapping[str, Any]:
    if isinstance(written, str):
        if written not in items:
            raise ValueError(f"no item '{written}' among the study's items")
        return items[written]
    for column in ("id", "left", "right"):
        if not isinstance(written.get(column), str) or not written[column].strip():
            raise ValueError(f"no {column}")
    return {column: written[column] for column in ITEM_SCHEMA if written.get(column) is not None}


def _with_ids(row: Mapping[str, Any], shown: Sequence[Mapping[str, Any]], fields: Sequence[str]) -> dict[str, Any]:
    """The row, with the ids of options in place of their numbers in these fields."""
    changed = dict(row)
    for field in fields:
        number = row.get(field)
        if isinstance(number, int) and not isinstance(number, bool):
            if not 1 <= number <= len(shown):
                raise ValueError(f"{field} is {number}, and there are {len(shown)} options")
            changed[field] = shown[number - 1]["id"]
    return changed
