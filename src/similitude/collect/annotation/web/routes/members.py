"""The leaders of a study, on a server with many studies: owners add and remove them."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation import store
from similitude.collect.annotation.records import MemberRole
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["leader_link", "pages"]

pages = Routes(Role.OWNER, prefix="/leader/members")


@pages.get("", role=Role.LEADER)
def table(visit: CurrentVisit) -> Response:
    """The leaders of the study."""
    return _table(visit)


@pages.post("")
def add(visit: CurrentVisit) -> Response:
    """Add a leader of the server to the study, or change their role in it."""
    name = str(visit.form.get("name", ""))[:200]
    store.add_member(visit.console, visit.services.slug, name, _role(visit), now=visit.now, by=visit.by)
    return visit.redirect("/leader/members")


@pages.post("/remove")
def remove(visit: CurrentVisit) -> Response:
    """Take a leader off the study."""
    name = str(visit.form.get("name", ""))[:200]
    store.remove_member(visit.console, visit.services.slug, name, now=visit.now, by=visit.by)
    return visit.redirect("/leader/members")


@pages.post("/invite")
def invite(visit: CurrentVisit) -> Response:
    """Make a link by which somebody becomes a leader of this study, and show it once."""
    made = store.invite_leader(visit.console, slug=visit.services.slug, role=_role(visit), now=visit.now, by=visit.by)
    return _table(visit, link=leader_link(visit, str(made.token)))


def leader_link(visit: Visit, token: str) -> str:
    """The address behind which somebody becomes a leader; it lies at the root of the server."""
    public = visit.services.settings.public_url
    url = visit.request.url
    return f"{(public or f'{url.scheme}://{url.netloc}').rstrip('/')}/leader/welcome/{token}"


def _role(visit: Visit) -> MemberRole:
    return "owner" if visit.form.get("role") == "owner" else "member"


def _table(visit: Visit, *, link: str = "") -> Response:
    there = store.members(visit.console, visit.services.slug)
    known = {each.name for each in there}
    others = [each.name for each in store.leaders(visit.console) if each.name not in known] if visit.owns else []
    return visit.page("leader/members.html", members=there, others=others, link=link)
