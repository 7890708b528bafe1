"""Invitation links, for one person, for several, or until the study is full."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.records import Invitation
from similitude.collect.annotation.store.annotators import by_pseudonym
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.grants import grant_facts, newest_first, revoke
from similitude.collect.annotation.store.passwords import hashed, new_secret
from similitude.collect.annotation.store.refusals import NotAdmitted
from similitude.collect.annotation.store.tables import annotator as annotators
from similitude.collect.annotation.store.tables import invitation
from similitude.errors import ArgumentError

__all__ = ["invitation_for", "invitations", "invite", "revoke_invitation", "use_invitation"]


def invite(
    db: Database,
    *,
    limit: int | None = 1,
    note: str = "",
    expires: datetime | None = None,
    annotator: str | None = None,
    person: str | None = None,
    now: datetime,
    by: str,
) -> Invitation:
    """Make an invitation. Only the result holds its token: the database keeps a hash.

    Args:
        db: the database.
        limit: how many people may use it; None means as many as the study takes.
        note: for the leader, for example who it is for.
        expires: when it becomes invalid.
        annotator: the pseudonym of an annotator who continues with it, for example on another device.
        person: the code of a person of the console, who is then known as such.
        now: the time.
        by: who invites.

    Raises:
        ArgumentError: the limit is below 1.
        NotThere: there is no such annotator.
    """
    if limit is not None and limit < 1:
        raise ArgumentError(f"an invitation for {limit} people", remedy="give a limit of at least 1")
    token = new_secret()
    with writing(db) as connection:
        known = None if annotator is None else by_pseudonym(connection, annotator).id
        row = {
            "token_hash": hashed(token),
            "uses": limit,
            "used": 0,
            "note": note,
            "annotator_id": known,
            "person": person,
            "created": now,
            "expires": expires,
        }
        made = connection.execute(sa.insert(invitation).values(row).returning(invitation.c.id)).scalar_one()
        record(connection, "invited", now=now, by=by, subject=annotator, detail={"invitation": made, "limit": limit})
        return _of_row(connection.execute(_all().where(invitation.c.id == made)).one(), token)


def invitations(db: Database) -> list[Invitation]:
    """All invitations, newest first, without their tokens."""
    return [_of_row(row) for row in newest_first(db, _all(), invitation)]


def revoke_invitation(db: Database, invitation_id: int, *, now: datetime, by: str) -> None:
    """Revoke an invitation; people who used it stay.

    Raises:
        NotThere: there is no such invitation.
    """
    revoke(db, invitation, invitation_id, "invitation", now=now, by=by)


class For(NamedTuple):
    """Whom an invitation is for: a person, or anyone."""

    person: str | None


def invitation_for(db: Database, token: str) -> For | None:
    """Whom an invitation is for; None if nobody made it."""
    query = sa.select(invitation.c.person).where(invitation.c.token_hash == hashed(token))
    with reading(db) as connection:
        row = connection.execute(query).one_or_none()
    return None if row is None else For(row.person)


class Used(NamedTuple):
    """An invitation that was used, and the annotator that it was made for, if any."""

    invitation: int
    annotator: int | None


def use_invitation(connection: sa.Connection, token: str, *, now: datetime) -> Used:
    """Count one use, in the transaction of an entry.

    An invitation made for a person is one for the annotator that this person is in the study, if they are one.

    Raises:
        NotAdmitted: it is unknown, used up, expired or revoked.
    """
    query = sa.select(invitation).where(invitation.c.token_hash == hashed(token)).with_for_update()
    row = connection.execute(query).one_or_none()
    refusal = _refusal(row, now)
    if row is None or refusal:
        raise NotAdmitted(f"invitation_{refusal}", f"the invitation is {refusal}", remedy="ask for a new one")
    connection.execute(sa.update(invitation).where(invitation.c.id == row.id).values(used=row.used + 1))
    annotator = None if row.annotator_id is None else int(row.annotator_id)
    if annotator is None and row.person is not None:
        mine = sa.select(annotators.c.id).where(annotators.c.person == row.person, annotators.c.source != "preview")
        annotator = connection.execute(mine.order_by(annotators.c.id).limit(1)).scalar_one_or_none()
    return Used(int(row.id), annotator)


def _refusal(row: Any, now: datetime) -> str:
    if row is None:
        return "unknown"
    if row.revoked is not None:
        return "revoked"
    if row.expires is not None and row.expires <= now:
        return "expired"
    return "used" if row.uses is not None and row.used >= row.uses else ""


def _all() -> sa.Select[Any]:
    named = annotators.c.pseudonym.label("pseudonym")
    return sa.select(invitation, named).join(annotators, annotators.c.id == invitation.c.annotator_id, isouter=True)


def _of_row(row: Any, token: str | None = None) -> Invitation:
    return Invitation(token=token, limit=row.uses, used=row.used, annotator=row.pseudonym, **grant_facts(row))
