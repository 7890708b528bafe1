"""``similitude annotate check``, ``invite``, ``leader`` and ``token``: a study, and who takes part in it."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.annotation_place import BY, Place, find_place, now
from similitude.cli.annotation_stages import EarlierOption, person_of
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.questions import password_for, piped_line, refuse_silence
from similitude.errors import ArgumentError, InputError, SimilitudeError

if TYPE_CHECKING:
    from similitude.collect.annotation.store import Database

__all__ = ["DatabaseOption", "PublicUrl", "StudyFile", "StudyOrFolder", "check", "invite", "leader", "say", "token"]

LOCAL = "http://127.0.0.1:8000"

StudyFile = Annotated[
    Path, Parameter(metavar="STUDY", help="The study's TOML file, or its folder in a folder of studies: FOLDER/NAME.")
]
StudyOrFolder = Annotated[
    Path, Parameter(metavar="STUDY", help="The study's TOML file, a study FOLDER/NAME, or a FOLDER of studies.")
]
DatabaseOption = Annotated[
    str | None,
    Parameter(
        env_var="SIMILITUDE_DATABASE",
        metavar="FILE|URL",
        help="A file, or postgresql://user@host/name. By default a file beside each study.",
    ),
]
Days = Annotated[float | None, parameters.number("Days until it expires.", least=0)]
PublicUrl = Annotated[
    str | None, Parameter(metavar="URL", help="Where people reach the server: https://judge.example.org.")
]


def check(study: StudyOrFolder, /, *, json: options.Json = False) -> None:
    """Read STUDY and every file that it names, and report what is wrong. Of a FOLDER, all studies are read.

    Example: similitude annotate check study.toml
    """
    from similitude.collect.annotation.plan.reader import read_study

    place = find_place(study)
    if place.plan is None:
        _check_folder(place, json=json)
        return
    found = read_study(place.needed_plan)
    kinds = Counter(each.kind for each in found.questions)
    if json:
        print_json(
            {"name": found.plan.name, "task": found.plan.task, "questions": dict(kinds), "notes": list(found.notes)}
        )
        return
    asked = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items()) or "none yet"
    wanted = kinds["work"] * found.plan.judgements
    say(f"'{found.plan.name}' ({found.plan.task}) is in order: questions: {asked}; {wanted:,} judgements wanted")
    print_notes(found.notes)


def _check_folder(place: Place, *, json: bool) -> None:
    """Read all studies of a folder, and say of each whether it is in order.

    Raises:
        InputError: one is not.
    """
    from similitude.collect.annotation.plan.reader import read_study
    from similitude.collect.annotation.shelf.slugs import check_slug
    from similitude.collect.annotation.shelf.study_files import PLAN, study_folders

    problems: dict[str, str] = {}
    for slug in study_folders(place.path):
        try:
            read_study(place.path / check_slug(slug) / PLAN)
            problems[slug] = ""
        except SimilitudeError as error:
            problems[slug] = str(error)
    if json:
        print_json([{"study": slug, "problem": problem or None} for slug, problem in problems.items()])
    else:
        for slug, problem in problems.items():
            say(f"{slug}: {problem or 'in order'}")
    broken = [slug for slug, problem in problems.items() if problem]
    if broken:
        what = f"{len(broken)} of {len(problems)} studies are not in order"
        raise InputError(what, where=str(place.path), remedy=f"correct {', '.join(broken)}")


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
    person: Annotated[
        str | None,
        Parameter(metavar="PSEUDONYM", help="For this annotator of the study that STUDY follows, who is then known."),
    ] = None,
    earlier: EarlierOption = None,
    public_url: PublicUrl = None,
    database: DatabaseOption = None,
    json: options.Json = False,
) -> None:
    """Make invitation links. They are shown once; the database keeps only their hashes.

    Example: similitude annotate invite study.toml --number 20
    """
    from similitude.collect.annotation.store import invite as make

    place = find_place(study, database)
    known = None if person is None else person_of(place, person, earlier)
    with place.ready() as db:
        moment = now()
        expires = None if days is None else moment + timedelta(days=days)
        made = [
            make(
                db,
                limit=uses or None,
                note=note,
                expires=expires,
                annotator=annotator,
                person=known,
                now=moment,
                by=BY,
            )
            for _ in range(number)
        ]
        root = (public_url or LOCAL).rstrip("/") + (f"/s/{place.slug}" if place.slug else "")
        links = [f"{root}/join/{each.token}" for each in made]
        if json:
            print_json([{"id": each.id, "link": link} for each, link in zip(made, links, strict=True)])
            return
        for link in links:
            say(link)


def leader(
    study: StudyOrFolder,
    name: Annotated[
        str | None, Parameter(metavar="NAME", help="Whom to add. Without a name, the leaders are listed.")
    ] = None,
    /,
    *,
    admin: Annotated[bool, Parameter(help="For a FOLDER: they lead all studies, as the first leader does.")] = False,
    member: Annotated[bool, Parameter(help="For FOLDER/NAME: they may not close it or choose its leaders.")] = False,
    reset: Annotated[bool, Parameter(help="Set a new password for an existing leader.")] = False,
    remove: Annotated[bool, Parameter(help="Remove the leader.")] = False,
    password_stdin: Annotated[bool, Parameter(help="Read the password from standard input.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Add a leader of STUDY, who then logs in at /leader.

    In a FOLDER of studies, leaders have one password for all studies that they lead.

    Example: similitude annotate leader study.toml ada
    """
    from similitude.collect.annotation import store

    place = find_place(study, database)
    with place.leaders() as db:
        if name is None:
            for line in _leader_lines(db, place):
                say(line)
            return
        if remove:
            if place.slug:
                store.remove_member(db, place.slug, name, now=now(), by=BY)
            else:
                store.remove_leader(db, name, now=now(), by=BY)
            return
        there = {each.name for each in store.leaders(db)}
        if not (place.slug and name in there and not reset):
            password = piped_line("the password") if password_stdin else _ask_password()
            if reset:
                store.set_password(db, name, password, now=now(), by=BY)
            else:
                leads_all = place.folder is not None and not place.slug and (admin or not there)
                store.add_leader(db, name, password, now=now(), by=BY, admin=leads_all)
        elif admin:
            store.set_admin(db, name, True, now=now(), by=BY)
        if place.slug and not reset:
            store.add_member(db, place.slug, name, "member" if member else "owner", now=now(), by=BY)
        say(f"{name} {'has a new password' if reset else f'leads {_led(place)}'}")


