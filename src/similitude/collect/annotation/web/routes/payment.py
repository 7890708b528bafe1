"""The leader's page of money: cost, pay by the hour, and the lists for Prolific and MTurk."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal

from starlette.datastructures import UploadFile
from starlette.responses import Response

from similitude.collect.annotation.payment.bonus_lists import BONUS_LISTS
from similitude.collect.annotation.payment.pay_estimate import design_estimate
from similitude.collect.annotation.payment.platform_lists import LISTS, PlatformList, matched_file, platform_list
from similitude.collect.annotation.payment.records import Person
from similitude.collect.annotation.store import (
    bonus_lists,
    hand_over_bonuses,
    make_bonus_list,
    pay_so_far,
    people,
    person_finder,
    read_bonus_list,
    withdraw_bonus_list,
)
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, RowNumber, Visit
from similitude.errors import ArgumentError

__all__ = ["file_response", "list_response", "pages"]

pages = Routes(Role.LEADER, prefix="/leader/payment")


@pages.get("")
def show(visit: CurrentVisit) -> Response:
    """The page of money."""
    return _page(visit)


@pages.get("/lists/{name}")
def download(visit: CurrentVisit, name: str) -> Response:
    """One of the lists that a platform takes."""
    return list_response(visit, name)


@pages.post("/match")
def match(visit: CurrentVisit) -> Response:
    """A platform's own results file, with our decisions filled in."""
    file = visit.form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return _page(visit, problem=visit.texts("items.file_needed"))
    everybody = people(visit.database, now=visit.now)
    try:
        made = matched_file(
            file.file.read().decode("utf-8-sig"),
            person_finder(visit.database, everybody),
            lambda found: _put_on_list(visit, [each for each in everybody if each.annotator.id in found]),
        )
    except (ValueError, UnicodeDecodeError, ArgumentError) as error:
        return _page(visit, problem=visit.texts("error.invalid", detail=str(error)))
    return file_response(made)


def _put_on_list(visit: Visit, found: Collection[Person]) -> Mapping[int, Decimal]:
    """Put the bonuses of people in a platform's file on a list; nothing where none is due.

    Raises:
        ArgumentError: some are on an open list, and this file would hand them over a second time.
    """
    if any(each.listed for each in found):
        what = "bonuses of people in this file are on an open list"
        raise ArgumentError(what, remedy="mark that list as handed over, or withdraw it, then try again")
    due = {each.annotator.id for each in found if each.bonus_unlisted}
    if not due:
        return {}
    made = make_bonus_list(visit.database, "bonus", only=due, now=visit.now, by=visit.by)
    return {line.annotator: line.amount for line in made.lines}


@pages.post("/bonuses")
def make_list(visit: CurrentVisit) -> Response:
    """Make a numbered list of the bonuses that are due and on no other list."""
    kind = str(visit.form.get("kind", ""))
    chosen = next((each for each in BONUS_LISTS if each == kind), None)
    if chosen is None:
        raise Refusal(422, "error.bad_request")
    try:
        make_bonus_list(visit.database, chosen, now=visit.now, by=visit.by)
    except ArgumentError as error:
        return _page(visit, problem=visit.texts("error.invalid", detail=str(error)))
    return visit.redirect("/leader/payment#bonuses")


@pages.get("/bonuses/{number}")
def download_bonuses(visit: CurrentVisit, number: RowNumber) -> Response:
    """A list of bonuses; the same each time."""
    return file_response(read_bonus_list(visit.database, number).file())


@pages.post("/bonuses/{number}/paid")
def mark_paid(visit: CurrentVisit, number: RowNumber) -> Response:
    """Note that the bonuses on this list were handed over."""
    made = hand_over_bonuses(visit.database, number, now=visit.now, by=visit.by)
    return _page(visit, done=len(made.lines))


@pages.post("/bonuses/{number}/withdraw")
def withdraw(visit: CurrentVisit, number: RowNumber) -> Response:
    """Withdraw a list that was not handed over."""
    withdraw_bonus_list(visit.database, number, now=visit.now, by=visit.by)
    return visit.redirect("/leader/payment#bonuses")


def list_response(visit: Visit, name: str) -> Response:
    """A list as a file.

    Raises:
        Refusal: there is no such list (404).
    """
    known = name.rpartition(".")[0] or name
    if known not in LISTS:
        raise Refusal(404, "error.not_found")
    return file_response(platform_list(known, people(visit.database, now=visit.now)))


def file_response(made: PlatformList) -> Response:
    """A list as a download."""
    kind = "text/csv" if made.name.endswith("csv") else "text/plain"
    headers = {
        "Content-Disposition": f'attachment; filename="{made.name}"',
        "X-Lines": str(made.lines),
        "X-Left-Out": str(made.without_id),
    }
    return Response(made.text, media_type=f"{kind}; charset=utf-8", headers=headers)


def _page(visit: Visit, *, problem: str = "", done: int | None = None) -> Response:
    everybody = people(visit.database, now=visit.now)
    plan = visit.study.plan
    overview = pay_so_far(visit.database, everybody, now=visit.now)
    planned = design_estimate(plan, overview.design.judgements // plan.judgements) if overview else None
    due = [each for each in everybody if each.bonus_unlisted]
    return visit.page(
        "leader/payment.html",
        status=422 if problem else 200,
        overview=overview,
        planned=planned,
        lists=[(name, platform_list(name, everybody)) for name in _offered(visit)],
        due=len(due),
        due_amount=sum(each.bonus_unlisted for each in due),
        bonuses=bonus_lists(visit.database),
        kinds=[kind for kind in BONUS_LISTS if kind == "bonus" or _names(visit, kind.removesuffix("-bonus"))],
        problem=problem,
        done=done,
    )


def _offered(visit: Visit) -> list[str]:
    """The lists of the platforms that the study names."""
    return [name for name, kind in LISTS.items() if _names(visit, kind.platform)]


def _names(visit: Visit, platform: str) -> bool:
    return getattr(visit.study.plan.access, platform) is not None
