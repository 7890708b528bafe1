"""Tokens for the REST API."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import ApiToken, Leader
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.grants import grant_facts, newest_first, revoke
from similitude.collect.annotation.store.passwords import hashed, new_secret
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.tables import api_token
from similitude.collect.annotation.store.tables import leader as leaders

__all__ = ["api_tokens", "leader_of_api_token", "make_api_token", "revoke_api_token"]


def make_api_token(
    db: Database, leader: str, *, note: str = "", expires: datetime | None = None, now: datetime, by: str
) -> ApiToken:
    """Make a token with which programs act for a leader. Only the result holds it: the database keeps a hash.

    Raises:
        NotThere: there is no such leader.
    """
    token = new_secret()
    with writing(db) as connection:
        known = connection.execute(sa.select(leaders.c.id).where(leaders.c.name == leader)).scalar_one_or_none()
        if known is None:
            raise NotThere("no_leader", f"no leader '{leader[:40]}'", remedy="add the leader first")
        row = {"token_hash": hashed(token), "leader_id": known, "note": note, "created": now, "expires": expires}
        made = connection.execute(sa.insert(api_token).values(row).returning(api_token.c.id)).scalar_one()
        record(connection, "token_made", now=now, by=by, subject=leader, detail={"token": made})
        return _of_row(connection.execute(_all().where(api_token.c.id == made)).one(), token)


def api_tokens(db: Database) -> list[ApiToken]:
    """All tokens, newest first, without their secrets."""
    return [_of_row(row) for row in newest_first(db, _all(), api_token)]


def leader_of_api_token(db: Database, token: str, *, now: datetime) -> Leader | None:
    """The leader that a token acts for; None if it is unknown, expired or revoked."""
    valid = api_token.c.expires.is_(None) | (api_token.c.expires > now)
    query = (
        sa.select(leaders.c.id, leaders.c.name, leaders.c.admin)
        .join(api_token, api_token.c.leader_id == leaders.c.id)
        .where(api_token.c.token_hash == hashed(token), api_token.c.revoked.is_(None), valid)
    )
    with reading(db) as connection:
        row = connection.execute(query).one_or_none()
    return None if row is None else Leader(*row)


def revoke_api_token(db: Database, token_id: int, *, now: datetime, by: str) -> None:
    """Revoke a token.

    Raises:
        NotThere: there is no such token.
    """
    revoke(db, api_token, token_id, "token", now=now, by=by)


def _all() -> sa.Select[Any]:
    return sa.select(api_token, leaders.c.name).join(leaders, leaders.c.id == api_token.c.leader_id)


def _of_row(row: Any, token: str | None = None) -> ApiToken:
    return ApiToken(token=token, leader=row.name, **grant_facts(row))
