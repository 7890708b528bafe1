"""A new batch in the database: its slots, each with a position and an order of options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator
from similitude.collect.annotation.store.batch_order import About, Dealt, on_pages
from similitude.collect.annotation.store.breaks import rhythm
from similitude.collect.annotation.store.study_record import StudyRecord
from similitude.collect.annotation.store.tables import batch, question, slot, wording

__all__ = ["Hand", "lay_out"]

_FACTS = (
    sa.select(question.c.id, question.c.version, wording.c.texts)
    .join(wording, (wording.c.question_id == question.c.id) & (wording.c.version == question.c.version))
    .where(question.c.id.in_(sa.bindparam("ids", expanding=True)))
)
_MAKE_BATCH = sa.insert(batch).returning(batch.c.id)
_DIFFERS = ("position", "version", "ordering")
"""What is different for every slot of a batch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """The content of a batch: questions in order, and the slots claimed for the work among them."""

    order: Sequence[Dealt]
    claimed: Mapping[int, int]
    number: int
    round: int


def lay_out(
    connection: sa.Connection,
    there: StudyRecord,
    who: Annotator,
    hand: Hand,
    purpose: str,
    rng: np.random.Generator,
    now: datetime,
) -> int:
    """Write the batch, hold its claimed slots and make the other slots. Returns the batch's id."""
    made = {
        "annotator_id": who.id,
        "number": hand.number,
        "purpose": purpose,
        "round": hand.round,
        "state": "open",
        "size": len(hand.order),
        "answered": 0,
        "created": now,
        "touched": now,
        "expires": now + timedelta(minutes=there.plan.batch.minutes),
        **rhythm(connection, who, now),
    }
    batch_id = int(connection.execute(_MAKE_BATCH, made).scalar_one())
    places = _places(connection, there, hand, rng)
    common = {"annotator_id": who.id, "batch_id": batch_id, "state": "held"}
    taken = {hand.claimed[each["question_id"]]: each for each in places if _is_claimed(each, hand)}
    if taken:
        _take(connection, taken, common)
    new = [{"round": "first", "place": 0, **common, **each} for each in places if not _is_claimed(each, hand)]
    if new:
        connection.execute(sa.insert(slot), new)
    return batch_id


def _is_claimed(place: Mapping[str, Any], hand: Hand) -> bool:
    return place["purpose"] == "work" and place["question_id"] in hand.claimed


def _places(
    connection: sa.Connection, there: StudyRecord, hand: Hand, rng: np.random.Generator
) -> list[dict[str, Any]]:
    facts = _facts(connection, [dealt.question for dealt in hand.order])
    about = {question_id: each.about for question_id, each in facts.items()}
    places = []
    for position, dealt in enumerate(on_pages(hand.order, about, there.plan.batch.per_page), start=1):
        version, items, _ = facts[dealt.question]
        shuffled = there.plan.shuffle and items > 1
        preview = dealt.purpose == "work" and dealt.question not in hand.claimed
        places.append(
            {
                "question_id": dealt.question,
                "purpose": "preview" if preview else dealt.purpose,
                "position": position,
                "version": version,
                "ordering": [int(place) for place in rng.permutation(items)] if shuffled else None,
            }
        )
    return places


def _take(connection: sa.Connection, taken: Mapping[int, Mapping[str, Any]], common: Mapping[str, Any]) -> None:
    """Hold all claimed slots in one statement."""
    different: dict[str, Any] = {
        name: sa.case(
            {slot_id: sa.literal(each[name], slot.c[name].type) for slot_id, each in taken.items()}, value=slot.c.id
        )
        for name in _DIFFERS
    }
    connection.execute(sa.update(slot).where(slot.c.id.in_(list(taken))).values(**common, **different))


class _Facts(NamedTuple):
    """A question's current version, the number of its items, and what they are about."""

    version: int
    items: int
    about: About


def _facts(connection: sa.Connection, ids: Sequence[int]) -> dict[int, _Facts]:
    rows = connection.execute(_FACTS, {"ids": sorted(set(ids))}).all()
    return {row.id: _Facts(row.version, len(row.texts), _about(row.texts[0])) for row in rows}


def _about(item: Mapping[str, Any]) -> About:
    return About(item.get("group"), len(item.get("context") or ()))
