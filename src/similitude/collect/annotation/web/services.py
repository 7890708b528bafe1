"""The services of the app: database, options, clock, analysis and limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.requests import Request

from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.store import Database, WriteLane
from similitude.collect.annotation.store.stage_flow import Flow
from similitude.collect.annotation.web.analysis import Analysis
from similitude.collect.annotation.web.fixed_parts import PartsOfVersions
from similitude.collect.annotation.web.security.throttle import Throttle
from similitude.collect.annotation.web.server_options import ServerOptions
from similitude.collect.annotation.web.study_charts import StudyCharts

__all__ = ["Services", "services_of", "utc_now"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """The services that routes use.

    Attributes:
        lane: for the writes of the hot path.
        parts: the fixed parts of the study's pages.
        console: the database of leaders, their sessions and tokens; for a study that is served alone, its own.
        slug: the name of the study among the studies of this server; empty if it is served alone.
        persons: the database of the persons across studies and of their pools: the console's, or for studies that are
            served alone, that of the first of them.
        flow: takes what the earlier study gives, if this one follows another.
        shelf: all studies of the server; None for a study that is served alone.
        is_console: whether these are the services of the console's own pages, which belong to no study. Its
        ``database`` is that of the console.
        wrong_links: the limit on unknown invitations and API tokens per address.
        entries: the limit on entries without an invitation per address.
    """

    database: Database
    lane: WriteLane
    parts: PartsOfVersions
    console: Database
    slug: str
    persons: Database
    flow: Flow
    settings: ServerOptions
    clock: Callable[[], datetime]
    analysis: Analysis
    charts: StudyCharts
    wrong_links: Throttle
    entries: Throttle
    shelf: StudyShelf | None = None
    is_console: bool = False


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def services_of(request: Request) -> Services:
    """The services of a request's app."""
    services: Services = request.app.state.services
    return services
