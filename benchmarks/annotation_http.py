"""A minimal HTTP client for `annotation_load.py`: one open connection, cookies, forms, and a stopwatch.

Two hundred clients run in one process beside the server under test, so each request must be cheap. The client
therefore uses no HTTP library, only a few lines of parsing.
"""

from __future__ import annotations

import asyncio
import html
import json
import math
import re
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlencode

REDIRECTS = (301, 302, 303, 307)
PATIENCE = 120.0
"""Seconds after which a request counts as failed."""
_FORM = re.compile(r'<form[^>]*\baction="([^"]*)"')
_HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)"')


class Page(NamedTuple):
    """A response, and where it was found."""

    path: str
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def form(self) -> tuple[str, dict[str, str]]:
        """The address of the page's first form, and its hidden fields."""
        begin = _FORM.search(self.text)
        if begin is None:
            raise ValueError(f"no form on {self.path} ({self.status})")
        end = self.text.find("</form>", begin.end())
        fields = _HIDDEN.findall(self.text, begin.end(), end)
        return begin[1], {name: html.unescape(value) for name, value in fields}


@dataclass
class Log:
    """What happened: how long each request took by kind, and what went wrong."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)

    def note(self, kind: str, spent: float, status: int) -> None:
        """Write down one request."""
        self.seconds.setdefault(kind, []).append(spent)
        if status >= 400:
            self.errors[f"{kind}: {status}"] += 1

    @property
    def requests(self) -> int:
        """How many were answered."""
        return sum(map(len, self.seconds.values()))

    def percentile(self, kind: str, share: float) -> float:
        """The milliseconds that this share of the requests of a kind stayed within; nan where there were none."""
        ordered = sorted(self.seconds.get(kind, []))
        return 1000 * ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else math.nan


class Browser:
    """One person's browser; a connection that broke is opened again with the next request."""

    def __init__(self, port: int, log: Log) -> None:
        self.port = port
        self.log = log
        self.cookies: dict[str, str] = {}
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str, kind: str = "page") -> Page:
        """Open a page."""
        return await self._follow(await self.request("GET", path, kind=kind))

    async def post(self, path: str, fields: Mapping[str, str], kind: str = "page") -> Page:
        """Send a form, and open the page that it leads to."""
        return await self._follow(await self.request("POST", path, kind=kind, fields=fields))

    async def submit(self, page: Page, kind: str = "page", **fields: str) -> Page:
        """Send the page's first form with its hidden fields and these."""
        address, hidden = page.form
        return await self.post(address, {**hidden, **fields}, kind)

    async def request(self, method: str, path: str, *, kind: str = "page", **sent: Any) -> Page:
        """One request with ``fields`` of a form or ``document`` for JSON; no redirects followed.

        Raises:
            ConnectionError: the server could not be reached, or did not answer.
        """
        begun = time.perf_counter()
        try:
            page = await asyncio.wait_for(self._exchange(method, path, sent), PATIENCE)
        except (OSError, EOFError, TimeoutError, ValueError) as error:
            await self.close()
            self.log.errors[f"{kind}: {type(error).__name__}"] += 1
            raise ConnectionError(f"{method} {path}: {error!r}") from error
        self.log.note(kind, time.perf_counter() - begun, page.status)
        return page

    async def close(self) -> None:
        """Close the connection; cookies are kept."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None

    async def _follow(self, page: Page) -> Page:
        for _ in range(5):
            if page.status not in REDIRECTS:
                break
            page = await self.request("GET", page.headers["location"])
        return page

    async def _exchange(self, method: str, path: str, sent: Mapping[str, Any]) -> Page:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        reader, writer = self._streams
        writer.write(self._written(method, path, sent))
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = self._read_headers(lines[1:-2])
        body = await _body(reader, headers)
        if headers.get("connection", "").lower() == "close":
            await self.close()
        return Page(path, int(lines[0].split(" ", 2)[1]), headers, body.decode())

    def _written(self, method: str, path: str, sent: Mapping[str, Any]) -> bytes:
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Language: en\r\n"
        body = b""
        if self.cookies:
            head += "Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()) + "\r\n"
        for name, value in {"Accept": "text/html", **sent.get("headers", {})}.items():
            head += f"{name}: {value}\r\n"
        if "fields" in sent:
            body, media = urlencode(sent["fields"]).encode(), "application/x-www-form-urlencoded"
        elif "document" in sent:
            body, media = json.dumps(sent["document"]).encode(), "application/json"
        if body:
            head += f"Content-Type: {media}\r\nContent-Length: {len(body)}\r\n"
        return head.encode() + b"\r\n" + body

    def _read_headers(self, lines: list[str]) -> dict[str, str]:
        headers = {}
        for line in lines:
            name, _, value = line.partition(":")
            if name.lower() == "set-cookie":
                cookie, _, content = value.strip().partition(";")[0].partition("=")
                self.cookies[cookie] = content
            headers[name.lower()] = value.strip()
        return headers


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> bytes:
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    if headers.get("transfer-encoding") != "chunked":
        return await reader.read() if headers.get("connection", "").lower() == "close" else b""
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readline()
    await reader.readline()
    return b"".join(parts)
