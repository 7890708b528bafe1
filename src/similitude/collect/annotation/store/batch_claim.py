"""The questions of a new batch, claimed for one annotator."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator, Purpose
from similitude.collect.annotation.store.annotator_progress import per_round
from similitude.collect.annotation.store.batch_layout import Hand, lay_out
from similitude.collect.annotation.store.batch_order import Dealt, arrange, generator, mix
from similitude.collect.annotation.store.database import Database
from similitude.collect.annotation.store.readable import readable, readable_only
from similitude.collect.annotation.store.slot_claims import claim
from similitude.collect.annotation.store.study_record import StudyRecord
from similitude.collect.annotation.store.tables import batch, question, slot

__all__ = ["deal_known", "deal_work"]

_WHO = slot.c.annotator_id == sa.bindparam("who")
_DEALT = sa.select(slot.c.purpose, sa.func.count()).where(_WHO).group_by(slot.c.purpose)
_LAST_NUMBER = sa.select(sa.func.coalesce(sa.func.max(batch.c.number), 0)).where(
    batch.c.annotator_id == sa.bindparam("who")
)
_UNSEEN = (
    sa.select(question.c.id)
    .where(question.c.kind == sa.bindparam("kind"), ~question.c.retired)
    .where(question.c.id.not_in(sa.select(slot.c.question_id).where(_WHO)))
    .order_by(question.c.place, question.c.id)
)
_AGAIN = slot.alias("again")
_ONCE = (
    sa.select(slot.c.question_id)
    .join(question, question.c.id == slot.c.question_id)
    .where(_WHO, slot.c.purpose.in_(["work", "preview"]), slot.c.state == "done", ~question.c.retired)
    .where(
        ~sa.exists().where(
            _AGAIN.c.annotator_id == slot.c.annotator_id,
            _AGAIN.c.question_id == slot.c.question_id,
            _AGAIN.c.purpose == "repeat",
        )
    )
    .order_by(slot.c.id)
)


def deal_work(db: Database, connection: sa.Connection, there: StudyRecord, who: Annotator, now: datetime) -> int | None:
    """Make a batch of work with gold and repeats mixed in. Returns its id, or None if nothing is free."""
    preview = who.source == "preview"
    dealt = _dealt_before(connection, who)
    room = there.plan.batch.questions
    if there.plan.batch.most is not None:
        room = min(room, there.plan.batch.most - dealt.get("work", 0))
    if room < 1:
        return None
    number = _next_number(connection, who)
    rng = generator(there.plan.seed, who.pseudonym, number)
    planned = mix(there.plan.batch, room, dealt)
    claimed: dict[int, Any]
    if preview:
        claimed = dict.fromkeys(_unseen(connection, "work", who, rng, planned.work))
    else:
        claimed = claim(db, connection, who, planned.work, rng, readable(connection, who))
    if not claimed:
        return None
    if len(claimed) < planned.work:  # the last of the study: shares of what is left
        planned = mix(there.plan.batch, max(1, round(room * len(claimed) / planned.work)), dealt)
    order = _with_known(connection, who, list(claimed), planned.gold, planned.repeat, rng)
    hand = Hand(order=order, claimed={} if preview else claimed, number=number, round=1)
    return lay_out(connection, there, who, hand, "preview" if preview else "work", rng, now)


def deal_known(connection: sa.Connection, there: StudyRecord, who: Annotator, now: datetime) -> int | None:
    """Make a batch of training or qualification questions. Returns its id, or None if all are answered."""
    purpose: Purpose = "training" if who.state == "training" else "qualification"
    number = _next_number(connection, who)
    rng = generator(there.plan.seed, who.pseudonym, number)
    done = _dealt_before(connection, who).get(purpose, 0)
    round_, most = 1, 10_000
    if purpose == "training":
        size = per_round(connection, there.plan, readable(connection, who))
        round_, most = done // size + 1, size - done % size
    chosen = _unseen(connection, purpose, who, rng, most)
    if not chosen:
        return None
    hand = Hand(order=[Dealt(purpose, each) for each in chosen], claimed={}, number=number, round=round_)
    return lay_out(connection, there, who, hand, purpose, rng, now)


def _dealt_before(connection: sa.Connection, who: Annotator) -> dict[str, int]:
    return {row[0]: row[1] for row in connection.execute(_DEALT, {"who": who.id}).all()}


def _next_number(connection: sa.Connection, who: Annotator) -> int:
    return int(connection.execute(_LAST_NUMBER, {"who": who.id}).scalar_one()) + 1


def _unseen(connection: sa.Connection, kind: str, who: Annotator, rng: np.random.Generator, most: int) -> list[int]:
    """Questions of a kind, drawn at random from those that an annotator has not seen."""
    if most < 1:
        return []
    unseen = readable_only(_UNSEEN, readable(connection, who))
    ids = connection.execute(unseen, {"who": who.id, "kind": kind}).scalars().all()
    return [ids[place] for place in rng.permutation(len(ids))[:most]]


def _with_known(
    connection: sa.Connection, who: Annotator, work: list[int], gold: int, repeat: int, rng: np.random.Generator
) -> list[Dealt]:
    golds = _unseen(connection, "gold", who, rng, gold)
    old = _answered_once(connection, who) if repeat else []
    old = [old[place] for place in rng.permutation(len(old))[:repeat]]
    return arrange(work, golds, old, repeat - len(old), rng)


def _answered_once(connection: sa.Connection, who: Annotator) -> list[int]:
    """Work questions that an annotator has answered exactly once."""
    return list(connection.execute(_ONCE, {"who": who.id}).scalars())
