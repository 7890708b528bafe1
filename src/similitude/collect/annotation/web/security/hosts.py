"""The check of the Host header: requests for other names are refused.

Otherwise a page of a stranger whose name leads to this machine could speak with the server as its own (DNS
rebinding), and links made from the header could lead elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from similitude.collect.annotation.web.security.middleware import HttpMiddleware

__all__ = ["KnownHosts", "known_hosts"]

LOCAL = ("localhost", "127.0.0.1", "::1")
REFUSED = "This server has other names: see --public-url, --host and --also-known-as.\n"
EVERYWHERE = ("0.0.0.0", "::", "")


def known_hosts(listening: str, public_url: str | None, further: Sequence[str] = ()) -> tuple[str, ...]:
    """The names that a server may be called by; none means any.

    A server that listens on all addresses and was told no public address cannot know its names.

    >>> known_hosts("127.0.0.1", "https://judge.example.org")
    ('127.0.0.1', '::1', 'judge.example.org', 'localhost')
    >>> known_hosts("0.0.0.0", None)
    ()
    """
    public = urlsplit(public_url).hostname if public_url else None
    if listening in EVERYWHERE and public is None and not further:
        return ()
    named = {*LOCAL, *further, *([public] if public else []), *([listening] if listening not in EVERYWHERE else [])}
    return tuple(sorted(name.lower() for name in named))


class KnownHosts(HttpMiddleware):
    """ASGI middleware that responds with 421 to requests for other names."""

    def __init__(self, app: ASGIApp, *, hosts: Sequence[str]) -> None:
        super().__init__(app)
        self.hosts = frozenset(hosts)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, if it is for one of our names."""
        given = [value for name, value in scope["headers"] if name == b"host"]
        if self.hosts and (len(given) != 1 or _name(given[0]) not in self.hosts):
            told = (
                "This server does not have that name. Its names come from --public-url, --host and --also-known-as.\n"
            )
            await PlainTextResponse(told, 421)(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _name(header: bytes) -> str:
    try:
        return urlsplit(f"//{header.decode('ascii')}").hostname or ""
    except ValueError:  # not ASCII, or no address
        return ""
