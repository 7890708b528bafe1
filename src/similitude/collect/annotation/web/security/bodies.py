"""Limits on the size of request bodies, before they are read."""

from __future__ import annotations

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from similitude.collect.annotation.web.security.middleware import HttpMiddleware

__all__ = ["ANYBODY", "BodyLimit", "TooLarge"]

ANYBODY = 65_536
"""Bytes that anybody may send to any address: no form for visitors is longer."""


class TooLarge(HTTPException):
    """A body over the limit of its sender and its address, in bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(413)
        self.limit = limit


class BodyLimit(HttpMiddleware):
    """ASGI middleware that refuses bodies that are too large, whatever their header says, and reads no more of them.

    Args:
        app: the app.
        allowed: how many bytes the sender of a request may send to its address. It is asked only about bodies over
            `ANYBODY`, before more of them is read; it may raise an `HTTPException`.
    """

    def __init__(self, app: ASGIApp, *, allowed: Callable[[Request], int]) -> None:
        super().__init__(app)
        self.allowed = allowed

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and count the bytes that are read."""
        header = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        announced = int(header[:15]) if header.isdigit() else 0
        read, limit = 0, ANYBODY

        async def check(size: int) -> None:
            nonlocal limit
            if size > limit == ANYBODY:
                limit = await run_in_threadpool(self.allowed, Request(scope))
            if size > limit:
                raise TooLarge(limit)

        async def receive_counting() -> Message:
            nonlocal read
            await check(announced)
            message = await receive()
            read += len(message.get("body", b""))
            await check(read)
            return message

        await self.app(scope, receive_counting, send)
