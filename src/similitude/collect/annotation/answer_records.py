"""The records of leaders' views of questions, answers and people: frozen, without SQL and without HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from similitude.collect.annotation.records import Annotator, Shown

__all__ = [
    "Decision",
    "GivenAnswer",
    "GivenSkip",
    "Habit",
    "ListedQuestion",
    "Person",
    "PersonAnswer",
    "QuestionDetail",
    "QuestionPage",
    "QuestionSearch",
    "QuestionSort",
    "QuestionState",
    "Wording",
]

QuestionSort = Literal["order", "disagreement", "agreement", "time"]
QuestionState = Literal["open", "complete", "second", "retired"]
"""A question wants answers, has them all, wants those of its second round, or left the plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionSearch:
    """Which questions to list, and in which order.

    Attributes:
        words: each must begin a word of the texts, the key or the ids of the items; empty: any question.
        kind: work, gold, training or qualification.
        language: of the items.
        group: of the items.
        least: the least number of answers; ``most`` the greatest.
        apart: the least disagreement, as the task measures it.
        decided: whether a leader has decided; None: either.
        sort: "order" of the plan, "disagreement" (widest first), "agreement" (narrowest first) or "time" (latest
            answer first).
        after: the ``next`` of the page before; empty for the first page.
    """

    words: str = ""
    kind: str = "work"
    state: QuestionState | None = None
    language: str | None = None
    group: str | None = None
    least: int | None = None
    most: int | None = None
    apart: float | None = None
    decided: bool | None = None
    sort: QuestionSort = "order"
    after: str = ""


class GivenAnswer(NamedTuple):
    """One answer to a question.

    Attributes:
        shown: the question as this person saw it, which has the order of options.
        current: whether it is the person's last answer to it; else they changed it.
        counts: whether figures use it: the last answer of somebody who is not excluded, to a question asked once.
    """

    annotator: str
    state: str
    purpose: str
    round: str
    version: int
    value: Mapping[str, Any]
    shown: Shown
    seconds: float | None
    at: datetime
    current: bool
    counts: bool
    comment: str | None = None


class GivenSkip(NamedTuple):
    """Somebody skipped the question; ``stands``: they did not answer it after all."""

    annotator: str
    reason: str
    note: str | None
    at: datetime
    stands: bool


class Decision(NamedTuple):
    """A leader's decision on a question; ``value`` is None where one was taken back. The last one holds."""

    value: Mapping[str, Any] | None
    reason: str
    by: str
    at: datetime
    version: int


class Wording(NamedTuple):
    """One version of a question's texts."""

    version: int
    at: datetime
    shown: Shown
    items: tuple[Mapping[str, Any], ...]
    expected: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedQuestion:
    """A question in a list. ``disagreement`` is nan where it is undefined."""

    number: int
    key: str
    kind: str
    state: QuestionState
    language: str | None
    group: str | None
    answers: int
    disagreement: float
    last: datetime | None
    decision: Decision | None
    shown: Shown
    values: tuple[Mapping[str, Any], ...]


class QuestionPage(NamedTuple):
    """A page of a list.

    ``next`` asks for the page after it; it is empty on the last. ``stale`` changes are not counted in yet.
    """

    questions: tuple[ListedQuestion, ...]
    next: str
    stale: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDetail:
    """All that is known of one question; versions, answers, skips and decisions are in the order of time."""

    number: int
    key: str
    kind: str
    state: QuestionState
    wanted: int
    disagreement: float
    wordings: tuple[Wording, ...]
    answers: tuple[GivenAnswer, ...]
    skips: tuple[GivenSkip, ...]
    decisions: tuple[Decision, ...]

    @property
    def wording(self) -> Wording:
        """The texts as they are asked now."""
        return self.wordings[-1]

    @property
    def decision(self) -> Decision | None:
        """The decision that holds."""
        last = self.decisions[-1] if self.decisions else None
        return last if last is not None and last.value is not None else None

    @property
    def values(self) -> list[Mapping[str, Any]]:
        """The answers that count."""
        return [each.value for each in self.answers if each.counts]


class PersonAnswer(NamedTuple):
    """One answer of a person; ``right`` compares it with the known answer, ``same`` with their first one."""

    number: int
    key: str
    purpose: str
    round: str
    value: Mapping[str, Any]
    shown: Shown
    seconds: float | None
    at: datetime
    current: bool
    right: bool | None
    same: bool | None
    comment: str | None = None


class Habit(NamedTuple):
    """How often a person chose each place or value.

    Attributes:
        field: of the answer.
        of: "places" of options, or "values" of a scale.
        labels: the places or values.
        counts: how often the person chose each.
        expected: how often chance would: with places, each as often; with values, as people answer the same questions.
        p_value: how often chance alone is at least as far from the expectation; nan where there is nothing to test.
        tested: answers that the test rests on.
    """

    field: str
    of: Literal["places", "values"]
    labels: tuple[str, ...]
    counts: tuple[int, ...]
    expected: tuple[float, ...]
    p_value: float
    tested: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One person's work: their answers in the order of time, and their habits.

    Attributes:
        seconds: the median time of their answers to work; nan if unknown.
        slowing: Spearman's correlation of time taken with the order of answers: negative when they get faster; nan
            for fewer than five.
    """

    annotator: Annotator
    excluded: bool
    answers: tuple[PersonAnswer, ...]
    seconds: float
    slowing: float
    habits: tuple[Habit, ...]

    def counted(self, purpose: str) -> list[PersonAnswer]:
        """Their last answers for a purpose."""
        return [each for each in self.answers if each.current and each.purpose == purpose]
