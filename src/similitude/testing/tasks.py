"""The contracts of an annotation task."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from similitude.collect.annotation.tasks import ANNOTATION_TASKS, AnnotationTask, Answer
from similitude.testing.contract import check_contracts, require

__all__ = ["TASK_CONTRACTS", "check_task"]

PAIR: tuple[Mapping[str, Any], ...] = (
    {"id": "p", "left": "A large green ball was bouncing on the street.", "right": "I bought a small green avocado."},
)
OF_EVERY_ROW = {"question", "annotator", "round", "seconds", "at"}


class _Asked(NamedTuple):
    """A task with a question's items and a form that answers it."""

    task: AnnotationTask
    items: Sequence[Mapping[str, Any]]
    form: Mapping[str, str]

    @property
    def answer(self) -> Answer:
        found = self.task.read(self.items, self.form)
        require(found.answer is not None, f"the form has problems: {found.problems}")
        assert found.answer is not None
        return found.answer


def check_task(
    task: str | AnnotationTask, form: Mapping[str, str], *, items: Sequence[Mapping[str, Any]] = PAIR
) -> None:
    """Check that an annotation task keeps every contract; `TASK_CONTRACTS` lists them.

    Args:
        task: as registered, or the task itself.
        form: a form that is a good answer about the items.
        items: of one question; a pair of texts by default.

    Raises:
        AssertionError: a contract is broken; the message says which, and what was seen.

    >>> check_task("conditions", {"alike": "the colour of the thing", "differ": "the size of the thing"})
    """
    made = ANNOTATION_TASKS.make(task) if isinstance(task, str) else task
    check_contracts(f"annotation task '{made.name}'", TASK_CONTRACTS, _Asked(made, items, form))


def an_answer_is_plain(asked: _Asked) -> None:
    """A good form is an answer without problems; its keys are the fields, its values plain JSON."""
    answer, problems = asked.answer, asked.task.read(asked.items, asked.form).problems
    require(not problems, f"an answer that is read has problems: {problems}")
    require(set(answer) == set(asked.task.fields), f"the answer has {sorted(answer)}, the form {asked.task.fields}")
    require(json.loads(json.dumps(answer)) == answer, f"{answer} is not plain JSON")


def bad_forms_have_problems(asked: _Asked) -> None:
    """An empty form, or one of nonsense, is refused by field and raises nothing."""
    nonsense = dict.fromkeys(asked.task.fields, "\x00 nonsense \uffff" * 50)
    for form in ({}, dict.fromkeys(asked.task.fields, ""), {"other": "x"}):
        found = asked.task.read(asked.items, form)
        require(found.answer is None and bool(found.problems), f"the form {form} is taken for an answer")
    for problem in (*asked.task.read(asked.items, {}).problems, *asked.task.read(asked.items, nonsense).problems):
        require(problem.field in ("", *asked.task.fields), f"a problem is about the field '{problem.field}'")


def a_form_reads_back(asked: _Asked) -> None:
    """The form of an answer reads as that answer."""
    form = asked.task.form(asked.answer)
    require(set(form) == set(asked.task.fields), f"the form has {sorted(form)}")
    again = asked.task.read(asked.items, form).answer
    require(again == asked.answer, f"{asked.answer} came back as {again}")


def a_row_reads_back(asked: _Asked) -> None:
    """The exported row of an answer is plain JSON, keeps off the columns of every row, and gives the answer back."""
    row = asked.task.row(asked.items, asked.answer)
    require(not OF_EVERY_ROW & set(row), f"the row has {sorted(OF_EVERY_ROW & set(row))}, which every row has")
    again = asked.task.answer_of(json.loads(json.dumps(row)))
    require(again == asked.answer, f"{asked.answer} came back as {again}")


def an_answer_is_right_by_itself(asked: _Asked) -> None:
    """Where answers can be right, an answer equals itself."""
    if asked.task.checkable:
        require(asked.task.is_right(asked.answer, asked.answer, 0.5), "an answer is not right by itself")


def spread_of_equals_is_nothing(asked: _Asked) -> None:
    """Spread is nan for fewer than two answers and 0 for equal ones, or nan where answers cannot be compared."""
    require(math.isnan(asked.task.spread([asked.answer])), "one answer has a spread")
    found = asked.task.spread([asked.answer, asked.answer])
    require(found == 0 or math.isnan(found), f"equal answers have the spread {found}")


def its_page_asks_for_every_field(asked: _Asked) -> None:
    """The template has an input for every field and no script or style; texts have the same keys in every language."""
    template = asked.task.template.lower()
    require("<script" not in template and "<style" not in template, "the template has a script or a style")
    lacking = [field for field in asked.task.fields if field.lower() not in template]
    require(not lacking, f"the template has no input for {lacking}")
    require("en" in asked.task.texts, f"texts are in {sorted(asked.task.texts)}, not in English")


TASK_CONTRACTS = (
    an_answer_is_plain,
    bad_forms_have_problems,
    a_form_reads_back,
    a_row_reads_back,
    an_answer_is_right_by_itself,
    spread_of_equals_is_nothing,
    its_page_asks_for_every_field,
)
"""What every annotation task must keep."""
