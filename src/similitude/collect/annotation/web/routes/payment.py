"""The leader's page of money: cost, pay by the hour, and the lists for Prolific and MTurk."""

from __future__ import annotations

from starlette.datastructures import UploadFile
from starlette.responses import Response

from similitude.collect.annotation.payment.pay_estimate import design_estimate
from similitude.collect.annotation.payment.platform_lists import LISTS, PlatformList, matched_file, platform_list
from similitude.collect.annotation.store import decide_payment, pay_so_far, people, person_finder
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["list_response", "pages"]

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
        made = matched_file(file.file.read().decode("utf-8-sig"), person_finder(visit.database, everybody))
    except (ValueError, UnicodeDecodeError) as error:
        return _page(visit, problem=visit.texts("error.invalid", detail=str(error)))
    return _file(made)


@pages.post("/paid")
def mark_paid(visit: CurrentVisit) -> Response:
    """Note that the bonuses that were due have been handed over, so that no later list holds them again."""
    count = 0
    for each in people(visit.database, now=visit.now):
        if each.bonus_due:
            count += decide_payment(
                visit.database, [each.pseudonym], "paid", amount=each.bonus, now=visit.now, by=visit.by
            )
    return _page(visit, done=count)


def list_response(visit: Visit, name: str) -> Response:
    """A list as a file.

    Raises:
        Refusal: there is no such list (404).
    """
    known = name.rpartition(".")[0] or name
    if known not in LISTS:
        raise Refusal(404, "error.not_found")
    return _file(platform_list(known, people(visit.database, now=visit.now)))


def _file(made: PlatformList) -> Response:
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
    due = [each for each in everybody if each.bonus_due]
    return visit.page(
        "leader/payment.html",
        status=422 if problem else 200,
        overview=overview,
        planned=planned,
        lists=[(name, platform_list(name, everybody)) for name in _offered(visit)],
        due=len(due),
        due_amount=sum(each.bonus_due for each in due),
        problem=problem,
        done=done,
    )


def _offered(visit: Visit) -> list[str]:
    """The lists of the platforms that the study names."""
    access = visit.study.plan.access
    return [name for name, kind in LISTS.items() if getattr(access, kind.platform) is not None]
