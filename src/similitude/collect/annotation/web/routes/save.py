"""The hot path: answers that the script sends are saved, and the reply brings the next questions.

One request, one transaction: it finds the annotator, saves, and reads the next page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from fastapi import Request
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, Response

from similitude.collect.annotation.records import AnsweredPage, BatchQuestion, Entry
from similitude.collect.annotation.store import at_work_in, save_page
from similitude.collect.annotation.store.refusals import InvalidAnswer
from similitude.collect.annotation.web.addresses import root_of
from similitude.collect.annotation.web.guard import Role, annotator_visit, check_form
from similitude.collect.annotation.web.question_page import (
    problems_by_field,
    problems_by_position,
    question_page,
)
from similitude.collect.annotation.web.renderer import render_block
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.cookies import Cookie, read_cookie
from similitude.collect.annotation.web.security.fields import check_address, read_form
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.services import services_of
from similitude.collect.annotation.web.views.pages import batch_page
from similitude.collect.annotation.web.views.questions import entry_of
from similitude.collect.annotation.web.visit import Visit, row_number

__all__ = ["pages"]

pages = Routes(Role.ANNOTATOR)


@pages.plain_post("/batch/{batch}/save")
async def save(request: Request) -> Response:
    """Save answers that the script sends; the response confirms that they are on disk."""
    check_address(request)
    request.state.form = sent = await read_form(request)
    try:
        form = _Form(request)
        answered = await services_of(request).lane.run(form.save)
    except InvalidAnswer as error:
        problems = problems_by_field(problems_by_position(error, form.visit.texts))
        message = form.visit.texts("answer_error.summary")
        return JSONResponse({"message": message, "problems": problems}, status_code=422)
    finally:
        await sent.close()
    return JSONResponse(
        {
            "saved": [each.position for each in answered.saved],
            "answered": answered.following.answered,
            "next": _next(form.visit, answered),
        }
    )


class _Form:
    """A form that was sent, and the visit that it belongs to once the session is known."""

    def __init__(self, request: Request) -> None:
        """Check what needs no database.

        Raises:
            Refusal: the form has no session, or is not from our pages.
        """
        services = services_of(request)
        self.request = request
        self.session = read_cookie(request, services.settings, Cookie.ANNOTATOR, services.slug)
        if not self.session:
            raise Refusal(403, "error.no_session")
        self.fields: FormData = request.state.form
        check_form(self.session, self.fields)
        self.visit: Visit

    def save(self, connection: sa.Connection) -> AnsweredPage:
        """Save the form in a transaction.

        Raises:
            Refusal: the session is over, or there is no such batch or question.
        """
        found = at_work_in(services_of(self.request).database, connection, self.session, lock=True)
        self.visit = visit = annotator_visit(self.request, found, self.session)
        batch = row_number(self.request.path_params["batch"])
        positions = _positions(self.fields)
        return save_page(connection, found.study, visit.worker, batch, positions, self._entries, now=visit.now)

    def _entries(self, questions: Sequence[BatchQuestion]) -> list[Entry]:
        study = self.visit.study
        return [entry_of(self.fields, each, study.task, with_comments=study.plan.comments) for each in questions]


def _positions(form: FormData) -> list[int]:
    """The positions of the questions that the form has a nonce for."""
    written = [name.removesuffix(".nonce") for name in form if name.endswith(".nonce")]
    if not written or not all(each.isascii() and each.isdigit() and len(each) < 6 for each in written):
        raise Refusal(404, "error.no_question")
    return sorted(map(int, written))


def _next(visit: Visit, answered: AnsweredPage) -> dict[str, Any] | None:
    """The next page of questions; none after the last page, before a review, in training, or from an old batch."""
    batch = answered.following
    first = answered.saved[0].position if answered.saved else 0
    here = batch_page(batch, first, visit.study.plan.batch.per_page)
    if batch.state != "open" or batch.paused or batch.purpose == "training" or not batch.questions:
        return None
    page = batch_page(batch, batch.questions[0].position, visit.study.plan.batch.per_page)
    if page.address != here.next:
        return None  # a question in the middle of a page was answered: the script goes on when all are
    context = {**visit.base(), **question_page(visit, page)}
    return {
        "address": root_of(visit.request) + page.address,
        "title": render_block("question.html", "title", context),
        "html": render_block("question.html", "main", context),
    }
