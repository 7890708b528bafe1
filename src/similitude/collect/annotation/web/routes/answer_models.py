"""The requests and responses of the API of questions, answers, decisions, people and charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field

from similitude.collect.annotation.answer_records import (
    Decision,
    GivenAnswer,
    Habit,
    ListedQuestion,
    Person,
    PersonAnswer,
    QuestionDetail,
    QuestionPage,
)
from similitude.collect.annotation.answer_spread import FieldSpread
from similitude.collect.annotation.web.routes.api_models import Clean, Finite, Given, Text

__all__ = [
    "ChartModel",
    "DecideModel",
    "DecisionModel",
    "PersonWorkModel",
    "QuestionListModel",
    "QuestionModel",
    "TakeBackModel",
]

Reason = Annotated[Clean, Field(min_length=1, max_length=2000)]


class DecisionModel(BaseModel):
    """A leader's decision; ``value`` is null where one was taken back."""

    value: dict[str, Any] | None
    reason: str
    by: str
    at: datetime
    version: int

    @classmethod
    def of(cls, made: Decision) -> DecisionModel:
        """From the store's record."""
        return cls(**made._asdict())


class DecideModel(Given):
    """A decision: the fields of an answer as a form sends them, and why."""

    fields: Annotated[dict[Text, Annotated[Clean, Field(max_length=5000)]], Field(max_length=20)]
    reason: Reason


class TakeBackModel(Given):
    """Why a decision is taken back."""

    reason: Reason


class SpreadModel(BaseModel):
    """The distribution of one field of the answers."""

    field: str
    of: str
    labels: list[str]
    counts: list[int]
    commonest: Finite
    entropy: Finite
    mean: Finite
    deviation: Finite


class GivenModel(BaseModel):
    """One answer to a question; ``counts`` says whether figures use it."""

    annotator: str
    purpose: str
    round: str
    version: int
    value: dict[str, Any]
    shown: list[str]
    seconds: float | None
    at: datetime
    current: bool
    counts: bool
    comment: str | None

    @classmethod
    def of(cls, given: GivenAnswer) -> GivenModel:
        """From the store's record."""
        facts = {name: value for name, value in given._asdict().items() if name in cls.model_fields}
        return cls(**{**facts, "shown": [option.id for option in given.shown.options]})


class SkipModel(BaseModel):
    """Somebody skipped the question; ``stands``: they did not answer it after all."""

    annotator: str
    reason: str
    note: str | None
    at: datetime
    stands: bool


class WordingModel(BaseModel):
    """One version of a question's texts."""

    version: int
    at: datetime
    items: list[dict[str, Any]]
    expected: dict[str, Any] | None


class ListedModel(BaseModel):
    """A question in a list."""

    number: int
    key: str
    kind: str
    state: str
    language: str | None
    group: str | None
    answers: int
    disagreement: Finite
    last: datetime | None
    values: list[dict[str, Any]]
    decision: DecisionModel | None
    texts: dict[str, Any]

    @classmethod
    def of(cls, listed: ListedQuestion) -> ListedModel:
        """From the store's record."""
        names = ("number", "key", "kind", "state", "language", "group", "answers", "disagreement", "last")
        facts = {name: getattr(listed, name) for name in names}
        decision = None if listed.decision is None else DecisionModel.of(listed.decision)
        values = [dict(value) for value in listed.values]
        return cls(**facts, values=values, decision=decision, texts=asdict(listed.shown))


class QuestionListModel(BaseModel):
    """A page of questions. ``stale``: how many changes are not counted in yet."""

    questions: list[ListedModel]
    next: str
    stale: int

    @classmethod
    def of(cls, page: QuestionPage) -> QuestionListModel:
        """From the store's record."""
        return cls(questions=[ListedModel.of(each) for each in page.questions], next=page.next, stale=page.stale)


class QuestionModel(BaseModel):
    """One question with everything that was answered and decided."""

    number: int
    key: str
    kind: str
    state: str
    wanted: int
    disagreement: Finite
    spreads: list[SpreadModel]
    wordings: list[WordingModel]
    answers: list[GivenModel]
    skips: list[SkipModel]
    decisions: list[DecisionModel]

    @classmethod
    def of_detail(cls, detail: QuestionDetail, spreads: Sequence[FieldSpread]) -> QuestionModel:
        """From the store's record."""
        facts = {name: getattr(detail, name) for name in ("number", "key", "kind", "state", "wanted", "disagreement")}
        return cls(
            **facts,
            spreads=[SpreadModel(**each._asdict()) for each in spreads],
            wordings=[
                WordingModel(
                    version=each.version,
                    at=each.at,
                    items=[dict(item) for item in each.items],
                    expected=None if each.expected is None else dict(each.expected),
                )
                for each in detail.wordings
            ],
            answers=[GivenModel.of(each) for each in detail.answers],
            skips=[SkipModel(**each._asdict()) for each in detail.skips],
            decisions=[DecisionModel.of(each) for each in detail.decisions],
        )


class HabitModel(BaseModel):
    """How often a person chose each place or value, and chance would."""

    field: str
    of: str
    labels: list[str]
    counts: list[int]
    expected: list[float]
    p_value: Finite
    tested: int

    @classmethod
    def of_habit(cls, habit: Habit) -> HabitModel:
        """From the store's record."""
        return cls(**habit._asdict())


class PersonAnswerModel(BaseModel):
    """One answer of a person."""

    number: int
    key: str
    purpose: str
    round: str
    value: dict[str, Any]
    seconds: float | None
    at: datetime
    current: bool
    right: bool | None
    same: bool | None
    comment: str | None

    @classmethod
    def of(cls, given: PersonAnswer) -> PersonAnswerModel:
        """From the store's record."""
        return cls(**{name: value for name, value in given._asdict().items() if name in cls.model_fields})


class PersonWorkModel(BaseModel):
    """One person's work."""

    pseudonym: str
    state: str
    excluded: bool
    given: int
    seconds: Finite
    slowing: Finite
    habits: list[HabitModel]
    answers: list[PersonAnswerModel]

    @classmethod
    def of_person(cls, person: Person, limit: int) -> PersonWorkModel:
        """From the store's record; the latest answers first."""
        return cls(
            pseudonym=person.annotator.pseudonym,
            state=person.annotator.state,
            excluded=person.excluded,
            given=len(person.answers),
            seconds=person.seconds,
            slowing=person.slowing,
            habits=[HabitModel.of_habit(each) for each in person.habits],
            answers=[PersonAnswerModel.of(each) for each in person.answers[::-1][:limit]],
        )


class ChartModel(BaseModel):
    """The rows behind a chart, and whether they are known: "ready", "computing", "failed" or "absent"."""

    state: str
    rows: list[dict[str, Any]]
