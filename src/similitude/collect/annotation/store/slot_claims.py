"""Claims on free slots: at random, one per question, and never the same slot twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator
from similitude.collect.annotation.store.database import Database
from similitude.collect.annotation.store.own_questions import wrote_it
from similitude.collect.annotation.store.readable import Readable, readable_only
from similitude.collect.annotation.store.tables import slot

__all__ = ["claim"]

WINDOW = 3
"""How many times the wanted questions are looked at: enough to mix, and few rows whatever the size of the study."""
RING = 2**56
TRIES = 8

_MINE = slot.alias("mine")
_OPEN = (
    sa.select(slot.c.question_id)
    .where(sa.text("slot.state = 'free' AND slot.purpose = 'work'"))  # as the partial index says it
    .where(~sa.exists().where(_MINE.c.annotator_id == sa.bindparam("who"), _MINE.c.question_id == slot.c.question_id))
    .where(~wrote_it(sa.bindparam("who")))
    .group_by(slot.c.place, slot.c.question_id)
    .order_by(slot.c.place, slot.c.question_id)
    .limit(sa.bindparam("most"))
)
_AHEAD = _OPEN.where(slot.c.place >= sa.bindparam("start"))
_BEHIND = _OPEN.where(slot.c.place < sa.bindparam("start"))
_FREE = (slot.c.state == "free") & (slot.c.purpose == "work")

_ONE_EACH = sa.text(
    """
    SELECT found.question_id, found.id
    FROM unnest(CAST(:ids AS bigint[])) AS wanted (question_id)
    CROSS JOIN LATERAL (
        SELECT slot.id, slot.question_id FROM slot
        WHERE slot.question_id = wanted.question_id AND slot.state = 'free' AND slot.purpose = 'work'
        ORDER BY slot.id LIMIT 1 FOR UPDATE SKIP LOCKED
    ) AS found
    """
)
"""PostgreSQL: of each question one free slot that nobody else is just taking, locked for us."""


def claim(
    db: Database,
    connection: sa.Connection,
    who: Annotator,
    wanted: int,
    rng: np.random.Generator,
    languages: Readable = None,
) -> dict[int, int]:
    """Claim at most ``wanted`` free slots for an annotator: question id to slot id, locked until the transaction ends.

    Questions lie on a ring in random order. A stretch from a random place is read, the annotator's own questions are
    left out, and slots are drawn from the rest. That is a few rows through an index, however large the study is.
    With ``languages``, questions in others are left out too.
    """
    found: dict[int, int] = {}
    missed: set[int] = set()
    for _ in range(TRIES):
        stretch = _stretch(connection, who, wanted, rng, languages)
        there = [each for each in stretch if each not in found and each not in missed]
        chosen = [there[place] for place in rng.permutation(len(there))[: wanted - len(found)]]
        if not chosen:
            break
        locked = _lock_one_each(db, connection, chosen)
        found.update(locked)
        missed.update(set(chosen) - set(locked))
        if len(found) >= wanted:
            break
    return found


def _stretch(
    connection: sa.Connection, who: Annotator, wanted: int, rng: np.random.Generator, languages: Readable
) -> list[int]:
    """Questions with a free slot, around the ring from a random place."""
    start = int(rng.integers(RING))
    size = WINDOW * wanted + 10
    ahead = _open_questions(connection, who, readable_only(_AHEAD, languages), start, size)
    if len(ahead) < size:
        behind = readable_only(_BEHIND, languages)
        ahead += _open_questions(connection, who, behind, start, size - len(ahead))
    return ahead


def _open_questions(
    connection: sa.Connection, who: Annotator, query: sa.Select[Any], start: int, most: int
) -> list[int]:
    return list(connection.execute(query, {"who": who.id, "start": start, "most": most}).scalars())


def _lock_one_each(db: Database, connection: sa.Connection, questions: Sequence[int]) -> dict[int, int]:
    rows: Sequence[Any]
    if db.dialect == "postgresql":
        rows = connection.execute(_ONE_EACH, {"ids": list(questions)}).all()
    else:  # SQLite lets one transaction write at a time: what is free stays free until we have taken it
        query = sa.select(slot.c.question_id, sa.func.min(slot.c.id)).where(_FREE, slot.c.question_id.in_(questions))
        rows = connection.execute(query.group_by(slot.c.question_id)).all()
    return {row[0]: row[1] for row in rows}
