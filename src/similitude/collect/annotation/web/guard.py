"""The guard of a route: checks the role of the request, and that forms come from our own pages."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from enum import StrEnum

from fastapi import Request
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException

from similitude.collect.annotation.records import ApiAccess, Leader, Scope
from similitude.collect.annotation.store import (
    AtWork,
    StudyRecord,
    annotator_of_session,
    api_access,
    at_work,
    leader_of_session,
    read_study,
    role_in_study,
)
from similitude.collect.annotation.web.addresses import local_path
from similitude.collect.annotation.web.language import LANGUAGES, choose_language
from similitude.collect.annotation.web.security import csrf
from similitude.collect.annotation.web.security.bodies import ANYBODY
from similitude.collect.annotation.web.security.cookies import Cookie, new_secret, read_cookie
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.security.throttle import Throttle, address_key
from similitude.collect.annotation.web.services import Services, services_of
from similitude.collect.annotation.web.visit import Visit

__all__ = [
    "Guard", "Role", "annotator_visit", "check_form", "client_address", "count_attempt", "language_of", "largest_body",
]  # fmt: skip

FORM = 1_000_000
"""Bytes of a form of somebody with a session: a page of questions with comments, or a leader's settings."""
_LARGE = re.compile(r"^/leader/(new|items|payment/match|edit/[^/]+/(file|step/texts))$|^/api/v1/items$")
"""Addresses that take files and long texts."""

STILL_CHANGED = ("/leader/state", "/leader/members", "/leader/log", "/leader/account", "/api/v1/state")
"""Addresses that change an archived study: its state, its leaders and their own accounts, and the log-out."""


class Role(StrEnum):
    """Who may use a route."""

    PUBLIC = "public"
    """Anyone, without access to the database: style sheet, health."""
    VISITOR = "visitor"
    """Anyone: the pages of entry."""
    ANNOTATOR = "annotator"
    LEADER = "leader"
    """A leader of the study; on the console's pages, any leader."""
    OWNER = "owner"
    """An owner of the study, or an admin."""
    ADMIN = "admin"
    """An admin of a server with many studies."""
    TOKEN = "token"
    """A leader's program, by the token in its Authorization header."""
    LEADER_OR_TOKEN = "leader or token"


class Guard:
    """Admits requests that have the role, and puts the `Visit` into the request's state.

    A form from a session with a cookie must carry that session's token.
    """

    def __init__(self, role: Role, scope: Scope | None = None) -> None:
        """Take the role, and the scope that a token needs; None for any."""
        self.role = role
        self.scope = scope

    def __call__(self, request: Request) -> None:
        """Admit the request.

        Raises:
            Refusal: the request lacks the role (401, 403), or the form is not ours (403).
        """
        if self.role is Role.PUBLIC:
            return
        services = services_of(request)
        if self.role is Role.ANNOTATOR:
            session = read_cookie(request, services.settings, Cookie.ANNOTATOR, services.slug)
            visit = annotator_visit(request, at_work(services.database, session), session)
        else:
            visit = _visit(request, None if services.is_console else read_study(services.database))
            visit.scope = self.scope
            _ENTRANCES[self.role](visit)
        if self.role is not Role.TOKEN and request.method != "GET":
            check_form(visit.session, visit.form)
        if visit.leader is not None and request.method != "GET":
            _check_life(visit)
        request.state.visit = visit


def annotator_visit(request: Request, found: AtWork, session: str) -> Visit:
    """The visit of an annotator, in the language that they chose.

    Raises:
        Refusal: the session is unknown or over.
    """
    visit = _visit(request, found.study)
    visit.session, visit.annotator = session, found.annotator
    if found.annotator is None:
        raise Refusal(403, "error.no_session")
    own = _known(found.annotator.language, visit.languages)
    if own and not read_cookie(request, visit.services.settings, Cookie.LANGUAGE):
        visit.parts = visit.services.parts.of(found.study, own)
        request.state.texts = visit.texts
    return visit


def _visit(request: Request, record: StudyRecord | None) -> Visit:
    services = services_of(request)
    languages = LANGUAGES if record is None else _languages(request, record.plan.languages)
    parts = services.parts.of(record, language_of(request, services, languages))
    request.state.texts = parts.texts
    return Visit(
        request=request,
        services=services,
        record=record,
        parts=parts,
        languages=languages,
        form=request.state.form,
    )


def largest_body(request: Request) -> int:
    """How many bytes a request may send: files and long texts need a leader's session or token, other forms a session.

    Raises:
        HTTPException: there is no valid token (401) or session (403).
    """
    services = services_of(request)
    if _leads(request, services):
        return services.settings.largest_body if _LARGE.search(local_path(request)) else FORM
    if local_path(request).startswith("/leader"):
        raise HTTPException(403)
    session = read_cookie(request, services.settings, Cookie.ANNOTATOR, services.slug)
    known = not services.is_console and session and annotator_of_session(services.database, session) is not None
    return FORM if known else ANYBODY


