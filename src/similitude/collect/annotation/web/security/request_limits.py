"""Limits on how long and how large a request may be until it has arrived, at the level of the connection.

Without them, clients that send half a request keep a connection each for as long as they like.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["LimitedProtocol"]

HEADER_SECONDS = 15.0
"""From the connection, or the first byte of a later request, to the last header."""
IDLE_SECONDS = 20.0
"""Between two pieces of a body."""
BODY_SECONDS = 600.0
"""For a whole body: an upload over a slow line."""
MOST_HEADERS = 65_536
"""Bytes of address and headers."""

_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class LimitedProtocol(HttpToolsProtocol):
    """uvicorn's protocol, which closes connections whose request does not arrive in time, or has too large headers."""

    _timer: asyncio.TimerHandle | None = None
    _end_of_body = 0.0
    _header_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._wait(None)
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Begin to wait for the headers; on a connection that is kept, this is the next request."""
        super().on_message_begin()
        self._header_bytes = 0
        if self._timer is None:
            self._wait(HEADER_SECONDS)

    def on_url(self, url: bytes) -> None:
        """Count the address."""
        super().on_url(url)
        self._count(len(url))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header."""
        super().on_header(name, value)
        self._count(len(name) + len(value))

    def on_headers_complete(self) -> None:
        """Begin to wait for the body."""
        if self.transport.is_closing():
            return
        self._end_of_body = self.loop.time() + BODY_SECONDS
        self._wait(IDLE_SECONDS)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Wait for the next piece."""
        left = self._end_of_body - self.loop.time()
        self._wait(max(0.0, min(IDLE_SECONDS, left)))
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait no more: the rest is ours."""
        self._wait(None)
        if not self.transport.is_closing():
            super().on_message_complete()

    def _wait(self, seconds: float | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._close, _TOO_SLOW)

    def _count(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > MOST_HEADERS:
            self._close(_TOO_LARGE)

    def _close(self, told: bytes) -> None:
        cycle: Any = self.cycle
        if not self.transport.is_closing():
            if cycle is None or cycle.response_complete or not cycle.response_started:
                self.transport.write(told)
            self.transport.close()
