"""The pages of consent and instructions."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.store import consent
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.views.questions import example_views
from similitude.collect.annotation.web.visit import CurrentVisit

__all__ = ["pages"]

pages = Routes(Role.ANNOTATOR)


@pages.get("/consent")
def show_consent(visit: CurrentVisit) -> Response:
    """The consent text, and the box to tick."""
    if visit.worker.state != "invited":
        return visit.redirect("/work")
    return visit.page("consent.html", missing=False)


@pages.post("/consent")
def give_consent(visit: CurrentVisit) -> Response:
    """Agree or decline."""
    if visit.form.get("answer") == "decline":
        consent(visit.database, visit.worker.id, agreed=False, now=visit.now)
        return visit.redirect("/work")
    if visit.form.get("agree") != "yes":
        return visit.page("consent.html", status=422, missing=True)
    consent(visit.database, visit.worker.id, agreed=True, now=visit.now)
    return visit.redirect("/instructions")


@pages.get("/instructions")
def instructions(visit: CurrentVisit) -> Response:
    """The guidelines and the worked examples."""
    return visit.page("instructions.html", examples=example_views(visit.study, visit.texts))
