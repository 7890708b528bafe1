"""Who leads which study of a server with many: owners and members. Admins of the server lead all of them."""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa

from similitude.collect.annotation.records import Leader, LeaderRole, Member, MemberRole
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.leaders import leader_row
from similitude.collect.annotation.store.refusals import Conflict, NotThere
from similitude.collect.annotation.store.tables import api_token, leader, leader_invitation, membership, shelved_study

__all__ = ["add_member", "begin_study", "led_studies", "members", "remove_member", "role_in_study", "set_admin"]


def role_in_study(console: Database, who: Leader, slug: str) -> LeaderRole | None:
    """What a leader is in a study; None if they do not lead it."""
    if who.admin:
        return "admin"
    query = sa.select(membership.c.role).where(membership.c.leader_id == who.id, membership.c.slug == slug)
    with reading(console) as connection:
        found: LeaderRole | None = connection.execute(query).scalar_one_or_none()
    return found


def led_studies(console: Database, who: Leader) -> dict[str, MemberRole]:
    """The studies that a leader is an owner or a member of, with that role."""
    query = sa.select(membership.c.slug, membership.c.role).where(membership.c.leader_id == who.id)
    with reading(console) as connection:
        return {row.slug: row.role for row in connection.execute(query)}


def members(console: Database, slug: str) -> list[Member]:
    """The leaders of a study, owners first; admins of the server only if they are listed too."""
    query = (
        sa.select(leader.c.name, membership.c.role)
        .join(membership, membership.c.leader_id == leader.c.id)
        .where(membership.c.slug == slug)
        .order_by(membership.c.role.desc(), leader.c.name)
    )
    with reading(console) as connection:
        return [Member(*row) for row in connection.execute(query)]


def add_member(console: Database, slug: str, name: str, role: MemberRole, *, now: datetime, by: str) -> None:
    """Let a leader lead a study, or change their role in it.

    Raises:
        NotThere: there is no such leader.
        Conflict: they are the study's last owner, who cannot become a member.
    """
    with writing(console) as connection:
        put_member(connection, leader_row(connection, name).id, name, slug, role, now=now, by=by)


def put_member(
    connection: sa.Connection, leader_id: int, name: str, slug: str, role: MemberRole, *, now: datetime, by: str
) -> None:
    """Let a leader lead a study, in an open transaction."""
    mine = (membership.c.leader_id == leader_id) & (membership.c.slug == slug)
    before = connection.execute(sa.select(membership.c.role).where(mine)).scalar_one_or_none()
    if before == role:
        return
    if before == "owner":
        _check_other_owner(connection, slug, leader_id)
    if before is None:
        row = {"leader_id": leader_id, "slug": slug, "role": role, "created": now}
        connection.execute(sa.insert(membership).values(row))
    else:
        connection.execute(sa.update(membership).where(mine).values(role=role))
    record(connection, "member_added", now=now, by=by, subject=name, detail={"study": slug, "role": role})


def begin_study(console: Database, slug: str, owner: str | None, *, now: datetime, by: str) -> None:
    """Give a new study its owner. People who led an older study of that name, which has gone, do not lead this one.

    Their memberships, unused invitations and tokens belonged to that study, and so did what was read of its files.

    Raises:
        NotThere: there is no such leader.
    """
    with writing(console) as connection:
        connection.execute(sa.delete(membership).where(membership.c.slug == slug))
        unused = (leader_invitation.c.slug == slug) & leader_invitation.c.used.is_(None)
        connection.execute(sa.delete(leader_invitation).where(unused))
        tokens = (api_token.c.slug == slug) & api_token.c.revoked.is_(None)
        connection.execute(sa.update(api_token).where(tokens).values(revoked=now))
        connection.execute(sa.delete(shelved_study).where(shelved_study.c.slug == slug))
        if owner is not None:
            put_member(connection, leader_row(connection, owner).id, owner, slug, "owner", now=now, by=by)


def remove_member(console: Database, slug: str, name: str, *, now: datetime, by: str) -> None:
    """Take a leader off a study; they stay a leader of the server.

    Raises:
        NotThere: they do not lead the study.
        Conflict: they are its last owner.
    """
    with writing(console) as connection:
        who = leader_row(connection, name).id
        mine = (membership.c.leader_id == who) & (membership.c.slug == slug)
        role = connection.execute(sa.select(membership.c.role).where(mine)).scalar_one_or_none()
        if role is None:
            raise NotThere("no_leader", f"'{name[:40]}' does not lead '{slug}'")
        if role == "owner":
            _check_other_owner(connection, slug, who)
        connection.execute(sa.delete(membership).where(mine))
        record(connection, "member_removed", now=now, by=by, subject=name, detail={"study": slug})


def set_admin(console: Database, name: str, admin: bool, *, now: datetime, by: str) -> None:
    """Make a leader an admin of the server, who leads all studies, or end that.

    Raises:
        NotThere: there is no such leader.
        Conflict: they are the last admin.
    """
    with writing(console) as connection:
        row = leader_row(connection, name)
        others = sa.select(sa.func.count()).select_from(leader).where(leader.c.admin, leader.c.id != row.id)
        if row.admin and not admin and connection.execute(others).scalar_one() == 0:
            raise Conflict("last_admin", f"'{name}' is the last admin", remedy="make somebody else an admin first")
        connection.execute(sa.update(leader).where(leader.c.id == row.id).values(admin=admin))
        record(connection, "admin_set", now=now, by=by, subject=name, detail={"admin": admin})


def _check_other_owner(connection: sa.Connection, slug: str, leader_id: int) -> None:
    owners = (membership.c.slug == slug) & (membership.c.role == "owner") & (membership.c.leader_id != leader_id)
    if connection.execute(sa.select(membership.c.leader_id).where(owners).limit(1)).first() is None:
        raise Conflict("last_owner", f"'{slug}' has no other owner", remedy="make somebody else an owner first")
