"""Rating: a number on a labelled scale for a pair of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from similitude.collect.annotation.plan.models import ScalePlan
from similitude.collect.annotation.records import Question, Shown
from similitude.collect.annotation.tasks.form_values import read_number
from similitude.collect.annotation.tasks.task import Answer, Read

__all__ = ["RatingTask", "pair_shown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingTask:
    """A number on the scale, at one of its steps."""

    scale: ScalePlan
    name: str = "rating"
    fields: tuple[str, ...] = ("value",)
    checkable: bool = True

    def faults(self, question: Question) -> list[str]:
        """One item; an expected value lies on the scale."""
        found = [] if len(question.items) == 1 else ["a rating is about one item"]
        if question.kind != "work":
            found += value_faults(question.expected or {}, self.scale)
        return found

    def shown(self, items: Sequence[Mapping[str, Any]], order: Sequence[int] | None = None) -> Shown:
        """The pair, under its dialogue and condition where it has them."""
        return pair_shown(items[0])

    def read(self, items: Sequence[Mapping[str, Any]], form: Mapping[str, str]) -> Read:
        """The number."""
        number = read_number(form.get("value", ""), self.scale, "value")
        return Read(None, (number.problem,)) if number.problem else Read({"value": number.value})

    def form(self, answer: Answer) -> dict[str, str]:
        """The number as it is written."""
        return {"value": f"{answer['value']:.10g}"}

    def is_right(self, answer: Answer, expected: Answer, tolerance: float) -> bool:
        """Whether the distance to the known value is less than the tolerance (USTS 3.2: < 0.5).

        >>> RatingTask(scale=ScalePlan(step=0.5)).is_right({"value": 3.5}, {"value": 4.0}, 0.5)
        False
        """
        return bool(abs(answer["value"] - expected["value"]) < tolerance - 1e-9)

    def spread(self, answers: Sequence[Answer]) -> float:
        """The standard deviation (population, ddof 0)."""
        return standard_deviation([answer["value"] for answer in answers])

    def row(self, items: Sequence[Mapping[str, Any]], answer: Answer) -> dict[str, Any]:
        """Item and value."""
        return {"item": items[0]["id"], "value": answer["value"]}

    def answer_of(self, row: Mapping[str, Any]) -> Answer:
        """The value; a file of gold may call it score."""
        return {"value": _number(row["value"] if row.get("value") is not None else row.get("score"))}


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
    """The turns of a dialogue before its last, which is the item's left text and shown as such."""
    turns = tuple(item.get("context") or ())
    return turns[:-1] if turns and turns[-1] == item["left"] else turns


def standard_deviation(values: Sequence[float]) -> float:
    """With ddof 0; nan for fewer than two values."""
    return float(np.std(values)) if len(values) >= 2 else float("nan")


def value_faults(expected: Mapping[str, Any], scale: ScalePlan) -> list[str]:
    """What is wrong with a known value: it is missing or off the scale."""
    value = expected.get("value")
    if value is None:
        return ["the right answer is missing: a value"]
    if not scale.low <= value <= scale.high:
        return [f"the right answer {value:g} is off the scale {scale.low:g}..{scale.high:g}"]
    return []


def _number(written: Any) -> float | None:
    return None if written is None or written == "" else float(written)
