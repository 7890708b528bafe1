"""``similitude annotate ...``: run an annotation study and look after it."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.collect.annotation.store import Database

__all__ = ["app"]

app = typer.Typer(help="People judge in a browser: serve a study, invite, export, back up.", no_args_is_help=True)

BY = "command line"
LOOPBACK = ("127.0.0.1", "localhost", "::1")

StudyFile = Annotated[Path, typer.Argument(metavar="STUDY", help="The study's TOML file.")]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database",
        envvar="SIMILITUDE_DATABASE",
        help="A file, or postgresql://user@host/name; by default STUDY with .db instead of .toml.",
    ),
]


@app.command("check")
def check(study: StudyFile, json: options.Json = False) -> None:
    """Read STUDY and everything that it names, and say what is wrong."""
    from similitude.collect.annotation.plan.reader import read_study

    found = read_study(study)
    kinds = Counter(each.kind for each in found.questions)
    if json:
        print_json(
            {"name": found.plan.name, "task": found.plan.task, "questions": dict(kinds), "notes": list(found.notes)}
        )
        return
    asked = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items())
    wanted = kinds["work"] * found.plan.judgements
    _say(f"'{found.plan.name}' ({found.plan.task}) is in order: questions: {asked}; {wanted:,} judgements wanted")
    print_notes(found.notes)


@app.command("serve")
def serve(
    study: StudyFile,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535)] = 8000,
    database: DatabaseOption = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=64, help="Processes; several need PostgreSQL.")] = 1,
    secure: Annotated[
        bool | None,
        typer.Option(
            "--secure/--no-secure", help="Cookies over HTTPS only; the default, but not for this machine itself."
        ),
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option("--public-url", help="Where people reach it, behind a proxy: https://judge.example.org."),
    ] = None,
    proxies: Annotated[
        str | None, typer.Option("--proxies", help="Addresses of proxies whose word on who calls is taken: 10.0.0.2.")
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Put STUDY into its database and serve it; answers that are there stay."""
    from similitude.cli.annotate_serving import Serving, run_server
    from similitude.collect.annotation.plan.reader import read_study
    from similitude.collect.annotation.store import leaders, put_study

    planned = read_study(study)
    with _opened(study, database, create=True) as db:
        if workers > 1 and db.dialect == "sqlite":
            raise ArgumentError(f"{workers} workers on SQLite", remedy="use --database postgresql://..., or one worker")
        put_study(db, planned, now=_now(), by=BY)
        missing = () if leaders(db) else (f"nobody leads this study yet: similitude annotate leader {study} NAME",)
    print_notes((*planned.notes, *missing), quiet=quiet)
    run_server(
        Serving(
            database=_url(study, database),
            host=host,
            port=port,
            workers=workers,
            secure=host not in LOOPBACK if secure is None else secure,
            mturk=planned.plan.access.mturk is not None,
            public_url=public_url,
            proxies=proxies,
        )
    )


@app.command("invite")
def invite(
    study: StudyFile,
    limit: Annotated[int, typer.Option("--limit", min=0, help="How many may use the link; 0: no limit.")] = 1,
    number: Annotated[int, typer.Option("--number", "-n", min=1, max=10_000, help="How many links.")] = 1,
    note: Annotated[str, typer.Option("--note", help="For yourself: who it is for.")] = "",
    days: Annotated[float | None, typer.Option("--days", min=0, help="After which nobody comes in any more.")] = None,
    annotator: Annotated[str | None, typer.Option("--for", metavar="PSEUDONYM", help="Let them go on.")] = None,
    url: Annotated[str, typer.Option("--url", help="Where the server is reached.")] = "http://127.0.0.1:8000",
    database: DatabaseOption = None,
    json: options.Json = False,
) -> None:
    """Make invitation links. They are shown here once; the database keeps only their hashes."""
    from similitude.collect.annotation.store import invite as make

    with _ready(study, database) as db:
        now = _now()
        expires = None if days is None else now + timedelta(days=days)
        made = [
            make(db, limit=limit or None, note=note, expires=expires, annotator=annotator, now=now, by=BY)
            for _ in range(number)
        ]
        links = [f"{url.rstrip('/')}/join/{each.token}" for each in made]
        if json:
            print_json([{"id": each.id, "link": link} for each, link in zip(made, links, strict=True)])
            return
        for link in links:
            _say(link)


