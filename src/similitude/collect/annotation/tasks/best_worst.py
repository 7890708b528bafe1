"""Best-worst: which of a tuple is most similar, and which is least similar."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.records import Option, Problem, Question, Shown
from similitude.collect.annotation.tasks.pair import turns_before
from similitude.collect.annotation.tasks.resources import TaskFiles
from similitude.collect.annotation.tasks.task import (
    ANNOTATION_TASKS,
    Answer,
    InterfaceTexts,
    Items,
    JudgementKind,
    QuestionSet,
    Read,
    TaskSettings,
)
from similitude.errors import ArgumentError

__all__ = ["BestWorstTask"]


@ANNOTATION_TASKS.register("best-worst")
@dataclass(frozen=True, slots=True, kw_only=True)
class BestWorstTask(TaskFiles):
    """Choose the best and the worst of a tuple; the two must differ.

    The items of a tuple usually share their left text and their dialogue (GiCCS 3.2); where they do not, every option
    shows its own.

    Attributes:
        tuple_size: how many items a tuple has, where the study names no design.
        seed: of that default design.
    """

    tuple_size: int = 4
    seed: int = 1
    name: ClassVar[str] = "best-worst"
    fields: ClassVar[tuple[str, ...]] = ("best", "worst")
    choice_fields: ClassVar[tuple[str, ...]] = ("best", "worst")
    several_items: ClassVar[bool] = True
    checkable: ClassVar[bool] = True
    designs: ClassVar[tuple[str, ...]] = ("best-worst",)
    judgement_kind: ClassVar[JudgementKind | None] = "best-worst"

    @property
    def scale(self) -> RatingScale | None:
        """None: there is no rating."""
        return None

    def for_study(self, settings: TaskSettings) -> BestWorstTask:
        """The task with the study's tuple size and seed."""
        return replace(self, tuple_size=settings.tuple_size, seed=settings.seed)

    def questions(self, items: Mapping[str, Mapping[str, Any]]) -> QuestionSet:
        """Tuples of a default design: within groups where every item has one, else across all items.

        Raises:
            ArgumentError: there are too few items for a tuple.
        """
        import numpy as np

        from similitude.collect.design import best_worst_tuples

        groups = [group for item in items.values() if (group := item.get("group")) is not None]
        grouped = len(groups) == len(items)
        try:
            design = best_worst_tuples(
                list(items),
                size=self.tuple_size,
                groups=groups if grouped else None,
                rng=np.random.default_rng(self.seed),
            )
        except ArgumentError as error:
            remedy = "set tuple_size, or make a design with `similitude design` and name it under questions"
            raise ArgumentError(error.what, remedy=remedy) from None
        questions = tuple(
            Question(key=key, items=tuple(items[id_] for id_ in ids))
            for key, ids in zip(design.questions, design.tuples, strict=True)
        )
        within = "within each group" if grouped else "across all items"
        made = f"{len(questions):,} tuples of {self.tuple_size} were made {within}"
        return QuestionSet(questions, f"{made}; `similitude design` gives more control")

    def faults(self, question: Question) -> list[str]:
        """A tuple has two items or more, each once; a known answer names items of the tuple."""
        ids = _ids(question.items)
        found = [] if len(ids) >= 2 else ["a tuple needs at least two items"]
        if len(set(ids)) < len(ids):
            found.append("a tuple names an item twice")
        expected = question.expected or {}
        found += [
            f"{field} is '{expected[field]}', which is not in the tuple"
            for field in self.fields
            if expected.get(field) is not None and expected[field] not in ids
        ]
        if question.kind != "work" and not any(expected.get(field) for field in self.fields):
            found.append("the right answer is missing: best, worst or both")
        return found

    def shown(self, items: Items, order: Sequence[int] | None = None) -> Shown:
        """The dialogue, its last turn, and the options in this order."""
        in_order = [items[place] for place in order] if order else list(items)
        first = items[0]
        shared = all(item["left"] == first["left"] and item.get("context") == first.get("context") for item in items)
        options = tuple(
            Option(id=item["id"], text=item["right"], left=None if shared else item["left"]) for item in in_order
        )
        return Shown(
            left=first["left"] if shared else None,
            context=turns_before(first) if shared else (),
            condition=first.get("condition"),
            options=options,
            language=first.get("language"),
        )

    def read(self, items: Items, form: Mapping[str, str]) -> Read:
        """Two items of the tuple, by id."""
        ids = set(_ids(items))
        chosen = {field: form.get(field, "") for field in self.fields}
        problems = [Problem(field, "missing") for field, value in chosen.items() if not value]
        problems += [Problem(field, "not_in_tuple") for field, value in chosen.items() if value and value not in ids]
        if not problems and chosen["best"] == chosen["worst"]:
            problems.append(Problem("worst", "same_item"))
        return Read(None, tuple(problems)) if problems else Read(chosen)

    def form(self, answer: Answer) -> dict[str, str]:
        """The two ids."""
        return {field: "" if answer[field] is None else str(answer[field]) for field in self.fields}

    def in_words(self, shown: Shown, answer: Answer, texts: InterfaceTexts) -> str:
        """The two texts. Of a question with a known answer, sometimes only the best or only the worst is known."""
        by_id = {option.id: option.text for option in shown.options}
        parts = [("best_worst.most_of", answer.get("best")), ("best_worst.least_of", answer.get("worst"))]
        return " · ".join(texts(key, option=by_id.get(chosen, chosen)) for key, chosen in parts if chosen is not None)

    def is_right(self, answer: Answer, expected: Answer, tolerance: float) -> bool:
        """Whether every known choice was made."""
        known = [field for field in self.fields if expected.get(field) is not None]
        return all(answer[field] == expected[field] for field in known)

    def spread(self, answers: Sequence[Answer]) -> float:
        """One minus the share of the commonest pair of best and worst: 0 when all agree.

        >>> BestWorstTask().spread([{"best": "a", "worst": "b"}] * 3 + [{"best": "b", "worst": "a"}])
        0.25
        """
        if len(answers) < 2:
            return float("nan")
        commonest = Counter((answer["best"], answer["worst"]) for answer in answers).most_common(1)[0][1]
        return 1 - commonest / len(answers)

    def row(self, items: Items, answer: Answer) -> dict[str, Any]:
        """The items in the order of the design, the best and the worst."""
        return {"items": _ids(items), "best": answer["best"], "worst": answer["worst"]}

    def answer_of(self, row: Mapping[str, Any]) -> Answer:
        """The best and the worst."""
        return {field: row.get(field) for field in self.fields}


def _ids(items: Items) -> list[str]:
    return [item["id"] for item in items]
