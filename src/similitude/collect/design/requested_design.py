"""`design`: a plan of questions for the items that a user gives in any form."""

from __future__ import annotations

from typing import Any

from similitude.collect.design.batches import BatchMix
from similitude.collect.design.design import TASKS, Design, Task
from similitude.collect.design.planner import plan_best_worst, plan_ratings
from similitude.collect.design.request import TupleRequest
from similitude.collect.design.subjects import ItemData, read_subjects
from similitude.data.keywords import keywords_given
from similitude.data.listeners import with_progress_bar
from similitude.data.number_arguments import check_numbers, check_seed, check_whole_numbers
from similitude.data.protocols import Listener
from similitude.errors import ArgumentError, UnknownNameError

__all__ = ["design"]

OF_TUPLES = ("size", "tuples", "per_item", "factor", "by_group", "page_strata", "uneven", "large")
"""Arguments for best-worst questions only."""

OF_RATINGS = ("gold", "gold_share", "together")
"""Arguments for ratings and verifications only."""


@with_progress_bar
def design(
    data: ItemData,
    kind: Task = "best-worst",
    *,
    size: int = 4,
    tuples: int | None = None,
    per_item: int | None = None,
    factor: float | None = None,
    by_group: bool = False,
    page_strata: str | None = None,
    uneven: bool = False,
    batch: int | None = None,
    gold: ItemData | None = None,
    gold_share: float = 0.0,
    repeat_share: float = 0.0,
    repeat_distance: int = 5,
    together: bool = False,
    per_question: int = 5,
    large: bool = False,
    seed: int = 0,
    listener: Listener | None = None,
    quiet: bool = False,
) -> Design:
    """Plan the questions for annotators, with guarantees: ``design(...).guarantees``.

    Args:
        data: the items to judge: what `similitude.read` takes, or a list of ids.
        kind: "best-worst" for tuples of which the best and the worst item are chosen; "rating" for one question per
            item; "verification" if annotators first say whether the item's condition applies.
        size: items per tuple.
        tuples: the number of tuples, with ``by_group`` per group. Give one of ``tuples``, ``per_item`` and ``factor``.
        per_item: the least number of tuples that each item is in.
        factor: the number of tuples per item; 2 by default.
        by_group: make tuples within one group (dialogue) only.
        page_strata: put one question of each value of this column on a page: turns, language and so on.
        uneven: allow pages that lack a stratum.
        batch: questions per batch; by default 20 for ratings, and best-worst questions are not in batches.
        gold: items whose answer is known, none of them in ``data``.
        gold_share: the share of such questions in a batch.
        repeat_share: the share of questions that repeat another one of the batch.
        repeat_distance: the least distance of a repeat from its original.
        together: allow items of one group in the same batch.
        per_question: annotators who answer each question.
        large: make the plan even if it takes minutes or gigabytes.
        seed: of everything random.
        listener: is told the progress.
        quiet: show no progress bar.

    >>> planned = design(["a", "b", "c", "d", "e", "f"], size=3, factor=2)
    >>> planned
    <Design: 12 best-worst questions about 6 items, 5 annotators each>
    >>> planned.guarantees.appearances_min, planned.guarantees.hold
    (6, True)

    Raises:
        ArgumentError: the request cannot be met, and the message shows the arithmetic; or an argument is for another
            kind of question.
        InputError: the items are not valid.
    """
    given = {name: value for name, value in locals().items() if name in (*OF_TUPLES, *OF_RATINGS)}
    _check_kind(kind, given)
    check_whole_numbers(size=size, tuples=tuples, per_item=per_item, batch=batch, repeat_distance=repeat_distance)
    check_whole_numbers(per_question=per_question)
    check_seed(seed)
    check_numbers(factor=factor, gold_share=gold_share, repeat_share=repeat_share)
    subjects = read_subjects(data)
    shares = {"gold_share": gold_share, "repeat_share": repeat_share, "repeat_distance": repeat_distance}
    plan: dict[str, Any] = {"per_question": per_question, "seed": seed}
    if kind != "best-worst":
        known = () if gold is None else read_subjects(gold).ids
        mix = BatchMix(size=20 if batch is None else batch, **shares)  # type: ignore[arg-type]
        return plan_ratings(subjects, mix, gold=known, task=kind, apart=not together, **plan)
    return plan_best_worst(
        subjects,
        TupleRequest(size=size, tuples=tuples, per_item=per_item, factor=factor),
        by_group=by_group,
        page_strata=page_strata,
        uneven=uneven,
        mix=None if batch is None else BatchMix(size=batch, **shares),  # type: ignore[arg-type]
        large=large,
        listener=listener,
        **plan,
    )


def _check_kind(kind: Task, given: dict[str, Any]) -> None:
    """Check the kind, and that no argument is for another one.

    Raises:
        UnknownNameError: there is no such kind.
        ArgumentError: an argument would change nothing.
    """
    if kind not in TASKS:
        raise UnknownNameError("kind of question", str(kind), TASKS)
    others = OF_RATINGS if kind == "best-worst" else OF_TUPLES
    idle = [f"{name}=" for name in keywords_given(design, given) if name in others]
    if idle:
        fitting = 'kind="rating"' if kind == "best-worst" else 'kind="best-worst"'
        what = f"{', '.join(idle)} would change nothing in a design of {kind} questions"
        raise ArgumentError(what, remedy=f"leave out {', '.join(idle)}, or give {fitting}")
