"""A task from the plan that names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from similitude.collect.annotation.plan.models import ScalePlan, StudyPlan
from similitude.collect.annotation.tasks.best_worst import BestWorstTask
from similitude.collect.annotation.tasks.conditions import ConditionsTask
from similitude.collect.annotation.tasks.rating import RatingTask
from similitude.collect.annotation.tasks.task import Task
from similitude.collect.annotation.tasks.verification import VerificationTask
from similitude.errors import UnknownNameError

__all__ = ["DEFAULT_SCALES", "TASKS", "task_of"]

DEFAULT_SCALES: Mapping[str, ScalePlan] = {
    "rating": ScalePlan(low=0, high=5, step=1),
    "verification": ScalePlan(low=1, high=5, step=1),
}
"""USTS rates 0 to 5, C-STS 1 to 5."""

TASKS: Mapping[str, Callable[[StudyPlan], Task]] = {
    "best-worst": lambda plan: BestWorstTask(),
    "rating": lambda plan: RatingTask(scale=plan.scale or DEFAULT_SCALES["rating"]),
    "conditions": lambda plan: ConditionsTask(),
    "verification": lambda plan: VerificationTask(scale=plan.scale or DEFAULT_SCALES["verification"]),
}


def task_of(plan: StudyPlan) -> Task:
    """The task that a plan asks for, with the plan's scale where it has one.

    >>> task_of(StudyPlan(name="colours", task="verification")).fields
    ('applies', 'value')
    """
    if plan.task not in TASKS:
        raise UnknownNameError("task", plan.task, TASKS)
    return TASKS[plan.task](plan)
