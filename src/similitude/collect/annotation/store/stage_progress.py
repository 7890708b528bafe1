"""The stages of a study in figures: how many items came, wait, were verified or rejected, and were withdrawn."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.own_questions import wrote_it
from similitude.collect.annotation.store.stage_source import is_accepted
from similitude.collect.annotation.store.study_record import study_in
from similitude.collect.annotation.store.tables import (
    annotator,
    answer,
    author,
    question,
    slot,
    stage,
    stage_question,
    wording,
)

__all__ = ["Rejected", "StageProgress", "stage_progress"]

MOST_LISTED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """An item that most people reject: ``no`` of ``of`` say that the condition does not apply."""

    key: str
    condition: str
    no: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StageProgress:
    """How far the items of a study are.

    Attributes:
        state: of the earlier study when it was last looked at; None if it never was.
        at: when that was.
        taken: items that came from the earlier study and are asked about.
        waiting: items that lack judgements.
        judged: items that have all their judgements; ``rejected`` of them are left out of gold, ``verified`` are not.
        withdrawn: items that are no longer asked about, because their author was excluded or deleted their data;
            ``answered`` of them had answers, which stay.
        unknown: items whose author nobody knows, so that nothing keeps them from judging it.
        own: answers of people who turned out afterwards to be the author.
        listed: the first rejected items.
    """

    state: str | None
    at: datetime | None
    taken: int
    waiting: int
    judged: int
    verified: int
    rejected: int
    withdrawn: int
    answered: int
    unknown: int
    own: int
    listed: tuple[Rejected, ...] = ()


def stage_progress(db: Database) -> StageProgress:
    """The figures of a study's stage at this moment."""
    with reading(db) as connection:
        there = study_in(db, connection)
        looked = connection.execute(sa.select(stage)).one_or_none()
        states = _states(connection)
        waiting, judged = _counts(connection)
        rejected = _rejected(connection) if "applies" in there.task.fields else []
        gone = states["withdrawn"] + states["erased"]
        return StageProgress(
            state=None if looked is None else looked.state,
            at=None if looked is None else looked.at,
            taken=states["taken"],
            waiting=waiting,
            judged=judged,
            verified=judged - len(rejected),
            rejected=len(rejected),
            withdrawn=gone,
            answered=_answered(connection) if gone else 0,
            unknown=_unknown(connection),
            own=_own(connection),
            listed=tuple(rejected[:MOST_LISTED]),
        )


def _states(connection: sa.Connection) -> Counter[str]:
    query = sa.select(stage_question.c.state, sa.func.count()).group_by(stage_question.c.state)
    return Counter({row[0]: row[1] for row in connection.execute(query).all()})


_OPEN = slot.alias("open_slot")
_UNFINISHED = sa.exists().where(
    _OPEN.c.question_id == question.c.id, _OPEN.c.purpose == "work", _OPEN.c.state.in_(["free", "held"])
)
_ASKED = (question.c.kind == "work") & ~question.c.retired


def _counts(connection: sa.Connection) -> tuple[int, int]:
    """The numbers of items that wait for judgements and of those that have them all."""
    query = sa.select(_UNFINISHED.label("waits"), sa.func.count()).where(_ASKED).group_by("waits")
    found = {bool(row[0]): int(row[1]) for row in connection.execute(query).all()}
    return found.get(True, 0), found.get(False, 0)


def _rejected(connection: sa.Connection) -> list[Rejected]:
    query = (
        sa.select(question.c.key, answer.c.value, wording.c.texts)
        .select_from(slot)
        .join(question, question.c.id == slot.c.question_id)
        .join(wording, (wording.c.question_id == question.c.id) & (wording.c.version == question.c.version))
        .join(answer, answer.c.id == slot.c.answer_id)
        .join(annotator, annotator.c.id == slot.c.annotator_id)
        .where(slot.c.purpose == "work", _ASKED, ~_UNFINISHED, annotator.c.state != "excluded")
        .order_by(question.c.id)
    )
    given: dict[str, list[Any]] = defaultdict(list)
    words: dict[str, str] = {}
    for row in connection.execute(query.execution_options(yield_per=1000)):
        given[row.key].append(row.value)
        words[row.key] = row.texts[0].get("condition") or ""
    return [
        Rejected(key=key, condition=words[key], no=sum(not value["applies"] for value in values), of=len(values))
        for key, values in given.items()
        if not is_accepted(values)
    ]


def _answered(connection: sa.Connection) -> int:
    has_answer = sa.exists().where(slot.c.question_id == stage_question.c.question_id, slot.c.state == "done")
    query = sa.select(sa.func.count()).select_from(stage_question)
    return int(connection.execute(query.where(stage_question.c.state != "taken", has_answer)).scalar_one())


def _unknown(connection: sa.Connection) -> int:
    known = sa.exists().where(author.c.question_id == stage_question.c.question_id)
    query = sa.select(sa.func.count()).select_from(stage_question)
    return int(connection.execute(query.where(stage_question.c.state == "taken", ~known)).scalar_one())


def _own(connection: sa.Connection) -> int:
    mine = wrote_it(slot.c.annotator_id)
    query = sa.select(sa.func.count()).select_from(slot).where(slot.c.purpose == "work", slot.c.state == "done", mine)
    return int(connection.execute(query).scalar_one())
