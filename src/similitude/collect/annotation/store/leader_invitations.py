"""Links by which people become leaders: they choose a name and a password in the browser. Each works once."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import LeaderInvitation, MemberRole
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.leader_sessions import new_session
from similitude.collect.annotation.store.leaders import new_leader, password_hash
from similitude.collect.annotation.store.memberships import put_member
from similitude.collect.annotation.store.passwords import hashed, new_secret
from similitude.collect.annotation.store.refusals import NotAdmitted
from similitude.collect.annotation.store.tables import leader, leader_invitation

__all__ = ["accept_leader_invitation", "invite_first_leader", "invite_leader", "read_leader_invitation"]

VALID = timedelta(days=7)


def invite_leader(
    console: Database,
    *,
    admin: bool = False,
    slug: str | None = None,
    role: MemberRole | None = None,
    now: datetime,
    by: str,
) -> LeaderInvitation:
    """Make a link by which somebody becomes a leader. Only the result holds its token: the database keeps a hash.

    Args:
        console: the console's database.
        admin: whether they will lead all studies of the server.
        slug: a study that they will lead.
        role: their role in that study.
        now: the time.
        by: who invites.
    """
    with writing(console) as connection:
        return _make(connection, admin=admin, slug=slug, role=role, now=now, by=by)


def invite_first_leader(console: Database, *, now: datetime, by: str) -> LeaderInvitation | None:
    """A link for the first leader, who becomes an admin; None if somebody leads already. Older such links end."""
    with writing(console) as connection:
        if connection.execute(sa.select(leader.c.id).limit(1)).first() is not None:
            return None
        connection.execute(sa.delete(leader_invitation).where(leader_invitation.c.used.is_(None)))
        return _make(connection, admin=True, slug=None, role=None, now=now, by=by)


def read_leader_invitation(console: Database, token: str, *, now: datetime) -> LeaderInvitation:
    """The invitation of a link.

    Raises:
        NotAdmitted: it is unknown, used or expired.
    """
    with reading(console) as connection:
        return _of_row(_valid_row(connection, token, now))


def accept_leader_invitation(console: Database, token: str, name: str, password: str, *, now: datetime) -> str:
    """Become a leader: the secret of a new session.

    Raises:
        NotAdmitted: the link is unknown, used or expired.
        ArgumentError: the password is too short, or the name is empty.
        Conflict: the name is taken.
    """
    read_leader_invitation(console, token, now=now)  # before the hash, which costs time
    kept = password_hash(name, password)
    with writing(console) as connection:
        row = _valid_row(connection, token, now)
        made = new_leader(connection, name, kept, admin=row.admin, now=now, by=name)
        if row.slug is not None and row.role is not None:
            put_member(connection, made.id, name, row.slug, row.role, now=now, by=name)
        connection.execute(sa.update(leader_invitation).where(leader_invitation.c.id == row.id).values(used=now))
        return new_session(connection, made.id, name, now=now)


def _make(
    connection: sa.Connection, *, admin: bool, slug: str | None, role: MemberRole | None, now: datetime, by: str
) -> LeaderInvitation:
    token = new_secret()
    row = {"token_hash": hashed(token), "admin": admin, "slug": slug, "role": role, "created": now}
    made = sa.insert(leader_invitation).values({**row, "expires": now + VALID}).returning(leader_invitation)
    detail = {"admin": admin} if slug is None else {"study": slug, "role": role}
    record(connection, "leader_invited", now=now, by=by, detail=detail)
    return _of_row(connection.execute(made).one(), token)


def _valid_row(connection: sa.Connection, token: str, now: datetime) -> Any:
    query = sa.select(leader_invitation).where(leader_invitation.c.token_hash == hashed(token)).with_for_update()
    row = connection.execute(query).one_or_none()
    refusal = "unknown" if row is None else "used" if row.used else "expired" if row.expires <= now else ""
    if refusal:
        raise NotAdmitted(f"invitation_{refusal}", f"the invitation is {refusal}", remedy="ask for a new one")
    return row


def _of_row(row: Any, token: str | None = None) -> LeaderInvitation:
    return LeaderInvitation(
        id=row.id,
        token=token,
        admin=row.admin,
        slug=row.slug,
        role=row.role,
        created=row.created,
        expires=row.expires,
    )
