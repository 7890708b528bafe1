"""``similitude annotate people|approve|reject|bonus|bonus-lists|link``: people, their pay, and signed links."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlencode

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.annotate import LOCAL, DatabaseOption, PublicUrl, StudyFile
from similitude.cli.annotation_place import BY, find_place
from similitude.cli.annotation_place import now as moment
from similitude.cli.console import deliver, print_json, results
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.collect.annotation.payment.records import DecisionKind, Person
    from similitude.collect.annotation.store import Database

__all__ = ["approve", "bonus", "bonus_lists", "link", "people", "reject"]

Names = Annotated[
    tuple[str, ...], Parameter(metavar="WHO", help="Pseudonyms, completion codes or platform ids.", negative=())
]
Reason = Annotated[str, Parameter(metavar="TEXT", help="Why; the person can read it.")]
By = Annotated[str, Parameter(name="--leader", metavar="NAME", help="Who decides, for the log.")]
ListName = Literal[
    "prolific-approve",
    "prolific-approve-participants",
    "prolific-reject",
    "mturk-review",
]
BonusKind = Literal["prolific-bonus", "mturk-bonus", "bonus"]
SHOWN = (
    "pseudonym", "code", "source", "state", "answers", "active_minutes", "hourly", "flags", "decision", "bonus",
)  # fmt: skip


def people(
    study: StudyFile,
    /,
    *,
    search: Annotated[str, Parameter(help="Only whom this pseudonym, code, id or note means.")] = "",
    platform_list: Annotated[
        ListName | None, Parameter(metavar="LIST", help="Print this list for Prolific or MTurk instead.")
    ] = None,
    csv: Annotated[
        str | None,
        Parameter(metavar="FILE", allow_leading_hyphen=True, help="Write all columns as CSV; - prints them."),
    ] = None,
    json: options.Json = False,
    database: DatabaseOption = None,
) -> None:
    """List the people of STUDY with codes, times, quality, decisions and pay.

    Example: similitude annotate people study.toml --platform-list prolific-approve
    """
    from similitude.collect.annotation import store
    from similitude.collect.annotation.payment.people_rows import people_rows
    from similitude.collect.annotation.payment.platform_lists import platform_list as make_list
    from similitude.collect.annotation.store.spreadsheets import csv_lines

    with find_place(study, database).study() as db:
        now = moment()
        found = store.find_people(db, search, store.people(db, now=now))
        if platform_list is not None:
            made = make_list(platform_list, found)
            sys.stdout.write(made.text)
            if made.without_id:
                sys.stderr.write(f"{made.without_id} people without a readable id are left out\n")
            return
        rows = list(people_rows(found, store.read_study(db).plan.pay))
        if json:
            print_json({"people": rows, "pay": _overview(db, now)})
            return
        if csv is not None:
            deliver(csv, "".join(csv_lines(rows)))
            return
        _print_table(rows)


def _overview(db: Database, now: datetime) -> dict[str, Any] | None:
    from similitude.collect.annotation import store
    from similitude.stats.finite import finite_or_none

    found = store.pay_so_far(db, store.people(db, now=now), now=now)
    if found is None:
        return None
    facts = {name: getattr(found, name) for name in ("people", "median", "low", "below", "make_up", "approved")}
    numbers = {name: finite_or_none(float(value)) for name, value in facts.items()}
    expected = None if found.expected is None else float(found.expected)
    return {"currency": found.pay.currency, **numbers, "waiting": float(found.waiting), "expected": expected}


def _print_table(rows: Sequence[Mapping[str, Any]]) -> None:
    cells = [list(SHOWN), *([_cell(row[name]) for name in SHOWN] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(SHOWN))]
    for line in cells:
        say("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def _cell(value: Any) -> str:
    return "–" if value is None or value == "" else f"{value:g}" if isinstance(value, float) else str(value)


def approve(
    study: StudyFile,
    who: Names = (),
    /,
    *,
    finished: Annotated[bool, Parameter(help="All who finished without flags and are undecided.", negative=())] = False,
    reason: Reason = "",
    by: By = BY,
    database: DatabaseOption = None,
) -> None:
    """Approve the work of people.

    Example: similitude annotate approve study.toml --finished
    """
    from similitude.collect.annotation import store

    with find_place(study, database).study() as db:
        if finished == bool(who):
            raise ArgumentError("nobody is named, or too many", remedy="give names, or --finished alone")
        if finished:
            count = store.approve_finished(db, reason=reason, now=moment(), by=by)
        else:
            count = _decide(db, who, "approved", reason=reason, by=by)
        say(f"{count} approved")


def reject(
    study: StudyFile,
    who: Names,
    /,
    *,
    reason: Reason,
    exclude: Annotated[bool, Parameter(help="Also leave their answers out of the results.", negative=())] = False,
    by: By = BY,
    database: DatabaseOption = None,
) -> None:
    """Reject the work of people. Their answers stay, unless you exclude them too.

    Example: similitude annotate reject study.toml K7QX2MPA --reason "answers at random"
    """
    from similitude.collect.annotation import store

    with find_place(study, database).study() as db:
        say(f"{_decide(db, who, 'rejected', reason=reason, by=by)} rejected")
        if exclude:
            for each in _found(db, who):
                if each.outcome not in ("excluded", "left"):
                    store.exclude(db, each.pseudonym, why=reason, now=moment(), by=by)


def bonus(
    study: StudyFile,
    amount: Annotated[str, Parameter(metavar="AMOUNT", help="The whole bonus of each: 1.50; 0 takes it back.")],
    who: Names,
    /,
    *,
    reason: Reason,
    by: By = BY,
    database: DatabaseOption = None,
) -> None:
    """Set the bonus of people, in the currency of the study.

    Example: similitude annotate bonus study.toml 1.50 K7QX2MPA --reason "took longer than we said"
    """
    from similitude.collect.annotation import store

    with find_place(study, database).study() as db:
        count = _decide(db, who, "bonus", reason=reason, by=by, amount=store.read_amount(amount))
        say("1 bonus set" if count == 1 else f"{count:,} bonuses set")


def bonus_lists(
    study: StudyFile,
    number: Annotated[int | None, Parameter(metavar="NUMBER", help="A list to print, hand over or withdraw.")] = None,
    /,
    *,
    make: Annotated[
        BonusKind | None, Parameter(metavar="LIST", help="Make a list of what is due and on no other list; print it.")
    ] = None,
    handed_over: Annotated[bool, Parameter(help="Note that list NUMBER was handed over.", negative=())] = False,
    withdraw: Annotated[bool, Parameter(help="Withdraw list NUMBER: its bonuses are due again.", negative=())] = False,
    by: By = BY,
    database: DatabaseOption = None,
) -> None:
    """Make, print and mark the numbered lists of bonuses of STUDY; alone, show them all.

    Example: similitude annotate bonus-lists study.toml --make prolific-bonus
    """
    from similitude.collect.annotation import store

    if handed_over + withdraw > (number is not None) or (make is not None and number is not None):
        raise ArgumentError("these do not go together", remedy="give --make alone, or NUMBER with one option at most")
    with find_place(study, database).study() as db:
        if make is not None:
            made = store.make_bonus_list(db, make, now=moment(), by=by)
            sys.stdout.write(made.file().text)
            then = f"once it is handed over, run `similitude annotate bonus-lists STUDY {made.number} --handed-over`"
            sys.stderr.write(f"this is list {made.number}; {then}\n")
        elif number is None:
            for each in store.bonus_lists(db):
                people = f"{len(each.lines)} people"
                say(f"{each.number}  {each.kind}  {people}  {each.amount}  {each.state}  {each.at:%Y-%m-%d}  {each.by}")
        elif handed_over:
            say(f"{len(store.hand_over_bonuses(db, number, now=moment(), by=by).lines)} bonuses handed over")
        elif withdraw:
            say(f"{len(store.withdraw_bonus_list(db, number, now=moment(), by=by).lines)} bonuses are due again")
        else:
            sys.stdout.write(store.read_bonus_list(db, number).file().text)


def link(
    study: StudyFile,
    participant: Annotated[str, Parameter(metavar="ID", help="The person's id.")],
    /,
    *,
    session: Annotated[str, Parameter(help="The id of their submission.")] = "",
    days: Annotated[float, parameters.number("Days until it expires.", least=0)] = 30.0,
    public_url: PublicUrl = None,
) -> None:
    """Sign a link for one person with the secret of STUDY, for a panel of your own.

    Example: similitude annotate link study.toml anna --session wave-1
    """
    from similitude.collect.annotation.plan.reader import read_study
    from similitude.collect.annotation.signed_links import sign_parameters

    access = read_study(find_place(study).needed_plan).plan.access.prolific
    if access is None or access.secret is None:
        raise ArgumentError("the study has no secret", where=study.name, remedy="set secret_file in [access.prolific]")
    expires = str(int((moment() + timedelta(days=days)).timestamp()))
    sent = {"PROLIFIC_PID": participant, "STUDY_ID": access.study or "", "SESSION_ID": session, "expires": expires}
    whole = {**sent, "signature": sign_parameters(access.secret, sent)}
    say(f"{(public_url or LOCAL).rstrip('/')}/prolific?{urlencode(whole)}")


def say(text: str) -> None:
    """Print a line of results as it is."""
    results.print(text, markup=False, highlight=False, soft_wrap=True)


def _decide(db: Database, who: Sequence[str], kind: DecisionKind, **decision: Any) -> int:
    from similitude.collect.annotation import store

    names = [each.pseudonym for each in _found(db, who)]
    return store.decide_payment(db, names, kind, now=moment(), **decision)


def _found(db: Database, who: Sequence[str]) -> list[Person]:
    """The people whom names, codes or ids mean.

    Raises:
        ArgumentError: one of them means nobody, or several.
    """
    from similitude.collect.annotation import store

    everybody = store.people(db, now=moment())
    found = []
    for name in who:
        exact = [each for each in everybody if each.pseudonym == name]
        meant = exact or store.find_people(db, name, everybody)
        if len(meant) != 1:
            what = f"'{name}' means {len(meant) or 'no'} people"
            raise ArgumentError(what, remedy="look at `similitude annotate people`")
        found += meant
    if not found:
        raise ArgumentError("nobody is named", remedy="give pseudonyms, codes or ids")
    return found
