"""Pages of questions for the template ``question.html``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from similitude.collect.annotation.store.refusals import InvalidAnswer
from similitude.collect.annotation.web.language import Texts
from similitude.collect.annotation.web.views.pages import BatchPage
from similitude.collect.annotation.web.views.questions import in_words, question_view
from similitude.collect.annotation.web.views.time_left import break_is_due, minutes_left
from similitude.collect.annotation.web.visit import Visit

__all__ = ["problems_by_field", "problems_by_position", "question_page"]


def question_page(visit: Visit, page: BatchPage, error: InvalidAnswer | None = None) -> dict[str, Any]:
    """The context of a page of questions, with the problems of the form that was just sent, if it was not valid."""
    problems = problems_by_position(error, visit.texts) if error else {}
    views = [
        question_view(
            visit.study,
            question,
            visit.texts,
            sent=visit.form if error else None,
            problems=problems.get(question.position),
        )
        for question in page.questions
    ]
    return {
        "page": page,
        "questions": views,
        "scale": visit.parts.scale,
        "task_template": visit.parts.template,
        "fields": visit.study.task.fields,
        "saved": error is None and all(question.answer is not None for question in page.questions),
        "minutes": minutes_left(page.batch),
        "rest_now": break_is_due(page.batch, visit.study.plan.breaks.suggest, visit.now),
        "can_skip": visit.study.plan.skip.allowed and page.batch.purpose not in ("training", "qualification"),
        "feedback": page.batch.purpose == "training" and page.questions[0].feedback is not None,
    }


def problems_by_position(error: InvalidAnswer, texts: Texts) -> dict[int, dict[str, str]]:
    """The problems of a form in words, by the position of the question and the field."""
    positions = {problem.position for problem in error.problems}
    return {
        position: in_words(tuple(each for each in error.problems if each.position == position), texts)
        for position in positions
    }


def problems_by_field(problems: Mapping[int, Mapping[str, str]]) -> dict[str, str]:
    """Problems by the name of the form's field: ``3.best``."""
    return {f"{position}.{field}": words for position, own in problems.items() for field, words in own.items()}
