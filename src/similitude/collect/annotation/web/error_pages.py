"""Error responses: pages in the reader's language, and JSON for programs."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from typing import Any, NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import Message, Receive, Scope, Send

from similitude.collect.annotation.store.refusals import Refused, StoreUnavailable
from similitude.collect.annotation.web.addresses import local_path, root_of
from similitude.collect.annotation.web.guard import language_of
from similitude.collect.annotation.web.language import LANGUAGES, Texts, texts_in
from similitude.collect.annotation.web.renderer import render
from similitude.collect.annotation.web.security.bodies import TooLarge
from similitude.collect.annotation.web.security.middleware import HttpMiddleware, route_pattern
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.services import services_of
from similitude.errors import SimilitudeError

__all__ = ["LastResort", "handle_errors"]

logger = logging.getLogger("similitude.annotation")

_BY_STATUS: Mapping[int, str] = {
    400: "error.bad_request",
    401: "error.token",
    403: "error.login",
    404: "error.not_found",
    405: "error.method",
    413: "error.too_large",
    415: "error.bad_request",
    422: "error.bad_request",
}


class Failure(NamedTuple):
    """An error response: the status, a message key with its values, and details for programs."""

    status: int
    key: str
    values: Mapping[str, Any] = {}
    headers: Mapping[str, str] = {}
    detail: Any = None


def handle_errors(app: FastAPI) -> None:
    """Add a handler to the app for every kind of error."""
    app.add_exception_handler(Refusal, _on_refusal)
    app.add_exception_handler(SimilitudeError, _on_mistake)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(RequestValidationError, _on_validation)


def respond(request: Request, failure: Failure) -> Response:
    """A failure as a page, or as JSON if the request wants JSON."""
    texts = _texts(request)
    message = texts(failure.key, **failure.values)
    if _wants_json(request):
        told = {"error": failure.key.removeprefix("error."), "message": message}
        if failure.detail is not None:
            told["detail"] = failure.detail
        return JSONResponse(told, failure.status, headers=dict(failure.headers))
    if failure.key == "error.login" and request.method == "GET":
        return RedirectResponse("/leader/login", status_code=303)
    context = {**_bare_context(request, texts), "message": message, "failure": failure, "kept": _kept(request, failure)}
    template = "unavailable.html" if failure.status in (503, 507) else "error.html"
    return HTMLResponse(render(template, context), failure.status, headers=dict(failure.headers))


def _on_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
    if error.status == 429:
        headers["Retry-After"] = str(error.values["seconds"])
    return respond(request, Failure(error.status, error.message, error.values, headers))


def _on_mistake(request: Request, error: Exception) -> Response:
    assert isinstance(error, SimilitudeError)
    if not isinstance(error, Refused):
        return respond(request, Failure(422, "error.invalid", {"detail": str(error)}, detail=str(error)))
    headers = {}
    if isinstance(error, StoreUnavailable):
        logger.error("%s", error)
        headers["Retry-After"] = "30"
    return respond(request, Failure(error.status, f"error.{error.key}", {}, headers, _detail(request, error)))


def _detail(request: Request, error: Refused) -> str | None:
    """The store's English message, for leaders' programs only; annotators get the text of the key."""
    return str(error) if local_path(request).startswith("/api/") else None


def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    key = _BY_STATUS.get(error.status_code, "error.bad_request")
    limit = f"{error.limit / 1_000_000:.2g}" if isinstance(error, TooLarge) else ""
    return respond(request, Failure(error.status_code, key, {"limit": limit}, error.headers or {}))


def _on_validation(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    # What was sent is not repeated: only where it is wrong and why.
    faults = [{"where": [str(part) for part in fault["loc"]], "why": fault["msg"]} for fault in error.errors()]
    in_address = any(fault["where"][:1] == ["path"] for fault in faults)
    if in_address and not local_path(request).startswith("/api/"):
        return respond(request, Failure(404, "error.not_found"))
    return respond(request, Failure(422, "error.bad_request", detail=faults))


def _texts(request: Request) -> Texts:
    known: Texts | None = getattr(request.state, "texts", None)
    return known or texts_in(language_of(request, services_of(request), LANGUAGES))


def _wants_json(request: Request) -> bool:
    return local_path(request).startswith("/api/") or "application/json" in request.headers.get("accept", "")


def _bare_context(request: Request, texts: Texts) -> dict[str, Any]:
    """The context of the base template, made without the database."""
    return {
        "t": texts,
        "language": texts.language,
        "languages": (),
        "root": root_of(request),
        "here": local_path(request),
        "return_to": "/",
        "study_title": texts("page.made_with"),
        "contact": None,
        "annotator": None,
        "leader": None,
        "is_leader": local_path(request).startswith("/leader"),
    }


def _kept(request: Request, failure: Failure) -> list[tuple[str, str]]:
    """The fields of a form that could not be saved, so that it can be sent again unchanged."""
    form: FormData = getattr(request.state, "form", FormData())
    if failure.status not in (503, 507) or not local_path(request).startswith("/batch/"):
        return []
    return [(name, value) for name, value in form.multi_items() if isinstance(value, str)]


class LastResort(HttpMiddleware):
    """ASGI middleware for unexpected errors: a page with a reference, and the traceback in the log."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; respond with 500 if it raises."""
        begun = False

        async def send_noting(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, send_noting)
        except ClientDisconnect:
            logger.info("%s %s: the client went away", scope["method"], route_pattern(scope))
        except Exception:
            reference = secrets.token_hex(4)
            logger.exception("error %s in %s %s", reference, scope["method"], route_pattern(scope))
            if begun:
                raise
            failure = Failure(500, "error.internal", detail={"reference": reference})
            await respond(Request(scope, receive), failure)(scope, receive, send)
