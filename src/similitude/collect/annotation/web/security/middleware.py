"""The base of our ASGI middleware, which handles HTTP requests only."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["HttpMiddleware", "route_pattern"]


class HttpMiddleware:
    """ASGI middleware that handles HTTP requests and passes everything else on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an HTTP request; pass anything else on."""
        await (self.handle if scope["type"] == "http" else self.app)(scope, receive, send)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an HTTP request."""
        await self.app(scope, receive, send)


def route_pattern(scope: Scope) -> str:
    """The root of the study and the pattern of the route that a request came to: unlike the path, it has no secret."""
    return str(scope.get("root_path", "")) + str(getattr(scope.get("route"), "path", "(no route)"))
