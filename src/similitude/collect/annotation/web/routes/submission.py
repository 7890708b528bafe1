"""The review page of a batch, its submission, and the end of the work."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.records import Batch
from similitude.collect.annotation.store import finish, read_batch, send_batch
from similitude.collect.annotation.store.refusals import Conflict
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.recognition import share_results
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.status import finishing, survey_is_due
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.views.pages import batch_page
from similitude.collect.annotation.web.views.questions import reason_in_words
from similitude.collect.annotation.web.visit import CurrentVisit, RowNumber, Visit

__all__ = ["pages"]

pages = Routes(Role.ANNOTATOR)


@pages.get("/batch/{batch}/review")
def review(visit: CurrentVisit, batch: RowNumber) -> Response:
    """All answers of a batch, each with a link to change it."""
    return _review(visit, read_batch(visit.database, visit.worker.id, batch))


@pages.post("/batch/{batch}/send")
def send(visit: CurrentVisit, batch: RowNumber) -> Response:
    """Send a batch; sending it again changes nothing and shows the same page."""
    try:
        sent = send_batch(visit.database, visit.worker.id, batch, now=visit.now)
    except Conflict as error:
        if error.key != "batch_incomplete":
            raise
        return _review(visit, read_batch(visit.database, visit.worker.id, batch), status=409)
    if sent.purpose == "qualification":
        share_results(visit)
    stopped = sent.annotator.state in ("stopped", "excluded")
    template = "stopped.html" if stopped else "result.html" if sent.result is not None else "sent.html"
    return visit.page(
        template,
        worker=sent.annotator,
        sent=sent,
        result=sent.result,
        **finishing(visit, sent.annotator),
    )


@pages.post("/finish")
def finish_here(visit: CurrentVisit) -> Response:
    """Finish early, with a completion code."""
    finish(visit.database, visit.worker.id, now=visit.now)
    return visit.redirect("/finished")


@pages.get("/finished")
def finished(visit: CurrentVisit) -> Response:
    """The completion code; unlike ``/work``, this gives out no new work."""
    if visit.worker.state != "finished":
        return visit.redirect("/work")
    if survey_is_due(visit, visit.worker):
        return visit.redirect("/survey/after")
    return visit.page("finished.html", worker=visit.worker, elsewhere=(), **finishing(visit, visit.worker))


def _review(visit: Visit, batch: Batch, *, status: int = 200) -> Response:
    if batch.state == "sent":
        raise Refusal(409, "error.batch_sent")
    if batch.state == "expired":
        return visit.page("expired.html", status=409)
    plan, task = visit.study.plan, visit.study.task
    rows = [
        {
            "position": question.position,
            "asked": question.shown.left or question.shown.condition or "",
            "language": question.shown.language,
            "answer": "" if question.answer is None else task.in_words(question.shown, question.answer, visit.texts),
            "skipped": reason_in_words(question.skipped, visit.texts),
            "comment": question.comment,
            "settled": question.settled,
            "address": batch_page(batch, question.position, plan.batch.per_page).address,
        }
        for question in batch.questions
    ]
    back = batch_page(batch, batch.size, plan.batch.per_page).address
    return visit.page("review.html", status=status, batch=batch, rows=rows, back=back)
