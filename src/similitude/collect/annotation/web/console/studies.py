"""The console's start page, and the list of studies."""

from __future__ import annotations

from collections import Counter

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from similitude.collect.annotation.store.refusals import StoreUnavailable
from similitude.collect.annotation.web.console.study_lines import study_lines
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.language import LANGUAGES
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.cookies import Cookie, set_cookie
from similitude.collect.annotation.web.services import services_of
from similitude.collect.annotation.web.visit import CurrentVisit
from similitude.collect.annotation.web.wizard.upload_form import upload_context

__all__ = ["STATES", "pages"]

pages = Routes(Role.VISITOR)

STATES = ("draft", "open", "paused", "closed", "broken", "archived")
"""The filters of the list, in the order of the page."""


@pages.get("/")
def home(visit: CurrentVisit) -> Response:
    """The start page, for visitors without a link."""
    return visit.page("console/home.html")


@pages.get("/leader", role=Role.LEADER)
def table(visit: CurrentVisit, state: str = "") -> Response:
    """The studies that the leader leads; archived ones only where asked for."""
    lines = study_lines(visit.shelf, visit.leader, now=visit.now)  # type: ignore[arg-type]
    counts = Counter(line.state for line in lines)
    shown = [line for line in lines if (line.state == state if state in STATES else line.state != "archived")]
    return visit.page(
        "console/studies.html",
        lines=shown,
        counts={each: counts[each] for each in STATES if counts[each]},
        total=len(lines) - counts["archived"],
        chosen=state if state in STATES else "",
        **upload_context(visit),
    )


@pages.get("/s/{slug}", role=Role.PUBLIC)
@pages.get("/s/{slug}/{rest:path}", role=Role.PUBLIC)
@pages.post("/s/{slug}/{rest:path}", role=Role.PUBLIC)
def missing(request: Request, slug: str) -> Response:
    """Say why a study cannot be served: requests for those that can never come here."""
    shelf = services_of(request).shelf
    assert shelf is not None
    shelf.database(slug)
    raise StoreUnavailable(f"the study {slug} was just opened")


@pages.get("/language/{language}")
def choose_language(visit: CurrentVisit, language: str, to: str = "/") -> Response:
    """Change the language of the interface."""
    here = to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable()
    response = RedirectResponse(to if here else "/", status_code=303)
    if language in LANGUAGES:
        set_cookie(response, visit.services.settings, Cookie.LANGUAGE, language)
    return response
