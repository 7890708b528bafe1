"""Questions for the templates, and forms for the store.

The names of form fields start with the question's position: ``3.best``. Options are numbered as shown. The page does
not contain the ids of items, which may reveal where a text comes from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from starlette.datastructures import FormData

from similitude.collect.annotation.plan.models import Example
from similitude.collect.annotation.records import BatchQuestion, Entry, Option, Problem, Shown, Skipped
from similitude.collect.annotation.store import StudyRecord
from similitude.collect.annotation.tasks import AnnotationTask
from similitude.collect.annotation.tasks.pair import turns_before
from similitude.collect.annotation.web.language import Texts
from similitude.collect.annotation.web.security.cookies import new_secret

__all__ = [
    "ExampleView",
    "Mark",
    "QuestionView",
    "Turn",
    "answered_questions",
    "entry_of",
    "example_views",
    "in_words",
    "items_of",
    "question_view",
    "reason_in_words",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionView:
    """A question for the templates.

    Attributes:
        position: its place in the batch.
        turns: the dialogue with its last turn marked, if there is one.
        values: the current values of the form, by field.
        problems: the problems in words, by field; "" is the whole form.
        nonce: identifies this rendering of the form.
        right: whether a training answer was right; None without feedback.
        expected: the right answer in words.
        marks: the right options, by id.
        yours: the saved answer in words.
        comment: what the annotator wrote about the question.
        skipped: why it was skipped, in words; empty if it was not.
    """

    position: int
    shown: Shown
    turns: tuple[Turn, ...]
    values: Mapping[str, str]
    problems: Mapping[str, str]
    nonce: str
    right: bool | None = None
    expected: str = ""
    marks: Mapping[str, Mark]
    yours: str = ""
    comment: str = ""
    skipped: str = ""


class ExampleView(NamedTuple):
    """A worked example: what is shown, the marked options by id, the answer in words and the reason."""

    shown: Shown
    turns: tuple[Turn, ...]
    marks: Mapping[str, Mark]
    answer: str
    why: str


class Mark(NamedTuple):
    """The field that an option is the answer to, and its label."""

    field: str
    label: str


class Turn(NamedTuple):
    """One turn of a dialogue; the speakers are A and B."""

    speaker: str
    text: str
    last: bool


def question_view(
    study: StudyRecord,
    question: BatchQuestion,
    texts: Texts,
    *,
    sent: FormData | None = None,
    problems: Mapping[str, str] | None = None,
) -> QuestionView:
    """A question with its saved answer, or with the form that was just sent if that was not valid."""
    task, shown, feedback = study.task, question.shown, question.feedback
    values = dict.fromkeys(task.fields, "")
    if question.answer is not None:
        values |= _numbered(task, question.answer, shown)
    if sent is not None:
        values = {field: _field(sent, question.position, field) for field in task.fields}
    return QuestionView(
        position=question.position,
        shown=shown,
        turns=_turns(shown),
        values=values,
        problems=problems or {},
        nonce=new_secret(),
        right=feedback.right if feedback else None,
        expected=task.in_words(shown, feedback.expected, texts) if feedback else "",
        marks=_marks(task, feedback.expected, texts) if feedback else {},
        yours=task.in_words(shown, question.answer, texts) if question.answer is not None else "",
        comment=question.comment if sent is None else _field(sent, question.position, "comment"),
        skipped=reason_in_words(question.skipped, texts),
    )


def reason_in_words(skipped: Skipped | None, texts: Texts) -> str:
    """Why a question was skipped, in words; empty if it was not."""
    if skipped is None:
        return ""
    words = texts(f"skip.reason_{skipped.reason}")
    return f"{words}: {skipped.note}" if skipped.note else words


def answered_questions(
    form: FormData, questions: tuple[BatchQuestion, ...], task: AnnotationTask
) -> tuple[BatchQuestion, ...]:
    """The questions of a page without those that were skipped and are left empty."""
    return tuple(
        each
        for each in questions
        if each.skipped is None or any(_field(form, each.position, field).strip() for field in task.fields)
    )


def entry_of(form: FormData, question: BatchQuestion, task: AnnotationTask, *, with_comments: bool = False) -> Entry:
    """The answer to one question in a form, with the time that the script measured, if it did, and the comment."""
    values = {field: _field(form, question.position, field) for field in task.fields}
    for field in task.choice_fields:
        if values.get(field):
            values[field] = _option_id(values[field], question.shown.options)
    seconds = _seconds(_field(form, question.position, "seconds"))
    comment = _field(form, question.position, "comment") if with_comments else ""
    return Entry(question.position, values, _field(form, question.position, "nonce"), seconds, comment)


def items_of(shown: Shown) -> list[dict[str, Any]]:
    """The items of a question, as far as a task needs them to check a form."""
    if shown.options:
        return [{"id": option.id, "left": option.left, "right": option.text} for option in shown.options]
    return [{"id": "", "left": shown.left, "right": shown.right}]


def in_words(problems: tuple[Problem, ...], texts: Texts) -> dict[str, str]:
    """Problems by field, in words; a field's own text for a problem comes first."""
    return {each.field: _problem_text(each, texts) for each in problems}


