"""The annotator's page about their data: stop taking part, or delete everything."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.store import opt_out, withdraw
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.status import finishing
from similitude.collect.annotation.web.security.cookies import Cookie, clear_cookie
from similitude.collect.annotation.web.visit import CurrentVisit

__all__ = ["pages"]

pages = Routes(Role.ANNOTATOR, prefix="/data")


@pages.get("")
def show_data(visit: CurrentVisit) -> Response:
    """The annotator's pseudonym, and the ways to stop."""
    return visit.page("data.html", missing=False)


@pages.post("/leave")
def leave(visit: CurrentVisit) -> Response:
    """Stop taking part; answers stay."""
    annotator = opt_out(visit.database, visit.worker.id, now=visit.now)
    return visit.page("left.html", worker=annotator, **finishing(visit, annotator))


@pages.post("/delete")
def delete(visit: CurrentVisit) -> Response:
    """Delete the annotator's answers and identity."""
    if visit.form.get("sure") != "yes":
        return visit.page("data.html", status=422, missing=True)
    withdraw(visit.database, visit.worker.id, now=visit.now)
    visit.annotator = None
    response = visit.page("deleted.html")
    clear_cookie(response, visit.services.settings, Cookie.ANNOTATOR, visit.services.slug)
    return response
