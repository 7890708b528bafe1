"""The next stage of a study: a draft that takes what the study finds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from similitude.collect.annotation.drafts.draft import PLAN, copy_study, named_files, read_draft
from similitude.collect.annotation.drafts.estimate import check_plan
from similitude.collect.annotation.drafts.study_templates import lay_out_template, template_plan
from similitude.collect.annotation.plan.models import Access, Follows, StudyPlan
from similitude.collect.annotation.plan.writer import write_plan
from similitude.errors import ArgumentError

__all__ = ["NEXT_STAGES", "fill_next"]

NEXT_STAGES: Mapping[str, tuple[str, ...]] = {
    "conditions": ("conditions",),
    "verification": ("accepted", "contentious"),
    "rating": ("contentious",),
}
"""What can be taken from a study of each task."""
VERIFICATION = "csts-verification"
MORE_PEOPLE = 15
"""Judgements of contentious items, as in USTS."""
LEFT_OUT = ("items", "questions", "second_round", "gold", "training", "qualification")
"""Parts of a plan that are about its own items."""


def fill_next(folder: Path, source: Path, *, takes: str, name: str, language: str) -> None:
    """Lay out the stage after a study.

    Written conditions go to a verification, as in C-STS. Accepted items go to a rating, and contentious items to more
    people with the same task; both keep the scale, the texts and the languages of the study.

    Args:
        folder: an empty folder beside that of the study.
        source: the folder of the study.
        takes: what is taken from it.
        name: the name of the new study.
        language: the language that is offered first to annotators.

    Raises:
        ArgumentError: the study gives nothing of that kind.
        InputError: the study's plan, or a file that it names, cannot be read.
    """
    before = read_draft(source).plan
    if takes not in NEXT_STAGES.get(before.task, ()):
        known = ", ".join(NEXT_STAGES.get(before.task, ())) or "nothing"
        raise ArgumentError(f"a study of {before.task} does not give '{takes}'", remedy=f"it gives {known}")
    follows = Follows.model_validate({"study": source.name, "takes": takes})
    if takes == "conditions":
        lay_out_template(VERIFICATION, folder, language)
        template = template_plan(VERIFICATION)
        plan = _with(template, {"languages": before.languages, **_only(template, before.languages)})
    else:
        copy_study(source, folder)
        batch = before.batch.model_copy(update={"gold_share": 0.0})
        plan = _with(before, {**dict.fromkeys(LEFT_OUT), "batch": batch})
        plan = _with(plan, _rating(plan) if takes == "accepted" else {"judgements": MORE_PEOPLE})
    shared = {"name": name, "follows": follows, "contact": before.contact, "access": _access(before)}
    write_plan(_with(plan, shared), folder / PLAN)
    problem = check_plan(folder).problem
    if problem is not None:
        raise problem
    _drop_unnamed(folder)


def _with(plan: StudyPlan, changes: Mapping[str, Any]) -> StudyPlan:
    return plan.model_copy(update=dict(changes))


def _access(before: StudyPlan) -> Access:
    """Who may take part: whoever may in the study before, and has passed its test where a pool keeps who did.

    A platform has its own addresses and secrets for each study, so these are not taken over.
    """
    tested = before.qualification.pool if before.qualification is not None else None
    return Access(open=before.access.open, limit=before.access.limit, pool=before.access.pool or tested)


def _only(template: StudyPlan, languages: tuple[str, ...]) -> dict[str, Any]:
    """The texts of a template in these languages."""
    return {
        part: {each: text for each, text in getattr(template, part).items() if each in languages}
        for part in ("title", "guidelines", "consent")
    }


def _rating(plan: StudyPlan) -> dict[str, Any]:
    """Changes that make a rating of a verification: the same scale, and examples of ratings."""
    rated = [each for each in plan.example if each.answer.get("applies", True)]
    examples = tuple(
        each.model_copy(update={"answer": {key: value for key, value in each.answer.items() if key != "applies"}})
        for each in rated
    )
    return {"task": "rating", "scale": plan.annotation_task().scale, "example": examples}


def _drop_unnamed(folder: Path) -> None:
    """Remove files that were copied with the study and that the new plan does not name."""
    named = {(folder / name).resolve() for name in named_files(read_draft(folder).plan)}
    for path in folder.iterdir():
        if path.is_file() and path.name != PLAN and path.resolve() not in named:
            path.unlink()