def _leads(request: Request, services: Services) -> bool:
    token = bearer_token(request)
    if token:
        if api_access(services.console, token, now=services.clock()) is None:
            raise HTTPException(401)
        return True
    session = read_cookie(request, services.settings, Cookie.LEADER)
    return bool(session) and leader_of_session(services.console, session, now=services.clock()) is not None


def language_of(request: Request, services: Services, languages: tuple[str, ...]) -> str:
    """The language chosen on the page, or the one that the browser prefers."""
    chosen = _known(read_cookie(request, services.settings, Cookie.LANGUAGE), languages)
    return chosen or choose_language(request.headers.get("accept-language", ""), languages)


def client_address(request: Request) -> str:
    """The key under which a request's address is counted."""
    return address_key(request.client.host if request.client else "unknown")


def count_attempt(throttle: Throttle, request: Request, *, count: bool = True) -> None:
    """Count an attempt from the request's address; with ``count`` false, only check the limit.

    Raises:
        Refusal: there were too many attempts (429).
    """
    seconds = throttle.wait(client_address(request), count=count)
    if seconds:
        raise Refusal(429, "error.too_many", seconds=math.ceil(seconds))


def _known(language: str | None, languages: tuple[str, ...]) -> str | None:
    return language if language in languages else None


def _languages(request: Request, of_study: tuple[str, ...]) -> tuple[str, ...]:
    """The study's languages for annotators, all languages for leaders."""
    return LANGUAGES if local_path(request).startswith(("/leader", "/docs")) else of_study


def _check_life(visit: Visit) -> None:
    """Refuse changes to an archived study, except for bringing it back, for its leaders and for their accounts."""
    archived = visit.record is not None and visit.record.state == "archived"
    if archived and not local_path(visit.request).startswith(STILL_CHANGED):
        raise Refusal(409, "error.archived")


def check_form(session: str, form: FormData) -> None:
    """Check that a form comes from our own pages.

    Raises:
        Refusal: it lacks the token of the session.
    """
    token = form.get(csrf.FIELD, "")
    if not isinstance(token, str) or not csrf.is_form_token(session, token):
        raise Refusal(403, "error.csrf")


def _as_visitor(visit: Visit) -> None:
    known = read_cookie(visit.request, visit.services.settings, Cookie.VISITOR)
    visit.session = known or new_secret()
    visit.new_visitor = not known


def _as_leader(visit: Visit) -> None:
    visit.session = read_cookie(visit.request, visit.services.settings, Cookie.LEADER)
    visit.leader = leader_of_session(visit.console, visit.session, now=visit.now) if visit.session else None
    if visit.leader is None:
        raise Refusal(403, "error.login")
    _check_study(visit, visit.leader)


def _as_owner(visit: Visit) -> None:
    _as_leader(visit)
    if not visit.owns:
        raise Refusal(403, "error.owners_only")


def _as_admin(visit: Visit) -> None:
    _as_leader(visit)
    if visit.leader is None or not visit.leader.admin:
        raise Refusal(403, "error.admins_only")


def _check_study(visit: Visit, leader: Leader) -> None:
    """Refuse leaders of other studies. Whoever leads a study that is served alone owns it."""
    if visit.services.is_console:
        return
    slug = visit.services.slug
    visit.role = role_in_study(visit.console, leader, slug) if slug else "owner"
    if visit.role is None:
        raise Refusal(403, "error.not_your_study")


def _as_token(visit: Visit) -> None:
    access = _bearer(visit)
    if access is None:
        count_attempt(visit.services.wrong_links, visit.request)
        raise Refusal(401, "error.token")
    visit.leader = access.leader
    if access.slug is not None and access.slug != visit.services.slug:
        raise Refusal(403, "error.not_your_study")
    _check_study(visit, access.leader)
    if visit.scope is not None and visit.scope not in access.scopes:
        raise Refusal(403, "error.scope", scope=visit.scope)


def _bearer(visit: Visit) -> ApiAccess | None:
    token = bearer_token(visit.request)
    return api_access(visit.console, token, now=visit.now) if token else None


def bearer_token(request: Request) -> str:
    """The token of a program; empty if there is none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.isascii() else ""


def _as_leader_or_token(visit: Visit) -> None:
    (_as_token if "authorization" in visit.request.headers else _as_leader)(visit)


_ENTRANCES: Mapping[Role, Callable[[Visit], None]] = {
    Role.VISITOR: _as_visitor,
    Role.LEADER: _as_leader,
    Role.OWNER: _as_owner,
    Role.ADMIN: _as_admin,
    Role.TOKEN: _as_token,
    Role.LEADER_OR_TOKEN: _as_leader_or_token,
}
