"""Skipping a question, and going back to the last answer."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.records import Batch, Skipped
from similitude.collect.annotation.store import last_settled, read_batch, skip_question
from similitude.collect.annotation.store.refusals import InvalidAnswer
from similitude.collect.annotation.store.skips import LONGEST_NOTE
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.cookies import new_secret
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.views.pages import batch_page
from similitude.collect.annotation.web.views.questions import in_words, question_view
from similitude.collect.annotation.web.visit import CurrentVisit, RowNumber, Visit

__all__ = ["pages"]

pages = Routes(Role.ANNOTATOR)


@pages.get("/batch/{batch}/last")
def show_last(visit: CurrentVisit, batch: RowNumber) -> Response:
    """The question that was answered or skipped last, to change it."""
    read = read_batch(visit.database, visit.worker.id, batch)
    position = last_settled(visit.database, visit.worker.id, batch)
    page = batch_page(read, position or read.next_position, visit.study.plan.batch.per_page)
    return visit.redirect(f"{page.address}#question-{position}" if position else page.address)


@pages.get("/batch/{batch}/{position}/skip")
def show_skip(visit: CurrentVisit, batch: RowNumber, position: RowNumber) -> Response:
    """The reasons to skip a question."""
    return _skip_page(visit, _open_batch(visit, batch), position)


@pages.post("/batch/{batch}/{position}/skip")
def skip(visit: CurrentVisit, batch: RowNumber, position: RowNumber) -> Response:
    """Skip a question and continue."""
    read = _open_batch(visit, batch)
    reason, note, nonce = (str(visit.form.get(name, "")) for name in ("reason", "note", "nonce"))
    try:
        skipped = Skipped(reason[:20], note[: 2 * LONGEST_NOTE])
        skip_question(
            visit.database, visit.worker.id, batch, position, skipped, nonce=nonce or new_secret(), now=visit.now
        )
    except InvalidAnswer as error:
        return _skip_page(visit, read, position, error, sent=Skipped(reason, note))
    page = batch_page(read, position, visit.study.plan.batch.per_page)
    waiting = [each for each in page.questions if not each.settled and each.position != position]
    return visit.redirect(page.address if waiting else page.next)


def _open_batch(visit: Visit, batch: int) -> Batch:
    read = read_batch(visit.database, visit.worker.id, batch)
    if read.state != "open":
        raise Refusal(409, "error.batch_sent" if read.state == "sent" else "error.batch_expired")
    if not visit.study.plan.skip.allowed or read.purpose in ("training", "qualification"):
        raise Refusal(403, "error.no_skip")
    return read


def _skip_page(
    visit: Visit, batch: Batch, position: int, error: InvalidAnswer | None = None, sent: Skipped | None = None
) -> Response:
    found = [each for each in batch.questions if each.position == position]
    if not found:
        raise Refusal(404, "error.no_question")
    chosen = sent or found[0].skipped or Skipped("")
    return visit.page(
        "skip.html",
        status=error.status if error else 200,
        address=f"/batch/{batch.id}/{position}/skip",
        back=f"{batch_page(batch, position, visit.study.plan.batch.per_page).address}#question-{position}",
        question=question_view(visit.study, found[0], visit.texts),
        reasons=visit.study.plan.skip.reasons,
        chosen=chosen,
        longest=LONGEST_NOTE,
        problems=in_words(error.problems, visit.texts) if error else {},
        nonce=new_secret(),
    )
