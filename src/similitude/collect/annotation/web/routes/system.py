"""Static files, health, and the description of the API."""

from __future__ import annotations

from typing import Any

from fastapi import Request
from starlette.responses import JSONResponse, Response

from similitude.collect.annotation.records import SCOPES
from similitude.collect.annotation.store import ping
from similitude.collect.annotation.web.addresses import public_base
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.renderer import STATIC, static_file
from similitude.collect.annotation.web.roles import SECURITY, Routes
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.services import services_of
from similitude.collect.annotation.web.visit import CurrentVisit

__all__ = ["pages"]

pages = Routes(Role.PUBLIC)

ONE_YEAR = "public, max-age=31536000, immutable"


@pages.get("/static/{name}")
def static(name: str) -> Response:
    """Our style sheet, script and icon."""
    if name not in STATIC:
        raise Refusal(404, "error.not_found")
    return Response(static_file(name), media_type=STATIC[name], headers={"Cache-Control": ONE_YEAR})


@pages.get("/healthz")
def health(request: Request) -> JSONResponse:
    """Whether the server and its database answer, for monitoring."""
    ping(services_of(request).database)
    return JSONResponse({"status": "ok"})


@pages.get("/openapi.json", role=Role.LEADER_OR_TOKEN)
def openapi(request: Request) -> JSONResponse:
    """The OpenAPI description."""
    return JSONResponse(_described(request))


@pages.get("/docs", role=Role.LEADER)
def docs(visit: CurrentVisit) -> Response:
    """The API for people to read. This is our own page, because the usual one loads scripts from elsewhere."""
    described = _described(visit.request)
    operations = _operations(described)
    example = described["servers"][0]["url"] + operations[0]["path"]
    return visit.page("docs.html", operations=operations, example=example)


def _described(request: Request) -> dict[str, Any]:
    """The description of the API: where it is, and what a token may do."""
    described: dict[str, Any] = request.app.openapi()
    about = f"A leader's token. Its scopes: {', '.join(SCOPES)}."
    token = {"type": "http", "scheme": "bearer", "description": about}
    base = public_base(request, services_of(request).settings.public_url)
    components = {**described.get("components", {}), "securitySchemes": {SECURITY: token}}
    return {**described, "servers": [{"url": base}], "components": components}


def _operations(described: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "method": method.upper(),
            "path": path,
            "scope": operation["security"][0][SECURITY][0],
            "summary": operation.get("summary", ""),
            "description": operation.get("description", ""),
            "parameters": [
                f"{each['name']} ({each['in']})" + ("" if each.get("required") else "?")
                for each in operation.get("parameters", [])
            ],
            "body": _body(operation, described),
        }
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    ]


def _body(operation: dict[str, Any], described: dict[str, Any]) -> str:
    """The names of the fields of a request's body."""
    content = operation.get("requestBody", {}).get("content", {})
    for kind, media in content.items():
        reference = media.get("schema", {}).get("$ref", "").rpartition("/")[2]
        fields = described.get("components", {}).get("schemas", {}).get(reference, {}).get("properties", {})
        return ", ".join(fields) or kind
    return ""
