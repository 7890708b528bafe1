"""Rating: a number on a labelled scale for a pair of texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from similitude.collect.annotation.rating_scale import RatingScale, written_number
from similitude.collect.annotation.records import Shown
from similitude.collect.annotation.tasks.form_values import read_number
from similitude.collect.annotation.tasks.pair import PairTask
from similitude.collect.annotation.tasks.task import (
    ANNOTATION_TASKS,
    Answer,
    InterfaceTexts,
    Items,
    JudgementKind,
    Read,
    TaskSettings,
)

__all__ = ["RatingTask", "standard_deviation", "value_faults"]

USTS_SCALE = RatingScale(low=0, high=5)


@ANNOTATION_TASKS.register("rating")
@dataclass(frozen=True, slots=True, kw_only=True)
class RatingTask(PairTask):
    """A number on the scale, at one of its steps. By default 0 to 5, as in USTS."""

    scale: RatingScale = USTS_SCALE
    name: ClassVar[str] = "rating"
    fields: ClassVar[tuple[str, ...]] = ("value",)
    judgement_kind: ClassVar[JudgementKind | None] = "rating"

    def for_study(self, settings: TaskSettings) -> Self:
        """The task on the study's scale."""
        return replace(self, scale=settings.scale or self.scale)

    def expected_faults(self, expected: Answer) -> list[str]:
        """A known value lies on the scale."""
        return value_faults(expected, self.scale)

    def read(self, items: Items, form: Mapping[str, str]) -> Read:
        """The number."""
        number = read_number(form.get("value", ""), self.scale, "value")
        return Read(None, (number.problem,)) if number.problem else Read({"value": number.value})

    def form(self, answer: Answer) -> dict[str, str]:
        """The number as people write it."""
        return {"value": "" if answer["value"] is None else written_number(answer["value"])}

    def in_words(self, shown: Shown, answer: Answer, texts: InterfaceTexts) -> str:
        """The number and its label."""
        return self.scale.in_words(answer["value"], texts.language)

    def is_right(self, answer: Answer, expected: Answer, tolerance: float) -> bool:
        """Whether the distance to the known value is less than the tolerance (USTS 3.2: < 0.5).

        >>> RatingTask(scale=RatingScale(step=0.5)).is_right({"value": 3.5}, {"value": 4.0}, 0.5)
        False
        """
        return bool(abs(answer["value"] - expected["value"]) < tolerance - 1e-9)

    def spread(self, answers: Sequence[Answer]) -> float:
        """The standard deviation (population, ddof 0)."""
        return standard_deviation([answer["value"] for answer in answers])

    def answer_of(self, row: Mapping[str, Any]) -> Answer:
        """The value; a file of gold may call it score."""
        return {"value": _number(row["value"] if row.get("value") is not None else row.get("score"))}


def standard_deviation(values: Sequence[float]) -> float:
    """The population standard deviation (ddof 0); nan for fewer than two values."""
    return float(np.std(values)) if len(values) >= 2 else float("nan")


def value_faults(expected: Answer, scale: RatingScale) -> list[str]:
    """What is wrong with a known value: it is missing or off the scale."""
    value = expected.get("value")
    if value is None:
        return ["the right answer is missing: a value"]
    if not scale.low <= value <= scale.high:
        return [f"the right answer {value:g} is off the scale {scale.low:g}..{scale.high:g}"]
    return []


def _number(written: Any) -> float | None:
    return None if written is None or written == "" else float(written)
