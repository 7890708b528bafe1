"""The leader's list of questions with their answers, and the page of one question, where a leader decides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from similitude.collect.annotation.answer_records import QuestionDetail, QuestionSearch
from similitude.collect.annotation.records import BatchQuestion
from similitude.collect.annotation.store import (
    decide,
    item_languages,
    list_questions,
    question_detail,
    take_back_decision,
)
from similitude.collect.annotation.store.refusals import InvalidAnswer
from similitude.collect.annotation.store.spreadsheets import csv_lines
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.renderer import task_template
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.streams import streamed
from similitude.collect.annotation.web.views.answers import (
    answer_words,
    decision_views,
    listed_views,
    spread_views,
)
from similitude.collect.annotation.web.views.question_search import KINDS, SORTS, STATES, search_form
from similitude.collect.annotation.web.views.questions import entry_of, in_words, question_view
from similitude.collect.annotation.web.views.scales import scale_view
from similitude.collect.annotation.web.visit import CurrentVisit, RowNumber, Visit
from similitude.stats.finite import finite_or_none

__all__ = ["pages", "question_rows"]

pages = Routes(Role.LEADER, prefix="/leader/answers")

DOWNLOADED_AT_ONCE = 500


@pages.get("")
def show_list(visit: CurrentVisit) -> Response:
    """Questions with their answers: searched, filtered, sorted, page by page."""
    visit.services.charts.refresh()
    form = search_form(visit.request.query_params)
    page = list_questions(visit.database, form.search)
    return visit.page(
        "leader/answers.html",
        status=422 if form.wrong else 200,
        form=form,
        page=page,
        questions=listed_views(visit.study, page.questions, visit.texts),
        item_languages=item_languages(visit.database),
        kinds=KINDS,
        sorts=SORTS,
        states=STATES,
    )


@pages.get(".csv")
def download_list(visit: CurrentVisit) -> Response:
    """The list with the same filters, all pages, one line per question."""
    visit.services.charts.refresh()
    form = search_form(visit.request.query_params)
    if form.wrong:
        raise Refusal(422, "error.invalid", detail=f"cannot be read: {', '.join(form.wrong)}")
    rows = question_rows(visit, form.search)
    headers = {"Content-Disposition": 'attachment; filename="questions.csv"'}
    return streamed(csv_lines(rows), media_type="text/csv; charset=utf-8", headers=headers)


def question_rows(visit: Visit, search: QuestionSearch) -> Iterator[dict[str, Any]]:
    """Every question that a search finds, as rows of a table."""
    while True:
        page = list_questions(visit.database, search, limit=DOWNLOADED_AT_ONCE)
        for each in page.questions:
            yield {
                "question": each.key,
                "kind": each.kind,
                "state": each.state,
                "language": each.language,
                "group": each.group,
                "answers": each.answers,
                "disagreement": finite_or_none(each.disagreement),
                "last": each.last.isoformat() if each.last else None,
                "left": each.shown.left,
                "right": each.shown.right,
                "condition": each.shown.condition,
                "options": [option.text for option in each.shown.options] or None,
                "values": json.dumps([dict(value) for value in each.values], ensure_ascii=False),
                "decision": json.dumps(each.decision.value, ensure_ascii=False) if each.decision else None,
                "reason": each.decision.reason if each.decision else None,
            }
        if not page.next:
            return
        search = replace(search, after=page.next)


@pages.get("/{number}")
def show_question(visit: CurrentVisit, number: RowNumber) -> Response:
    """One question with everything that was answered and decided."""
    return _question(visit, question_detail(visit.database, number))


@pages.post("/{number}/decide")
def decide_question(visit: CurrentVisit, number: RowNumber) -> Response:
    """Decide a question, with a reason; answers stay."""
    detail = question_detail(visit.database, number)
    form = entry_of(visit.form, _asked(detail), visit.study.task).form
    try:
        decide(visit.database, number, form, reason=_reason(visit), now=visit.now, by=visit.by)
    except InvalidAnswer as error:
        return _question(visit, detail, problems=in_words(tuple(error.problems), visit.texts))
    return visit.redirect(f"/leader/answers/{number}#decisions")


@pages.post("/{number}/take-back")
def take_back(visit: CurrentVisit, number: RowNumber) -> Response:
    """Take back the decision that holds, with a reason; it stays in the history."""
    try:
        take_back_decision(visit.database, number, reason=_reason(visit), now=visit.now, by=visit.by)
    except InvalidAnswer:
        detail = question_detail(visit.database, number)
        return _question(visit, detail, taken_back=visit.texts("problem.reason.missing"))
    return visit.redirect(f"/leader/answers/{number}#decisions")


def _question(
    visit: Visit, detail: QuestionDetail, *, problems: dict[str, str] | None = None, taken_back: str = ""
) -> Response:
    sent = visit.form if problems else None
    seen = question_view(visit.study, _asked(detail), visit.texts, sent=sent, problems=problems)
    return visit.page(
        "leader/answer.html",
        status=422 if problems or taken_back else 200,
        detail=detail,
        seen=seen,
        question=replace(seen, turns=(), shown=replace(seen.shown, context=())),  # the dialogue is there once
        reason=_reason(visit) if problems else "",
        taken_back=taken_back,
        scale=scale_view(visit.study.task.scale, visit.texts.language),
        task_template=task_template(visit.study.task),
        spread_hint=_spread_hint(visit),
        spreads=spread_views(visit.study, detail, visit.texts),
        answers=[(each, answer_words(visit.study, each, visit.texts)) for each in detail.answers],
        expected=_expected(visit, detail),
        decisions=decision_views(visit.study, detail, visit.texts),
    )


def _asked(detail: QuestionDetail) -> BatchQuestion:
    """The question as a form asks it, filled in with the decision that holds."""
    held = detail.decision
    shown = detail.wording.shown
    return BatchQuestion(
        position=1,
        key=detail.key,
        version=detail.wording.version,
        shown=shown,
        answer=held.value if held else None,
    )


def _spread_hint(visit: Visit) -> str:
    """The key of the sentence on how this task measures disagreement."""
    own = f"answers.hint_{visit.study.task.name.replace('-', '_')}"
    return own if own in visit.texts else "answers.hint_other"


def _expected(visit: Visit, detail: QuestionDetail) -> str:
    known = detail.wording.expected
    return "" if known is None else visit.study.task.in_words(detail.wording.shown, known, visit.texts)


def _reason(visit: Visit) -> str:
    return str(visit.form.get("reason", "")).strip()
