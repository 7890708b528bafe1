"""What every request needs: the database, how the server is run, the clock, the limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.requests import Request

from similitude.collect.annotation.store import Database
from similitude.collect.annotation.web.analysis import Analysis
from similitude.collect.annotation.web.security.throttle import Throttle
from similitude.collect.annotation.web.server_options import ServerOptions

__all__ = ["Services", "services_of", "utc_now"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """What the routes are handed.

    Attributes:
        wrong_links: how often an address may try invitations and API tokens that are not known.
        entries: how often an address may come in without an invitation.
    """

    database: Database
    settings: ServerOptions
    clock: Callable[[], datetime]
    analysis: Analysis
    wrong_links: Throttle
    entries: Throttle


def utc_now() -> datetime:
    """The time."""
    return datetime.now(UTC)


def services_of(request: Request) -> Services:
    """The services of the app that a request came to."""
    services: Services = request.app.state.services
    return services
