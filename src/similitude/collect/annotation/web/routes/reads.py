"""The languages that an annotator reads."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.store import question_languages, set_reads
from similitude.collect.annotation.store.refusals import InvalidAnswer
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages", "sent_languages"]

pages = Routes(Role.ANNOTATOR, prefix="/languages")


def sent_languages(visit: Visit) -> list[str]:
    """The languages that were ticked in a form."""
    return [each for each in visit.form.getlist("reads") if isinstance(each, str)]


@pages.get("")
def show_languages(visit: CurrentVisit) -> Response:
    """The languages of the texts, to be ticked."""
    return _page(visit, list(visit.worker.reads or ()))


@pages.post("")
def choose(visit: CurrentVisit) -> Response:
    """Remember which ones the annotator reads; questions dealt from now on are in these."""
    try:
        set_reads(visit.database, visit.worker.id, sent_languages(visit), now=visit.now)
    except InvalidAnswer:
        return _page(visit, [], missing=True)
    return visit.redirect("/work")


def _page(visit: Visit, reads: list[str], *, missing: bool = False) -> Response:
    choices = question_languages(visit.database)
    return visit.page("languages.html", status=422 if missing else 200, choices=choices, reads=reads, missing=missing)
