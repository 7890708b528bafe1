"""Options of the server, as opposed to the study that it serves."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MTURK_ORIGINS", "ServerOptions"]

MTURK_ORIGINS = (
    "https://worker.mturk.com",
    "https://workersandbox.mturk.com",
    "https://www.mturk.com",
)
"""The origins where MTurk shows our pages in a frame and accepts finished work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """Options of the server.

    Attributes:
        secure_cookies: cookies are sent over HTTPS only. Turn this off only for plain HTTP on the loopback address.
        frame_ancestors: origins that may show the pages in a frame. If there are any, cookies work in that frame
        (SameSite=None, partitioned), which needs HTTPS.
        form_targets: other origins that a finished annotator's form may be sent to. For MTurk both are `MTURK_ORIGINS`.
        largest_body: the largest request body, in bytes.
        analysis_seconds: how long the dashboard keeps its figures before it computes them again.
        login_attempts: failed logins per quarter of an hour, for each name and each address, before further ones
        have to wait.
        wrong_links: unknown invitations or API tokens per quarter of an hour and address.
        entries: entries without an invitation per quarter of an hour and address; a whole classroom may share an
        address.
        public_url: the address of the server in invitation links; by default the one that the leader's browser uses.
        hosts: the names that requests may be sent to; empty means any.
    """

    secure_cookies: bool = True
    frame_ancestors: tuple[str, ...] = ()
    form_targets: tuple[str, ...] = ()
    largest_body: int = 10_000_000
    analysis_seconds: float = 20.0
    login_attempts: int = 10
    wrong_links: int = 50
    entries: int = 300
    public_url: str | None = None
    hosts: tuple[str, ...] = ()

    @property
    def framed(self) -> bool:
        """Whether another site may show the pages in a frame."""
        return bool(self.frame_ancestors)
