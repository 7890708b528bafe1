"""Roles of routes: every route has one, and none can be registered without."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from fastapi import Depends, FastAPI, Request
from fastapi.routing import APIRoute
from starlette.datastructures import FormData
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope as RequestScope

from similitude.collect.annotation.records import Scope
from similitude.collect.annotation.web.addresses import local_path
from similitude.collect.annotation.web.guard import Guard, Role
from similitude.collect.annotation.web.security.fields import check_address, read_form

__all__ = ["SECURITY", "PlainRoute", "Role", "Routes", "role_of"]

SECURITY = "token"
"""The name of the tokens in the OpenAPI description."""

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class Stated(NamedTuple):
    """A route with its role."""

    method: str
    path: str
    role: Role
    endpoint: Callable[..., Any]
    options: dict[str, Any]


PlainEndpoint = Callable[[Request], Awaitable[Response]]


class PlainRoute(Route):
    """A route of the hot path: its endpoint gets the bare request, and checks the role in its own transaction."""

    def __init__(self, path: str, endpoint: PlainEndpoint, *, method: str, role: Role) -> None:
        super().__init__(path, endpoint, methods=[method])
        self.role = role

    def matches(self, scope: RequestScope) -> tuple[Match, RequestScope]:
        """As usual; the access log finds the route's pattern."""
        match, found = super().matches(scope)
        return match, {**found, "route": self}


class Routes:
    """The routes of one module, with a default role, and for those of tokens a default scope.

    >>> pages = Routes(Role.LEADER, prefix="/leader")
    >>> @pages.get("/audit")
    ... def audit() -> None: ...
    >>> pages.stated[0].path, pages.stated[0].role.value
    ('/leader/audit', 'leader')
    """

    def __init__(self, role: Role, *, prefix: str = "", scope: Scope | None = None) -> None:
        self.role = role
        self.prefix = prefix
        self.scope = scope
        self.stated: list[Stated] = []
        self.plain: list[PlainRoute] = []

    def get(self, path: str, *, role: Role | None = None, **options: Any) -> Callable[[Endpoint], Endpoint]:
        """Register a GET route; ``scope`` is the one that a token needs for it."""
        return self._route("GET", path, role, options)

    def post(self, path: str, *, role: Role | None = None, **options: Any) -> Callable[[Endpoint], Endpoint]:
        """Register a POST route; ``scope`` is the one that a token needs for it."""
        return self._route("POST", path, role, options)

    def delete(self, path: str, *, role: Role | None = None, **options: Any) -> Callable[[Endpoint], Endpoint]:
        """Register a DELETE route."""
        return self._route("DELETE", path, role, options)

    def plain_post(self, path: str) -> Callable[[PlainEndpoint], PlainEndpoint]:
        """Register a POST route of the hot path; see `PlainRoute`. They are found before all others."""

        def remember(endpoint: PlainEndpoint) -> PlainEndpoint:
            self.plain.append(PlainRoute(self.prefix + path, endpoint, method="POST", role=self.role))
            return endpoint

        return remember

    def _route(
        self, method: str, path: str, role: Role | None, options: dict[str, Any]
    ) -> Callable[[Endpoint], Endpoint]:
        def remember(endpoint: Endpoint) -> Endpoint:
            self.stated.append(Stated(method, self.prefix + path, role or self.role, endpoint, options))
            return endpoint

        return remember

    def attach(self, app: FastAPI) -> None:
        """Add the routes to an app, each behind the guard of its role."""
        app.router.routes[:0] = self.plain
        for stated in self.stated:
            options = {"response_model": None, "include_in_schema": stated.role is Role.TOKEN, **stated.options}
            scope = options.pop("scope", self.scope)
            if stated.role is Role.TOKEN:
                assert scope is not None, f"{stated.path} has no scope"
                options["openapi_extra"] = {"security": [{SECURITY: [scope]}]}
            guard = Guard(stated.role, scope)
            app.add_api_route(
                stated.path,
                stated.endpoint,
                methods=[stated.method],
                dependencies=[Depends(_read_request), Depends(guard)],
                **options,
            )


def role_of(route: BaseRoute) -> Role | None:
    """The role of a route; None if it has no guard, which a test forbids."""
    if isinstance(route, PlainRoute):
        return route.role
    if not isinstance(route, APIRoute):
        return None
    guards = [each.call for each in route.dependant.dependencies if isinstance(each.call, Guard)]
    return guards[0].role if guards else None


async def _read_request(request: Request) -> AsyncIterator[None]:
    check_address(request)
    reads_form = request.method == "POST" and not local_path(request).startswith("/api/")
    form = request.state.form = await read_form(request) if reads_form else FormData()
    try:
        yield
    finally:
        await form.close()  # files that were sent are kept on disk until now
