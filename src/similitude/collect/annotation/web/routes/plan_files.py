"""The files of a study on a server with many: they are read again when a leader asks for it."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.visit import CurrentVisit

__all__ = ["pages"]

pages = Routes(Role.LEADER, prefix="/leader")


@pages.post("/reload")
def reload(visit: CurrentVisit) -> Response:
    """Read the study's files again, which have changed, and show the overview."""
    visit.shelf.reload(visit.services.slug, by=visit.by)
    return visit.redirect("/leader")
