"""``similitude annotate ...``: run and manage an annotation study."""

from __future__ import annotations

import getpass
import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import print_json, print_notes, results
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.collect.annotation.store import Database

__all__ = ["backup", "check", "export", "import_", "invite", "leader", "pause", "resume", "serve", "token"]

BY = "command line"
LOCAL = "http://127.0.0.1:8000"
LOOPBACK = ("127.0.0.1", "localhost", "::1")

StudyFile = Annotated[Path, Parameter(metavar="STUDY", help="The study's TOML file.")]
BackupFile = Annotated[Path, Parameter(metavar="FILE", help="A new database, or a .zip of all tables as JSON lines.")]
DatabaseOption = Annotated[
    str | None,
    Parameter(
        env_var="SIMILITUDE_DATABASE",
        metavar="FILE|URL",
        help="A file, or postgresql://user@host/name. By default STUDY with .db instead of .toml.",
    ),
]
Days = Annotated[float | None, parameters.number("Days until it expires.", least=0)]
PublicUrl = Annotated[
    str | None, Parameter(metavar="URL", help="Where people reach the server: https://judge.example.org.")
]


def check(study: StudyFile, /, *, json: options.Json = False) -> None:
    """Read STUDY and every file that it names, and report what is wrong.

    Example: similitude annotate check study.toml
    """
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


