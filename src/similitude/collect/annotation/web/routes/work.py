"""The annotator's next work, and the pages of questions."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response

from similitude.collect.annotation.records import Batch, BatchQuestion, Saved
from similitude.collect.annotation.store import next_work, read_batch, save_answers
from similitude.collect.annotation.store.refusals import InvalidAnswer
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.question_page import problems_by_field, question_page
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.status import standing
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.views.pages import BatchPage, batch_page
from similitude.collect.annotation.web.views.questions import (
    answered_questions,
    entry_of,
    in_words,
    items_of,
)
from similitude.collect.annotation.web.visit import CurrentVisit, RowNumber, Visit

__all__ = ["pages"]

pages = Routes(Role.ANNOTATOR)

ASKS_FIRST = ("batch", "later", "paused")
"""Kinds of work before which the survey is asked."""


@pages.get("/work")
def work(visit: CurrentVisit) -> Response:
    """Redirect to the next questions, or show why there are none."""
    visit.services.flow.maybe(visit.database, now=visit.now)
    found = next_work(visit.database, visit.worker.id, now=visit.now)
    if found.kind == "consent":
        return visit.redirect("/consent")
    if visit.study.plan.survey.before and found.annotator.survey_before is None and found.kind in ASKS_FIRST:
        return visit.redirect("/survey/before")
    if found.batch is None:
        return standing(visit, found)
    if found.batch.paused is not None:
        return visit.redirect("/break")
    page = batch_page(found.batch, found.batch.next_position, visit.study.plan.batch.per_page)
    finished = found.batch.complete and found.batch.purpose != "training"
    return visit.redirect(f"/batch/{found.batch.id}/review" if finished else page.address)


@pages.post("/batch/{batch}/check")
def check(visit: CurrentVisit, batch: RowNumber) -> JSONResponse:
    """The problems of an answer that is still being written; nothing is saved."""
    read = read_batch(visit.database, visit.worker.id, batch)
    problems: dict[str, str] = {}
    for question in _sent_questions(visit, read):
        entry = entry_of(visit.form, question, visit.study.task)
        found = visit.study.task.read(items_of(question.shown), entry.form).problems
        problems |= problems_by_field({question.position: in_words(found, visit.texts)})
    return JSONResponse({"problems": problems})


# After the routes above: a position would match their last words too.
@pages.get("/batch/{batch}/{position}")
def show_questions(visit: CurrentVisit, batch: RowNumber, position: RowNumber) -> Response:
    """A page of questions."""
    read = read_batch(visit.database, visit.worker.id, batch)
    if read.state == "sent":
        raise Refusal(409, "error.batch_sent")
    if read.state == "expired":
        return visit.page("expired.html", status=409)
    if read.paused is not None:
        return visit.redirect("/break")
    return _questions(visit, batch_page(read, position, visit.study.plan.batch.per_page))


@pages.post("/batch/{batch}/{position}")
def answer_questions(visit: CurrentVisit, batch: RowNumber, position: RowNumber) -> Response:
    """Save a page of answers and continue. If one is not valid, show the page again with its problems."""
    read = read_batch(visit.database, visit.worker.id, batch)
    _check_there(visit, read)
    page = batch_page(read, position, visit.study.plan.batch.per_page)
    try:
        _save(visit, page.batch, answered_questions(visit.form, page.questions, visit.study.task))
    except InvalidAnswer as error:
        return _questions(visit, page, error)
    return visit.redirect(page.address if page.batch.purpose == "training" else page.next)


def _questions(visit: Visit, page: BatchPage, error: InvalidAnswer | None = None) -> Response:
    return visit.page("question.html", status=error.status if error else 200, **question_page(visit, page, error))


def _save(visit: Visit, batch: Batch, questions: tuple[BatchQuestion, ...]) -> list[Saved]:
    with_comments = visit.study.plan.comments
    entries = [entry_of(visit.form, each, visit.study.task, with_comments=with_comments) for each in questions]
    return save_answers(visit.database, visit.worker.id, batch.id, entries, now=visit.now)


def _check_there(visit: Visit, batch: Batch) -> None:
    """Refuse a form with a question that went to somebody else when the time ran out.

    Raises:
        Refusal: there is such a question; nothing was saved.
    """
    there = {f"{question.position}.nonce" for question in batch.questions}
    if any(name.endswith(".nonce") and name not in there for name in visit.form):
        raise Refusal(409, "error.slot_taken") if batch.state == "expired" else Refusal(404, "error.no_question")
    if not batch.questions:
        raise Refusal(409, "error.batch_expired")


def _sent_questions(visit: Visit, batch: Batch) -> tuple[BatchQuestion, ...]:
    """The questions of the batch that the form has a nonce for."""
    _check_there(visit, batch)
    return tuple(each for each in batch.questions if f"{each.position}.nonce" in visit.form)
