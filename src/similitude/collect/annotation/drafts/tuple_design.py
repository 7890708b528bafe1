"""A design of tuples for a study, by the code of ``similitude design best-worst``."""

from __future__ import annotations

from pathlib import Path

from similitude.collect.annotation.child_process import in_child
from similitude.collect.annotation.drafts.draft import Draft
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.work import named_file
from similitude.collect.design import TupleRequest, plan_best_worst, read_subjects, write_design

__all__ = ["DESIGN", "with_tuples"]

DESIGN = "plan.jsonl"
"""The name of the design's file."""


def with_tuples(draft: Draft, plan: StudyPlan, factor: float) -> StudyPlan:
    """Write a design with so many tuples per item, and name it in the plan.

    Tuples are made within groups where every item has one.

    Raises:
        ArgumentError: no such design exists, or it would be too large.
        InputError: the items cannot be read.
    """
    return in_child(_with_tuples, draft.folder, plan, factor)


def _with_tuples(folder: Path, plan: StudyPlan, factor: float) -> StudyPlan:
    subjects = read_subjects(named_file(folder, str(plan.items)), **plan.reading.arguments())
    grouped = subjects.frame["group"].null_count() == 0
    request = TupleRequest(size=plan.tuple_size, factor=factor)
    design = plan_best_worst(subjects, request, by_group=grouped, per_question=plan.judgements, seed=plan.seed)
    write_design(design, folder / DESIGN)
    return plan.model_copy(update={"questions": DESIGN})
