"""The flow of questions from an earlier study: each result exactly once, and withdrawn when it no longer holds.

The two databases are compared, and the difference is written in one transaction of the later one. So it does not
matter when a process dies or how many compare at once, and a comparison that was missed is made up for by the next.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.plan.models import Follows
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.questions import CHUNK, close_free, put_questions
from similitude.collect.annotation.store.stage_source import (
    Taken,
    authors_of,
    erased,
    final_results,
    mark_of,
    taken_questions,
)
from similitude.collect.annotation.store.studies import lock_study
from similitude.collect.annotation.store.study_life import ENDED
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import author, question, slot, stage, stage_question, wording
from similitude.errors import ArgumentError, SimilitudeError

__all__ = ["Flow", "Flowed", "take_results"]

logger = logging.getLogger("similitude.annotation")

ORIGIN = "stage"
LEAST_PAUSE = 1.0
"""Seconds between two comparisons in one process."""
SHARE = 20.0
"""A comparison that took a second is followed by twenty without one: at most a twentieth of the time goes there."""


class Flowed(NamedTuple):
    """The numbers of questions that were taken, taken back, and taken again."""

    taken: int = 0
    withdrawn: int = 0
    restored: int = 0


class Flow:
    """Takes results as requests come in, but seldom enough to cost next to nothing.

    ``problem`` says why the last look failed; people can work on what is there.
    """

    def __init__(self, earlier: Callable[[], Database | None]) -> None:
        """Take a function that gives the database of the earlier study; None if there is none."""
        self.earlier = earlier
        self.problem = ""
        self._next = 0.0

    def maybe(self, db: Database, *, now: datetime) -> None:
        """Take what is new, unless that was done a moment ago."""
        began = time.monotonic()
        if began < self._next:
            return
        self._next = began + LEAST_PAUSE
        try:
            earlier = self.earlier()
            if earlier is not None:
                take_results(db, earlier, now=now)
            self.problem = ""
        except SimilitudeError as error:
            logger.warning("nothing can be taken from the earlier study: %s", error)
            self.problem = str(error)
        self._next = max(self._next, time.monotonic() + SHARE * (time.monotonic() - began))


class _Present(NamedTuple):
    """The results that are here: by their number in the earlier study, the ids of their questions."""

    taken: dict[int, list[int]]
    withdrawn: dict[int, list[int]]


def take_results(db: Database, earlier: Database, *, now: datetime) -> Flowed:
    """Bring a study up to date with the study that it follows.

    New results become questions. Results that no longer hold (the author was excluded or deleted their data) are no
    longer asked about; what was answered stays. Where the author deleted their data, the texts of questions that nobody
    has answered are deleted too.

    Raises:
        ArgumentError: a result does not fit the task of the study.
    """
    with reading(db) as connection:
        here = study_in(db, connection)
        follows = here.plan.follows
        last = connection.execute(sa.select(stage.c.mark)).scalar_one_or_none()
    if follows is None or here.state == "archived":
        return Flowed()
    with reading(earlier) as source:
        if mark_of(source) == last:
            return Flowed()
    with writing(db) as connection:
        lock_study(db, connection)
        there = study_in(db, connection)
        with reading(earlier) as source:  # after the lock: what is written here is newer than what others wrote
            return _compare(connection, there, source, study_in(earlier, source), now)


def _compare(
    connection: sa.Connection, there: StudyRecord, source: sa.Connection, before: StudyRecord, now: datetime
) -> Flowed:
    follows = there.plan.follows
    if follows is None:
        return Flowed()
    here = _present(connection)
    wanted = final_results(source, before, follows)
    takes_now = follows.when == "they come" or before.state in ENDED
    new = wanted - set(here.taken) - set(here.withdrawn) if takes_now else set()
    back = wanted & set(here.withdrawn)
    gone = set(here.taken) - wanted
    put = _take(connection, there, taken_questions(source, before, follows, [*new, *back]), now)
    lost = _withdraw(connection, [each for number in gone for each in here.taken[number]], now)
    pending = _erase(connection, source, follows, now)
    _refresh_authors(connection, source, follows, here)
    restored = sum(len(here.withdrawn[number]) for number in back)
    if lost or restored:
        record(connection, "stage", now=now, by="rule", detail={"withdrawn": lost, "restored": restored})
    _note(connection, before.state, "" if pending else mark_of(source), now)
    return Flowed(put - restored, lost, restored)


def _present(connection: sa.Connection) -> _Present:
    present = _Present({}, {})
    for row in connection.execute(sa.select(stage_question).order_by(stage_question.c.question_id)):
        (present.taken if row.state == "taken" else present.withdrawn).setdefault(row.source, []).append(
            row.question_id
        )
    return present


def _take(connection: sa.Connection, there: StudyRecord, results: Sequence[Taken], now: datetime) -> int:
    """Write the questions of these results with their authors; returns how many."""
    questions = [each for result in results for each in result.questions]
    for each in questions:
        faults = there.task.faults(each)
        if faults:
            where = f"question '{each.key}'"
            raise ArgumentError(faults[0], where=where, remedy="let a study of another task follow")
    put_questions(connection, questions, there.plan, origin=ORIGIN, now=now)
    ids = _ids(connection, [each.key for each in questions])
    _forget_stage(connection, list(ids.values()))
    rows = [
        {"question_id": ids[each.key], "source": result.source, "state": "taken", "at": now}
        for result in results
        for each in result.questions
    ]
    people = [
        {"question_id": ids[each.key], "person": person}
        for result in results
        for each in result.questions
        for person in sorted(result.persons)
    ]
    for table, made in ((stage_question, rows), (author, people)):
        if made:
            connection.execute(sa.insert(table), made)
    return len(rows)


def _ids(connection: sa.Connection, keys: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for chunk in _chunks(keys):
        query = sa.select(question.c.key, question.c.id).where(question.c.key.in_(chunk))
        found |= {row.key: row.id for row in connection.execute(query).all()}
    return found


def _forget_stage(connection: sa.Connection, ids: Sequence[int]) -> None:
    for table in (stage_question, author):
        for chunk in _chunks(ids):
            connection.execute(sa.delete(table).where(table.c.question_id.in_(chunk)))


def _withdraw(connection: sa.Connection, ids: Sequence[int], now: datetime) -> int:
    """Ask these questions of nobody else. Who holds one may still answer it; answers stay."""
    for question_id in ids:
        connection.execute(sa.update(question).where(question.c.id == question_id).values(retired=True, wanted=0))
        close_free(connection, question_id)
        one = sa.update(stage_question).where(stage_question.c.question_id == question_id)
        connection.execute(one.values(state="withdrawn", at=now))
    return len(ids)


def _erase(connection: sa.Connection, source: sa.Connection, follows: Follows, now: datetime) -> int:
    """Delete the texts whose author deleted them and that nobody has answered; returns how many people hold still."""
    query = sa.select(stage_question.c.question_id, stage_question.c.source)
    rows = connection.execute(query.where(stage_question.c.state == "withdrawn")).all()
    left = erased(source, follows, [row.source for row in rows])
    ids = [row.question_id for row in rows if row.source in left]
    states = _slot_states(connection, ids)
    untouched = [each for each in ids if not states.get(each, set()) & {"held", "done"}]
    for question_id in untouched:
        _blank(connection, question_id)
    for chunk in _chunks(ids):
        connection.execute(sa.delete(author).where(author.c.question_id.in_(chunk)))
    for chunk in _chunks([each for each in ids if "held" not in states.get(each, set())]):
        done = sa.update(stage_question).where(stage_question.c.question_id.in_(chunk))
        connection.execute(done.values(state="erased", at=now))
    return sum("held" in states.get(each, set()) for each in ids)


def _slot_states(connection: sa.Connection, ids: Sequence[int]) -> dict[int, set[str]]:
    states: dict[int, set[str]] = {}
    for chunk in _chunks(ids):
        query = sa.select(slot.c.question_id, slot.c.state).where(slot.c.question_id.in_(chunk)).distinct()
        for question_id, state in connection.execute(query).all():
            states.setdefault(question_id, set()).add(state)
    return states


def _blank(connection: sa.Connection, question_id: int) -> None:
    mine = wording.c.question_id == question_id
    for row in connection.execute(sa.select(wording.c.version, wording.c.texts).where(mine)).all():
        texts = json.loads(json.dumps([{**item, "condition": ""} for item in row.texts]))
        connection.execute(sa.update(wording).where(mine, wording.c.version == row.version).values(texts=texts))


def _refresh_authors(connection: sa.Connection, source: sa.Connection, follows: Follows, here: _Present) -> None:
    """Add persons that authors have become known as since their results were taken."""
    known: dict[int, set[str]] = {}
    for row in connection.execute(sa.select(author)):
        known.setdefault(row.question_id, set()).add(row.person)
    people = authors_of(source, follows, list(here.taken))
    new = [
        {"question_id": question_id, "person": person}
        for number, ids in here.taken.items()
        for question_id in ids
        for person in sorted(people.get(number, set()) - known.get(question_id, set()))
    ]
    if new:
        connection.execute(sa.insert(author), new)


def _note(connection: sa.Connection, state: str, mark: str, now: datetime) -> None:
    values = {"state": state, "mark": mark, "at": now}
    if not connection.execute(sa.update(stage).values(values)).rowcount:
        connection.execute(sa.insert(stage).values(one=1, **values))


def _chunks(values: Sequence[int] | Sequence[str]) -> Iterable[Sequence[int] | Sequence[str]]:
    return (values[start : start + CHUNK] for start in range(0, len(values), CHUNK))
