"""The pages of entry: by invitation, by the open link, from Prolific, from MTurk.

Opening a link shows a page with a button, and only the button enters the study. So mail programs that open links in
advance use up no invitation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from starlette.responses import Response

from similitude.collect.annotation.records import Entered
from similitude.collect.annotation.store import (
    ENDED,
    annotator_of_session,
    consent,
    enter_by_invitation,
    enter_from_platform,
    enter_open,
    invitation_for,
    question_languages,
    set_language,
)
from similitude.collect.annotation.store.entry import NOBODY
from similitude.collect.annotation.store.refusals import NotAdmitted
from similitude.collect.annotation.web.guard import Role, count_attempt
from similitude.collect.annotation.web.language import LANGUAGES
from similitude.collect.annotation.web.platform_parameters import parameters, prolific_link, prolific_parameters
from similitude.collect.annotation.web.recognition import Visitor, recognise_visitor, remember_visitor
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.cookies import Cookie, read_cookie, set_cookie
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.server_options import MTURK_ORIGINS
from similitude.collect.annotation.web.views.questions import example_views
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages"]

pages = Routes(Role.VISITOR)

NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""MTurk's value for the assignment while a worker previews a task."""
ELSEWHERE = ("other_browser", "link_used")
"""Refusals of people who are known in another browser, which have a page of their own."""


@pages.get("/")
def home(visit: CurrentVisit) -> Response:
    """The start page, for visitors without a link."""
    return visit.page("home.html", known=_is_known(visit))


@pages.get("/join/{token}")
def show_invitation(visit: CurrentVisit, token: str) -> Response:
    """The page behind an invitation link."""
    return _start(visit, f"/join/{token}")


@pages.post("/join/{token}")
def join(visit: CurrentVisit, token: str) -> Response:
    """Enter by invitation."""
    made_for = invitation_for(visit.database, token)
    different = _is_known(visit)
    who = None if made_for is None else recognise_visitor(visit, invited=made_for.person, different=different)
    try:
        entered = enter_by_invitation(
            visit.database,
            token,
            known=NOBODY if who is None else who.known,
            language=visit.texts.language,
            now=visit.now,
        )
    except NotAdmitted:
        count_attempt(visit.services.wrong_links, visit.request)
        raise
    return _let_in(visit, entered, who)


@pages.get("/open")
def show_open(visit: CurrentVisit) -> Response:
    """The page behind the open link."""
    if not visit.study.plan.access.open:
        raise Refusal(403, "error.entry_closed")
    return _start(visit, "/open")


@pages.post("/open")
def join_open(visit: CurrentVisit) -> Response:
    """Enter by the open link."""
    count_attempt(visit.services.entries, visit.request)
    who = recognise_visitor(visit, different=_is_known(visit))
    entered = enter_open(visit.database, known=who.known, language=visit.texts.language, now=visit.now)
    return _let_in(visit, entered, who)


@pages.get("/prolific")
def show_prolific(visit: CurrentVisit) -> Response:
    """The page that Prolific leads to; a link without a valid signature is refused where the study wants one."""
    sent = prolific_parameters(visit)
    prolific_link(visit, sent)
    return _start(visit, "/prolific", sent)


@pages.post("/prolific")
def join_prolific(visit: CurrentVisit) -> Response:
    """Enter from Prolific; a known person continues in their browser, or with a signed link."""
    count_attempt(visit.services.entries, visit.request)
    sent = prolific_parameters(visit)
    link = prolific_link(visit, sent)
    return _enter(
        visit,
        "prolific",
        link.participant if link else sent["PROLIFIC_PID"],
        submission=link.submission if link else sent["SESSION_ID"],
        study_there=link.study if link else sent["STUDY_ID"],
        link=link,
    )


@pages.get("/mturk")
def show_mturk(visit: CurrentVisit) -> Response:
    """The page in MTurk's frame: only the instructions until the task is accepted."""
    sent = parameters(visit, "assignmentId", optional=("hitId", "workerId", "turkSubmitTo"))
    if sent["assignmentId"] == NOT_ACCEPTED:
        return visit.page("mturk_preview.html", examples=example_views(visit.study, visit.texts))
    return _start(visit, "/mturk", sent)


