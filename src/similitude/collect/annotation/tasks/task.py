"""What every task can do: show a question, read an answer, tell right from wrong, measure spread, write a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from similitude.collect.annotation.records import Problem, Question, Shown

__all__ = ["Answer", "Read", "Task"]

Answer = Mapping[str, Any]
"""An answer as it is kept: plain JSON values, the same for every way of submitting it."""


class Read(NamedTuple):
    """A submitted form, read: the answer, or what is wrong with it (then ``answer`` is None)."""

    answer: Answer | None
    problems: tuple[Problem, ...] = ()


class Task(Protocol):
    """One of the four tasks, with what the study sets of it (a scale, say). Knows neither SQL nor HTML.

    Attributes:
        name: "best-worst", "rating", "conditions" or "verification".
        fields: the names of the form's fields, in the order of asking.
        checkable: whether an answer can be right or wrong by machine, so that gold and training make sense.
    """

    @property
    def name(self) -> str:
        """Its name in a plan."""
        ...

    @property
    def fields(self) -> tuple[str, ...]:
        """The form's fields, in the order of asking."""
        ...

    @property
    def checkable(self) -> bool:
        """Whether a machine can tell right from wrong."""
        ...

    def faults(self, question: Question) -> list[str]:
        """What keeps a planned question from being asked; empty where nothing does."""
        ...

    def shown(self, items: Sequence[Mapping[str, Any]], order: Sequence[int] | None = None) -> Shown:
        """What an annotator sees. ``order`` permutes the options, where there are any."""
        ...

    def read(self, items: Sequence[Mapping[str, Any]], form: Mapping[str, str]) -> Read:
        """A submitted form as an answer, or every problem with it by field."""
        ...

    def form(self, answer: Answer) -> dict[str, str]:
        """The fields of a form that reads as this answer, to fill in what was saved."""
        ...

    def is_right(self, answer: Answer, expected: Answer, tolerance: float) -> bool:
        """Whether an answer to a question with a known answer counts as right."""
        ...

    def spread(self, answers: Sequence[Answer]) -> float:
        """How far people's answers to one question lie apart; nan for fewer than two."""
        ...

    def row(self, items: Sequence[Mapping[str, Any]], answer: Answer) -> dict[str, Any]:
        """The columns of a judgement that depend on the task."""
        ...

    def answer_of(self, row: Mapping[str, Any]) -> Answer:
        """The answer that `row` was made from; also reads expected answers in files of gold."""
        ...
