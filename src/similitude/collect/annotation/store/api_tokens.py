"""Tokens for the REST API, and how often somebody may try something."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import ApiToken, Leader
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.passwords import hashed, new_secret, salted
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.study_record import study_in
from similitude.collect.annotation.store.tables import api_token, attempt
from similitude.collect.annotation.store.tables import leader as leaders

__all__ = ["allowed", "api_tokens", "leader_of_api_token", "make_api_token", "revoke_api_token"]


def make_api_token(
    db: Database, leader: str, *, note: str = "", expires: datetime | None = None, now: datetime, by: str
) -> ApiToken:
    """A token with which programs act for a leader. It is in the result and nowhere else: the database keeps a hash.

    Raises:
        NotThere: there is no such leader.
    """
    token = new_secret()
    with writing(db) as connection:
        known = connection.execute(sa.select(leaders.c.id).where(leaders.c.name == leader)).scalar_one_or_none()
        if known is None:
            raise NotThere("no_leader", f"no leader '{leader[:40]}'", remedy="add them first")
        row = {"token_hash": hashed(token), "leader_id": known, "note": note, "created": now, "expires": expires}
        made = connection.execute(sa.insert(api_token).values(row).returning(api_token.c.id)).scalar_one()
        record(connection, "token_made", now=now, by=by, subject=leader, detail={"token": made})
        return _of_row(connection.execute(_all().where(api_token.c.id == made)).one(), token)


def leader_of_api_token(db: Database, token: str, *, now: datetime) -> Leader | None:
    """For whom a token acts; None where it is unknown, expired or revoked."""
    valid = api_token.c.expires.is_(None) | (api_token.c.expires > now)
    query = (
        sa.select(leaders.c.id, leaders.c.name)
        .join(api_token, api_token.c.leader_id == leaders.c.id)
        .where(api_token.c.token_hash == hashed(token), api_token.c.revoked.is_(None), valid)
    )
    with reading(db) as connection:
        row = connection.execute(query).one_or_none()
    return None if row is None else Leader(*row)


def api_tokens(db: Database) -> list[ApiToken]:
    """All tokens, newest first, without their secrets."""
    with reading(db) as connection:
        return [_of_row(row) for row in connection.execute(_all().order_by(api_token.c.id.desc())).all()]


def revoke_api_token(db: Database, token_id: int, *, now: datetime, by: str) -> None:
    """Let a token open nothing any more.

    Raises:
        NotThere: there is no such token.
    """
    with writing(db) as connection:
        if connection.execute(sa.select(api_token.c.id).where(api_token.c.id == token_id)).first() is None:
            raise NotThere("no_token", f"no token {token_id}")
        one = (api_token.c.id == token_id) & api_token.c.revoked.is_(None)
        connection.execute(sa.update(api_token).where(one).values(revoked=now))
        record(connection, "token_revoked", now=now, by=by, detail={"token": token_id})


def allowed(db: Database, action: str, who: str, *, limit: int, seconds: float, now: datetime) -> bool:
    """Whether somebody may try once more: at most ``limit`` times in so many seconds, counted over all workers.

    This try is counted, refused ones are not. ``who`` (an address, a name) is kept as a salted hash, and forgotten
    when it no longer matters.
    """
    with writing(db) as connection:
        them = salted(study_in(db, connection).salt, action, who)
        since = now - timedelta(seconds=seconds)
        # A clock that was set back must not keep somebody out for long: tries "in the future" do not count.
        old = (attempt.c.action == action) & ((attempt.c.at <= since) | (attempt.c.at > now + timedelta(seconds=60)))
        connection.execute(sa.delete(attempt).where(old))
        mine = (attempt.c.action == action) & (attempt.c.who_hash == them)
        counted = connection.execute(sa.select(sa.func.count()).select_from(attempt).where(mine)).scalar_one()
        if counted >= limit:
            return False
        connection.execute(sa.insert(attempt).values(action=action, who_hash=them, at=now))
        return True


def _all() -> sa.Select[Any]:
    return sa.select(api_token, leaders.c.name).join(leaders, leaders.c.id == api_token.c.leader_id)


def _of_row(row: Any, token: str | None = None) -> ApiToken:
    return ApiToken(
        id=row.id,
        token=token,
        leader=row.name,
        note=row.note,
        created=row.created,
        expires=row.expires,
        revoked=row.revoked,
    )