@app.command("leader")
def leader(
    study: StudyFile,
    name: Annotated[str | None, typer.Argument(help="Who; without a name those there are, are listed.")] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Give an existing leader a new password.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Let them lead no more.")] = False,
    password_stdin: Annotated[bool, typer.Option("--password-stdin", help="Read the password from a pipe.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Add a leader of STUDY, who then logs in at /leader."""
    from similitude.collect.annotation.store import add_leader, leaders, remove_leader, set_password

    with _ready(study, database) as db:
        if name is None:
            for each in leaders(db):
                _say(each.name)
            return
        if remove:
            remove_leader(db, name, now=_now(), by=BY)
            return
        password = sys.stdin.readline().rstrip("\n") if password_stdin else _ask_password()
        (set_password if reset else add_leader)(db, name, password, now=_now(), by=BY)
        _say(f"{name} {'has a new password' if reset else 'leads this study'}")


@app.command("token")
def token(
    study: StudyFile,
    leader: Annotated[str | None, typer.Argument(help="For whom; without a name those there are, are listed.")] = None,
    note: Annotated[str, typer.Option("--note", help="What it is for.")] = "",
    days: Annotated[float | None, typer.Option("--days", min=0, help="How long it is good for.")] = None,
    revoke: Annotated[int | None, typer.Option("--revoke", metavar="ID", help="Make this one useless.")] = None,
    database: DatabaseOption = None,
) -> None:
    """Make a token for the REST API. It is shown here once; the database keeps only its hash."""
    from similitude.collect.annotation.store import api_tokens, make_api_token, revoke_api_token

    with _opened(study, database) as db:
        now = _now()
        if revoke is not None:
            revoke_api_token(db, revoke, now=now, by=BY)
            return
        if leader is None:
            for each in api_tokens(db):
                _say(f"{each.id}  {each.leader}  {each.note}{'  revoked' if each.revoked else ''}")
            return
        expires = None if days is None else now + timedelta(days=days)
        _say(str(make_api_token(db, leader, note=note, expires=expires, now=now, by=BY).token))


@app.command("export")
def export(
    study: StudyFile,
    target: Annotated[Path | None, typer.Option("--to", help="A .jsonl or .csv file; else standard output.")] = None,
    format: Annotated[str | None, typer.Option("--format", metavar="jsonl|csv")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also gold, repeats, training, changed answers and excluded annotators.")
    ] = False,
    database: DatabaseOption = None,
) -> None:
    """Write the answers, ready for `similitude gold`."""
    from similitude.collect.annotation.store import export_csv, export_jsonl, write_export

    with _opened(study, database) as db:
        if target is not None:
            count = write_export(db, target, format=format, everything=everything)
            _say(f"{count:,} answers written to {target}")
            return
        lines = {"jsonl": export_jsonl, "csv": export_csv}.get(format or "jsonl")
        if lines is None:
            raise ArgumentError(f"no format '{format}'", remedy="jsonl or csv")
        for line in lines(db, everything=everything):
            sys.stdout.write(line)


@app.command("import")
def import_(
    study: StudyFile,
    source: Annotated[Path, typer.Argument(metavar="EXPORT", help="What `export` wrote, or a backup (.zip).")],
    database: DatabaseOption = None,
) -> None:
    """Bring an export into STUDY, which must have no answers; or restore a backup into an empty database."""
    from similitude.collect.annotation import store
    from similitude.collect.annotation.plan.reader import read_study

    with _opened(study, database, create=True) as db:
        if source.suffix.lower() == ".zip":
            store.restore(db, source)
            _say(f"{source} restored")
            return
        rows = store.read_export(source)
        store.put_study(db, read_study(study), now=_now(), by=BY)
        count = store.import_rows(db, rows, where=source.name, now=_now(), by=BY)
        _say(f"{count:,} answers imported")


@app.command("backup")
def backup(
    study: StudyFile,
    target: Annotated[Path, typer.Argument(metavar="FILE", help="A new database; with .zip all tables as JSONL.")],
    database: DatabaseOption = None,
) -> None:
    """Write a backup, also while people work."""
    from similitude.collect.annotation.store import backup as write

    with _opened(study, database) as db:
        _say(f"written to {write(db, target)}")


@app.command("pause")
def pause(
    study: StudyFile,
    close: Annotated[bool, typer.Option("--close", help="Take no more answers either.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Deal no new work; people may finish what they hold."""
    from similitude.collect.annotation.store import set_state

    with _opened(study, database) as db:
        there = set_state(db, "closed" if close else "paused", now=_now(), by=BY)
    _say(f"'{there.plan.name}' is {there.state}")


@app.command("resume")
def resume(study: StudyFile, database: DatabaseOption = None) -> None:
    """Go on after a pause."""
    from similitude.collect.annotation.store import set_state

    with _opened(study, database) as db:
        there = set_state(db, "open", now=_now(), by=BY)
    _say(f"'{there.plan.name}' is {there.state}")


def _say(text: str) -> None:
    results.print(text, markup=False, highlight=False, soft_wrap=True)


def _now() -> datetime:
    return datetime.now(UTC)


def _url(study: Path, database: str | None) -> str:
    return database or os.fspath(study.with_suffix(".db"))


@contextmanager
def _opened(study: Path, database: str | None, *, create: bool = False) -> Iterator[Database]:
    from similitude.collect.annotation.store import open_database

    db = open_database(_url(study, database), create=create)
    try:
        yield db
    finally:
        db.close()


@contextmanager
def _ready(study: Path, database: str | None) -> Iterator[Database]:
    """The database with the study in it, also before it was served for the first time."""
    from similitude.collect.annotation import store
    from similitude.collect.annotation.plan.reader import read_study

    url = _url(study, database)
    planned = None if "://" in url or Path(url).exists() else read_study(study)
    with _opened(study, database, create=True) as db:
        try:
            store.read_study(db)
        except store.NotThere:
            store.put_study(db, planned or read_study(study), now=_now(), by=BY)
        yield db


def _ask_password() -> str:
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
