"""The page behind a link by which somebody becomes a leader: they choose a name and a password."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation import store
from similitude.collect.annotation.store.refusals import Conflict, NotAdmitted
from similitude.collect.annotation.web.guard import Role, count_attempt
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.cookies import Cookie, set_cookie
from similitude.collect.annotation.web.visit import CurrentVisit, Visit
from similitude.errors import ArgumentError

__all__ = ["pages"]

pages = Routes(Role.VISITOR, prefix="/leader/welcome")


@pages.get("/{token}")
def show_welcome(visit: CurrentVisit, token: str) -> Response:
    """The form for name and password."""
    _known(visit, token)
    return visit.page("console/welcome.html", name="", problem="")


@pages.post("/{token}")
def become_leader(visit: CurrentVisit, token: str) -> Response:
    """Become a leader, logged in."""
    _known(visit, token)
    name = str(visit.form.get("name", "")).strip()[:200]
    password, again = (str(visit.form.get(field, "")) for field in ("password", "again"))
    if password != again:
        return _form_again(visit, name, visit.texts("console.passwords_differ"))
    try:
        session = store.accept_leader_invitation(visit.console, token, name, password, now=visit.now)
    except Conflict:
        return _form_again(visit, name, visit.texts("error.name_taken"))
    except ArgumentError:
        return _form_again(visit, name, visit.texts("console.password_rule"))
    response = visit.redirect("/leader")
    set_cookie(response, visit.services.settings, Cookie.LEADER, session)
    return response


def _known(visit: Visit, token: str) -> None:
    """Check the link, and count wrong ones; many wrong ones block no right one."""
    try:
        store.read_leader_invitation(visit.console, token, now=visit.now)
    except NotAdmitted:
        count_attempt(visit.services.wrong_links, visit.request)
        raise


def _form_again(visit: Visit, name: str, problem: str) -> Response:
    return visit.page("console/welcome.html", status=422, name=name, problem=problem)
