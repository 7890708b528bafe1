"""The survey before and after the work, and the leader's view of it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from starlette.responses import Response

from similitude.collect.annotation.plan.survey import SurveyPart
from similitude.collect.annotation.store import save_survey, survey_answers, survey_rows, survey_tally
from similitude.collect.annotation.store.spreadsheets import csv_lines
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.streams import streamed
from similitude.collect.annotation.web.views.survey import SurveyForm, read_survey, survey_fields
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages"]

pages = Routes(Role.ANNOTATOR)

COUNTED = ("age", "choice", "choices", "likert")
"""Kinds whose answers are counted on the leader's page; of the others it says only how many there are."""


@pages.get("/survey/{part}")
def show_survey(visit: CurrentVisit, part: str) -> Response:
    """A page of the survey."""
    return _page(visit, _part(visit, part))


@pages.post("/survey/{part}")
def answer_survey(visit: CurrentVisit, part: str) -> Response:
    """Save a page of the survey and continue."""
    named = _part(visit, part)
    read = read_survey(visit.form, visit.study.plan.survey.part(named))
    if read.problems:
        return _page(visit, named, read)
    save_survey(visit.database, visit.worker.id, named, read.values, now=visit.now)
    return visit.redirect("/instructions" if named == "before" else "/work" if not _is_over(visit) else "/finished")


def _is_over(visit: Visit) -> bool:
    return visit.worker.state == "finished"


def _part(visit: Visit, part: str) -> SurveyPart:
    if part not in ("before", "after") or not visit.study.plan.survey.part(part):  # type: ignore[arg-type]
        raise Refusal(404, "error.not_found")
    if visit.worker.state == "invited":
        raise Refusal(403, "error.no_consent")
    return "before" if part == "before" else "after"


def _page(visit: Visit, part: SurveyPart, read: SurveyForm | None = None) -> Response:
    questions = visit.study.plan.survey.part(part)
    form = read or SurveyForm(values={}, problems={})
    saved = survey_answers(visit.database, visit.worker.id, part)
    fields = survey_fields(questions, visit.texts, saved, visit.form if read else None, form)
    said = visit.study.plan.survey.said(visit.texts.language)
    return visit.page("survey.html", status=422 if read else 200, part=part, fields=fields, said=said)


@pages.get("/leader/survey", role=Role.LEADER)
def show_tally(visit: CurrentVisit) -> Response:
    """How often each answer of the survey was given; nothing here says who gave it."""
    tally = survey_tally(visit.database)
    survey = visit.study.plan.survey
    rows = [
        {
            "id": question.id,
            "asked": question.asked(visit.texts.language),
            "count": sum(tally.get(question.id, {}).values()),
            "answers": tally.get(question.id, {}) if question.kind in COUNTED else {},
        }
        for question in (*survey.before, *survey.after)
    ]
    return visit.page("leader/survey.html", rows=rows)


@pages.get("/leader/survey.jsonl", role=Role.LEADER)
def download_jsonl(visit: CurrentVisit) -> Response:
    """The answers to the survey as JSON lines."""
    lines: Iterator[str] = (json.dumps(row, ensure_ascii=False) + "\n" for row in survey_rows(visit.database))
    return streamed(lines, media_type="application/x-ndjson", headers=_download("jsonl"))


@pages.get("/leader/survey.csv", role=Role.LEADER)
def download_csv(visit: CurrentVisit) -> Response:
    """The answers to the survey as CSV."""
    rows = csv_lines(survey_rows(visit.database))
    return streamed(rows, media_type="text/csv; charset=utf-8", headers=_download("csv"))


def _download(ending: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="survey.{ending}"'}