@pages.post("/mturk")
def join_mturk(visit: CurrentVisit) -> Response:
    """Enter from MTurk; each assignment is a submission of its own."""
    count_attempt(visit.services.entries, visit.request)
    sent = parameters(visit, "assignmentId", "workerId", optional=("hitId", "turkSubmitTo"))
    submit_to = sent["turkSubmitTo"].rstrip("/")
    if sent["assignmentId"] == NOT_ACCEPTED or (submit_to and submit_to not in MTURK_ORIGINS):
        raise Refusal(400, "error.platform", missing="turkSubmitTo" if submit_to else "assignmentId")
    return _enter(
        visit,
        "mturk",
        sent["workerId"],
        submission=sent["assignmentId"],
        study_there=sent["hitId"],
        platform={"assignmentId": sent["assignmentId"], "turkSubmitTo": submit_to},
    )


def _enter(visit: Visit, source: Literal["prolific", "mturk"], external_id: str, **came: Any) -> Response:
    session = read_cookie(visit.request, visit.services.settings, Cookie.ANNOTATOR, visit.services.slug)
    who = recognise_visitor(visit, platform_id=(source, external_id))
    here: dict[str, Any] = {"session": session, "known": who.known, "language": visit.texts.language}
    try:
        entered = enter_from_platform(visit.database, source, external_id, now=visit.now, **here, **came)
    except NotAdmitted as error:
        if error.key not in ELSEWHERE:
            raise
        return visit.page("other_browser.html", status=error.status, why=error.key, source=source)
    return _let_in(visit, entered, who)


@pages.get("/language/{language}")
def choose_language(visit: CurrentVisit, language: str, to: str = "/") -> Response:
    """Change the language of the interface."""
    here = to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable()
    response = visit.redirect(to if here else "/")
    if language in LANGUAGES:
        set_cookie(response, visit.services.settings, Cookie.LANGUAGE, language)
    session = read_cookie(visit.request, visit.services.settings, Cookie.ANNOTATOR, visit.services.slug)
    annotator = annotator_of_session(visit.database, session) if session else None
    if annotator is not None and language in visit.study.plan.languages:
        set_language(visit.database, annotator.id, language)
    return response


def _start(visit: Visit, address: str, hidden: Mapping[str, str] | None = None) -> Response:
    # From a platform one always comes in by the button: it says which assignment this visit is for.
    known = hidden is None and _is_known(visit)
    if not known:
        _check_open(visit)
    texts = question_languages(visit.database)
    asks = hidden is None and not known and len(texts) <= 1
    return visit.page(
        "start.html", address=address, hidden=hidden or {}, known=known, asks_consent=asks, text_languages=texts
    )


def _check_open(visit: Visit) -> None:
    """Say at once, and not after the button, that nobody can enter.

    Raises:
        Refusal: the study is a draft, or it has ended.
    """
    if visit.study.state == "draft":
        raise Refusal(403, "error.draft")
    if visit.study.state in ENDED:
        raise Refusal(403, "error.closed")


def _is_known(visit: Visit) -> bool:
    session = read_cookie(visit.request, visit.services.settings, Cookie.ANNOTATOR, visit.services.slug)
    return bool(session) and annotator_of_session(visit.database, session) is not None


def _let_in(visit: Visit, entered: Entered, who: Visitor | None) -> Response:
    response = visit.redirect(_agreed(visit, entered) or "/work")
    if who is not None:
        remember_visitor(visit, response, who)
    set_cookie(response, visit.services.settings, Cookie.ANNOTATOR, entered.session, visit.services.slug)
    return response


def _agreed(visit: Visit, entered: Entered) -> str:
    """Record the consent that was given on the start page, and say where it leads; empty if it was not given there."""
    agreed = visit.form.get("agree") == "yes" and entered.annotator.state == "invited"
    if not agreed or len(question_languages(visit.database)) > 1:  # which of them people read is asked with the consent
        return ""
    consent(visit.database, entered.annotator.id, agreed=True, now=visit.now)
    return "/survey/before" if visit.study.plan.survey.before else "/instructions"
