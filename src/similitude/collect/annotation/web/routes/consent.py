"""The pages of consent and instructions."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.responses import Response

from similitude.collect.annotation.store import consent, question_languages
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.reads import sent_languages
from similitude.collect.annotation.web.views.questions import example_views
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages"]

pages = Routes(Role.ANNOTATOR)


@pages.get("/consent")
def show_consent(visit: CurrentVisit) -> Response:
    """The consent text, and the box to tick."""
    if visit.worker.state != "invited":
        return visit.redirect("/work")
    return _page(visit)


@pages.post("/consent")
def give_consent(visit: CurrentVisit) -> Response:
    """Agree or decline."""
    if visit.form.get("answer") == "decline":
        consent(visit.database, visit.worker.id, agreed=False, now=visit.now)
        return visit.redirect("/work")
    choices = question_languages(visit.database)
    reads = [each for each in choices if each in sent_languages(visit)] if len(choices) > 1 else None
    agrees = visit.form.get("agree") == "yes"
    if not agrees or reads == []:
        return _page(visit, missing=not agrees, no_language=reads == [], agreed=agrees, reads=reads or [])
    consent(visit.database, visit.worker.id, agreed=True, reads=reads, now=visit.now)
    return visit.redirect("/survey/before" if visit.study.plan.survey.before else "/instructions")


def _page(
    visit: Visit,
    *,
    missing: bool = False,
    no_language: bool = False,
    agreed: bool = False,
    reads: Sequence[str] = (),
) -> Response:
    return visit.page(
        "consent.html",
        status=422 if missing or no_language else 200,
        missing=missing,
        no_language=no_language,
        agreed=agreed,
        reads=reads,
        choices=question_languages(visit.database),
    )


@pages.get("/instructions")
def instructions(visit: CurrentVisit) -> Response:
    """The guidelines and the worked examples."""
    return visit.page("instructions.html", examples=example_views(visit.study, visit.texts))
