"""A limit on the size of request bodies."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from similitude.collect.annotation.web.security.middleware import HttpMiddleware

__all__ = ["BodyLimit"]


class BodyLimit(HttpMiddleware):
    """ASGI middleware that responds with 413 to bodies of more than ``limit`` bytes, whatever the header says."""

    def __init__(self, app: ASGIApp, *, limit: int) -> None:
        super().__init__(app)
        self.limit = limit

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and count the bytes that are read."""
        announced = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        read = 0

        async def receive_counting() -> Message:
            nonlocal read
            if announced.isdigit() and int(announced[:15]) > self.limit:
                raise HTTPException(413)
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.limit:
                raise HTTPException(413)
            return message

        await self.app(scope, receive_counting, send)
