"""The leader's dashboard of a study, with its life, log and preview."""

from __future__ import annotations

from typing import get_args

from starlette.responses import Response

from similitude.collect.annotation import store
from similitude.collect.annotation.drafts.text_scale import check_guidelines
from similitude.collect.annotation.records import StudyState
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.cookies import Cookie, set_cookie
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages", "wanted_state"]

pages = Routes(Role.LEADER, prefix="/leader")

AUDIT_PAGE = 100


@pages.get("")
def overview(visit: CurrentVisit) -> Response:
    """The dashboard: progress, rate, expected finish, and figures of agreement so far."""
    analysis = visit.services.analysis
    findings = analysis.look()
    verifies = "applies" in visit.study.task.fields
    visit.services.flow.maybe(visit.database, now=visit.now)
    return visit.page(
        "leader/dashboard.html",
        progress=store.progress(visit.database, now=visit.now),
        findings=findings,
        age=round(analysis.age(findings)),
        verifies=verifies,
        stage=store.stage_progress(visit.database) if verifies or visit.study.plan.follows else None,
        next_states=store.NEXT_STATES[visit.study.state],
        owners_only=store.OWNERS_ONLY,
        shelved=visit.shelf.look(visit.services.slug) if visit.services.shelf else None,
    )


@pages.post("/state")
def change_state(visit: CurrentVisit) -> Response:
    """Open, pause, close or archive the study, or bring it back."""
    state = wanted_state(visit, str(visit.form.get("state", "")))
    if state in store.OWNERS_ONLY and visit.form.get("sure") != "yes":
        return visit.page("leader/state.html", state=state)
    store.set_state(visit.database, state, now=visit.now, by=visit.by)
    return visit.redirect("/leader")


def wanted_state(visit: Visit, state: str) -> StudyState:
    """The state that a leader asks for.

    Raises:
        Refusal: there is no such state (422), or only owners may do that (403).
        InputError: a draft cannot be opened yet.
    """
    if state not in get_args(StudyState):
        raise Refusal(422, "error.bad_request")
    known: StudyState = state  # type: ignore[assignment]
    if not visit.owns and {known, visit.study.state} & set(store.OWNERS_ONLY):
        raise Refusal(403, "error.owners_only")
    if visit.services.shelf is not None and (visit.study.state, known) == ("draft", "open"):
        check_guidelines(visit.shelf.folder / visit.services.slug)
    return known


@pages.get("/audit")
def audit(visit: CurrentVisit) -> Response:
    """The audit log."""
    return visit.page("leader/audit.html", entries=store.audit_log(visit.database, limit=AUDIT_PAGE))


@pages.get("/preview")
def show_preview(visit: CurrentVisit) -> Response:
    """The page that explains the preview."""
    return visit.page("leader/preview.html")


@pages.post("/preview")
def preview(visit: CurrentVisit) -> Response:
    """Enter as an annotator whose answers never count."""
    entered = store.enter_preview(visit.database, language=visit.study.plan.languages[0], now=visit.now, by=visit.by)
    response = visit.redirect("/work")
    set_cookie(response, visit.services.settings, Cookie.ANNOTATOR, entered.session, visit.services.slug)
    return response
