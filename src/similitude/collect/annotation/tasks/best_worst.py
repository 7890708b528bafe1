"""Best-worst: which of a tuple is most similar, and which least."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from similitude.collect.annotation.records import Option, Problem, Question, Shown
from similitude.collect.annotation.tasks.rating import turns_before
from similitude.collect.annotation.tasks.task import Answer, Read

__all__ = ["BestWorstTask"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BestWorstTask:
    """Choose the best and the worst of a tuple; the two must differ.

    The items of a tuple usually share their left text and their dialogue (GiCCS 3.2); where they do not, every option
    shows its own.
    """

    name: str = "best-worst"
    fields: tuple[str, ...] = ("best", "worst")
    checkable: bool = True

    def faults(self, question: Question) -> list[str]:
        """A tuple has two items or more, each once; an expected answer names items of the tuple."""
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

    def shown(self, items: Sequence[Mapping[str, Any]], order: Sequence[int] | None = None) -> Shown:
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

    def read(self, items: Sequence[Mapping[str, Any]], form: Mapping[str, str]) -> Read:
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
        return {field: str(answer[field]) for field in self.fields}

    def is_right(self, answer: Answer, expected: Answer, tolerance: float) -> bool:
        """Whether every choice that is known was made."""
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

    def row(self, items: Sequence[Mapping[str, Any]], answer: Answer) -> dict[str, Any]:
        """Items in the order of the design, best and worst."""
        return {"items": _ids(items), "best": answer["best"], "worst": answer["worst"]}

    def answer_of(self, row: Mapping[str, Any]) -> Answer:
        """Best and worst."""
        return {field: row.get(field) for field in self.fields}


def _ids(items: Sequence[Mapping[str, Any]]) -> list[str]:
    return [item["id"] for item in items]