def _leader_lines(db: Database, place: Place) -> list[str]:
    from similitude.collect.annotation import store

    if place.slug:
        return [f"{each.name}  {each.role}" for each in store.members(db, place.slug)]
    return [f"{each.name}  admin" if each.admin else each.name for each in store.leaders(db)]


def _led(place: Place) -> str:
    return f"'{place.slug}'" if place.slug else "this study" if place.folder is None else "studies here"


def token(
    study: StudyOrFolder,
    leader: Annotated[
        str | None, Parameter(metavar="LEADER", help="Whose token. Without a name, the tokens are listed.")
    ] = None,
    /,
    *,
    note: Annotated[str, Parameter(help="What it is for.")] = "",
    scope: Annotated[
        tuple[Literal["read", "export", "people", "manage"], ...],
        Parameter(negative="", help="What it may do; by default everything. May be given several times."),
    ] = ("read", "export", "people", "manage"),
    days: Days = None,
    revoke: Annotated[int | None, Parameter(metavar="ID", help="Revoke this token.")] = None,
    database: DatabaseOption = None,
) -> None:
    """Make a token for the REST API. It is shown once; the database keeps only its hash.

    Example: similitude annotate token study.toml ada --days 30 --scope read --scope export
    """
    from similitude.collect.annotation.store import api_tokens, make_api_token, revoke_api_token

    with find_place(study, database).leaders() as db:
        moment = now()
        if revoke is not None:
            revoke_api_token(db, revoke, now=moment, by=BY)
            return
        if leader is None:
            for each in api_tokens(db):
                ended = "  revoked" if each.revoked else ""
                say(f"{each.id}  {each.leader}  {', '.join(each.scopes)}  {each.note}{ended}")
            return
        expires = None if days is None else moment + timedelta(days=days)
        made = make_api_token(db, leader, note=note, scopes=scope, expires=expires, now=moment, by=BY)
        say(str(made.token))


def say(text: str) -> None:
    """Print a result as it is."""
    results.print(text, markup=False, highlight=False, soft_wrap=True)


def _ask_password() -> str:
    """Ask for a password twice, without showing it.

    Raises:
        ArgumentError: the two differ, or nobody is there to ask.
    """
    refuse_silence("the password was not said", "add --password-stdin and pipe it into the command")
    password = password_for("Password: ")
    if password_for("Repeat the password: ") != password:
        raise ArgumentError("the two passwords differ", remedy="run the command again")
    return password
