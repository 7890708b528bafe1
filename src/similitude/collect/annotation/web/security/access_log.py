"""The access log: one line per request, with the route's pattern and never the path, which may hold a token."""

from __future__ import annotations

import logging
import time

from starlette.types import Message, Receive, Scope, Send

from similitude.collect.annotation.web.security.middleware import HttpMiddleware, route_pattern

__all__ = ["AccessLog"]

GONE = 499
"""Written where nothing was sent, because the client went away: nginx's number for it."""

logger = logging.getLogger("similitude.annotation.access")


class AccessLog(HttpMiddleware):
    """ASGI middleware that writes method, route pattern, status and milliseconds."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and write its line after the response."""
        begun = time.perf_counter()
        status = GONE

        async def send_noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_noting)
        finally:
            milliseconds = 1000 * (time.perf_counter() - begun)
            logger.info("%s %s %d %.0f ms", scope["method"], route_pattern(scope), status, milliseconds)
