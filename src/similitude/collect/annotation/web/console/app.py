"""The ASGI app of a server with many studies."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from similitude._version import __version__
from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.store import WriteLane
from similitude.collect.annotation.store.stage_flow import Flow
from similitude.collect.annotation.web.agreement_track import Comparisons
from similitude.collect.annotation.web.analysis import Analyse, Analysis
from similitude.collect.annotation.web.app import QUARTER_OF_AN_HOUR, harden
from similitude.collect.annotation.web.console import api, server_leaders, studies, welcome
from similitude.collect.annotation.web.console.study_apps import StudyApps
from similitude.collect.annotation.web.fixed_parts import PartsOfVersions
from similitude.collect.annotation.web.routes import account, login, system
from similitude.collect.annotation.web.security.throttle import Throttle
from similitude.collect.annotation.web.server_options import ServerOptions
from similitude.collect.annotation.web.services import Services, utc_now
from similitude.collect.annotation.web.study_charts import StudyCharts
from similitude.collect.annotation.web.wizard import new_study_pages, opening_pages, settings_pages

__all__ = ["ConsoleApp", "create_console"]

ROOMS = (system, login, account, welcome, server_leaders, api, new_study_pages, settings_pages, opening_pages, studies)
PREFIX = "/s/"


def create_console(
    shelf: StudyShelf,
    *,
    analyse: Analyse | None = None,
    comparisons: Comparisons | None = None,
    settings: ServerOptions | None = None,
    clock: Callable[[], datetime] = utc_now,
) -> ConsoleApp:
    """The server of all studies on a shelf, as an ASGI app; see `create_app` for its log.

    Args:
        shelf: the studies and the console's database.
        analyse: computes the figures of agreement on each study's dashboard; without it there are none.
        comparisons: compute agreement over time and of pairs of people; without them there are no such charts.
        settings: the server's options.
        clock: gives the time, in UTC.
    """
    settings = settings or ServerOptions()
    app = FastAPI(title="Similitude console", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.services = Services(
        database=shelf.console,
        lane=WriteLane(shelf.console),
        parts=PartsOfVersions(),
        console=shelf.console,
        slug="",
        persons=shelf.console,
        flow=Flow(lambda: None),
        settings=settings,
        clock=clock,
        analysis=Analysis(None, lambda: None),
        charts=StudyCharts(shelf.console, None, clock=clock),
        wrong_links=Throttle(settings.wrong_links, QUARTER_OF_AN_HOUR),
        entries=Throttle(settings.entries, QUARTER_OF_AN_HOUR),
        shelf=shelf,
        is_console=True,
    )
    for room in ROOMS:
        room.pages.attach(app)
    studies_of_shelf = StudyApps(shelf, analyse=analyse, comparisons=comparisons, settings=settings, clock=clock)
    return ConsoleApp(harden(app, settings), studies_of_shelf)


class ConsoleApp:
    """Passes a request below ``/s/SLUG`` to the app of that study, and any other to the console's own pages."""

    def __init__(self, pages: FastAPI, studies: StudyApps) -> None:
        self.pages = pages
        self.studies = studies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        slug = _slug(scope)
        app = self.studies.known(slug) if slug else None
        if slug and app is None:  # it may have to be opened, which reads files
            app = await run_in_threadpool(self.studies.find, slug)
        if app is None:
            await self.pages(scope, receive, send)
            return
        root = scope.get("root_path", "") + PREFIX + slug
        await app({**scope, "root_path": root}, receive, send)


def _slug(scope: Scope) -> str:
    """The slug in the path of a request; empty if it has none."""
    if scope["type"] != "http":
        return ""
    path: str = scope["path"].removeprefix(scope.get("root_path", ""))
    return path.removeprefix(PREFIX).partition("/")[0] if path.startswith(PREFIX) else ""
