"""The annotator's break."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.store import begin_break, end_break, next_work
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.visit import CurrentVisit

__all__ = ["pages"]

pages = Routes(Role.ANNOTATOR, prefix="/break")


@pages.get("")
def show_break(visit: CurrentVisit) -> Response:
    """The page during a break; without one, the work."""
    found = next_work(visit.database, visit.worker.id, now=visit.now)
    if found.batch is None or found.batch.paused is None:
        return visit.redirect("/work")
    return visit.page("break.html", batch=found.batch)


@pages.post("")
def begin(visit: CurrentVisit) -> Response:
    """Begin a break: the time for the questions stands still."""
    held = begin_break(visit.database, visit.worker.id, now=visit.now)
    return visit.redirect("/break" if held else "/work")


@pages.post("/end")
def end(visit: CurrentVisit) -> Response:
    """End the break and continue."""
    end_break(visit.database, visit.worker.id, now=visit.now)
    return visit.redirect("/work")
