"""What went wrong with a request: whether it may pass, and what to tell the user where it will not.

An endpoint's own words are quoted, shortened and without the key, since endpoints repeat what they were sent.
"""

from __future__ import annotations

import email.utils
import json
import re
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from similitude.errors import EndpointError
from similitude.models.language.endpoint.endpoint import USUAL_KEY, Endpoint

if TYPE_CHECKING:
    from openai import APIStatusError

__all__ = ["RequestRefused", "Trouble", "Unreadable", "trouble_of"]

Kind = Literal["busy", "passing", "unreadable", "slow", "down", "unsupported", "filtered", "final"]
"""What to do about it.

busy: too many requests, wait.    passing, unreadable: try again.    slow: no answer in time.    down: nobody there.
unsupported: the request has something that this endpoint does not take.    filtered: the endpoint will not answer this
one question.    final: nothing will help.
"""

_QUOTED = 200
_TOO_LONG = re.compile(r"context[ _](length|size|window)|too (long|many tokens)|maximum.{0,20}tokens", re.IGNORECASE)
_SPENT = re.compile(r"insufficient_quota|insufficient (funds|balance|credit)|billing", re.IGNORECASE)
_FILTER = re.compile(r"content_filter|content_policy|content management policy", re.IGNORECASE)
_KEPT = "what was answered so far is kept"


class Unreadable(Exception):  # noqa: N818 (never leaves this room)
    """An answer came that is not what was asked for: cut, no JSON, or no answer in it."""


class RequestRefused(Exception):  # noqa: N818 (never leaves this room)
    """A request was refused for something in it, with the endpoint's words."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        super().__init__(trouble.what)


class Trouble(NamedTuple):
    """What went wrong.

    Attributes:
        kind: what to do about it.
        what: one clause for people.
        remedy: for people.
        wait: seconds that the endpoint asks to wait.
        said: the endpoint's words, whole, to find in them what it does not take.
    """

    kind: Kind
    what: str
    remedy: str = ""
    wait: float | None = None
    said: str = ""

    def error(self, endpoint: Endpoint) -> EndpointError:
        """For the user."""
        return EndpointError(self.what, where=f"{endpoint.model} at {endpoint.url}", remedy=self.remedy)


def trouble_of(error: Exception, endpoint: Endpoint, key: str | None) -> Trouble:
    """What to make of an exception of the client, or of our own reading."""
    import openai

    if isinstance(error, openai.APIStatusError):
        return _by_status(error, endpoint, _said(error, key))
    if isinstance(error, (TimeoutError, openai.APITimeoutError)) and type(error.__cause__).__name__ != "ConnectTimeout":
        what = f"no answer within {endpoint.timeout:g} seconds"
        return Trouble("slow", what, f"give a longer timeout or a smaller concurrency; {_KEPT}")
    if isinstance(error, openai.APIConnectionError):
        if type(error.__cause__).__name__ in ("ConnectError", "ConnectTimeout", "ProxyError", "SSLError"):
            return _down(endpoint, _clean(str(error.__cause__), key))
        return Trouble("passing", "the connection broke off in the middle", f"try again later; {_KEPT}")
    if isinstance(error, Unreadable):
        return Trouble(
            "unreadable", f"an answer cannot be read ({_clean(str(error), key)[:_QUOTED]})", f"try again; {_KEPT}"
        )
    return Trouble("final", f"the request failed ({type(error).__name__}: {_clean(str(error), key)[:_QUOTED]})", _KEPT)


def _down(endpoint: Endpoint, why: str) -> Trouble:
    whether = "is its server running, and on this port?" if endpoint.is_loopback else "check the URL and the network"
    return Trouble("down", f"nobody answers there ({why or 'no connection'})", f"{whether} {_KEPT}")


def _by_status(error: APIStatusError, endpoint: Endpoint, said: str) -> Trouble:
    status = error.status_code
    quoted = f"status {status}: {said[:_QUOTED]}" if said else f"status {status}"
    if status in (401, 403):
        return _no_entry(status, endpoint, said)
    if status == 429 and not _SPENT.search(said):
        return Trouble(
            "busy", f"too many requests ({quoted})", f"give requests_a_minute; {_KEPT}", _wait(error.response.headers)
        )
    if status in (408, 409, 425) or (status >= 500 and status != 501):
        return Trouble(
            "passing", f"the endpoint fails ({quoted})", f"try again later; {_KEPT}", _wait(error.response.headers)
        )
    if status in (402, 429):
        return Trouble("final", f"the account has nothing left ({quoted})", f"add credit or name another key; {_KEPT}")
    if status in (400, 413, 422, 501):
        return _about_the_request(status, quoted, said)
    return _wrong_address(error, status, endpoint, quoted, said)


def _no_entry(status: int, endpoint: Endpoint, said: str) -> Trouble:
    """Of a wrong key nothing is quoted: endpoints repeat parts of it."""
    if not endpoint.sends_key:
        hint = "name the variable that holds its key with key_variable"
        if endpoint.key_variable == USUAL_KEY:
            hint += f" (a loopback address is not sent {USUAL_KEY}: use a variable of its own)"
        return Trouble("final", f"the endpoint wants a key (status {status})", hint)
    if status == 401:
        return Trouble("final", f"the key in {endpoint.key_variable} is not accepted (status 401)", "set it anew")
    told = f"status 403: {said[:_QUOTED]}" if said else "status 403"
    return Trouble("final", f"the key in {endpoint.key_variable} may not use this model ({told})", "ask for access")


def _about_the_request(status: int, quoted: str, said: str) -> Trouble:
    if _TOO_LONG.search(said) or status == 413:
        what = f"a prompt is longer than the model reads ({quoted})"
        return Trouble(
            "final", what, f"declare its window so that prompts are cut to it, or use fewer examples; {_KEPT}"
        )
    if _FILTER.search(said):
        return Trouble("filtered", f"the endpoint will not answer this ({quoted})")
    return Trouble("unsupported", f"the endpoint refuses the request ({quoted})", _KEPT, said=said)


def _wrong_address(error: APIStatusError, status: int, endpoint: Endpoint, quoted: str, said: str) -> Trouble:
    if 300 <= status < 400:
        there = str(error.response.headers.get("location", "elsewhere")).partition("?")[0]
        return Trouble("final", f"the endpoint points to {there} (status {status})", "give the URL that it points to")
    if status == 404 and "model" in said.lower():
        return Trouble("final", f"no model '{endpoint.model}' there ({quoted})", "see the endpoint's /models for names")
    if status in (404, 405):
        what = f"no {endpoint.api} API at that URL ({quoted})"
        return Trouble("final", what, "check the URL, most end in /v1, and the model's name")
    return Trouble("final", f"the endpoint refuses ({quoted})", _KEPT)


def _said(error: APIStatusError, key: str | None) -> str:
    """The endpoint's own words with their code and parameter."""
    body: Any = error.body
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if isinstance(inner, Mapping):
            parts = [inner.get(name) for name in ("message", "detail", "code", "param", "type")]
            return _clean(", ".join(str(part) for part in parts if part not in (None, "")), key)
        return _clean(str(inner), key)
    return _clean("" if body is None else body if isinstance(body, str) else json.dumps(body), key)


def _clean(text: str, key: str | None) -> str:
    """One line, without the key."""
    line = " ".join(text.split())
    return line.replace(key, "***") if key else line


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that the endpoint asks to wait, in any of the ways in which endpoints say so."""
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    date = email.utils.parsedate_tz(headers.get("retry-after", ""))
    return None if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())