def serve(
    study: StudyFile,
    /,
    *,
    host: Annotated[str, Parameter(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, parameters.number("The port to listen on; 0 for any.", least=0, most=65535)] = 8000,
    database: DatabaseOption = None,
    workers: Annotated[int, parameters.number("Processes; several need PostgreSQL.", least=1, most=64)] = 1,
    secure: Annotated[
        bool | None,
        Parameter(negative="--no-secure", help="Send cookies over HTTPS only. The default unless the host is local."),
    ] = None,
    public_url: PublicUrl = None,
    proxies: Annotated[
        str | None, Parameter(metavar="ADDRESSES", help="Proxies trusted to name the client: 10.0.0.2.")
    ] = None,
    quiet: options.Quiet = False,
) -> None:
    """Put STUDY into its database and serve it. Existing answers stay.

    Example: similitude annotate serve study.toml --port 8080
    """
    from similitude.cli.annotation_server import Service, run_server
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
        Service(
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


def invite(
    study: StudyFile,
    /,
    *,
    number: Annotated[int, parameters.number("How many links.", least=1, most=10_000, name=["--number", "-n"])] = 1,
    uses: Annotated[int, parameters.number("How many people may use a link; 0 for any number.", least=0)] = 1,
    note: Annotated[str, Parameter(help="A note to yourself: whom it is for.")] = "",
    days: Days = None,
    annotator: Annotated[
        str | None, Parameter(name="--for", metavar="PSEUDONYM", help="Let this annotator continue.")
    ] = None,
    public_url: PublicUrl = None,
    database: DatabaseOption = None,
    json: options.Json = False,
) -> None:
    """Make invitation links. They are shown once; the database keeps only their hashes.

    Example: similitude annotate invite study.toml --number 20
    """
    from similitude.collect.annotation.store import invite as make

    with _ready(study, database) as db:
        now = _now()
        expires = None if days is None else now + timedelta(days=days)
        made = [
            make(db, limit=uses or None, note=note, expires=expires, annotator=annotator, now=now, by=BY)
            for _ in range(number)
        ]
        links = [f"{(public_url or LOCAL).rstrip('/')}/join/{each.token}" for each in made]
        if json:
            print_json([{"id": each.id, "link": link} for each, link in zip(made, links, strict=True)])
            return
        for link in links:
            _say(link)


def leader(
    study: StudyFile,
    name: Annotated[
        str | None, Parameter(metavar="NAME", help="Whom to add. Without a name, the leaders are listed.")
    ] = None,
    /,
    *,
    reset: Annotated[bool, Parameter(help="Set a new password for an existing leader.")] = False,
    remove: Annotated[bool, Parameter(help="Remove the leader.")] = False,
    password_stdin: Annotated[bool, Parameter(help="Read the password from standard input.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Add a leader of STUDY, who then logs in at /leader.

    Example: similitude annotate leader study.toml ada
    """
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


def token(
    study: StudyFile,
    leader: Annotated[
        str | None, Parameter(metavar="LEADER", help="Whose token. Without a name, the tokens are listed.")
    ] = None,
    /,
    *,
    note: Annotated[str, Parameter(help="What it is for.")] = "",
    days: Days = None,
    revoke: Annotated[int | None, Parameter(metavar="ID", help="Revoke this token.")] = None,
    database: DatabaseOption = None,
) -> None:
    """Make a token for the REST API. It is shown once; the database keeps only its hash.

    Example: similitude annotate token study.toml ada --days 30
    """
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


def export(
    study: StudyFile,
    /,
    *,
    out: Annotated[
        Path | None, Parameter(metavar="FILE", help="A .jsonl or .csv file. By default standard output.")
    ] = None,
    out_format: Annotated[
        Literal["jsonl", "csv"] | None, Parameter(help="The format to write, if the suffix does not say it.")
    ] = None,
    everything: Annotated[
        bool, Parameter(name="--all", help="Include gold, repeats, training, changed answers, excluded annotators.")
    ] = False,
    database: DatabaseOption = None,
) -> None:
    """Write the answers, ready for 'similitude gold'.

    Example: similitude annotate export study.toml --out answers.jsonl
    """
    from similitude.collect.annotation.store import export_csv, export_jsonl, write_export

    with _opened(study, database) as db:
        if out is not None:
            count = write_export(db, out, format=out_format, everything=everything)
            _say(f"{count:,} answers written to {out}")
            return
        lines = export_csv if out_format == "csv" else export_jsonl
        for line in lines(db, everything=everything):
            sys.stdout.write(line)


def import_(
    study: StudyFile,
    source: Annotated[Path, Parameter(metavar="EXPORT", help="What 'export' wrote, or a backup (.zip).")],
    /,
    *,
    database: DatabaseOption = None,
) -> None:
    """Import an export into STUDY, which must have no answers, or restore a backup into an empty database.

    Example: similitude annotate import study.toml backup.zip
    """
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


def backup(
    study: StudyFile,
    target: BackupFile,
    /,
    *,
    database: DatabaseOption = None,
) -> None:
    """Write a backup. People may keep working.

    Example: similitude annotate backup study.toml backup.zip
    """
    from similitude.collect.annotation.store import backup as write

    with _opened(study, database) as db:
        _say(f"written to {write(db, target)}")


def pause(
    study: StudyFile,
    /,
    *,
    close: Annotated[bool, Parameter(help="Accept no more answers either.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Hand out no new work. People may finish what they have.

    Example: similitude annotate pause study.toml
    """
    _set_state(study, database, "closed" if close else "paused")


def resume(study: StudyFile, /, *, database: DatabaseOption = None) -> None:
    """Resume after a pause.

    Example: similitude annotate resume study.toml
    """
    _set_state(study, database, "open")


def _set_state(study: Path, database: str | None, state: Literal["open", "paused", "closed"]) -> None:
    from similitude.collect.annotation.store import set_state

    with _opened(study, database) as db:
        there = set_state(db, state, now=_now(), by=BY)
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
    """Open the database; a study that was never served is put into it first."""
    from similitude.collect.annotation import store
    from similitude.collect.annotation.plan.reader import read_study
    from similitude.collect.annotation.store.refusals import NotThere

    url = _url(study, database)
    planned = None if "://" in url or Path(url).exists() else read_study(study)
    with _opened(study, database, create=True) as db:
        try:
            store.read_study(db)
        except NotThere:
            store.put_study(db, planned or read_study(study), now=_now(), by=BY)
        yield db


def _ask_password() -> str:
    """Ask for a password twice, without showing it.

    Raises:
        ArgumentError: the two differ.
    """
    password = getpass.getpass("Password: ")
    if getpass.getpass("Repeat the password: ") != password:
        raise ArgumentError("the two passwords differ", remedy="run the command again")
    return password
