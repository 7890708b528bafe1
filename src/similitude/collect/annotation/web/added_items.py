"""Questions about items that a leader adds to a running study."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from similitude.collect.annotation.child_process import in_child
from similitude.collect.annotation.drafts.shown_reading import check_rows, look_at
from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.plan.work import Items, read_items, work_questions
from similitude.collect.annotation.records import Question
from similitude.errors import InputError

__all__ = ["ENDINGS", "questions_from_file", "questions_from_items"]

IDS = "add a column 'id': ids that the study does not have add items, those that it has change their texts"
ENDINGS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".txt", ".parquet")
"""The endings of files that may be uploaded; archives are not among them."""


def questions_from_file(plan: StudyPlan, name: str, content: bytes) -> list[Question]:
    """The questions about the items of an uploaded file.

    Only the ending of the file's name is used.

    Raises:
        InputError: the file, or a row in it, is not valid, or its items have no ids: numbers of rows would give the
            texts of other items to questions that people have answered.
    """
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS:
        raise InputError(f"files ending in '{ending[:20]}' are not accepted", remedy=f"use one of {', '.join(ENDINGS)}")
    with tempfile.TemporaryDirectory() as folder:
        stored = f"upload{ending}"
        Path(folder, stored).write_bytes(content)
        try:
            shown = look_at(Path(folder, stored), plan.reading)
            check_rows(shown)
            if shown.problem is None and "id" not in shown.roles:
                raise InputError("the items have no ids", where=stored, remedy=IDS)
            return in_child(_in_file, plan.model_copy(update={"items": stored, "questions": None}), Path(folder))
        except InputError as error:
            raise InputError(error.what, where=Path(error.where).name, remedy=error.remedy) from None


def _in_file(plan: StudyPlan, folder: Path) -> list[Question]:
    return _questions(plan, read_items(plan, folder))


def questions_from_items(plan: StudyPlan, items: Sequence[Mapping[str, Any]]) -> list[Question]:
    """The questions about items that a program sent.

    Raises:
        InputError: two items have the same id, or a text is blank.
    """
    by_id: dict[str, Mapping[str, Any]] = {}
    for item in items:
        if item["id"] in by_id:
            raise InputError(f"id '{item['id']}' appears twice", remedy="give every item its own id")
        if not item["left"].strip() or not item["right"].strip():
            raise InputError(f"item '{item['id']}' has a blank text", remedy="left and right need words")
        by_id[item["id"]] = item
    return _questions(plan.model_copy(update={"questions": None}), by_id)


def _questions(plan: StudyPlan, items: Items) -> list[Question]:
    task = plan.annotation_task()
    asked = [each.question for each in work_questions(plan, task, items, Path()).asked]
    if not task.several_items:
        return asked
    # Tuples are numbered from one in every design: without a mark of their own they would replace those that are there.
    mark = hashlib.sha256("\n".join(items).encode()).hexdigest()[:8]
    return [replace(question, key=f"{mark}:{question.key}") for question in asked]
