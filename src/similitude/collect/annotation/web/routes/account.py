"""A leader's own account: second factor, sessions, tokens and password; at the root of the server."""

from __future__ import annotations

import io
from datetime import timedelta
from typing import Any

from markupsafe import Markup
from starlette.responses import Response

from similitude.collect.annotation import store
from similitude.collect.annotation.records import SCOPES, Leader
from similitude.collect.annotation.web.guard import Role, client_address
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, RowNumber, Visit
from similitude.errors import ArgumentError

__all__ = ["pages"]

pages = Routes(Role.LEADER, prefix="/leader/account")

LONGEST_NOTE = 200
MOST_DAYS = 3650


@pages.get("")
def account(visit: CurrentVisit, done: str = "") -> Response:
    """The account: what protects it, and what is logged in to it."""
    return _page(visit, done=done if done in ("password", "sessions", "factor_removed") else "")


@pages.post("/password")
def change_password(visit: CurrentVisit) -> Response:
    """Change the password; other sessions end."""
    old, new = (str(visit.form.get(field, "")) for field in ("old", "new"))
    try:
        changed = store.change_password(visit.console, visit.by, old, new, visit.session, now=visit.now)
    except ArgumentError:
        return _page(visit, status=422, problem=visit.texts("console.password_rule"))
    if not changed:
        return _wrong_password(visit)
    return visit.redirect("/leader/account?done=password")


@pages.post("/sessions/end")
def end_others(visit: CurrentVisit) -> Response:
    """End all other sessions."""
    store.end_other_sessions(visit.console, _leader(visit), visit.session, now=visit.now)
    return visit.redirect("/leader/account?done=sessions")


@pages.post("/sessions/{session}/end")
def end_one(visit: CurrentVisit, session: str) -> Response:
    """End one session."""
    store.end_session(visit.console, _leader(visit), session[:40], now=visit.now)
    return visit.redirect("/leader/account?done=sessions")


@pages.post("/factor")
def begin_factor(visit: CurrentVisit) -> Response:
    """Show a new key for an app; it counts once a code of it was given. One that counts is removed first."""
    if store.has_second_factor(visit.console, _leader(visit).id):
        return _page(visit, status=409)
    key = store.begin_second_factor(visit.console, _leader(visit).id)
    return _page(visit, key=key)


@pages.post("/factor/confirm")
def confirm_factor(visit: CurrentVisit) -> Response:
    """Ask for codes from now on, and show the recovery codes once."""
    codes = store.confirm_second_factor(
        visit.console, _leader(visit).id, str(visit.form.get("code", ""))[:40], now=visit.now
    )
    if codes is None:
        return _page(visit, status=422, problem=visit.texts("account.code_wrong"))
    return _page(visit, codes=codes)


@pages.post("/factor/remove")
def remove_factor(visit: CurrentVisit) -> Response:
    """Ask for codes no more; needs the password."""
    if not store.is_password(visit.console, visit.by, str(visit.form.get("password", ""))):
        return _wrong_password(visit)
    store.remove_second_factor(visit.console, _leader(visit).id, now=visit.now, by=visit.by)
    return visit.redirect("/leader/account?done=factor_removed")


@pages.post("/tokens")
def make_token(visit: CurrentVisit) -> Response:
    """Make a token for the API, and show it once."""
    scopes = [scope for scope in SCOPES if scope in visit.form.getlist("scope")]
    if not scopes:
        return _page(visit, status=422, problem=visit.texts("account.no_scope"))
    made = store.make_api_token(
        visit.console,
        visit.by,
        note=str(visit.form.get("note", "")).strip()[:LONGEST_NOTE],
        scopes=scopes,
        expires=visit.now + timedelta(days=_days(visit)),
        now=visit.now,
        by=visit.by,
    )
    return _page(visit, token=made.token)


@pages.post("/tokens/{number}/revoke")
def revoke_token(visit: CurrentVisit, number: RowNumber) -> Response:
    """Revoke one of the leader's own tokens."""
    if number not in [each.id for each in store.api_tokens(visit.console) if each.leader == visit.by]:
        raise Refusal(404, "error.no_token")
    store.revoke_api_token(visit.console, number, now=visit.now, by=visit.by)
    return visit.redirect("/leader/account")


def _leader(visit: Visit) -> Leader:
    assert visit.leader is not None
    return visit.leader


def _days(visit: Visit) -> int:
    written = str(visit.form.get("days", "")).strip()
    if not (written.isascii() and written.isdigit() and 1 <= int(written[:9]) <= MOST_DAYS):
        raise Refusal(422, "error.not_a_count", field="days", most=MOST_DAYS)
    return int(written)


def _wrong_password(visit: Visit) -> Response:
    """The page again; a wrong password in an open session counts as a failed login."""
    store.count_failure(visit.console, visit.by.casefold(), client_address(visit.request), now=visit.now)
    return _page(visit, status=422, problem=visit.texts("account.wrong_password"))


def _page(visit: Visit, *, status: int = 200, **shown: Any) -> Response:
    who = _leader(visit)
    context = {"done": "", "problem": "", "codes": (), "key": "", "token": "", **shown}
    return visit.page(
        "leader/account.html",
        status=status,
        has_factor=store.has_second_factor(visit.console, who.id),
        qr=_drawn(store.key_address(who.name, context["key"])) if context["key"] else "",
        sessions=store.leader_sessions(visit.console, who.id, visit.session, now=visit.now),
        tokens=[each for each in store.api_tokens(visit.console) if each.leader == who.name],
        scopes=SCOPES,
        **context,
    )


def _drawn(address: str) -> Markup:
    """An address as a QR code, in SVG."""
    import segno

    drawn = io.BytesIO()
    segno.make(address, error="m").save(drawn, kind="svg", scale=5, border=2, xmldecl=False, svgns=True, omitsize=True)
    return Markup(drawn.getvalue().decode())
