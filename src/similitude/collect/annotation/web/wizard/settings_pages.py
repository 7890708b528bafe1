"""The pages of a study's settings, step by step; every step can be left and resumed."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from similitude.collect.annotation.drafts.form_fields import FormFields
from similitude.collect.annotation.drafts.plan_changes import changes_of
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, Visit
from similitude.collect.annotation.web.wizard.place import StudyPlace, place_of
from similitude.collect.annotation.web.wizard.saved_settings import refuse_stale, save_edit
from similitude.collect.annotation.web.wizard.steps import STEPS, Edit, Step, next_step, shown_steps
from similitude.errors import SimilitudeError

__all__ = ["pages", "step_page"]

pages = Routes(Role.LEADER, prefix="/leader/edit")


@pages.get("/{slug}")
def first(visit: CurrentVisit, slug: str) -> Response:
    """The last step, which sums up all others."""
    return visit.redirect(place_of(visit, slug).address("check"))


@pages.get("/{slug}/step/{name}")
def show(visit: CurrentVisit, slug: str, name: str) -> Response:
    """A page of settings."""
    place = place_of(visit, slug)
    return _shown(visit, place, _step(name), Edit(plan=place.plan), FormFields({}))


@pages.post("/{slug}/step/{name}")
def change(visit: CurrentVisit, slug: str, name: str) -> Response:
    """Change settings, or show what the change would be."""
    place, step = place_of(visit, slug), _step(name)
    fields = FormFields(visit.form)
    edit = step.read(place.draft, fields)
    wanted = fields.text("do", longest=20)
    if edit.problems or wanted == "look":
        return _shown(visit, place, step, edit, fields)
    refuse_stale(place, fields.text("stamp", longest=40))
    if place.running and wanted != "confirm":
        return _confirm(visit, place, step, edit)
    return _saved(visit, place, step, edit, fields, wanted)


def _saved(visit: Visit, place: StudyPlace, step: Step, edit: Edit, fields: FormFields, wanted: str) -> Response:
    try:
        save_edit(visit, place, edit)
    except SimilitudeError as error:
        return _shown(visit, place, step, edit, fields, failure=error)
    if place.running:
        return visit.redirect(place.address("check") + "?saved=yes")
    if wanted in ("stay", ""):
        return visit.redirect(place.address(f"step/{step.name}"))
    following = next_step(step.name, edit.plan, back=wanted == "back")
    return visit.redirect(place.address("check" if following == "check" else f"step/{following}"))


def _confirm(visit: Visit, place: StudyPlace, step: Step, edit: Edit) -> Response:
    """The changes to a study that has been opened, before they are saved."""
    kept = [(name, value) for name, value in visit.form.multi_items() if isinstance(value, str)]
    return step_page(
        visit,
        "wizard/changes.html",
        place,
        step.name,
        files=changes_of(place.draft.folder, edit.plan, edit.texts),
        kept=[pair for pair in kept if pair[0] not in ("csrf", "do")],
        dropped=edit.dropped,
    )


def _shown(
    visit: Visit,
    place: StudyPlace,
    step: Step,
    edit: Edit,
    fields: FormFields,
    *,
    failure: SimilitudeError | None = None,
) -> Response:
    context = step.shown(place, edit.plan, fields)
    problems = {**edit.problems, **fields.problems}
    return step_page(
        visit,
        f"wizard/{step.name}.html",
        place,
        step.name,
        status=422 if problems or failure else 200,
        plan_shown=edit.plan,
        problems=problems,
        failure=failure,
        sent={name: value for name, value in visit.form.items() if isinstance(value, str)},
        looked=bool(visit.form) and not problems,
        **context,
    )


def step_page(visit: Visit, template: str, place: StudyPlace, step: str, *, status: int = 200, **more: Any) -> Response:
    """A page with the list of steps."""
    context = {"place": place, "study": place.plan, "step": step, "steps": shown_steps(place.plan)}
    return visit.page(template, status=status, **context, **more)


def _step(name: str) -> Step:
    if name not in STEPS:
        raise Refusal(404, "error.not_found")
    return STEPS[name]
