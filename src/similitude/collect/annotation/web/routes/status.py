"""Pages for annotators without a batch: paused, finished, stopped, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from similitude.collect.annotation.payment.records import outcome_of
from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.plan.models import Prolific
from similitude.collect.annotation.records import Annotator, Work
from similitude.collect.annotation.store import worked_in_submission
from similitude.collect.annotation.web.server_options import MTURK_ORIGINS
from similitude.collect.annotation.web.visit import Visit

__all__ = ["finishing", "standing", "survey_is_due"]

_TEMPLATES: Mapping[str, str] = {
    "closed": "closed.html",
    "finished": "finished.html",
    "unreadable": "unreadable.html",
    "stopped": "stopped.html",
    "declined": "left.html",
    "excluded": "stopped.html",
    "withdrawn": "deleted.html",
}


_LOOK_AGAIN: Mapping[str, str] = {"waiting": "waiting", "paused": "paused", "later": "nothing"}
"""Kinds of work that may come back later, each with the table of its texts."""


def standing(visit: Visit, work: Work) -> Response:
    """The page for an annotator without a batch."""
    if work.kind in _LOOK_AGAIN:
        coming = work.kind == "later" and visit.study.plan.follows is not None
        return visit.page("look_again.html", why="coming" if coming else _LOOK_AGAIN[work.kind], may_finish=coming)
    if work.kind == "finished" and survey_is_due(visit, work.annotator):
        return visit.redirect("/survey/after")
    context: dict[str, Any] = {"worker": work.annotator, "result": None, "elsewhere": work.elsewhere}
    return visit.page(_TEMPLATES[work.kind], **context, **finishing(visit, work.annotator))


def survey_is_due(visit: Visit, annotator: Annotator) -> bool:
    """Whether the survey after the work comes before the completion code."""
    return bool(visit.study.plan.survey.after) and annotator.survey_after is None and annotator.state == "finished"


def finishing(visit: Visit, annotator: Annotator) -> dict[str, Any]:
    """The context that sends an annotator back to the platform that they came from.

    Prolific needs a visit to its address, MTurk a form with the assignment; both get the completion code.
    """
    access = visit.study.plan.access
    completion_url, submit_to, unworked = "", "", False
    if annotator.source == "prolific" and access.prolific is not None:
        completion_url = _prolific_address(access.prolific, annotator)
    if annotator.source == "mturk":
        unworked = annotator.state == "finished" and not worked_in_submission(visit.database, annotator)
        sandbox = access.mturk is not None and access.mturk.sandbox
        fallback = "https://workersandbox.mturk.com" if sandbox else "https://www.mturk.com"
        given = annotator.platform.get("turkSubmitTo", "")
        submit_to = f"{given if given in MTURK_ORIGINS else fallback}/mturk/externalSubmit"
    return {
        "survey_due": survey_is_due(visit, annotator),
        "code": annotator.completion_code,
        "completion_url": completion_url,
        "submit_to": submit_to,
        "assignment": annotator.platform.get("assignmentId", ""),
        "unworked": unworked,
        "needed": _needed(visit.study.plan, annotator.reason),
    }


def _prolific_address(prolific: Prolific, annotator: Annotator) -> str:
    """Where somebody returns: Prolific has one code for those who completed, and others may have their own."""
    stopped = prolific.stopped_url or prolific.completion_url
    addresses = {
        "early": prolific.early_url,
        "stopped": stopped,
        "excluded": stopped,
        "screened_out": prolific.screened_url or stopped,
    }
    return addresses.get(outcome_of(annotator)) or prolific.completion_url


def _needed(plan: StudyPlan, reason: str | None) -> int:
    """The percentage of right answers that a stopped annotator did not reach."""
    shares = {
        "gold": plan.gold.stop_below if plan.gold else 0.0,
        "training": plan.training.pass_ if plan.training else 0.0,
        "qualification": plan.qualification.pass_ if plan.qualification else 0.0,
    }
    return round(100 * shares.get(reason or "", 0.0))
