"""Verification: whether a condition applies to both texts and, if so, how similar they are in that respect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.records import Problem, Question, Shown
from similitude.collect.annotation.tasks.form_values import read_number
from similitude.collect.annotation.tasks.rating import RatingTask, standard_deviation, value_faults
from similitude.collect.annotation.tasks.task import ANNOTATION_TASKS, Answer, InterfaceTexts, Items, Read

__all__ = ["VerificationTask"]

C_STS_SCALE = RatingScale(low=1, high=5)
WRITTEN = {"yes": True, "no": False, "true": True, "false": False}


@ANNOTATION_TASKS.register("verification")
@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationTask(RatingTask):
    """C-STS stage 3: first whether the condition applies, then a rating where it does. By default 1 to 5."""

    scale: RatingScale = C_STS_SCALE
    name: ClassVar[str] = "verification"
    fields: ClassVar[tuple[str, ...]] = ("applies", "value")
    designs: ClassVar[tuple[str, ...]] = ("verification",)

    def faults(self, question: Question) -> list[str]:
        """A question is about one item with a condition; a known answer says whether it applies."""
        found = RatingTask.faults(self, question)
        return found + [f"item '{item['id']}' has no condition" for item in question.items if not item.get("condition")]

    def expected_faults(self, expected: Answer) -> list[str]:
        """A known answer says whether the condition applies, and gives the value where it does."""
        if expected.get("applies") is None:
            return ["the right answer is missing: applies"]
        return value_faults(expected, self.scale) if expected["applies"] else []

    def read(self, items: Items, form: Mapping[str, str]) -> Read:
        """Yes with a number, or no without one."""
        applies = WRITTEN.get(form.get("applies", "").strip().lower())
        if applies is None:
            return Read(None, (Problem("applies", "missing"),))
        written = form.get("value", "").strip()
        if not applies:
            contradiction = (Problem("value", "contradiction"),) if written else ()
            return Read(None, contradiction) if contradiction else Read({"applies": False, "value": None})
        number = read_number(written, self.scale, "value")
        return Read(None, (number.problem,)) if number.problem else Read({"applies": True, "value": number.value})

    def form(self, answer: Answer) -> dict[str, str]:
        """Yes or no, and the number."""
        return {"applies": "yes" if answer["applies"] else "no", **RatingTask.form(self, answer)}

    def in_words(self, shown: Shown, answer: Answer, texts: InterfaceTexts) -> str:
        """Whether the condition applies, and the number with its label."""
        if not answer["applies"]:
            return texts("verification.answer_not")
        return texts("verification.answer", value=RatingTask.in_words(self, shown, answer, texts))

    def is_right(self, answer: Answer, expected: Answer, tolerance: float) -> bool:
        """Whether both say that it does not apply, or both that it does and the values are within the tolerance."""
        if answer["applies"] != expected["applies"]:
            return False
        return not answer["applies"] or RatingTask.is_right(self, answer, expected, tolerance)

    def spread(self, answers: Sequence[Answer]) -> float:
        """The larger of two: the standard deviation of the ratings, and twice that of "applies" as 0 and 1.

        The second is 1 when half say yes, and 0.8 when one of five says no: people who do not agree on what is asked
        have not settled the rating either.
        """
        if len(answers) < 2:
            return float("nan")
        applies = 2 * standard_deviation([float(answer["applies"]) for answer in answers])
        ratings = [answer["value"] for answer in answers if answer["value"] is not None]
        return max(applies, standard_deviation(ratings)) if len(ratings) >= 2 else applies

    def row(self, items: Items, answer: Answer) -> dict[str, Any]:
        """The item, the value (null where the condition does not apply), and whether it applies."""
        return {"item": items[0]["id"], "value": answer["value"], "applies": answer["applies"]}

    def answer_of(self, row: Mapping[str, Any]) -> Answer:
        """Whether it applies (yes where a file of gold gives only a value), and the value."""
        applies = row.get("applies")
        if isinstance(applies, str):
            applies = WRITTEN.get(applies.lower())
        value = RatingTask.answer_of(self, row)["value"]
        applies = value is not None if applies is None else applies
        return {"applies": applies, "value": value if applies else None}
