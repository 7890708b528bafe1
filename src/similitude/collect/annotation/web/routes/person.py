"""The annotator's page about their data: stop taking part, or delete everything."""

from __future__ import annotations

from datetime import timedelta

from starlette.responses import Response

from similitude.collect.annotation.store import invite, opt_out, payments_of, withdraw
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.recognition import forget_visitor
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.invitations import invitation_link
from similitude.collect.annotation.web.routes.status import finishing
from similitude.collect.annotation.web.security.cookies import Cookie, clear_cookie
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages"]

pages = Routes(Role.ANNOTATOR, prefix="/data")


@pages.get("")
def show_data(visit: CurrentVisit) -> Response:
    """What is kept about the annotator, what was decided about their pay, and the ways to stop."""
    return _data(visit)


@pages.post("/link")
def make_link(visit: CurrentVisit) -> Response:
    """A link to continue in another browser, for an hour and one use."""
    who = visit.worker
    if who.state == "withdrawn" or who.source == "preview":
        raise Refusal(409, "error.state")
    soon = visit.now + timedelta(hours=1)
    made = invite(visit.database, expires=soon, annotator=who.pseudonym, now=visit.now, by="annotator")
    return _data(visit, link=invitation_link(visit, made))


@pages.post("/leave")
def leave(visit: CurrentVisit) -> Response:
    """Stop taking part; answers stay."""
    annotator = opt_out(visit.database, visit.worker.id, now=visit.now)
    return visit.page("left.html", worker=annotator, **finishing(visit, annotator))


@pages.post("/delete")
def delete(visit: CurrentVisit) -> Response:
    """Delete the annotator's answers and identity."""
    if visit.form.get("sure") != "yes":
        return _data(visit, status=422, missing=True)
    kept = payment_record(visit)
    person = visit.worker.person
    withdraw(visit.database, visit.worker.id, now=visit.now)
    forgotten = forget_visitor(visit, person)
    visit.annotator = None
    response = visit.page("deleted.html", kept=kept)
    clear_cookie(response, visit.services.settings, Cookie.ANNOTATOR, visit.services.slug)
    if forgotten:
        clear_cookie(response, visit.services.settings, Cookie.PERSON)
    return response


def payment_record(visit: Visit) -> bool:
    """Whether a record of payment stays when the annotator's data is deleted."""
    return visit.worker.completion_code is not None or bool(payments_of(visit.database, visit.worker.id))


def _data(visit: Visit, *, status: int = 200, missing: bool = False, link: str = "") -> Response:
    return visit.page(
        "data.html",
        status=status,
        missing=missing,
        link=link,
        payments=[each for each in payments_of(visit.database, visit.worker.id) if each.kind != "paid"],
        kept=payment_record(visit),
        ids_kept=visit.study.plan.access.keep_platform_ids and visit.worker.source in ("prolific", "mturk"),
    )
