"""Conditions: write one respect in which two texts are alike, and one in which they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from similitude.collect.annotation.records import Problem, Question, Shown
from similitude.collect.annotation.tasks.condition_checks import bare, first_problem
from similitude.collect.annotation.tasks.form_values import clean
from similitude.collect.annotation.tasks.pair import PairTask, pair_shown
from similitude.collect.annotation.tasks.task import ANNOTATION_TASKS, Answer, InterfaceTexts, Items, QuestionSet, Read

__all__ = ["ConditionsTask"]


@ANNOTATION_TASKS.register("conditions")
@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionsTask(PairTask):
    """C-STS stage 2: C-High ("alike") and C-Low ("differ"), under the guidelines that code can check."""

    name: ClassVar[str] = "conditions"
    fields: ClassVar[tuple[str, ...]] = ("alike", "differ")
    checkable: ClassVar[bool] = False
    designs: ClassVar[tuple[str, ...]] = ()

    def questions(self, items: Mapping[str, Mapping[str, Any]]) -> QuestionSet:
        """One question per pair of texts, however many conditions the pair already has.

        A question is named after the pair's group, or after its item where two pairs share a group.
        """
        pairs: dict[tuple[str, str], Mapping[str, Any]] = {}
        for item in items.values():
            pairs.setdefault((item["left"], item["right"]), item)
        keys = [item.get("group") or item["id"] for item in pairs.values()]
        if len(set(keys)) < len(keys):
            keys = [item["id"] for item in pairs.values()]
        return QuestionSet(
            tuple(Question(key=key, items=(item,)) for key, item in zip(keys, pairs.values(), strict=True))
        )

    def shown(self, items: Items, order: Sequence[int] | None = None) -> Shown:
        """The pair, without a condition that it may already have."""
        return replace(pair_shown(items[0]), condition=None)

    def read(self, items: Items, form: Mapping[str, str]) -> Read:
        """Two phrases that pass every check and differ."""
        texts = (items[0]["left"], items[0]["right"])
        written = {field: clean(form.get(field, "")) for field in self.fields}
        found = [first_problem(field, text, texts) for field, text in written.items()]
        problems = [problem for problem in found if problem is not None]
        if not problems and bare(written["alike"]) == bare(written["differ"]):
            problems.append(Problem("differ", "not_different"))
        return Read(None, tuple(problems)) if problems else Read(written)

    def in_words(self, shown: Shown, answer: Answer, texts: InterfaceTexts) -> str:
        """The two phrases."""
        return texts("conditions.answer", alike=answer["alike"], differ=answer["differ"])

    def row(self, items: Items, answer: Answer) -> dict[str, Any]:
        """The pair (its group, or its id) and the two phrases."""
        return {"group": items[0].get("group") or items[0]["id"], "alike": answer["alike"], "differ": answer["differ"]}
