"""Surveys for the templates, and their forms as checked answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import FormData

from similitude.collect.annotation.plan.survey import AGE_BANDS, SurveyQuestion
from similitude.collect.annotation.records import Problem
from similitude.collect.annotation.tasks.form_values import clean, has_bad_characters
from similitude.collect.annotation.web.language import Texts
from similitude.collect.annotation.web.views.scales import ScaleView, scale_view

__all__ = ["SurveyField", "SurveyForm", "read_survey", "survey_fields"]

LONGEST_LANGUAGE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyField:
    """A question of a survey for the templates.

    Attributes:
        chosen: the values that are chosen or written.
        options: the value and the words of every option.
        problem: what is wrong with the answer, in words.
    """

    id: str
    kind: str
    asked: str
    required: bool
    options: tuple[tuple[str, str], ...]
    scale: ScaleView | None
    chosen: tuple[str, ...]
    longest: int
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyForm:
    """A submitted survey: the answers by question, and the problems by question."""

    values: Mapping[str, Any]
    problems: Mapping[str, Problem]


def read_survey(form: FormData, questions: tuple[SurveyQuestion, ...]) -> SurveyForm:
    """The answers of a form; an optional question that was left out is None."""
    values: dict[str, Any] = {}
    problems: dict[str, Problem] = {}
    for question in questions:
        value, problem = _read(question, _sent(form, question.id))
        if problem is not None:
            problems[question.id] = Problem(question.id, *problem)
        values[question.id] = value
    return SurveyForm(values=values, problems=problems)


Fault = tuple[str, Mapping[str, Any]]


def _sent(form: FormData, name: str) -> list[str]:
    return [clean(each) for each in form.getlist(name) if isinstance(each, str) and each.strip()]


def _read(question: SurveyQuestion, sent: list[str]) -> tuple[Any, Fault | None]:
    if not sent:
        return None, (("missing", {}) if question.required else None)
    if question.kind == "choices":
        allowed = [value for value, _ in _options(question, "")]
        known = [value for value in allowed if value in sent]
        return known, None if len(known) == len(set(sent)) else ("not_an_option", {})
    if question.kind in ("choice", "age", "likert"):
        return _chosen(question, sent[0])
    if question.kind == "number":
        return _number(question, sent[0])
    longest = LONGEST_LANGUAGE if question.kind == "language" else question.longest
    if len(sent[0]) > longest:
        return None, ("too_long", {"limit": longest})
    return (None, ("bad_characters", {})) if has_bad_characters(sent[0]) else (sent[0], None)


def _chosen(question: SurveyQuestion, sent: str) -> tuple[Any, Fault | None]:
    if question.kind == "likert":
        points = {f"{point:.10g}": point for point in question.likert.points}
        return (points[sent], None) if sent in points else (None, ("not_an_option", {}))
    allowed = [value for value, _ in _options(question, "")]
    return (sent, None) if sent in allowed else (None, ("not_an_option", {}))


def _number(question: SurveyQuestion, sent: str) -> tuple[Any, Fault | None]:
    try:
        value = float(sent.replace(",", "."))
    except ValueError:
        return None, ("not_a_number", {})
    if not math.isfinite(value) or len(sent) > 30:
        return None, ("not_a_number", {})
    low, high = question.low, question.high
    if (low is not None and value < low) or (high is not None and value > high):
        if low is not None and high is not None:
            return None, ("off_scale", {"low": low, "high": high})
        return None, ("too_low", {"low": low}) if low is not None else ("too_high", {"high": high})
    return value, None


def _options(question: SurveyQuestion, language: str) -> list[tuple[str, str]]:
    if question.kind == "age":
        return [(band, band) for band in AGE_BANDS]
    return question.choices(language)


def survey_fields(
    questions: tuple[SurveyQuestion, ...],
    texts: Texts,
    saved: Mapping[str, Any],
    sent: FormData | None,
    form: SurveyForm,
) -> list[SurveyField]:
    """The questions with what was answered: what was just sent if that was not valid, else what is saved."""
    return [_field(each, texts, saved, sent, form.problems.get(each.id)) for each in questions]


def _field(
    question: SurveyQuestion, texts: Texts, saved: Mapping[str, Any], sent: FormData | None, problem: Problem | None
) -> SurveyField:
    options = [
        (value, texts("survey.age_unsaid") if question.kind == "age" and value == "-" else words)
        for value, words in _options(question, texts.language)
    ]
    given = _sent(sent, question.id) if sent is not None else _written(saved.get(question.id))
    return SurveyField(
        id=question.id,
        kind=question.kind,
        asked=question.asked(texts.language),
        required=question.required,
        options=tuple(options),
        scale=scale_view(question.likert, texts.language) if question.kind == "likert" else None,
        chosen=tuple(given),
        longest=LONGEST_LANGUAGE if question.kind == "language" else question.longest,
        problem="" if problem is None else _in_words(problem, texts),
    )


def _in_words(problem: Problem, texts: Texts) -> str:
    values = {name: f"{value:g}" if isinstance(value, float) else value for name, value in problem.values.items()}
    return texts.first_of(f"problem.survey.{problem.key}", f"problem.{problem.key}", **values)


def _written(value: Any) -> list[str]:
    if value is None:
        return []
    return [
        f"{each:.10g}" if isinstance(each, float) else str(each)
        for each in (value if isinstance(value, list) else [value])
    ]
