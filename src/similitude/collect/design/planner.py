"""Plans of best-worst questions and of ratings: from items to questions in batches."""

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
from similitude.data.counted_work import uncounted_work
from similitude.data.item import with_all_columns
from similitude.data.plural import counted
from similitude.data.protocols import Listener
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
    large: bool = False,
    listener: Listener | None = None,
) -> Design:
    """Plan best-worst questions.

    Args:
        subjects: the items to judge.
        request: the size and number of tuples.
        by_group: make tuples within one group only.
        page_strata: the column of which each page holds one question per value.
        uneven: allow pages that lack a stratum.
        mix: make batches of this composition instead of pages.
        per_question: the number of annotators per question.
        seed: the seed of everything random.
        large: make the plan even if that takes minutes or gigabytes.
        listener: is told the progress.

    Raises:
        ArgumentError: the request cannot be met, and the message shows the arithmetic; or the plan is large, and the
            message has an estimate.
    """
    if page_strata is not None and mix is not None:
        raise ArgumentError("pages by stratum and batches exclude each other", remedy="choose one of them")
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
        large=large,
        per_question=per_question,
        listener=listener,
    )
    uncounted_work(listener, f"laying out {len(tuples):,} questions")
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
    listener: Listener | None = None,
) -> Design:
    """Plan ratings or verifications, one question per item, in batches.

    Args:
        subjects: the items to judge.
        mix: the composition of a batch.
        gold: ids of items whose answer is known.
        task: "rating", or "verification" of the items' conditions.
        apart: keep items of one group in different batches.
        per_question: the number of annotators per question.
        seed: the seed of everything random.
        listener: is told the progress.

    Raises:
        ArgumentError: the mix is impossible, or there is no condition to verify.
    """
    if task == "verification":
        _refuse_without_conditions(subjects)
    frame = subjects.frame.select("group", question="id", items=pl.concat_list("id"))
    uncounted_work(listener, f"laying out {frame.height:,} questions")
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
        raise ArgumentError(
            what, remedy="make tuples by group (--by-group), and use a column whose values a group shares"
        )
    return [values.pop() for values in found]


def _refuse_without_conditions(subjects: Subjects) -> None:
    """Refuse items without a condition, unless only ids are known."""
    without = subjects.frame.filter(pl.col("condition").is_null())["id"].to_list()
    if without and not subjects.only_ids:
        what = f"{counted(len(without), 'item')} without a condition to verify: {named_few(without)}"
        raise ArgumentError(what, where=subjects.name, remedy="plan ratings instead, or add conditions")
