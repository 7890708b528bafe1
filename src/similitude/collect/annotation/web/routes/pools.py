"""The leader's page of qualification pools: their members, who is added or removed with a reason, and invitations."""

from __future__ import annotations

from typing import cast

from starlette.responses import Response

from similitude.collect.annotation.store import annotator_names, invite
from similitude.collect.annotation.store.persons import person_of_annotator
from similitude.collect.annotation.store.pools import PoolState, pool_members, set_pool_member
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.recognition import share_results
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.invitations import invitation_link
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, Visit

__all__ = ["pages", "pools_of"]

pages = Routes(Role.LEADER, prefix="/leader/pools")

LONGEST_REASON = 500
STATES = ("passed", "removed")


@pages.get("")
def table(visit: CurrentVisit) -> Response:
    """The members of the study's pools."""
    return _table(visit)


@pages.post("/{pool}")
def change(visit: CurrentVisit, pool: str) -> Response:
    """Add somebody to a pool, or remove them, with a reason."""
    _check(visit, pool)
    state, why = str(visit.form.get("state", "")), str(visit.form.get("reason", "")).strip()[:LONGEST_REASON]
    if state not in STATES or not why:
        return _table(visit, status=422, missing=True)
    set_pool_member(
        visit.services.persons,
        pool,
        _person(visit),
        state=cast(PoolState, state),
        study=visit.study.plan.name,
        why=why,
        now=visit.now,
        by=visit.by,
    )
    return visit.redirect("/leader/pools")


@pages.post("/{pool}/invite")
def invite_member(visit: CurrentVisit, pool: str) -> Response:
    """Make an invitation to this study for a member, and show its link once."""
    _check(visit, pool)
    made = invite(visit.database, person=_person(visit), note=pool, now=visit.now, by=visit.by)
    return _table(visit, link=invitation_link(visit, made))


def pools_of(visit: Visit) -> list[str]:
    """The pools that the study's plan names."""
    plan = visit.study.plan
    named = (plan.access.pool, plan.qualification.pool if plan.qualification is not None else None)
    return list(dict.fromkeys(each for each in named if each is not None))


def _check(visit: Visit, pool: str) -> None:
    if pool not in pools_of(visit):
        raise Refusal(404, "error.not_found")


def _person(visit: Visit) -> str:
    """The person of the form: by code, or by their name in this study."""
    code = str(visit.form.get("person", "")).strip()[:100]
    return code or person_of_annotator(visit.database, str(visit.form.get("annotator", "")).strip()[:100])


def _table(visit: Visit, *, status: int = 200, missing: bool = False, link: str = "") -> Response:
    share_results(visit)
    names = annotator_names(visit.database)
    pools = [
        {
            "name": pool,
            "members": [
                (member, names.get(member.person, "")) for member in pool_members(visit.services.persons, pool)
            ],
        }
        for pool in pools_of(visit)
    ]
    return visit.page("leader/pools.html", status=status, pools=pools, missing=missing, link=link)
