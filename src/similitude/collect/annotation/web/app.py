"""The ASGI app: routes, guards, error pages and headers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from fastapi import FastAPI

from similitude._version import __version__
from similitude.collect.annotation.shelf import StudyShelf
from similitude.collect.annotation.shelf.stages import earlier_database
from similitude.collect.annotation.store import Database, WriteLane, judgements
from similitude.collect.annotation.store.stage_flow import Flow
from similitude.collect.annotation.web.agreement_track import Comparisons
from similitude.collect.annotation.web.analysis import Analyse, Analysis
from similitude.collect.annotation.web.error_pages import LastResort, handle_errors
from similitude.collect.annotation.web.fixed_parts import PartsOfVersions
from similitude.collect.annotation.web.guard import largest_body
from similitude.collect.annotation.web.routes import (
    account,
    annotators,
    answers,
    answers_api,
    api,
    api_people,
    breaks,
    charts,
    consent,
    dashboard,
    entry,
    invitations,
    login,
    members,
    payment,
    people,
    person,
    person_work,
    plan_files,
    pools,
    reads,
    remark_list,
    remarks,
    save,
    stages,
    survey,
    system,
    transfer,
    work,
)
from similitude.collect.annotation.web.routes import submission as sending
from similitude.collect.annotation.web.security.access_log import AccessLog
from similitude.collect.annotation.web.security.bodies import BodyLimit
from similitude.collect.annotation.web.security.headers import HardeningHeaders
from similitude.collect.annotation.web.security.hosts import KnownHosts
from similitude.collect.annotation.web.security.throttle import Throttle
from similitude.collect.annotation.web.server_options import ServerOptions
from similitude.collect.annotation.web.services import Services, utc_now
from similitude.collect.annotation.web.study_charts import StudyCharts

__all__ = ["QUARTER_OF_AN_HOUR", "create_app", "harden"]

QUARTER_OF_AN_HOUR = 900.0
ROOMS = (
    *(system, entry, consent, reads, survey, breaks, sending, remarks, save, work, person),
    *(dashboard, answers, person_work, charts, people, payment, annotators, invitations, remark_list, stages, pools),
    *(transfer, api, api_people, answers_api),
)
"""The pages of a study."""
ALONE = (login, account)
"""The pages of a server, which a study that is served alone has too."""
SHELVED = (members, plan_files)
"""The further pages of a study on a server with many."""


def create_app(
    database: Database,
    *,
    console: Database | None = None,
    slug: str = "",
    persons: Database | None = None,
    earlier: Callable[[], Database | None] | None = None,
    shelf: StudyShelf | None = None,
    analyse: Analyse | None = None,
    comparisons: Comparisons | None = None,
    settings: ServerOptions | None = None,
    clock: Callable[[], datetime] = utc_now,
) -> FastAPI:
    """The annotation server as an ASGI app.

    Run it with uvicorn's own access log off (``access_log=False``): that log contains whole addresses, and those of
    invitations are secret. The logger ``similitude.annotation.access`` writes a line per request without secrets.

    Args:
        database: the database of the study and its answers.
        console: the database of leaders, their sessions and tokens; by default the study's own.
        slug: the name of the study among the studies of the server; empty if it is served alone.
        persons: the database of persons across studies; by default the console's.
        earlier: gives the database of the study that this one follows; by default the shelf is asked.
        shelf: all studies of the server; None if this one is served alone.
        analyse: computes the dashboard's figures of agreement; without it there are none.
        comparisons: compute agreement over time and of pairs of people; without them there are no such charts.
        settings: the server's options.
        clock: gives the time, in UTC.
    """
    settings = settings or ServerOptions()
    app = FastAPI(title="Similitude annotation", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.services = Services(
        database=database,
        lane=WriteLane(database),
        parts=PartsOfVersions(),
        console=console or database,
        slug=slug,
        persons=persons or console or database,
        flow=Flow(earlier or (earlier_database(shelf, slug) if shelf is not None else lambda: None)),
        settings=settings,
        clock=clock,
        analysis=Analysis(analyse, lambda: judgements(database), seconds=settings.analysis_seconds),
        charts=StudyCharts(database, comparisons, clock=clock, seconds=settings.analysis_seconds),
        wrong_links=Throttle(settings.wrong_links, QUARTER_OF_AN_HOUR),
        entries=Throttle(settings.entries, QUARTER_OF_AN_HOUR),
        shelf=shelf,
    )
    for room in (*ROOMS, *(ALONE if shelf is None else SHELVED)):
        room.pages.attach(app)
    return harden(app, settings)


def harden(app: FastAPI, settings: ServerOptions) -> FastAPI:
    """Add error pages, limits, the access log and security headers to an app."""
    handle_errors(app)
    # The last one added is the outermost.
    app.add_middleware(BodyLimit, allowed=largest_body)
    app.add_middleware(LastResort)
    app.add_middleware(KnownHosts, hosts=settings.hosts)
    app.add_middleware(AccessLog)
    app.add_middleware(
        HardeningHeaders,
        frame_ancestors=settings.frame_ancestors,
        form_targets=settings.form_targets,
        encrypted=settings.secure_cookies,
    )
    return app
