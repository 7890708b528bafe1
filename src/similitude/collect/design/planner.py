"""Whole plans: from what is to be judged to questions in batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from similitude.collect.design.batches import BatchMix, in_batches
from similitude.collect.design.best_worst import BestWorstDesign, best_worst_tuples
from similitude.collect.design.design import DESIGN_SCHEMA, Design, Task
from similitude.collect.design.pages import in_pages
from similitude.collect.design.plural import named_few
from similitude.collect.design.request import TupleRequest
from similitude.collect.design.subjects import Subjects
from similitude.data.item import with_all_columns
from similitude.data.plural import counted
from similitude.errors import ArgumentError

__all__ = ["plan_best_worst", "plan_ratings"]


def plan_best_worst(
    subjects: Subjects,
    request: TupleRequest,
    *,
    by_group: bool = False,
    page_strata: str | None = None,
    uneven: bool = False,
    mix: BatchMix | None = None,
    per_question: int = 5,
    seed: int = 0,
) -> Design:
    """A plan of best-worst questions.

    Args:
        subjects: what is to be judged.
        request: how large tuples are, and how many.
        by_group: make tuples of items of one group only.
        page_strata: a column; pages then hold one question of each of its values.
        uneven: allow pages on which some stratum is missing.
        mix: batches of so many questions instead of pages.
        per_question: how many annotators answer each question.
        seed: everything random follows from it.

    Raises:
        ArgumentError: the request cannot be met; the message shows the arithmetic.
    """
    if page_strata is not None and mix is not None:
        raise ArgumentError("pages by stratum and batches of a size exclude each other", remedy="ask for one of them")
    rng = np.random.default_rng(seed)
    groups = subjects.column("group") if by_group else None
    tuples = best_worst_tuples(
        subjects.ids,
        groups=groups,
        size=request.size,
        tuples=request.tuples,
        per_item=request.per_item,
        factor=request.factor,
        rng=rng,
    )
    questions = _tuple_questions(tuples)
    if page_strata is not None:
        strata = _common_values(tuples, subjects, page_strata)
        questions = in_pages(questions.with_columns(stratum=pl.Series(strata)), uneven=uneven, rng=rng)
    elif mix is not None:
        questions = in_batches(questions, mix, rng=rng)
    distance = 1 if mix is None else mix.repeat_distance
    return Design(task="best-worst", frame=questions, per_question=per_question, seed=seed, repeat_distance=distance)


def plan_ratings(
    subjects: Subjects,
    mix: BatchMix,
    *,
    gold: Sequence[str] = (),
    task: Task = "rating",
    apart: bool = True,
    per_question: int = 5,
    seed: int = 0,
) -> Design:
    """A plan of ratings or verifications: one question an item, in batches.

    Args:
        subjects: what is to be judged.
        mix: what a batch consists of.
        gold: ids of items whose answer is known.
        task: "rating", or "verification" of the items' conditions.
        apart: keep items of one group in different batches.
        per_question: how many annotators answer each question.
        seed: everything random follows from it.

    Raises:
        ArgumentError: the mix is impossible, or there is no condition to verify.
    """
    if task == "verification":
        _refuse_without_conditions(subjects)
    frame = subjects.frame.select("group", question="id", items=pl.concat_list("id"))
    laid_out = in_batches(frame, mix, gold=gold, apart=apart, rng=np.random.default_rng(seed))
    return Design(task=task, frame=laid_out, per_question=per_question, seed=seed, repeat_distance=mix.repeat_distance)


def _tuple_questions(design: BestWorstDesign) -> pl.DataFrame:
    columns = {
        "question": list(design.questions),
        "kind": ["work"] * len(design),
        "items": [list(items) for items in design.tuples],
        "group": [None] * len(design) if design.groups is None else list(design.groups),
    }
    schema = {name: DESIGN_SCHEMA[name] for name in columns}
    return with_all_columns(pl.DataFrame(columns, schema=schema), DESIGN_SCHEMA)


def _common_values(design: BestWorstDesign, subjects: Subjects, column: str) -> list[str]:
    """The value that the items of each tuple share."""
    value = dict(zip(subjects.ids, subjects.column(column), strict=True))
    found = [{value[item] for item in items} for items in design.tuples]
    mixed = [name for name, values in zip(design.questions, found, strict=True) if len(values) > 1]
    if mixed:
        what = f"{counted(len(mixed), 'tuple')} of items that differ in {column}: {named_few(mixed)}"
        raise ArgumentError(what, remedy="make tuples by group, so that pages can be mixed by what a group shares")
    return [values.pop() for values in found]


def _refuse_without_conditions(subjects: Subjects) -> None:
    """A list of ids says nothing about conditions; whoever shows the questions has them."""
    without = subjects.frame.filter(pl.col("condition").is_null())["id"].to_list()
    if without and not subjects.only_ids:
        what = f"{counted(len(without), 'item')} without a condition to verify: {named_few(without)}"
        raise ArgumentError(what, where=subjects.name, remedy="ask for ratings instead, or bring conditions")
