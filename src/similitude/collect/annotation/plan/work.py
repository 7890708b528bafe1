"""A study's items, and its work questions about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.tasks import AnnotationTask
from similitude.data.addresses import open_benchmark
from similitude.data.item import ITEM_SCHEMA
from similitude.errors import ArgumentError, InputError

__all__ = ["Asked", "Items", "WorkRead", "named_file", "read_items", "work_questions"]

Items = Mapping[str, Mapping[str, Any]]
"""Items by id, each with those of its columns that hold something."""

ELSEWHERE = ("sample:", "hf:")


class Asked(NamedTuple):
    """A question and where it was read."""

    question: Question
    where: str


class WorkRead(NamedTuple):
    """The work questions, the judgements per question that a design asks for, and notes for the leader."""

    asked: list[Asked]
    judgements: int | None
    notes: list[str]


def named_file(folder: Path, name: str) -> str:
    """The path of a file that the plan names: beside the plan, unless it is a sample or on the hub."""
    return name if name.startswith(ELSEWHERE) else str(folder / name)


def read_items(plan: StudyPlan, folder: Path) -> Items:
    """The items of a study by id, from any format that Similitude reads.

    Raises:
        InputError: the file, or a row in it, is not valid.
    """
    if plan.items is None:
        return {}
    benchmark = open_benchmark(named_file(folder, plan.items), **plan.reading.arguments())
    frame = benchmark.frame.select(ITEM_SCHEMA.names())
    return {row["id"]: _held(row) for row in frame.iter_rows(named=True)}


def _held(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


def work_questions(plan: StudyPlan, task: AnnotationTask, items: Items, folder: Path) -> WorkRead:
    """The work questions of a study: those of its design, or those that its task asks by default.

    Raises:
        InputError: the design is not valid or names an unknown item, or the task cannot ask about these items.
    """
    if plan.questions is not None:
        return _designed(plan, task, items, folder)
    try:
        questions, note = task.questions(items)
    except ArgumentError as error:
        raise InputError(error.what, where=str(plan.items), remedy=error.remedy) from None
    return WorkRead([Asked(each, _where(each)) for each in questions], None, [note] if note else [])


def _where(question: Question) -> str:
    ids = [item["id"] for item in question.items]
    return f"item '{ids[0]}'" if len(ids) == 1 else f"question '{question.key}'"


def _designed(plan: StudyPlan, task: AnnotationTask, items: Items, folder: Path) -> WorkRead:
    from similitude.collect.design import read_design

    name = str(plan.questions)
    design = read_design(named_file(folder, name))
    if task.designs and design.task not in task.designs:
        what = f"the design is for {design.task}, the study for {task.name}"
        raise InputError(what, where=name, remedy="make one with `similitude design`, or change the task")
    asked = [
        Asked(Question(key=each.question, items=_items_of(each.items, items, name, each.question)), name)
        for each in design
        if each.kind == "work"
    ]
    left = len(design) - len(asked)
    note = f"{name}: {left} gold or repeated questions of the design are left out; the server adds its own"
    return WorkRead(asked, design.per_question, [note] if left else [])


def _items_of(ids: Sequence[str], items: Items, name: str, key: str) -> tuple[Mapping[str, Any], ...]:
    missing = [id_ for id_ in ids if id_ not in items]
    if missing:
        what = f"question '{key}' names item '{missing[0]}', which is not among the items"
        raise InputError(what, where=name, remedy="make the design from the same items")
    return tuple(items[id_] for id_ in ids)
