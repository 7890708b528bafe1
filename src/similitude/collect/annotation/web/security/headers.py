"""Security headers: load nothing from elsewhere, run no inline script, cache nothing."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from similitude.collect.annotation.web.security.middleware import HttpMiddleware

__all__ = ["FRAMES_OURS", "HardeningHeaders", "content_security_policy"]

_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
}

LEADERS = ("/leader", "/docs")
"""How the addresses of leaders' pages begin."""


def content_security_policy(*, frame_ancestors: Sequence[str] = (), form_targets: Sequence[str] = ()) -> str:
    """The content security policy of all pages.

    Args:
        frame_ancestors: origins that may show the pages in a frame (for MTurk); none by default.
        form_targets: other origins that a form may be sent to (for MTurk).

    >>> content_security_policy().split("; ")[-1]
    "frame-ancestors 'none'"
    """
    ours = "'self'"
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {ours}",
            f"style-src {ours}",
            f"img-src {ours}",
            f"connect-src {ours}",
            f"form-action {' '.join((ours, *form_targets))}",
            "base-uri 'none'",
            f"frame-ancestors {' '.join(frame_ancestors) or repr('none')}",
        )
    )


FRAMES_OURS = f"{content_security_policy()}; frame-src 'self'"
"""The policy of a page that shows other pages of ours in frames: the preview of a study."""


class HardeningHeaders(HttpMiddleware):
    """ASGI middleware that adds the headers to every response, errors and files included.

    A response may have a policy of its own: pages of a preview may be shown in a frame of our own pages.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        frame_ancestors: Sequence[str] = (),
        form_targets: Sequence[str] = (),
        encrypted: bool = True,
    ) -> None:
        super().__init__(app)
        common = {**_ALWAYS, **({"Strict-Transport-Security": "max-age=31536000"} if encrypted else {})}
        policy = content_security_policy(frame_ancestors=frame_ancestors, form_targets=form_targets)
        unframed = {} if frame_ancestors else {"X-Frame-Options": "DENY"}
        self.annotators = {**common, "Content-Security-Policy": policy, **unframed}
        self.leaders = {**common, "Content-Security-Policy": content_security_policy(), "X-Frame-Options": "DENY"}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and add the headers when the response starts; no site frames a leader's page."""
        path = scope["path"].removeprefix(scope.get("root_path", ""))
        added = self.leaders if path.startswith(LEADERS) else self.annotators

        async def send_hardened(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in added.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, send_hardened)
