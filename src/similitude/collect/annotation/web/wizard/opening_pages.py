"""The last step of a new study: the summary, the preview on two screens, and the opening."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation import store
from similitude.collect.annotation.drafts.draft import PLAN
from similitude.collect.annotation.drafts.text_scale import earlier_scale
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.store import Database, role_in_study
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.cookies import Cookie, read_cookie, set_cookie
from similitude.collect.annotation.web.security.headers import FRAMES_OURS
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, Visit
from similitude.collect.annotation.web.wizard.place import StudyPlace, place_of
from similitude.collect.annotation.web.wizard.saved_settings import open_study
from similitude.collect.annotation.web.wizard.settings_pages import step_page
from similitude.errors import SimilitudeError

__all__ = ["pages"]

pages = Routes(Role.LEADER, prefix="/leader/edit")

FIRST_LINK = "first link"


@pages.get("/{slug}/check")
def check(visit: CurrentVisit, slug: str, preview: str = "", saved: str = "") -> Response:
    """The summary of all settings, with what is wrong, the preview, and the button that opens the study."""
    return _summary(visit, place_of(visit, slug), preview=bool(preview), saved=bool(saved))


@pages.post("/{slug}/preview")
def preview(visit: CurrentVisit, slug: str) -> Response:
    """Enter as an annotator whose answers never count, and show the pages on two screens."""
    place = place_of(visit, slug)
    database = visit.shelf.database(slug)
    language = place.plan.languages[0]
    entered = store.enter_preview(database, language=language, now=visit.now, by=visit.by)
    response = visit.redirect(f"{place.address('check')}?preview=yes#preview")
    set_cookie(response, visit.services.settings, Cookie.ANNOTATOR, entered.session, slug)
    return response


@pages.post("/{slug}/open")
def open_(visit: CurrentVisit, slug: str) -> Response:
    """Open the study, and show how people get in; a study that owners closed is opened by owners only."""
    place = place_of(visit, slug)
    if place.state in store.OWNERS_ONLY and role_in_study(visit.console, visit.leader, slug) == "member":  # type: ignore[arg-type]
        raise Refusal(403, "error.owners_only")
    try:
        open_study(visit, place)
    except SimilitudeError as error:
        return _summary(visit, place_of(visit, slug), failure=error)
    place = place_of(visit, slug)
    link = _first_link(visit, visit.shelf.database(slug), slug, place.plan)
    return step_page(visit, "wizard/opened.html", place, "check", link=link, base=_base(visit, slug))


def _summary(
    visit: Visit,
    place: StudyPlace,
    *,
    preview: bool = False,
    saved: bool = False,
    failure: SimilitudeError | None = None,
) -> Response:
    findings = place.check()
    shown = preview and findings.problem is None and _previews(visit, place.slug)
    page = step_page(
        visit,
        "wizard/check.html",
        place,
        "check",
        status=422 if failure else 200,
        findings=findings,
        earlier_scale=earlier_scale(place.draft.folder),
        estimate=findings.estimate,
        reading=place.reading(),
        task=place.plan.annotation_task(),
        toml=(place.draft.folder / PLAN).read_text(encoding="utf-8-sig"),
        preview=shown,
        saved=saved,
        failure=failure,
    )
    if shown:
        page.headers["Content-Security-Policy"] = FRAMES_OURS
    return page


def _previews(visit: Visit, slug: str) -> bool:
    """Whether this browser is in the study as a preview."""
    session = read_cookie(visit.request, visit.services.settings, Cookie.ANNOTATOR, slug)
    who = store.annotator_of_session(visit.shelf.database(slug), session) if session else None
    return who is not None and who.source == "preview"


def _first_link(visit: Visit, database: Database, slug: str, plan: StudyPlan) -> str:
    """The link for the first people: as many as a question needs, or as many as may take part."""
    if plan.access.open:
        return f"{_base(visit, slug)}/open"
    people = plan.access.limit or plan.judgements
    made = store.invite(database, limit=people, note=FIRST_LINK, now=visit.now, by=visit.by)
    return f"{_base(visit, slug)}/join/{made.token}"


def _base(visit: Visit, slug: str) -> str:
    public = visit.services.settings.public_url
    return f"{(public or str(visit.request.base_url)).rstrip('/')}/s/{slug}"
