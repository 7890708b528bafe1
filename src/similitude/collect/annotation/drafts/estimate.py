"""The guarantees of a study's questions, and an estimate of what they cost: the code of ``similitude design``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from similitude.collect.annotation.child_process import in_child
from similitude.collect.annotation.drafts.draft import PLAN, stamp_of
from similitude.collect.annotation.payment.pay_estimate import least_batches
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.reader import read_study
from similitude.collect.annotation.plan.study import Study
from similitude.collect.annotation.plan.writer import write_plan
from similitude.collect.annotation.records import Question
from similitude.collect.design import DESIGN_SCHEMA, Design, Effort, Guarantees, effort_of
from similitude.data.item import with_all_columns
from similitude.errors import SimilitudeError

__all__ = ["SECONDS", "Estimate", "estimate_of"]

SECONDS = 20.0
"""Assumed seconds per question, until a pilot tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a study asks of people, before anybody has answered.

    Attributes:
        effort: questions, judgements, hours and pay, by the code of ``similitude design``.
        guarantees: of best-worst tuples; None if questions are about single items.
        extra: answers to gold and repeated questions, which come on top.
        batches: batches of work in all, if the fewest people do it.
        batch_minutes: the time for the largest of them.
        least_people: the fewest people who can do all of it.
        training: questions with a known answer that each person gets before the work.
    """

    effort: Effort
    guarantees: Guarantees | None
    extra: int
    batches: int
    batch_minutes: float
    least_people: int
    training: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What the checks say of a study's files: how much there is to do, or what is wrong.

    Attributes:
        problem: what is wrong; None if nothing is.
        notes: decisions of the reader.
        estimate: the effort; None with a problem, or if the questions are still to come.
    """

    problem: SimilitudeError | None = None
    notes: tuple[str, ...] = ()
    estimate: Estimate | None = None


def check_plan(
    folder: Path, plan: StudyPlan | None = None, *, seconds: float = SECONDS, pay: float | None = None
) -> Findings:
    """All checks of a study, those of ``similitude annotate check``, in a child process.

    Args:
        folder: the study's folder.
        plan: a plan that is not written yet; by default the one in the folder.
        seconds: the time that a question takes, for the estimate.
        pay: what an hour is paid, for the estimate.
    """
    path = folder / PLAN
    trial = folder / f".trial-{stamp_of(folder)}.toml"
    try:
        if plan is not None:
            write_plan(plan, trial)
            path = trial
        return in_child(_findings, path, seconds, pay)
    except SimilitudeError as error:
        error.where = error.where.replace(trial.name, PLAN).replace(f"{folder}/", "")
        return Findings(problem=error)
    finally:
        trial.unlink(missing_ok=True)


def _findings(path: Path, seconds: float, pay: float | None) -> Findings:
    study = read_study(path)
    return Findings(notes=tuple(study.notes), estimate=estimate_of(study, seconds=seconds, pay=pay))


def estimate_of(study: Study, *, seconds: float = SECONDS, pay: float | None = None) -> Estimate | None:
    """Estimate the effort of a study; None if its questions are still to come, from an earlier study.

    Args:
        study: the study, as it was read.
        seconds: the time that a question takes.
        pay: what an hour is paid.

    Raises:
        ArgumentError: a number is not positive.
    """
    plan = study.plan
    work = [question for question in study.questions if question.kind == "work"]
    if not work:
        return None
    design = _design(work, plan)
    effort = effort_of(design, seconds_per_question=seconds, pay_per_hour=pay)
    answers = math.ceil(round(effort.judgements / (1 - plan.batch.gold_share - plan.batch.repeat_share), 6))
    extra = answers - effort.judgements
    least = least_batches(plan, len(work))
    return Estimate(
        effort=_with_extra(effort, extra),
        guarantees=design.guarantees,
        extra=extra,
        batches=least.batches,
        batch_minutes=least.size * seconds / 60,
        least_people=least.people,
        training=_before_work(study),
    )


def _with_extra(effort: Effort, extra: int) -> Effort:
    """The effort with the time and pay of gold and repeated questions."""
    share = 1 + extra / effort.judgements
    return Effort(
        questions=effort.questions,
        per_question=effort.per_question,
        judgements=effort.judgements,
        hours=None if effort.hours is None else effort.hours * share,
        cost=None if effort.cost is None else effort.cost * share,
    )


def _design(work: Sequence[Question], plan: StudyPlan) -> Design:
    several = plan.annotation_task().several_items
    columns = {
        "question": [question.key for question in work],
        "kind": ["work"] * len(work),
        "items": [[str(item["id"]) for item in question.items] for question in work],
        "group": [_group(question) for question in work],
    }
    schema = {name: DESIGN_SCHEMA[name] for name in columns}
    frame = with_all_columns(pl.DataFrame(columns, schema=schema), DESIGN_SCHEMA)
    return Design(task="best-worst" if several else "rating", frame=frame, per_question=plan.judgements, seed=plan.seed)


def _group(question: Question) -> str | None:
    """The group that all items of a tuple share."""
    groups = {item.get("group") for item in question.items}
    return groups.pop() if len(question.items) > 1 and len(groups) == 1 else None


def _before_work(study: Study) -> int:
    training, test = (sum(each.kind == kind for each in study.questions) for kind in ("training", "qualification"))
    limit = study.plan.training.limit if study.plan.training else 0
    return min(training, limit) + test
