"""``similitude annotate serve``: one study, or all studies of a folder."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.annotate import DatabaseOption, PublicUrl
from similitude.cli.annotation_place import BY, Place, find_place, now
from similitude.cli.annotation_server import Service, run_server
from similitude.cli.annotation_stages import EarlierOption, stage_databases
from similitude.cli.console import print_notes, results
from similitude.errors import ArgumentError

__all__ = ["serve"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
DEFAULT_FOLDER = Path("studies")

ServedPlace = Annotated[
    Path | None,
    Parameter(
        metavar="STUDY|FOLDER",
        help="A study's TOML file, or a folder of studies. Without it, the folder 'studies', which is made.",
    ),
]


def serve(
    study: ServedPlace = None,
    /,
    *,
    host: Annotated[str, Parameter(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, parameters.number("The port to listen on; 0 for any.", least=0, most=65535)] = 8000,
    database: DatabaseOption = None,
    earlier: EarlierOption = None,
    workers: Annotated[int, parameters.number("Processes; several need PostgreSQL.", least=1, most=64)] = 1,
    secure: Annotated[
        bool | None,
        Parameter(negative="--no-secure", help="Send cookies over HTTPS only. The default unless the host is local."),
    ] = None,
    public_url: PublicUrl = None,
    proxies: Annotated[
        str | None, Parameter(metavar="ADDRESSES", help="Proxies trusted to name the client: 10.0.0.2.")
    ] = None,
    also_known_as: Annotated[
        tuple[str, ...],
        Parameter(metavar="NAME", negative="", help="A further name of the server; requests for others are refused."),
    ] = (),
    quiet: options.Quiet = False,
) -> None:
    """Serve STUDY, or all studies of FOLDER, each at /s/NAME. Existing answers stay.

    If nobody leads the studies of FOLDER yet, a link is shown with which the first leader chooses a password.

    Example: similitude annotate serve study.toml --port 8080
    """
    place = find_place(_folder(study), database)
    service = Service(
        database=database,
        folder=None if place.plan is not None else str(place.path),
        host=host,
        port=port,
        workers=workers,
        secure=host not in LOOPBACK if secure is None else secure,
        public_url=public_url,
        proxies=proxies,
        names=also_known_as,
    )
    if place.plan is None:
        _prepare_folder(place, service, quiet=quiet)
        run_server(service)
    else:
        run_server(_prepared_study(place, service, earlier, quiet=quiet))


def _folder(study: Path | None) -> Path:
    """The place to serve; a folder of studies is made where there is none, and the server is installed."""
    import similitude.collect.annotation.store  # noqa: F401 - raises MissingExtraError

    if study is None:
        results.print(f"studies are kept in {DEFAULT_FOLDER.absolute()}", markup=False, highlight=False, soft_wrap=True)
    chosen = study or DEFAULT_FOLDER
    if not chosen.exists() and chosen.suffix != ".toml":
        chosen.mkdir(mode=0o750, parents=True)
    return chosen


def _prepared_study(place: Place, service: Service, earlier: str | None, *, quiet: bool) -> Service:
    """Put the study into its database."""
    from dataclasses import replace

    from similitude.collect.annotation.plan.reader import read_study
    from similitude.collect.annotation.store import leaders, open_database, put_study

    planned = read_study(place.needed_plan)
    before = stage_databases(planned.plan, place.needed_plan, place.url, earlier)
    with closing(open_database(place.url, create=True)) as db:
        _check_workers(service, db.dialect)
        put_study(db, planned, now=now(), by=BY)
        missing = () if leaders(db) else (f"nobody leads this study yet: similitude annotate leader {place.path} NAME",)
    stages = () if before.note is None else (before.note,)
    print_notes((*planned.notes, *stages, *missing), quiet=quiet)
    mturk = planned.plan.access.mturk is not None
    return replace(service, database=place.url, mturk=mturk, earlier=before.earlier, persons=before.persons)


def _prepare_folder(place: Place, service: Service, *, quiet: bool) -> None:
    """Read all studies, say which are broken, and make a link for the first leader."""
    from similitude.collect.annotation.shelf import StudyShelf
    from similitude.collect.annotation.store import invite_first_leader

    with closing(StudyShelf(place.path, place.database)) as shelf:
        _check_workers(service, shelf.databases.dialect)
        broken = [f"{each.slug}: {each.problem}" for each in shelf.studies() if each.problem]
        first = invite_first_leader(shelf.console, now=now(), by=BY)
    print_notes(broken, quiet=quiet)
    if first is not None:
        host = "127.0.0.1" if service.host in ("0.0.0.0", "::") else service.host
        url = (service.public_url or f"http://{host}:{service.port}").rstrip("/")
        results.print("nobody leads these studies yet; open this link once and choose a password:", soft_wrap=True)
        results.print(f"{url}/leader/welcome/{first.token}", markup=False, highlight=False, soft_wrap=True)


def _check_workers(service: Service, dialect: str) -> None:
    if service.workers > 1 and dialect == "sqlite":
        what = f"{service.workers} workers on SQLite"
        raise ArgumentError(what, remedy="use --database postgresql://..., or one worker")
