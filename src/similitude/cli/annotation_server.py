"""The process of the annotation server: uvicorn, its workers, and the figures for the dashboard."""

from __future__ import annotations

import json
import logging
import os
import socket
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from similitude.errors import ArgumentError, MissingExtraError

if TYPE_CHECKING:
    from similitude.collect.annotation.web import Comparisons, Figure, Pairs, ServerOptions
    from similitude.data.judgements import Judgements

__all__ = ["Service", "analyse", "comparisons", "run_server", "worker_app"]

PATIENCE = 60
"""Seconds after which a worker that does not answer is replaced: a busy machine needs more than uvicorn's five."""
HANDED_ON = "SIMILITUDE_ANNOTATION_SERVICE"
"""The environment variable that tells worker processes, which uvicorn starts, what to serve."""
MOST_FILES = 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What to serve and how.

    ``folder`` is that of many studies; without it, ``database`` is that of one study. ``public_url`` is where people
    reach it, where that is not the address it listens on; ``proxies`` the addresses whose word on who is calling is
    taken; ``names`` further names by which people may call it. ``earlier`` is the database of the study that one study
    follows, ``persons`` that of the persons across them.
    """

    database: str | None
    host: str
    port: int
    workers: int
    secure: bool
    mturk: bool = False
    folder: str | None = None
    public_url: str | None = None
    earlier: str | None = None
    persons: str | None = None
    proxies: str | None = None
    names: tuple[str, ...] = ()


def run_server(service: Service) -> None:
    """Serve until stopped.

    Raises:
        MissingExtraError: uvicorn or FastAPI are not installed.
        ArgumentError: the port is taken.
    """
    try:
        import uvicorn
    except ModuleNotFoundError:
        raise MissingExtraError("the annotation server", "annotate") from None
    from similitude.collect.annotation.web.security.request_limits import LimitedProtocol

    _check_free(service.host, service.port)
    _allow_files()
    os.environ[HANDED_ON] = json.dumps(asdict(service))
    uvicorn.run(
        "similitude.cli.annotation_server:worker_app",
        factory=True,
        host=service.host,
        port=service.port,
        workers=service.workers,
        http=LimitedProtocol,
        timeout_keep_alive=65,  # people read for longer than the usual five seconds
        access_log=False,  # uvicorn's holds whole addresses, and those of invitations are secrets
        server_header=False,
        forwarded_allow_ips=service.proxies,
        timeout_worker_healthcheck=PATIENCE,
    )


def _allow_files() -> None:
    """Let the process open as many files as many studies and people need, where the system allows it."""
    try:
        import resource
    except ModuleNotFoundError:  # not on Windows, which has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _check_free(host: str, port: int) -> None:
    try:
        kind, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(kind) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(address)
    except OSError as error:
        what = f"cannot listen: {error.strerror or error}"
        raise ArgumentError(what, where=f"{host}:{port}", remedy="use another --host or --port") from None


def worker_app() -> Any:
    """Make the web application of one worker process."""
    from similitude.collect.annotation.web import ServerOptions
    from similitude.collect.annotation.web.security.hosts import known_hosts
    from similitude.collect.annotation.web.server_options import MTURK_ORIGINS

    _log_requests()
    service = Service(**json.loads(os.environ[HANDED_ON]))
    origins = MTURK_ORIGINS if service.mturk else ()
    settings = ServerOptions(
        secure_cookies=service.secure,
        frame_ancestors=origins,
        form_targets=origins,
        public_url=service.public_url,
        hosts=known_hosts(service.host, service.public_url, service.names),
    )
    return (_study_app if service.folder is None else _console_app)(service, settings)


def _study_app(service: Service, settings: ServerOptions) -> Any:
    from similitude.collect.annotation.store import open_database
    from similitude.collect.annotation.web import create_app

    assert service.database is not None
    earlier, persons = (
        None if url is None else open_database(url, create=False) for url in (service.earlier, service.persons)
    )
    return create_app(
        open_database(service.database, create=False),
        persons=persons,
        earlier=lambda: earlier,
        analyse=analyse,
        comparisons=comparisons(),
        settings=settings,
    )


def _console_app(service: Service, settings: ServerOptions) -> Any:
    from similitude.collect.annotation.shelf import StudyShelf
    from similitude.collect.annotation.web.console import create_console

    assert service.folder is not None
    shelf = StudyShelf(service.folder, service.database)
    return create_console(shelf, analyse=analyse, comparisons=comparisons(), settings=settings)


def _log_requests() -> None:
    """Log requests to standard error, without secrets."""
    logger = logging.getLogger("similitude.annotation")
    logger.setLevel(logging.INFO)
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        logger.addHandler(handler)


def analyse(judgements: Judgements) -> Sequence[Figure]:
    """The figures of the dashboard: those of `similitude reliability` with default settings."""
    from similitude.collect.annotation.web import Figure
    from similitude.gold.reliability.agreement_figures import agreement_figures

    return [
        Figure(one.name, *one.estimate[:3], note=one.estimate.reason or one.what, by_chance=one.by_chance)
        for one in agreement_figures(judgements)
    ]


def comparisons() -> Comparisons:
    """The functions behind the charts: the first figure of `similitude reliability`, and agreement of pairs."""
    from similitude.collect.annotation.web import Comparisons

    return Comparisons(_headline, _pairs)


def _headline(judgements: Judgements) -> Figure | None:
    from similitude.collect.annotation.web import Figure
    from similitude.gold.reliability.agreement_figures import headline_figure

    one = headline_figure(judgements)
    return None if one is None else Figure(one.name, *one.estimate[:3], note=one.estimate.reason or one.what)


def _pairs(judgements: Judgements) -> Pairs:
    from similitude.collect.annotation.web import PairFigure, Pairs
    from similitude.gold.reliability.pair_table import pair_measure, pair_table

    rows = pair_table(judgements).rows()
    figures = (
        PairFigure(one, other, shared, float("nan") if value is None else value) for one, other, shared, value in rows
    )
    return Pairs(pair_measure(judgements), tuple(figures))
