"""Failures of requests: whether they may be temporary, and what to tell the user if not.

The endpoint's message is quoted, shortened and without the key, since endpoints repeat what they were sent.
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

Kind = Literal["busy", "passing", "unreadable", "slow", "down", "absent", "unsupported", "filtered", "final"]
"""How to handle a failure.

busy: too many requests, so wait. passing, unreadable: try again. slow: no answer in time. down: not reachable.
    absent: no such address, or no such model there. unsupported: the endpoint does not accept something in the
    request. filtered: the endpoint refuses to answer this question. final: retrying will not help.
"""

_QUOTED = 200
_TOO_LONG = re.compile(r"context[ _](length|size|window)|too (long|many tokens)|maximum.{0,20}tokens", re.IGNORECASE)
_SPENT = re.compile(r"insufficient_quota|insufficient (funds|balance|credit)|billing", re.IGNORECASE)
_FILTER = re.compile(r"content_filter|content_policy|content management policy", re.IGNORECASE)
_KEPT = "the answers so far are stored"


class Unreadable(Exception):  # noqa: N818 (never leaves this room)
    """A response that is not what was asked for: truncated, not JSON, or without an answer."""


class RequestRefused(Exception):  # noqa: N818 (never leaves this room)
    """The endpoint refused a request because of its content."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        super().__init__(trouble.what)


class Trouble(NamedTuple):
    """A failure of a request.

    Attributes:
        kind: how to handle it.
        what: the error message.
        remedy: the remedy, for the user.
        wait: the seconds that the endpoint asks to wait.
        message: the endpoint's full message, which may name what it does not accept.
    """

    kind: Kind
    what: str
    remedy: str = ""
    wait: float | None = None
    message: str = ""

    def error(self, endpoint: Endpoint, about: str = "", waited: str = "") -> EndpointError:
        """The error to raise.

        Args:
            endpoint: where it failed.
            about: what the request was about, such as an item.
            waited: how long and how often it was tried.
        """
        where = f"{about}, {endpoint.model} at {endpoint.url}" if about else f"{endpoint.model} at {endpoint.url}"
        return EndpointError(f"{self.what}{waited}", where=where, remedy=self.remedy)


def trouble_of(error: Exception, endpoint: Endpoint, key: str | None) -> Trouble:
    """Classify an exception of the client or of our own parser."""
    import openai

    if isinstance(error, openai.APIStatusError):
        return _by_status(error, endpoint, _message(error, key))
    if isinstance(error, (TimeoutError, openai.APITimeoutError)) and type(error.__cause__).__name__ != "ConnectTimeout":
        what = f"no answer within {endpoint.timeout:g} seconds"
        return Trouble("slow", what, f"use a longer timeout or less concurrency; {_KEPT}")
    if isinstance(error, openai.APIConnectionError):
        if type(error.__cause__).__name__ in ("ConnectError", "ConnectTimeout", "ProxyError", "SSLError"):
            return _down(endpoint, _clean(str(error.__cause__), key))
        return Trouble("passing", "the connection was interrupted", f"try again later; {_KEPT}")
    if isinstance(error, Unreadable):
        return Trouble(
            "unreadable", f"cannot read an answer ({_clean(str(error), key)[:_QUOTED]})", f"try again; {_KEPT}"
        )
    return Trouble("final", f"the request failed ({type(error).__name__}: {_clean(str(error), key)[:_QUOTED]})", _KEPT)


def _down(endpoint: Endpoint, why: str) -> Trouble:
    whether = (
        "check that its server is running on this port;" if endpoint.is_loopback else "check the URL and the network;"
    )
    return Trouble("down", f"cannot connect ({why or 'no connection'})", f"{whether} {_KEPT}")


def _by_status(error: APIStatusError, endpoint: Endpoint, message: str) -> Trouble:
    status = error.status_code
    quoted = f"status {status}: {message[:_QUOTED]}" if message else f"status {status}"
    if status in (401, 403):
        return _no_entry(status, endpoint, message)
    if status == 429 and not _SPENT.search(message):
        return Trouble(
            "busy", f"too many requests ({quoted})", f"set requests_a_minute; {_KEPT}", _wait(error.response.headers)
        )
    if status in (408, 409, 425) or (status >= 500 and status != 501):
        return Trouble(
            "passing", f"the endpoint failed ({quoted})", f"try again later; {_KEPT}", _wait(error.response.headers)
        )
    if status in (402, 429):
        return Trouble("final", f"the account has no credit left ({quoted})", f"add credit or use another key; {_KEPT}")
    if status in (400, 413, 422, 501):
        return _about_the_request(status, quoted, message)
    return _wrong_address(error, status, endpoint, quoted, message)


def _no_entry(status: int, endpoint: Endpoint, message: str) -> Trouble:
    """A message about a wrong key is not quoted, since endpoints repeat parts of the key."""
    if not endpoint.sends_key:
        hint = "set key_variable to the environment variable with its key"
        if endpoint.key_variable == USUAL_KEY:
            hint += f" ({USUAL_KEY} is not sent to a loopback address; use another variable)"
        return Trouble("final", f"the endpoint requires a key (status {status})", hint)
    if status == 401:
        return Trouble("final", f"the key in {endpoint.key_variable} is not accepted (status 401)", "set the right key")
    told = f"status 403: {message[:_QUOTED]}" if message else "status 403"
    return Trouble("final", f"the key in {endpoint.key_variable} may not use this model ({told})", "ask for access")


def _about_the_request(status: int, quoted: str, message: str) -> Trouble:
    if _TOO_LONG.search(message) or status == 413:
        what = f"a prompt is too long for the model ({quoted})"
        return Trouble(
            "final", what, f"set window so that prompts are shortened to fit, or use fewer examples; {_KEPT}"
        )
    if _FILTER.search(message):
        return Trouble("filtered", f"the endpoint refuses to answer this question ({quoted})")
    return Trouble("unsupported", f"the endpoint refuses the request ({quoted})", _KEPT, message=message)


def _wrong_address(error: APIStatusError, status: int, endpoint: Endpoint, quoted: str, message: str) -> Trouble:
    if 300 <= status < 400:
        there = str(error.response.headers.get("location", "elsewhere")).partition("?")[0]
        return Trouble("final", f"the endpoint redirects to {there} (status {status})", "use that URL")
    if status == 404 and "model" in message.lower():
        return Trouble(
            "absent", f"the endpoint has no model '{endpoint.model}' ({quoted})", "look up its name under /models"
        )
    if status in (404, 405):
        what = f"no {endpoint.api} API at that URL ({quoted})"
        return Trouble("absent", what, "check the URL (most end in /v1) and the model's name")
    return Trouble("final", f"the endpoint refused ({quoted})", _KEPT)


def _message(error: APIStatusError, key: str | None) -> str:
    """The endpoint's message with its code and parameter."""
    body: Any = error.body
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if isinstance(inner, Mapping):
            parts = [inner.get(name) for name in ("message", "detail", "code", "param", "type")]
            return _clean(", ".join(str(part) for part in parts if part not in (None, "")), key)
        return _clean(str(inner), key)
    return _clean("" if body is None else body if isinstance(body, str) else json.dumps(body), key)


def _clean(text: str, key: str | None) -> str:
    """The text on one line, without the key."""
    line = " ".join(text.split())
    return line.replace(key, "***") if key else line


def _wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that the endpoint asks to wait, in any of the formats in use."""
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    date = email.utils.parsedate_tz(headers.get("retry-after", ""))
    return None if date is None else max(0.0, email.utils.mktime_tz(date) - time.time())
