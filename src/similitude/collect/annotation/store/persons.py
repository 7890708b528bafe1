"""Persons across the studies of one server: recognised by a signed cookie, a platform's id, or an invitation.

The registry of persons lies in the console's database. A person has a random code and no name. Of an id on a platform
it keeps a hash, salted once per console, so that two studies of one console can match people and nobody else can.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.passwords import new_pseudonym, salted
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.tables import (
    annotator,
    annotator_person,
    identity,
    person,
    pool_member,
    registry,
)

__all__ = [
    "Recognised",
    "attach_persons",
    "cookie_of",
    "forget_person",
    "knows_person",
    "person_behind",
    "person_of_annotator",
    "persons_of",
    "recognise",
]

_SALT = sa.select(registry.c.salt)
_MAKE_SALT = sa.text("INSERT INTO registry (one, salt) VALUES (1, :salt) ON CONFLICT DO NOTHING")


class PlatformId(NamedTuple):
    """Somebody's id on a platform."""

    platform: str
    id: str


class Recognised(NamedTuple):
    """Who a visitor is: ``person`` is the one that counts, ``others`` share a browser with them.

    Nobody judges what any of them wrote. What somebody is qualified for depends on ``person`` alone.
    """

    person: str
    others: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """The person, then the others."""
        return (self.person, *self.others)


def recognise(
    db: Database,
    *,
    cookie: str = "",
    platform_id: tuple[str, str] | None = None,
    invited: str | None = None,
    different: bool = False,
    now: datetime,
) -> Recognised:
    """The person behind an entry; a new one if nothing is known.

    An id on a platform counts more than an invitation made for a person, and that more than the cookie of the browser.
    A new id belongs to the person of the cookie, unless that person has another id on the same platform.

    Args:
        db: the console's database.
        cookie: the value of the browser's cookie, as `cookie_of` made it.
        platform_id: a platform and the id there, as the platform sent them.
        invited: the person that the invitation was made for.
        different: whether somebody else used the browser before; then its cookie only tells who else it may be.
        now: the time.
    """
    with writing(db) as connection:
        salt = _salt(connection)
        by_cookie = _existing(connection, _signed(salt, cookie))
        by_invitation = _existing(connection, invited)
        by_id = None
        if platform_id is not None:
            by_id = _of_platform(connection, salt, PlatformId(*platform_id), None if different else by_cookie, now)
        found = [each for each in (by_id, by_invitation, by_cookie) if each is not None]
        sure = [each for each in (by_id, by_invitation, None if different else by_cookie) if each is not None]
        main = sure[0] if sure else _new(connection, now)
        others = dict.fromkeys(each for each in found if each != main)
        return Recognised(main, tuple(others))


def cookie_of(db: Database, code: str) -> str:
    """The signed value of the cookie of a person, who has been recognised."""
    with reading(db) as connection:
        return f"{code}.{salted(connection.execute(_SALT).scalar_one(), 'cookie', code)}"


def attach_persons(connection: sa.Connection, annotator_id: int, persons: Sequence[str]) -> bool:
    """Note who an annotator is, in the transaction of the entry; returns whether something new was learned."""
    if not persons:
        return False
    known = set(persons_of(connection, annotator_id))
    new = [each for each in dict.fromkeys(persons) if each not in known]
    if new:
        rows = [{"annotator_id": annotator_id, "person": each} for each in new]
        connection.execute(sa.insert(annotator_person), rows)
    first = sa.update(annotator).where(annotator.c.id == annotator_id, annotator.c.person.is_(None))
    connection.execute(first.values(person=persons[0]))
    return bool(new)


def persons_of(connection: sa.Connection, annotator_id: int) -> list[str]:
    """The persons that an annotator is known as."""
    query = sa.select(annotator_person.c.person).where(annotator_person.c.annotator_id == annotator_id)
    return list(connection.execute(query.order_by(annotator_person.c.person)).scalars())


def person_of_annotator(db: Database, pseudonym: str) -> str:
    """The person behind an annotator of a study.

    Raises:
        NotThere: there is no such annotator, or nobody knows who they are.
    """
    found = person_behind(db, pseudonym)
    if found is None:
        raise NotThere("no_annotator", f"no person is known for '{pseudonym[:40]}'", remedy="look at the annotators")
    return found


def person_behind(db: Database, pseudonym: str) -> str | None:
    """The person behind an annotator of a study, if anybody knows."""
    query = sa.select(annotator.c.person).where(annotator.c.pseudonym == pseudonym)
    with reading(db) as connection:
        return connection.execute(query).scalar_one_or_none()


def knows_person(db: Database, code: str) -> bool:
    """Whether somebody in a study is known as this person."""
    query = sa.select(annotator_person.c.annotator_id).where(annotator_person.c.person == code).limit(1)
    with reading(db) as connection:
        return connection.execute(query).first() is not None


def forget_person(db: Database, code: str) -> bool:
    """Delete a person and what they are recognised by, unless a pool has to remember them; returns whether."""
    with writing(db) as connection:
        if connection.execute(sa.select(pool_member.c.pool).where(pool_member.c.person_code == code)).first():
            return False
        connection.execute(sa.delete(identity).where(identity.c.person_code == code))
        return bool(connection.execute(sa.delete(person).where(person.c.code == code)).rowcount)


def _salt(connection: sa.Connection) -> str:
    """The registry's salt, made at its first use; the row also lets people be recognised one after the other."""
    found = connection.execute(_SALT.with_for_update()).scalar_one_or_none()
    if found is None:
        connection.execute(_MAKE_SALT, {"salt": secrets.token_hex(32)})
        found = connection.execute(_SALT.with_for_update()).scalar_one()
    return str(found)


def _signed(salt: str, cookie: str) -> str | None:
    code, _, signature = cookie.partition(".")
    return code if hmac.compare_digest(signature, salted(salt, "cookie", code)) else None


def _existing(connection: sa.Connection, code: str | None) -> str | None:
    if code is None:
        return None
    return connection.execute(sa.select(person.c.code).where(person.c.code == code)).scalar_one_or_none()


def _new(connection: sa.Connection, now: datetime) -> str:
    code = new_pseudonym() + new_pseudonym()
    connection.execute(sa.insert(person).values(code=code, created=now))
    return code


def _of_platform(
    connection: sa.Connection, salt: str, known: PlatformId, by_cookie: str | None, now: datetime
) -> str | None:
    key = salted(salt, *known)
    same = (identity.c.kind == known.platform) & (identity.c.hash == key)
    found = connection.execute(sa.select(identity.c.person_code).where(same)).scalar_one_or_none()
    if found is not None:
        return str(found)
    has_other = (identity.c.kind == known.platform) & (identity.c.person_code == by_cookie)
    taken = by_cookie is None or connection.execute(sa.select(identity.c.hash).where(has_other)).first() is not None
    owner = _new(connection, now) if taken or by_cookie is None else by_cookie
    connection.execute(sa.insert(identity).values(kind=known.platform, hash=key, person_code=owner))
    return owner
