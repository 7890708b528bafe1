"""Exclusion and re-admission of annotators, and decisions on their qualifications."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.store import (
    decide_qualification,
    exclude,
    qualification_answers,
    readmit,
)
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.recognition import share_results
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.people import show_people
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages"]

pages = Routes(Role.LEADER, prefix="/leader/annotators")

LONGEST_REASON = 500


@pages.post("/{pseudonym}/exclude")
def exclude_annotator(visit: CurrentVisit, pseudonym: str) -> Response:
    """Exclude an annotator's answers from the figures, with a reason; nothing is deleted."""
    why = _reason(visit)
    if not why:
        return show_people(visit, status=422, missing=pseudonym)
    replace = visit.form.get("replace") == "yes"
    exclude(visit.database, pseudonym, why=why, replace=replace, now=visit.now, by=visit.by)
    return visit.redirect("/leader/annotators")


@pages.post("/{pseudonym}/readmit")
def readmit_annotator(visit: CurrentVisit, pseudonym: str) -> Response:
    """Re-admit an excluded annotator."""
    readmit(visit.database, pseudonym, why=_reason(visit), now=visit.now, by=visit.by)
    return visit.redirect("/leader/annotators")


@pages.get("/{pseudonym}/qualification")
def read_qualification(visit: CurrentVisit, pseudonym: str) -> Response:
    """An annotator's qualification answers, for a leader to read."""
    batch = qualification_answers(visit.database, pseudonym)
    rows = [
        {
            "shown": question.shown,
            "answer": visit.study.task.in_words(question.shown, question.answer, visit.texts)
            if question.answer is not None
            else "",
        }
        for question in batch.questions
    ]
    return visit.page("leader/qualification.html", pseudonym=pseudonym, rows=rows)


@pages.post("/{pseudonym}/qualification")
def decide(visit: CurrentVisit, pseudonym: str) -> Response:
    """Pass or fail an annotator's qualification."""
    passed = visit.form.get("passed") == "yes"
    decide_qualification(visit.database, pseudonym, passed=passed, now=visit.now, by=visit.by)
    share_results(visit)
    return visit.redirect("/leader/annotators")


def _reason(visit: Visit) -> str:
    return str(visit.form.get("reason", "")).strip()[:LONGEST_REASON]
