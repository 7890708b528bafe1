"""Tasks about one pair of texts: everything but the answer itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.records import Question, Shown
from similitude.collect.annotation.tasks.resources import TaskFiles
from similitude.collect.annotation.tasks.task import Answer, Items, JudgementKind, QuestionSet, TaskSettings

__all__ = ["PairTask", "pair_shown", "turns_before"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTask(TaskFiles):
    """A task about one pair of texts, with the defaults of `AnnotationTask`.

    A task of one's own sets ``name`` and ``fields``, and writes `read` and `in_words`. Its template and its texts lie
    beside its module, as ``NAME.html`` and ``NAME.toml``, or are class attributes ``template`` and ``texts``.
    The defaults fit answers that are texts, kept as they are sent: right when equal, and without a spread.
    """

    name: ClassVar[str]
    fields: ClassVar[tuple[str, ...]]
    choice_fields: ClassVar[tuple[str, ...]] = ()
    several_items: ClassVar[bool] = False
    checkable: ClassVar[bool] = True
    designs: ClassVar[tuple[str, ...]] = ("rating",)
    judgement_kind: ClassVar[JudgementKind | None] = None

    @property
    def scale(self) -> RatingScale | None:
        """None: there is no rating."""
        return None

    def for_study(self, settings: TaskSettings) -> Self:
        """The task as it is: a study sets nothing."""
        return self

    def questions(self, items: Mapping[str, Mapping[str, Any]]) -> QuestionSet:
        """One question per item, under the item's id."""
        return QuestionSet(tuple(Question(key=id_, items=(item,)) for id_, item in items.items()))

    def faults(self, question: Question) -> list[str]:
        """A question is about one item, and has an expected answer where it should."""
        found = [] if len(question.items) == 1 else [f"a {self.name} question is about one item"]
        return found + (self.expected_faults(question.expected or {}) if question.kind != "work" else [])

    def expected_faults(self, expected: Answer) -> list[str]:
        """What is wrong with a known answer: by default, that a field is missing."""
        missing = [field for field in self.fields if expected.get(field) is None]
        return [f"the right answer is missing: {', '.join(missing)}"] if missing and self.checkable else []

    def shown(self, items: Items, order: Sequence[int] | None = None) -> Shown:
        """The pair, with its dialogue and condition where it has them."""
        return pair_shown(items[0])

    def form(self, answer: Answer) -> dict[str, str]:
        """Each field as text; empty where there is no value."""
        return {field: "" if answer[field] is None else str(answer[field]) for field in self.fields}

    def is_right(self, answer: Answer, expected: Answer, tolerance: float) -> bool:
        """Whether the two are equal."""
        return all(answer[field] == expected[field] for field in self.fields)

    def spread(self, answers: Sequence[Answer]) -> float:
        """Undefined."""
        return float("nan")

    def row(self, items: Items, answer: Answer) -> dict[str, Any]:
        """The item and the fields."""
        return {"item": items[0]["id"], **{field: answer[field] for field in self.fields}}

    def answer_of(self, row: Mapping[str, Any]) -> Answer:
        """The fields."""
        return {field: row.get(field) for field in self.fields}


def pair_shown(item: Mapping[str, Any]) -> Shown:
    """A pair of texts with what belongs to it."""
    return Shown(
        left=item["left"],
        right=item["right"],
        context=turns_before(item),
        condition=item.get("condition"),
        language=item.get("language"),
    )


def turns_before(item: Mapping[str, Any]) -> tuple[str, ...]:
    """The turns of a dialogue before its last one, which is the item's left text and is shown as such."""
    turns = tuple(item.get("context") or ())
    return turns[:-1] if turns and turns[-1] == item["left"] else turns
