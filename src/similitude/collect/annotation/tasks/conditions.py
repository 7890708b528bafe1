"""Conditions: write one respect in which two texts are alike, and one in which they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from similitude.collect.annotation.records import Problem, Question, Shown
from similitude.collect.annotation.tasks.condition_checks import bare, first_problem
from similitude.collect.annotation.tasks.form_values import clean
from similitude.collect.annotation.tasks.rating import pair_shown
from similitude.collect.annotation.tasks.task import Answer, Read

__all__ = ["ConditionsTask"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionsTask:
    """C-STS stage 2: C-High ("alike") and C-Low ("differ"), under the guidelines that a machine can check."""

    name: str = "conditions"
    fields: tuple[str, ...] = ("alike", "differ")
    checkable: bool = False

    def faults(self, question: Question) -> list[str]:
        """One pair."""
        return [] if len(question.items) == 1 else ["conditions are written for one pair"]

    def shown(self, items: Sequence[Mapping[str, Any]], order: Sequence[int] | None = None) -> Shown:
        """The pair, without a condition that it may already have."""
        shown = pair_shown(items[0])
        return Shown(left=shown.left, right=shown.right, context=shown.context, language=shown.language)

    def read(self, items: Sequence[Mapping[str, Any]], form: Mapping[str, str]) -> Read:
        """Two phrases that pass every check and differ."""
        texts = (items[0]["left"], items[0]["right"])
        written = {field: clean(form.get(field, "")) for field in self.fields}
        found = [first_problem(field, text, texts) for field, text in written.items()]
        problems = [problem for problem in found if problem is not None]
        if not problems and bare(written["alike"]) == bare(written["differ"]):
            problems.append(Problem("differ", "not_different"))
        return Read(None, tuple(problems)) if problems else Read(written)

    def form(self, answer: Answer) -> dict[str, str]:
        """The two phrases."""
        return {field: str(answer[field]) for field in self.fields}

    def is_right(self, answer: Answer, expected: Answer, tolerance: float) -> bool:
        """Never decided by machine: a leader reads what was written."""
        return False

    def spread(self, answers: Sequence[Answer]) -> float:
        """Undefined: written phrases have none."""
        return float("nan")

    def row(self, items: Sequence[Mapping[str, Any]], answer: Answer) -> dict[str, Any]:
        """The pair (its group, else its id) and the two phrases."""
        return {"group": items[0].get("group") or items[0]["id"], "alike": answer["alike"], "differ": answer["differ"]}

    def answer_of(self, row: Mapping[str, Any]) -> Answer:
        """The two phrases."""
        return {field: row.get(field) for field in self.fields}
