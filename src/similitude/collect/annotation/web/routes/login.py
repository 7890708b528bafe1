"""The login of leaders: at the root of the server, for all its studies."""

from __future__ import annotations

import math

from starlette.responses import Response

from similitude.collect.annotation import store
from similitude.collect.annotation.records import Leader
from similitude.collect.annotation.web.guard import Role, client_address
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.cookies import Cookie, clear_cookie, read_cookie, set_cookie
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages"]

pages = Routes(Role.LEADER, prefix="/leader")

LOGIN_SECONDS = 900.0
PAUSE_SECONDS = 5.0


@pages.get("/login", role=Role.VISITOR)
def show_login(visit: CurrentVisit) -> Response:
    """The form to log in."""
    session = read_cookie(visit.request, visit.services.settings, Cookie.LEADER)
    if session and store.leader_of_session(visit.console, session, now=visit.now) is not None:
        return visit.redirect("/leader")
    return visit.page("leader/login.html", wrong=False, name="")


@pages.post("/login", role=Role.VISITOR)
def login(visit: CurrentVisit) -> Response:
    """Log in. Failures are counted per name and per address, over all processes, and make further guesses slow."""
    name, password = str(visit.form.get("name", ""))[:200], str(visit.form.get("password", ""))
    _check_pace(visit, name.casefold())
    agent = visit.request.headers.get("user-agent", "")
    entered = store.log_in(visit.console, name, password, now=visit.now, agent=agent)
    if entered is None:
        store.count_failure(visit.console, name.casefold(), client_address(visit.request), now=visit.now)
        return visit.page("leader/login.html", status=403, wrong=True, name=name)
    response = visit.redirect("/leader" if entered.proven else "/leader/code")
    set_cookie(response, visit.services.settings, Cookie.LEADER, entered.session)
    return response


@pages.get("/code", role=Role.VISITOR)
def show_code(visit: CurrentVisit) -> Response:
    """The form for the second factor."""
    if _pending(visit) is None:
        return visit.redirect("/leader/login")
    return visit.page("leader/code.html", wrong=False)


@pages.post("/code", role=Role.VISITOR)
def prove(visit: CurrentVisit) -> Response:
    """Log in by the second factor; wrong codes count as wrong passwords do."""
    pending = _pending(visit)
    if pending is None:
        return visit.redirect("/leader/login")
    guessed = f"code of {pending.name}".casefold()
    _check_pace(visit, guessed)
    code = str(visit.form.get("code", ""))[:40]
    session = store.prove_session(visit.console, _session(visit), code, now=visit.now)
    if session is None:
        store.count_failure(visit.console, guessed, client_address(visit.request), now=visit.now)
        return visit.page("leader/code.html", status=403, wrong=True)
    response = visit.redirect("/leader")
    set_cookie(response, visit.services.settings, Cookie.LEADER, session)
    return response


def _session(visit: Visit) -> str:
    return read_cookie(visit.request, visit.services.settings, Cookie.LEADER)


def _pending(visit: Visit) -> Leader | None:
    session = _session(visit)
    return store.pending_leader(visit.console, session, now=visit.now) if session else None


@pages.post("/logout")
def logout(visit: CurrentVisit) -> Response:
    """End the session, here and in the database."""
    store.log_out(visit.console, visit.session, now=visit.now)
    response = visit.redirect("/leader/login")
    clear_cookie(response, visit.services.settings, Cookie.LEADER)
    return response


def _check_pace(visit: Visit, name: str) -> None:
    """Refuse a guess that comes too soon after many wrong ones; the password has not been looked at.

    Raises:
        Refusal: try again in a few seconds (429).
    """
    seconds = store.seconds_to_wait(
        visit.console,
        name,
        client_address(visit.request),
        limit=visit.services.settings.login_attempts,
        window=LOGIN_SECONDS,
        pause=PAUSE_SECONDS,
        now=visit.now,
    )
    if seconds:
        raise Refusal(429, "error.too_many", seconds=math.ceil(seconds))
