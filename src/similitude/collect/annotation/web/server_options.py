"""How the server is run: what does not belong to the study but to the place where it stands."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["MTURK_ORIGINS", "ServerOptions"]

MTURK_ORIGINS = (
    "https://worker.mturk.com",
    "https://workersandbox.mturk.com",
    "https://www.mturk.com",
)
"""Where MTurk shows our pages in a frame and takes finished work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """How the server is run.

    Attributes:
        secure_cookies: cookies travel over HTTPS alone. Off only for plain HTTP on this machine's own address.
        frame_ancestors: origins that may show the pages in a frame. With any, cookies are allowed inside that frame
            (SameSite=None, partitioned), which needs HTTPS.
        form_targets: origins, beside our own, that a finished annotator may be sent to by a form. For MTurk both are
            `MTURK_ORIGINS`.
        largest_body: bytes that a request may hold.
        analysis_seconds: how long the figures of the dashboard are kept before they are computed again.
        login_attempts: attempts to log in in a quarter of an hour, for each name and for each address.
        wrong_links: unknown invitations or API tokens tried in a quarter of an hour from one address.
        entries: people who may come in without an invitation in a quarter of an hour from one address; a whole
            classroom may share one.
        public_url: how people reach the server, for links in invitations; by default as the leader's browser does.
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

    @property
    def framed(self) -> bool:
        """Whether the pages may stand in a frame of another site."""
        return bool(self.frame_ancestors)
