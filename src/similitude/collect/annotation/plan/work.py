"""Items and the questions that are asked about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.records import Question
from similitude.data.addresses import open_benchmark
from similitude.data.item import ITEM_SCHEMA
from similitude.errors import ArgumentError, InputError

__all__ = ["Asked", "Items", "WorkRead", "named_file", "read_items", "work_questions"]

Items = Mapping[str, Mapping[str, Any]]
"""Items by id, each with those of its columns that hold something."""

ELSEWHERE = ("sample:", "hf:")


class Asked(NamedTuple):
    """A question, and where it was read."""

    question: Question
    where: str


class WorkRead(NamedTuple):
    """The work questions, how many judgements a design asks for, and what the leader should know."""

    asked: list[Asked]
    judgements: int | None
    notes: list[str]


def named_file(folder: Path, name: str) -> str:
    """A file that the plan names: beside the plan, unless it is a sample or on the hub."""
    return name if name.startswith(ELSEWHERE) else str(folder / name)


def read_items(plan: StudyPlan, folder: Path) -> Items:
    """The items of a study, from anything that Similitude reads.

    Raises:
        InputError: the file, or a row in it, is not what it should be.
    """
    if plan.items is None:
        return {}
    frame = open_benchmark(named_file(folder, plan.items)).frame.select(ITEM_SCHEMA.names())
    return {row["id"]: _held(row) for row in frame.iter_rows(named=True)}


def _held(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


def work_questions(plan: StudyPlan, items: Items, folder: Path) -> WorkRead:
    """The questions of a study: those of its design; else for best-worst a default design, else one an item.

    Raises:
        InputError: the design is not what it should be, or names an item that is not there.
    """
    if plan.questions is not None:
        return _designed(plan, items, folder)
    if plan.task == "best-worst":
        return _default_tuples(plan, items)
    if plan.task == "conditions":
        return WorkRead(_pairs(items, str(plan.items)), None, [])
    return WorkRead([Asked(Question(key=id_, items=(item,)), f"item '{id_}'") for id_, item in items.items()], None, [])


def _designed(plan: StudyPlan, items: Items, folder: Path) -> WorkRead:
    from similitude.collect.design import read_design

    name = str(plan.questions)
    design = read_design(named_file(folder, name))
    if plan.task not in (design.task, "conditions"):
        what = f"the design is for {design.task}, the study for {plan.task}"
        raise InputError(what, where=name, remedy="make one with `similitude design`, or change the task")
    asked = [
        Asked(Question(key=each.question, items=_items_of(each.items, items, name, each.question)), name)
        for each in design
        if each.kind == "work"
    ]
    left = len(design) - len(asked)
    note = f"{name}: {left} gold or repeated questions of the design are left aside; the server mixes in its own"
    return WorkRead(asked, design.per_question, [note] if left else [])


def _items_of(ids: Sequence[str], items: Items, name: str, key: str) -> tuple[Mapping[str, Any], ...]:
    missing = [id_ for id_ in ids if id_ not in items]
    if missing:
        what = f"question '{key}' names item '{missing[0]}', which is not among the items"
        raise InputError(what, where=name, remedy="make the design from the same items")
    return tuple(items[id_] for id_ in ids)


def _default_tuples(plan: StudyPlan, items: Items) -> WorkRead:
    import numpy as np

    from similitude.collect.design import best_worst_tuples

    groups = [item.get("group") for item in items.values()]
    named = [group for group in groups if group is not None]
    try:
        design = best_worst_tuples(
            list(items),
            size=plan.tuple_size,
            groups=named if len(named) == len(groups) else None,
            rng=np.random.default_rng(plan.seed),
        )
    except ArgumentError as error:
        remedy = "set tuple_size, or make a design with `similitude design` and name it under questions"
        raise InputError(error.what, where=str(plan.items), remedy=remedy) from None
    asked = [
        Asked(Question(key=key, items=tuple(items[id_] for id_ in ids)), f"question '{key}'")
        for key, ids in zip(design.questions, design.tuples, strict=True)
    ]
    within = "within each group" if len(named) == len(groups) else "across all items"
    note = f"{len(asked):,} tuples of {plan.tuple_size} were made {within}; `similitude design` gives more control"
    return WorkRead(asked, None, [note])


def _pairs(items: Items, name: str) -> list[Asked]:
    """Conditions are written once for a pair of texts, however many conditions it already stands under."""
    pairs: dict[tuple[str, str], Mapping[str, Any]] = {}
    for item in items.values():
        pairs.setdefault((item["left"], item["right"]), item)
    keys = [item.get("group") or item["id"] for item in pairs.values()]
    unique = len(set(keys)) == len(keys)
    return [
        Asked(Question(key=item.get("group") or item["id"] if unique else item["id"], items=(item,)), name)
        for item in pairs.values()
    ]
