"""Tokens for the REST API."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.records import SCOPES, ApiAccess, ApiToken, Leader, Scope
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.grants import grant_facts, newest_first, revoke
from similitude.collect.annotation.store.passwords import hashed, new_secret
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.tables import api_token
from similitude.collect.annotation.store.tables import leader as leaders
from similitude.errors import ArgumentError

__all__ = ["api_access", "api_tokens", "make_api_token", "revoke_api_token"]


def make_api_token(
    db: Database,
    leader: str,
    *,
    note: str = "",
    scopes: Sequence[Scope] = SCOPES,
    slug: str | None = None,
    expires: datetime | None = None,
    now: datetime,
    by: str,
) -> ApiToken:
    """Make a token with which programs act for a leader. Only the result holds it: the database keeps a hash.

    Args:
        db: the database of leaders.
        leader: whose token it is.
        note: what it is for.
        scopes: what it may do; by default everything.
        slug: the one study that it is for; None for all that the leader leads.
        expires: when it ends; None for never.
        now: the time.
        by: who makes it.

    Raises:
        NotThere: there is no such leader.
        ArgumentError: there is no scope, or no such scope.
    """
    wrong = [each for each in scopes if each not in SCOPES]
    if wrong or not scopes:
        what = f"no scope '{wrong[0]}'" if wrong else "a token without a scope"
        raise ArgumentError(what, remedy=f"use {', '.join(SCOPES)}")
    token = new_secret()
    with writing(db) as connection:
        known = connection.execute(sa.select(leaders.c.id).where(leaders.c.name == leader)).scalar_one_or_none()
        if known is None:
            raise NotThere("no_leader", f"no leader '{leader[:40]}'", remedy="add the leader first")
        row = {"token_hash": hashed(token), "leader_id": known, "note": note, "created": now, "expires": expires}
        row |= {"scopes": ",".join(each for each in SCOPES if each in scopes), "slug": slug}
        made = connection.execute(sa.insert(api_token).values(row).returning(api_token.c.id)).scalar_one()
        record(connection, "token_made", now=now, by=by, subject=leader, detail={"token": made})
        return _of_row(connection.execute(_all().where(api_token.c.id == made)).one(), token)


def api_tokens(db: Database) -> list[ApiToken]:
    """All tokens, newest first, without their secrets."""
    return [_of_row(row) for row in newest_first(db, _all(), api_token)]


def api_access(db: Database, token: str, *, now: datetime) -> ApiAccess | None:
    """The leader that a token acts for, and what it may do; None if it is unknown, expired or revoked."""
    valid = api_token.c.expires.is_(None) | (api_token.c.expires > now)
    query = (
        sa.select(leaders.c.id, leaders.c.name, leaders.c.admin, api_token.c.scopes, api_token.c.slug)
        .join(api_token, api_token.c.leader_id == leaders.c.id)
        .where(api_token.c.token_hash == hashed(token), api_token.c.revoked.is_(None), valid)
    )
    with reading(db) as connection:
        row = connection.execute(query).one_or_none()
    return None if row is None else ApiAccess(Leader(*row[:3]), tuple(row.scopes.split(",")), row.slug)


def revoke_api_token(db: Database, token_id: int, *, now: datetime, by: str) -> None:
    """Revoke a token.

    Raises:
        NotThere: there is no such token.
    """
    revoke(db, api_token, token_id, "token", now=now, by=by)


def _all() -> sa.Select[Any]:
    return sa.select(api_token, leaders.c.name).join(leaders, leaders.c.id == api_token.c.leader_id)


def _of_row(row: Any, token: str | None = None) -> ApiToken:
    scopes = tuple(row.scopes.split(","))
    return ApiToken(token=token, leader=row.name, scopes=scopes, slug=row.slug, **grant_facts(row))
