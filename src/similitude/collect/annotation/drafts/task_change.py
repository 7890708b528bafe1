"""Another task for a study: what no longer fits is left out, and untouched texts become those of the task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from similitude.collect.annotation.drafts.draft import TEXT_PARTS, Draft, save_text
from similitude.collect.annotation.drafts.study_templates import TEMPLATES, template_plan, template_text
from similitude.collect.annotation.drafts.text_scale import template_of
from similitude.collect.annotation.plan.consistency import misfits
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.tasks import ANNOTATION_TASKS

__all__ = ["TASK_TEMPLATES", "TaskChange", "change_task"]

TASK_TEMPLATES: Mapping[str, str] = {
    "rating": "pairs",
    "best-worst": "giccs",
    "conditions": "csts-conditions",
    "verification": "csts-verification",
}
"""The template whose texts, scale and examples a task starts with."""


class TaskChange(NamedTuple):
    """The plan with its new task, texts to write by the name of their file, and the sections that were left out."""

    plan: StudyPlan
    texts: Mapping[str, str]
    dropped: tuple[str, ...]

    def write_texts(self, draft: Draft) -> None:
        """Write the texts."""
        for name, text in self.texts.items():
            save_text(draft.folder, name, text)


def change_task(draft: Draft, task: str) -> TaskChange:
    """The plan with another task.

    Raises:
        UnknownNameError: no annotation task has that name.
    """
    made = ANNOTATION_TASKS.make(task)
    if task == draft.plan.task:
        return TaskChange(draft.plan, {}, ())
    template = template_plan(TASK_TEMPLATES[task]) if task in TASK_TEMPLATES else None
    changes: dict[str, Any] = {"task": task, "questions": None}
    for part in ("title", "example", "scale"):
        if _is_untouched(part, draft.plan):
            changes[part] = (
                getattr(template, part)
                if template
                else StudyPlan.model_fields[part].get_default(call_default_factory=True)
            )
    if made.several_items and template:
        changes["tuple_size"] = template.tuple_size
    plan = draft.plan.model_copy(update=changes)
    plan, dropped = _fitting(plan)
    return TaskChange(plan, _new_texts(draft, task, plan), dropped)


def _is_untouched(part: str, plan: StudyPlan) -> bool:
    held = getattr(plan, part)
    return not held or any(held == getattr(template_plan(name), part) for name in TEMPLATES)


def _fitting(plan: StudyPlan) -> tuple[StudyPlan, tuple[str, ...]]:
    """The plan without the sections that contradict its task."""
    dropped: list[str] = []
    while found := [each for each in misfits(plan, plan.annotation_task()) if each.path[0] in _OPTIONAL]:
        part = str(found[0].path[0])
        default = StudyPlan.model_fields[part].get_default(call_default_factory=True)
        if getattr(plan, part) == default:
            break
        plan = plan.model_copy(update={part: default})
        dropped.append(part)
    return plan, tuple(dropped)


_OPTIONAL = ("scale", "gold", "training", "qualification", "second_round", "example")


def _new_texts(draft: Draft, task: str, plan: StudyPlan) -> dict[str, str]:
    """The guidelines of the task, where those that are there are a template's own."""
    template = TASK_TEMPLATES.get(task)
    if template is None:
        return {}
    return {
        name: template_text(template, part, language, plan.annotation_task().scale)
        for part in TEXT_PARTS
        for language, name in getattr(draft.plan, part).items()
        if template_of(draft, part, language) is not None
    }
