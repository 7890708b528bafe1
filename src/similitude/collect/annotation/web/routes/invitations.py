"""The leader's page of invitations."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.records import Invitation
from similitude.collect.annotation.store import invitations, invite, revoke_invitation
from similitude.collect.annotation.web.addresses import public_base
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, RowNumber, Visit

__all__ = ["MOST_AT_ONCE", "invitation_link", "pages"]

pages = Routes(Role.LEADER, prefix="/leader/invitations")

MOST_AT_ONCE = 500
LONGEST_NOTE = 200


@pages.get("")
def table(visit: CurrentVisit) -> Response:
    """All invitations, without their links."""
    return _table(visit, [])


@pages.post("")
def make(visit: CurrentVisit) -> Response:
    """Make invitations, and show their links once."""
    count = _number(visit, "count", most=MOST_AT_ONCE)
    uses = _number(visit, "uses", most=1_000_000) if visit.form.get("uses") else None
    note = str(visit.form.get("note", "")).strip()[:LONGEST_NOTE]
    made = [invite(visit.database, limit=uses, note=note, now=visit.now, by=visit.by) for _ in range(count)]
    return _table(visit, [invitation_link(visit, each) for each in made])


@pages.post("/{number}/revoke")
def revoke(visit: CurrentVisit, number: RowNumber) -> Response:
    """Revoke an invitation."""
    revoke_invitation(visit.database, number, now=visit.now, by=visit.by)
    return visit.redirect("/leader/invitations")


def invitation_link(visit: Visit, invitation: Invitation) -> str:
    """The link of an invitation."""
    base = public_base(visit.request, visit.services.settings.public_url)
    return f"{base}/join/{invitation.token}"


def _table(visit: Visit, links: list[str]) -> Response:
    return visit.page("leader/invitations.html", invitations=invitations(visit.database), links=links)


def _number(visit: Visit, field: str, *, most: int) -> int:
    written = str(visit.form.get(field, "")).strip()
    if not (written.isascii() and written.isdigit() and 1 <= int(written[:9]) <= most):
        raise Refusal(422, "error.not_a_count", field=field, most=most)
    return int(written)
