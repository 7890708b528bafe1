"""The contract of an annotation task, and the registry that tasks join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.records import Problem, Question, Shown
from similitude.collect.annotation.tasks.contract import lacks_of_task
from similitude.registry import Registry

__all__ = [
    "ANNOTATION_TASKS",
    "AnnotationTask",
    "Answer",
    "InterfaceTexts",
    "Items",
    "QuestionSet",
    "Read",
    "TaskSettings",
]

Answer = Mapping[str, Any]
"""An answer as the database keeps it: field names with plain JSON values."""

Items = Sequence[Mapping[str, Any]]
"""The items of a question, each with those of its columns that hold something."""

JudgementKind = Literal["best-worst", "rating"]


class Read(NamedTuple):
    """A submitted form, read: the answer, or the problems with it (then ``answer`` is None)."""

    answer: Answer | None
    problems: tuple[Problem, ...] = ()


class TaskSettings(NamedTuple):
    """What a study may set for its task; a task takes what concerns it."""

    scale: RatingScale | None = None
    tuple_size: int = 4
    seed: int = 1


class QuestionSet(NamedTuple):
    """The questions that a task asks about a study's items, and a note for the leader where one is due."""

    questions: tuple[Question, ...]
    note: str = ""


class InterfaceTexts(Protocol):
    """The texts of the interface in one language, those of the task included."""

    @property
    def language(self) -> str:
        """The language: "en", "de" or "zh"."""
        ...

    def __call__(self, key: str, **values: object) -> str:
        """The text of ``table.key`` with its braces filled in."""
        ...


@runtime_checkable
class AnnotationTask(Protocol):
    """One kind of question that annotators answer. Everything that depends on the task goes through this object.

    A task is a frozen dataclass that can be made without arguments, registered with
    ``@ANNOTATION_TASKS.register("name")`` or as an entry point of the group ``similitude.annotation_tasks``. A task
    about one pair of texts extends `PairTask`, which has a default for everything but ``name``, ``fields``, `read`,
    `in_words` and the template. A task knows neither SQL nor HTTP.

    The contract:

    * ``name`` is the name that it is registered under, and ``fields`` is not empty.
    * `read` gives an answer whose keys are ``fields`` and whose values are plain JSON, or at least one problem, never
      both; each problem names a field, or "" for the whole form. An empty form has a problem. `read` raises nothing,
      whatever the form holds.
    * `form` is the inverse of `read`: ``read(items, form(answer)).answer == answer``, and its keys are ``fields``.
    * `answer_of` is the inverse of `row`: ``answer_of(row(items, answer)) == answer``. `row` gives plain JSON and none
      of the columns that every exported row has (``question``, ``annotator``, ``round``, ``seconds``, ``at``, ...).
    * ``is_right(answer, answer, tolerance)`` holds where ``checkable`` does.
    * `spread` is nan for fewer than two answers, 0 for equal ones, and never negative; nan throughout where answers
      cannot be compared.
    * ``template`` is a Jinja template in which an input named ``{{ question.position }}.FIELD`` exists for every
      field, and which has no script or style of its own.
    * ``texts`` has the same keys in every language that it has; English is one of them.
    * ``choice_fields`` are those of ``fields`` that hold the id of an option; `shown` has options then.
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
    def choice_fields(self) -> tuple[str, ...]:
        """The fields whose value is the id of an option. Pages number the options and never show their ids."""
        ...

    @property
    def several_items(self) -> bool:
        """Whether a question is about several items, which are its options; else it is about one pair of texts."""
        ...

    @property
    def checkable(self) -> bool:
        """Whether code can tell a right answer from a wrong one, so that gold and training make sense."""
        ...

    @property
    def scale(self) -> RatingScale | None:
        """The scale of its ratings: the study's, or the task's own; None for a task without ratings."""
        ...

    @property
    def designs(self) -> tuple[str, ...]:
        """The tasks whose designs (`similitude design`) it can ask; empty: any."""
        ...

    @property
    def judgement_kind(self) -> JudgementKind | None:
        """The kind of judgements that its rows are, which decides the figures of agreement; None: no figures."""
        ...

    @property
    def template(self) -> str:
        """The Jinja source of the question's part of the page. It sees ``question``, ``scale``, ``t`` and ``show``."""
        ...

    @property
    def texts(self) -> Mapping[str, Mapping[str, Any]]:
        """Its own texts by language, in tables as in the interface's; they join the interface's texts."""
        ...

    def for_study(self, settings: TaskSettings) -> AnnotationTask:
        """The task with what a study sets."""
        ...

    def questions(self, items: Mapping[str, Mapping[str, Any]]) -> QuestionSet:
        """The questions about a study's items, by id, where the study names no design.

        Raises:
            ArgumentError: no questions can be made of these items.
        """
        ...

    def faults(self, question: Question) -> list[str]:
        """The reasons why a planned question cannot be asked; empty where there are none."""
        ...

    def shown(self, items: Items, order: Sequence[int] | None = None) -> Shown:
        """What an annotator sees. ``order`` permutes the options, where there are any."""
        ...

    def read(self, items: Items, form: Mapping[str, str]) -> Read:
        """A submitted form as an answer, or every problem with it by field."""
        ...

    def form(self, answer: Answer) -> dict[str, str]:
        """The fields of a form that reads as this answer."""
        ...

    def in_words(self, shown: Shown, answer: Answer, texts: InterfaceTexts) -> str:
        """An answer as a sentence, for the overview, feedback and worked examples. Some fields may be missing."""
        ...

    def is_right(self, answer: Answer, expected: Answer, tolerance: float) -> bool:
        """Whether an answer to a question with a known answer counts as right."""
        ...

    def spread(self, answers: Sequence[Answer]) -> float:
        """How far people's answers to one question lie apart; a second round asks about wide ones."""
        ...

    def row(self, items: Items, answer: Answer) -> dict[str, Any]:
        """The columns of an exported row that depend on the task."""
        ...

    def answer_of(self, row: Mapping[str, Any]) -> Answer:
        """The answer that `row` was made from; also reads expected answers in files of gold."""
        ...


ANNOTATION_TASKS: Registry[AnnotationTask] = Registry(
    "annotation task", "similitude.annotation_tasks", contract=lacks_of_task
)
