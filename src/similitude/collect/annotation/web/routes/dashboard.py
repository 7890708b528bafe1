"""The leader's login, dashboard, log and preview."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation import store
from similitude.collect.annotation.web.guard import Role, client_address
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.cookies import Cookie, clear_cookie, read_cookie, set_cookie
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages"]

pages = Routes(Role.LEADER, prefix="/leader")

LOGIN_SECONDS = 900.0
AUDIT_PAGE = 100


@pages.get("/login", role=Role.VISITOR)
def show_login(visit: CurrentVisit) -> Response:
    """The form to log in."""
    session = read_cookie(visit.request, visit.services.settings, Cookie.LEADER)
    if session and store.leader_of_session(visit.console, session, now=visit.now) is not None:
        return visit.redirect("/leader")
    return visit.page("leader/login.html", wrong=False, name="")


@pages.post("/login", role=Role.VISITOR)
def login(visit: CurrentVisit) -> Response:
    """Log in. Attempts are counted per name and per address, over all processes."""
    name, password = (str(visit.form.get(field, ""))[:200] for field in ("name", "password"))
    _count_attempt(visit, "login by name", name.casefold())
    _count_attempt(visit, "login by address", client_address(visit.request))
    session = store.log_in(visit.console, name, password, now=visit.now)
    if session is None:
        return visit.page("leader/login.html", status=403, wrong=True, name=name)
    response = visit.redirect("/leader")
    set_cookie(response, visit.services.settings, Cookie.LEADER, session)
    return response


@pages.post("/logout")
def logout(visit: CurrentVisit) -> Response:
    """End the session, here and in the database."""
    store.log_out(visit.console, visit.session, now=visit.now)
    response = visit.redirect("/leader/login")
    clear_cookie(response, visit.services.settings, Cookie.LEADER)
    return response


@pages.get("")
def overview(visit: CurrentVisit) -> Response:
    """The dashboard: progress, rate, expected finish, and figures of agreement so far."""
    analysis = visit.services.analysis
    findings = analysis.look()
    verifies = "applies" in visit.study.task.fields
    visit.services.flow.maybe(visit.database, now=visit.now)
    return visit.page(
        "leader/dashboard.html",
        progress=store.progress(visit.database, now=visit.now),
        findings=findings,
        age=round(analysis.age(findings)),
        verifies=verifies,
        stage=store.stage_progress(visit.database) if verifies or visit.study.plan.follows else None,
    )


@pages.post("/pause")
def pause(visit: CurrentVisit) -> Response:
    """Pause the study: it gives out no new work."""
    store.set_state(visit.database, "paused", now=visit.now, by=visit.by)
    return visit.redirect("/leader")


@pages.post("/resume")
def resume(visit: CurrentVisit) -> Response:
    """Resume the study."""
    store.set_state(visit.database, "open", now=visit.now, by=visit.by)
    return visit.redirect("/leader")


@pages.get("/audit")
def audit(visit: CurrentVisit) -> Response:
    """The audit log."""
    return visit.page("leader/audit.html", entries=store.audit_log(visit.database, limit=AUDIT_PAGE))


@pages.get("/preview")
def show_preview(visit: CurrentVisit) -> Response:
    """The page that explains the preview."""
    return visit.page("leader/preview.html")


@pages.post("/preview")
def preview(visit: CurrentVisit) -> Response:
    """Enter as an annotator whose answers never count."""
    entered = store.enter_preview(visit.database, language=visit.study.plan.languages[0], now=visit.now, by=visit.by)
    response = visit.redirect("/work")
    set_cookie(response, visit.services.settings, Cookie.ANNOTATOR, entered.session, visit.services.slug)
    return response


def _count_attempt(visit: Visit, action: str, who: str) -> None:
    limit = visit.services.settings.login_attempts
    if not store.allowed(visit.console, action, who, limit=limit, seconds=LOGIN_SECONDS, now=visit.now):
        raise Refusal(429, "error.too_many", seconds=int(LOGIN_SECONDS))
