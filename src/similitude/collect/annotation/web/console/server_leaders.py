"""The leaders of the whole server, for admins: who there are, who is an admin, new ones, and the console's log."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation import store
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.members import leader_link
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages"]

pages = Routes(Role.ADMIN, prefix="/leader/server")

AUDIT_PAGE = 100


@pages.get("")
def table(visit: CurrentVisit) -> Response:
    """All leaders of the server."""
    return _table(visit)


@pages.post("/invite")
def invite(visit: CurrentVisit) -> Response:
    """Make a link by which somebody becomes a leader, and show it once."""
    admin = visit.form.get("admin") == "yes"
    made = store.invite_leader(visit.console, admin=admin, now=visit.now, by=visit.by)
    return _table(visit, link=leader_link(visit, str(made.token)))


@pages.post("/admin")
def make_admin(visit: CurrentVisit) -> Response:
    """Make a leader an admin, or end that."""
    store.set_admin(visit.console, _name(visit), visit.form.get("admin") == "yes", now=visit.now, by=visit.by)
    return visit.redirect("/leader/server")


@pages.post("/remove")
def remove(visit: CurrentVisit) -> Response:
    """Remove a leader from the server; nobody removes themselves."""
    if _name(visit) == visit.by:
        raise Refusal(409, "error.last_admin")
    store.remove_leader(visit.console, _name(visit), now=visit.now, by=visit.by)
    return visit.redirect("/leader/server")


@pages.get("/log")
def log(visit: CurrentVisit) -> Response:
    """The console's log: logins, leaders and who leads what."""
    return visit.page("console/log.html", entries=store.audit_log(visit.console, limit=AUDIT_PAGE))


def _name(visit: Visit) -> str:
    return str(visit.form.get("name", ""))[:200]


def _table(visit: Visit, *, link: str = "") -> Response:
    return visit.page("console/leaders.html", leaders=store.leaders(visit.console), link=link)
