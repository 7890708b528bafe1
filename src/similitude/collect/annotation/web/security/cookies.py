"""Cookies: the sessions of annotators, leaders and visitors, the person across studies, and the language."""

from __future__ import annotations

import secrets
from enum import StrEnum

from starlette.requests import Request
from starlette.responses import Response

from similitude.collect.annotation.web.server_options import ServerOptions

__all__ = ["Cookie", "clear_cookie", "new_secret", "read_cookie", "set_cookie"]

LONGEST = 200
"""Characters of a cookie that are read at most; ours are shorter."""


class Cookie(StrEnum):
    """The cookies of the server."""

    ANNOTATOR = "annotator"
    LEADER = "leader"
    VISITOR = "visitor"
    LANGUAGE = "language"
    PERSON = "person"

    @property
    def seconds(self) -> int | None:
        """How long the browser keeps it; None means until it is closed."""
        year = 365 * 86_400
        return {"annotator": 60 * 86_400, "leader": 43_200, "language": year, "person": year}.get(self.value)


def new_secret() -> str:
    """A random secret."""
    return secrets.token_urlsafe(32)


def read_cookie(request: Request, settings: ServerOptions, cookie: Cookie, study: str = "") -> str:
    """The value of a cookie; empty if there is none or it is not one of ours."""
    value = request.cookies.get(_name(cookie, settings, study), "")
    return value if len(value) <= LONGEST and value.isascii() and value.isprintable() else ""


def set_cookie(response: Response, settings: ServerOptions, cookie: Cookie, value: str, study: str = "") -> None:
    """Set a cookie that scripts cannot read and that other sites' forms do not send.

    In a frame of another site (MTurk) browsers send only cookies marked SameSite=None. These are partitioned, so that
    they belong only to our pages in that frame. A token protects forms in either case.
    """
    framed = settings.framed and settings.secure_cookies and cookie is not Cookie.LEADER
    response.set_cookie(
        _name(cookie, settings, study),
        value,
        max_age=cookie.seconds,
        httponly=True,
        secure=settings.secure_cookies,
        samesite="none" if framed else "lax",
    )
    if framed:
        _mark_partitioned(response)


def clear_cookie(response: Response, settings: ServerOptions, cookie: Cookie, study: str = "") -> None:
    """Delete a cookie."""
    response.delete_cookie(_name(cookie, settings, study), httponly=True, secure=settings.secure_cookies)


def _mark_partitioned(response: Response) -> None:
    # http.cookies knows the attribute from Python 3.14 on; until then it is written by hand.
    name, value = response.raw_headers[-1]
    response.raw_headers[-1] = (name, value + b"; Partitioned")


def _name(cookie: Cookie, settings: ServerOptions, study: str) -> str:
    """The cookie's name, with the prefix that restricts it to this host and HTTPS; annotators have one per study."""
    name = f"{cookie.value}-{study}" if study else cookie.value
    return f"__Host-{name}" if settings.secure_cookies else name