def _problem_text(problem: Problem, texts: Texts) -> str:
    written = {name: f"{value:g}" if isinstance(value, float) else value for name, value in problem.values.items()}
    return texts.first_of(f"problem.{problem.field}.{problem.key}", f"problem.{problem.key}", **written)


def example_views(study: StudyRecord, texts: Texts) -> list[ExampleView]:
    """The worked examples of the instructions."""
    return [_example(study.task, example, texts) for example in study.plan.examples(texts.language)]


def _example(task: AnnotationTask, example: Example, texts: Texts) -> ExampleView:
    shown = Shown(
        left=example.left,
        right=example.right,
        context=turns_before({"context": example.context, "left": example.left}),
        condition=example.condition,
        options=tuple(Option(id=str(number), text=text) for number, text in enumerate(example.options, 1)),
        language=example.language,
    )
    answer = {field: str(value) if field in task.choice_fields else value for field, value in example.answer.items()}
    words = task.in_words(shown, answer, texts)
    return ExampleView(shown, _turns(shown), _marks(task, answer, texts), words, example.why)


def _marks(task: AnnotationTask, answer: Mapping[str, Any], texts: Texts) -> dict[str, Mark]:
    chosen = {field: answer.get(field) for field in reversed(task.choice_fields)}
    return {str(id_): Mark(field, texts(f"choice.{field}")) for field, id_ in chosen.items() if id_ is not None}


def _turns(shown: Shown) -> tuple[Turn, ...]:
    if not shown.context:
        return ()
    said = [*shown.context, shown.left or ""]
    return tuple(Turn("AB"[place % 2], text, place == len(said) - 1) for place, text in enumerate(said))


def _field(form: FormData, position: int, field: str) -> str:
    value = form.get(f"{position}.{field}", "")
    return value if isinstance(value, str) else ""


def _option_id(number: str, options: tuple[Option, ...]) -> str:
    """The id of a numbered option; for anything else, an id that no task accepts."""
    place = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
    return options[place - 1].id if 1 <= place <= len(options) else "\N{REPLACEMENT CHARACTER}"


def _numbered(task: AnnotationTask, answer: Mapping[str, Any], shown: Shown) -> dict[str, str]:
    """The form of an answer, with the numbers of options in place of their ids."""
    numbers = {option.id: str(number) for number, option in enumerate(shown.options, 1)}
    values = task.form(answer)
    return {field: numbers.get(value, "") if field in task.choice_fields else value for field, value in values.items()}


def _seconds(written: str) -> float | None:
    try:
        seconds = float(written)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) else None
