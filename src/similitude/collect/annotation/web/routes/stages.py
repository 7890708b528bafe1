"""The leader's page of stages: where a study's items come from, how far they are, and which studies follow."""

from __future__ import annotations

from pathlib import Path

from starlette.responses import RedirectResponse, Response

from similitude.collect.annotation.drafts.new_study import study_name
from similitude.collect.annotation.drafts.next_stage import NEXT_STAGES, fill_next
from similitude.collect.annotation.store.stage_progress import stage_progress
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.stage_links import earlier_stage, later_stages
from similitude.collect.annotation.web.visit import CurrentVisit
from similitude.collect.annotation.web.wizard.new_study_pages import place_study

__all__ = ["pages"]

pages = Routes(Role.LEADER, prefix="/leader/stages")

NAMES = {"conditions": "verify", "accepted": "rate", "contentious": "second round"}
"""What the next stage is called after."""


@pages.get("")
def show(visit: CurrentVisit) -> Response:
    """The stages of the study."""
    flow = visit.services.flow
    flow.maybe(visit.database, now=visit.now)
    return visit.page(
        "leader/stages.html",
        stage=stage_progress(visit.database),
        earlier=earlier_stage(visit),
        later=later_stages(visit),
        problem=flow.problem,
        verifies="applies" in visit.study.task.fields,
        next_stages=() if visit.services.shelf is None else NEXT_STAGES.get(visit.study.plan.task, ()),
    )


@pages.post("/next")
def make_next(visit: CurrentVisit) -> Response:
    """Make a draft that takes what this study finds, and show it."""
    shelf, slug = visit.shelf, visit.services.slug
    takes = str(visit.form.get("takes", ""))
    if takes not in NEXT_STAGES.get(visit.study.plan.task, ()):
        raise Refusal(422, "error.bad_request")
    name = study_name(f"{visit.study.plan.name} {NAMES[takes]}")

    def fill(folder: Path) -> None:
        fill_next(folder, shelf.folder / slug, takes=takes, name=name, language=visit.texts.language)

    return RedirectResponse(f"/leader/edit/{place_study(visit, name, fill)}/check", status_code=303)
