"""Verification: does the condition apply to both texts, and if so, how similar are they in that respect?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from similitude.collect.annotation.plan.models import ScalePlan
from similitude.collect.annotation.records import Problem, Question, Shown
from similitude.collect.annotation.tasks.form_values import read_number
from similitude.collect.annotation.tasks.rating import RatingTask, pair_shown, standard_deviation, value_faults
from similitude.collect.annotation.tasks.task import Answer, Read

__all__ = ["VerificationTask"]

WRITTEN = {"yes": True, "no": False, "true": True, "false": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationTask:
    """C-STS stage 3: first whether the condition applies, then a rating where it does."""

    scale: ScalePlan
    name: str = "verification"
    fields: tuple[str, ...] = ("applies", "value")
    checkable: bool = True

    def faults(self, question: Question) -> list[str]:
        """One item with a condition; an expected answer says whether it applies, and the value where it does."""
        found = [] if len(question.items) == 1 else ["a verification is about one item"]
        found += [f"item '{item['id']}' has no condition" for item in question.items if not item.get("condition")]
        if question.kind != "work":
            expected = question.expected or {}
            if expected.get("applies") is None:
                found.append("the right answer is missing: applies")
            elif expected["applies"]:
                found += value_faults(expected, self.scale)
        return found

    def shown(self, items: Sequence[Mapping[str, Any]], order: Sequence[int] | None = None) -> Shown:
        """The pair and its condition."""
        return pair_shown(items[0])

    def read(self, items: Sequence[Mapping[str, Any]], form: Mapping[str, str]) -> Read:
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
        if not answer["applies"]:
            return {"applies": "no", "value": ""}
        return {"applies": "yes", "value": f"{answer['value']:.10g}"}

    def is_right(self, answer: Answer, expected: Answer, tolerance: float) -> bool:
        """Whether both say that it does not apply, or both that it does and the values are within the tolerance."""
        if answer["applies"] != expected["applies"]:
            return False
        return not answer["applies"] or RatingTask(scale=self.scale).is_right(answer, expected, tolerance)

    def spread(self, answers: Sequence[Answer]) -> float:
        """The larger of two: the standard deviation of the ratings, and twice that of "applies" as 0 and 1.

        The second is 1 when half say yes, 0.8 when one of five says no: people who do not agree on what is asked
        have not settled the rating either.
        """
        if len(answers) < 2:
            return float("nan")
        applies = 2 * standard_deviation([float(answer["applies"]) for answer in answers])
        ratings = [answer["value"] for answer in answers if answer["value"] is not None]
        return max(applies, standard_deviation(ratings)) if len(ratings) >= 2 else applies

    def row(self, items: Sequence[Mapping[str, Any]], answer: Answer) -> dict[str, Any]:
        """Item, whether the condition applies, and the value (null where it does not)."""
        return {"item": items[0]["id"], "value": answer["value"], "applies": answer["applies"]}

    def answer_of(self, row: Mapping[str, Any]) -> Answer:
        """Whether it applies (where a file of gold is silent: yes) and the value."""
        applies = row.get("applies")
        if isinstance(applies, str):
            applies = WRITTEN.get(applies.lower())
        value = RatingTask(scale=self.scale).answer_of(row)["value"]
        applies = value is not None if applies is None else applies
        return {"applies": applies, "value": value if applies else None}
