"""The leader's page of people: search, filters, decisions on pay, one person's page, and removal by request."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import get_args

from starlette.responses import Response

from similitude.collect.annotation.payment.pay_estimate import below_minimum, make_up
from similitude.collect.annotation.payment.people_rows import people_rows
from similitude.collect.annotation.payment.records import DecisionKind
from similitude.collect.annotation.store import (
    approve_finished,
    decide_payment,
    exclude,
    find_people,
    invite,
    pay_so_far,
    people,
    person,
    read_amount,
    remove_person,
)
from similitude.collect.annotation.store.persons import person_behind
from similitude.collect.annotation.store.spreadsheets import csv_lines
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.recognition import forget_visitor
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.invitations import invitation_link
from similitude.collect.annotation.web.streams import streamed
from similitude.collect.annotation.web.views.people_table import FILTERS, PAGE, SORTS, TableChoice
from similitude.collect.annotation.web.visit import CurrentVisit, Visit
from similitude.errors import ArgumentError

__all__ = ["pages", "show_people"]

pages = Routes(Role.LEADER, prefix="/leader")

LONGEST_REASON = 500


@pages.get("/annotators")
def table(visit: CurrentVisit) -> Response:
    """Everybody, as far as search and filter leave them."""
    return show_people(visit)


@pages.get("/annotators.csv")
def download(visit: CurrentVisit) -> Response:
    """The people of the chosen search and filter, as CSV."""
    choice = TableChoice.of(visit.request.query_params)
    pay = visit.study.plan.pay
    found = find_people(visit.database, choice.search, people(visit.database, now=visit.now))
    rows = csv_lines(people_rows(choice.of_people(found, pay), pay))
    headers = {"Content-Disposition": 'attachment; filename="people.csv"'}
    return streamed(rows, media_type="text/csv; charset=utf-8", headers=headers)


@pages.post("/annotators/decide")
def decide(visit: CurrentVisit) -> Response:
    """Approve, reject or give a bonus to the selected people, or approve all who finished without a flag."""
    back = str(visit.form.get("back", ""))
    try:
        count = _decide(visit)
    except ArgumentError as error:
        return show_people(visit, status=422, problem=str(error))
    if back:
        return visit.redirect(f"/leader/annotators/{back}")
    return show_people(visit, done=count)


@pages.get("/annotators/{pseudonym}")
def show_person(visit: CurrentVisit, pseudonym: str) -> Response:
    """One person: work, submissions, decisions, and what can be done."""
    return _person(visit, pseudonym)


@pages.post("/annotators/{pseudonym}/continue")
def continue_elsewhere(visit: CurrentVisit, pseudonym: str) -> Response:
    """A link with which somebody continues in another browser; for a day and one use."""
    tomorrow = visit.now + timedelta(days=1)
    made = invite(visit.database, expires=tomorrow, annotator=pseudonym, now=visit.now, by=visit.by)
    return _person(visit, pseudonym, link=invitation_link(visit, made))


@pages.post("/annotators/{pseudonym}/remove")
def remove(visit: CurrentVisit, pseudonym: str) -> Response:
    """Delete somebody's data because they asked for it."""
    why = _reason(visit)
    if not why or visit.form.get("sure") != "yes":
        return _person(visit, pseudonym, status=422, problem=visit.texts("payment.remove_needed"))
    person = person_behind(visit.database, pseudonym)
    remove_person(visit.database, pseudonym, why=why, now=visit.now, by=visit.by)
    forget_visitor(visit, person)
    return visit.redirect("/leader/annotators")


def _decide(visit: Visit) -> int:
    kind, reason = str(visit.form.get("kind", "")), _reason(visit)
    if kind == "finished":
        return approve_finished(visit.database, reason=reason, now=visit.now, by=visit.by)
    chosen = [str(each) for each in visit.form.getlist("who")]
    if kind not in get_args(DecisionKind) or kind == "paid" or not chosen:
        raise ArgumentError(visit.texts("payment.choose"))
    number = str(visit.form.get("submission", ""))
    count = decide_payment(
        visit.database,
        chosen,
        kind,  # type: ignore[arg-type]  # checked above
        reason=reason,
        amount=_amount(visit) if kind == "bonus" else None,
        submission_id=int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None,
        now=visit.now,
        by=visit.by,
    )
    if kind == "rejected" and visit.form.get("exclude") == "yes":
        _exclude(visit, chosen, reason)
    return count


def _exclude(visit: Visit, chosen: list[str], reason: str) -> None:
    """Leave the answers of rejected people out too; those who are out already stay out."""
    replace = visit.form.get("replace") == "yes"
    for name in chosen:
        if person(visit.database, name, now=visit.now).outcome not in ("excluded", "left"):
            exclude(visit.database, name, why=reason, replace=replace, now=visit.now, by=visit.by)


def _amount(visit: Visit) -> Decimal:
    return read_amount(str(visit.form.get("amount", "")))


def show_people(
    visit: Visit, *, status: int = 200, missing: str = "", problem: str = "", done: int | None = None
) -> Response:
    """The page of people, with what was done or was wrong."""
    choice = TableChoice.of(visit.request.query_params)
    everybody, pay = people(visit.database, now=visit.now), visit.study.plan.pay
    found = choice.of_people(find_people(visit.database, choice.search, everybody), pay)
    shown = choice.on_page(found)
    return visit.page(
        "leader/people.html",
        status=status,
        people=shown,
        below={each.pseudonym for each in shown if below_minimum(pay, each)},
        make_up={each.pseudonym: make_up(pay, each) for each in shown} if pay else {},
        found=len(found),
        everybody=len(everybody),
        unsigned=sum(each.unsigned for each in everybody),
        overview=pay_so_far(visit.database, everybody, now=visit.now),
        choice=choice,
        filters=list(FILTERS),
        sorts=list(SORTS),
        pages=-(-len(found) // PAGE),
        missing=missing,
        problem=problem,
        done=done,
    )


def _person(visit: Visit, pseudonym: str, *, status: int = 200, problem: str = "", link: str = "") -> Response:
    who, pay = person(visit.database, pseudonym, now=visit.now), visit.study.plan.pay
    return visit.page(
        "leader/person.html",
        status=status,
        who=who,
        below=below_minimum(pay, who),
        make_up=make_up(pay, who) if pay else None,
        problem=problem,
        link=link,
    )


def _reason(visit: Visit) -> str:
    return str(visit.form.get("reason", "")).strip()[:LONGEST_REASON]
