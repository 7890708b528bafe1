"""Questions and people with their answers, in words for the templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from markupsafe import Markup

from similitude.collect.annotation.answer_records import (
    Decision,
    GivenAnswer,
    Habit,
    ListedQuestion,
    Person,
    PersonAnswer,
    QuestionDetail,
)
from similitude.collect.annotation.answer_spread import FieldSpread, field_spreads
from similitude.collect.annotation.records import Shown
from similitude.collect.annotation.store import StudyRecord
from similitude.collect.annotation.web.language import Texts
from similitude.drawing import KeptBar, kept_bars

__all__ = [
    "DecisionView",
    "HabitView",
    "ListedView",
    "SpreadView",
    "answer_words",
    "decision_views",
    "field_name",
    "habit_views",
    "listed_views",
    "person_rows",
    "spread_views",
    "text_lines",
]

LONGEST = 160
LONGEST_OPTION = 60
MOST_WRITTEN = 3


class ListedView(NamedTuple):
    """A question in the list: its texts in short, its answers in words, and what was decided."""

    question: ListedQuestion
    lines: tuple[str, ...]
    answers: tuple[str, ...]
    decided: str


class SpreadView(NamedTuple):
    """The distribution of one field: drawn, and as rows of label, count and share."""

    name: str
    drawing: Markup
    rows: tuple[tuple[str, int, float], ...]
    spread: FieldSpread


class DecisionView(NamedTuple):
    """A decision in words; ``words`` is empty where one was taken back."""

    words: str
    reason: str
    by: str
    at: datetime
    holds: bool


class HabitView(NamedTuple):
    """A habit: drawn, and as rows of label, count and expectation."""

    name: str
    drawing: Markup
    rows: tuple[tuple[str, int, float], ...]
    habit: Habit


def text_lines(shown: Shown) -> tuple[str, ...]:
    """The texts of a question, one per line, shortened."""
    texts = [shown.left, shown.right, *(option.text for option in shown.options)]
    found = [text for text in texts if text]
    found += [shown.condition] if shown.condition else []
    return tuple(_short(text, LONGEST) for text in found)


def _short(text: str, longest: int) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= longest else f"{one_line[: longest - 1]}…"


def listed_views(study: StudyRecord, questions: Sequence[ListedQuestion], texts: Texts) -> list[ListedView]:
    """The questions of a page."""
    return [
        ListedView(
            each,
            text_lines(each.shown),
            tuple(_in_short(study, each.shown, each.values, texts)),
            _decided(study, each.shown, each.decision, texts),
        )
        for each in questions
    ]


def _in_short(study: StudyRecord, shown: Shown, values: Sequence[Mapping[str, Any]], texts: Texts) -> list[str]:
    if not values:
        return []
    spreads = field_spreads(study.task, shown, values)
    if not spreads:
        return [_short(study.task.in_words(shown, value, texts), LONGEST) for value in values[:MOST_WRITTEN]]
    return [_tally(spread, texts, alone=len(spreads) == 1) for spread in spreads]


def _tally(spread: FieldSpread, texts: Texts, *, alone: bool) -> str:
    chosen = [(label, count) for label, count in zip(_labels(spread, texts), spread.counts, strict=True) if count]
    if spread.of == "options":
        chosen = sorted(chosen, key=lambda each: -each[1])[:1]
    words = ", ".join(f"{_short(label, LONGEST_OPTION)} × {count}" for label, count in chosen)
    return words if alone else f"{field_name(spread.field, texts)}: {words}"


def _labels(spread: FieldSpread | Habit, texts: Texts) -> tuple[str, ...]:
    words = {"yes": texts("answers.yes"), "no": texts("answers.no")}
    if spread.of == "places":
        return tuple(texts("answers.place", number=label) for label in spread.labels)
    return tuple(words.get(label, label) for label in spread.labels)


def field_name(field: str, texts: Texts) -> str:
    """The name of a field of the form."""
    return texts.first_of(f"choice.{field}", f"answers.field_{field}", f"field.{field}")


def _decided(study: StudyRecord, shown: Shown, decision: Decision | None, texts: Texts) -> str:
    if decision is None or decision.value is None:
        return ""
    return study.task.in_words(shown, decision.value, texts)


def spread_views(study: StudyRecord, detail: QuestionDetail, texts: Texts) -> list[SpreadView]:
    """The distributions of the answers that count."""
    return [_spread_view(each, texts) for each in field_spreads(study.task, detail.wording.shown, detail.values)]


def _spread_view(spread: FieldSpread, texts: Texts) -> SpreadView:
    total = sum(spread.counts)
    name = field_name(spread.field, texts)
    rows = tuple(
        (label, count, count / total if total else 0.0)
        for label, count in zip(_labels(spread, texts), spread.counts, strict=True)
    )
    bars = [KeptBar(label, f"{count}", share) for label, count, share in rows]
    return SpreadView(name, kept_bars(texts("answers.distribution_of", field=name), bars), rows, spread)


def decision_views(study: StudyRecord, detail: QuestionDetail, texts: Texts) -> list[DecisionView]:
    """All decisions on a question, the last first."""
    shown = {each.version: each.shown for each in detail.wordings}
    last = len(detail.decisions) - 1
    return [
        DecisionView(
            _decided(study, shown.get(each.version, detail.wording.shown), each, texts),
            each.reason,
            each.by,
            each.at,
            place == last and each.value is not None,
        )
        for place, each in reversed(list(enumerate(detail.decisions)))
    ]


def answer_words(study: StudyRecord, answer: GivenAnswer | PersonAnswer, texts: Texts) -> str:
    """An answer as a sentence."""
    return study.task.in_words(answer.shown, answer.value, texts)


def habit_views(person: Person, texts: Texts) -> list[HabitView]:
    """A person's habits."""
    return [_habit_view(each, texts) for each in person.habits]


def _habit_view(habit: Habit, texts: Texts) -> HabitView:
    total = sum(habit.counts)
    name = field_name(habit.field, texts)
    rows = tuple(zip(_labels(habit, texts), habit.counts, habit.expected, strict=True))
    bars = [
        KeptBar(label, texts("answers.counted_expected", count=count, expected=f"{expected:.1f}"), count / total)
        for label, count, expected in rows
    ]
    return HabitView(name, kept_bars(texts("answers.habit_of", field=name), bars), rows, habit)


def person_rows(
    study: StudyRecord, answers: Sequence[PersonAnswer], texts: Texts
) -> list[tuple[PersonAnswer, str, str]]:
    """A person's answers, each with the texts in short and the answer in words."""
    return [
        (each, _short(" · ".join(text_lines(each.shown)[:2]), LONGEST), answer_words(study, each, texts))
        for each in answers
    ]
