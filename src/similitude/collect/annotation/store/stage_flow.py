"""The flow of questions from an earlier study: each result exactly once, and withdrawn when it no longer holds.

The two databases are compared, and the difference is written in one transaction of the later one. So it does not
matter when a process dies or how many compare at once, and a comparison that was missed is made up for by the next.
"""

from __future__ import annotations

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
from similitude.collect.annotation.store.stage_erasure import erase_texts
from similitude.collect.annotation.store.stage_source import Taken, authors_of, final_results, mark_of, taken_questions
from similitude.collect.annotation.store.studies import lock_study
from similitude.collect.annotation.store.study_life import ENDED
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import author, question, stage, stage_question
from similitude.errors import ArgumentError, SimilitudeError

__all__ = ["Flow", "Flowed", "take_results"]

logger = logging.getLogger("similitude.annotation")

ORIGIN = "stage"
AT_ONCE = 200
"""Results that one transaction takes: nobody who saves an answer waits long for it."""
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


def take_results(db: Database, earlier: Database, *, now: datetime) -> Flowed:
    """Bring a study up to date with the study that it follows.

    New results become questions. Results that no longer hold (the author was excluded or deleted their data) are no
    longer asked about; what was answered stays. Where the author deleted their data, the texts of questions that nobody
    has answered are deleted too.

    Everything is compared without a lock. What differs is looked at once more in the transaction that writes it, so
    that of two who compare at once, the one who writes last writes what is newest.

    Raises:
        ArgumentError: a result does not fit the task of the study.
    """
    with reading(db) as connection:
        there = study_in(db, connection)
        last = connection.execute(sa.select(stage.c.mark)).scalar_one_or_none() or ""
        if there.plan.follows is None or there.state == "archived":
            return Flowed()
        with reading(earlier) as source:
            mark = mark_of(source)
            if mark == last:
                return Flowed()
            found = _difference(connection, there.plan.follows, source, study_in(earlier, source)).all
    parts = [found[start : start + AT_ONCE] for start in range(0, len(found), AT_ONCE)] or [[]]
    done = [_write(db, earlier, part, mark if part is parts[-1] else None, now) for part in parts]
    return Flowed(*(sum(counts) for counts in zip(*done, strict=True)))


def _write(db: Database, earlier: Database, part: Sequence[int], mark: str | None, now: datetime) -> Flowed:
    """Write what differs in these results; the last part notes the mark that was compared."""
    with writing(db) as connection:
        lock_study(db, connection)
        with reading(earlier) as source:
            here, before = study_in(db, connection), study_in(earlier, source)
            flowed = _apply(connection, here, source, before, part, now)
            if mark is not None and here.plan.follows is not None:
                _finish(connection, source, here.plan.follows, before.state, mark, now)
            return flowed


class _Difference(NamedTuple):
    """Results of the earlier study that are new, hold again, or no longer hold."""

    new: set[int]
    back: set[int]
    gone: set[int]

    @property
    def all(self) -> list[int]:
        return sorted(self.new | self.back | self.gone)


def _difference(
    connection: sa.Connection,
    follows: Follows,
    source: sa.Connection,
    before: StudyRecord,
    among: Sequence[int] | None = None,
) -> _Difference:
    """How the results of the earlier study differ from what was taken of them; ``among`` restricts it to some."""
    wanted = final_results(source, before, follows, among)
    taken, withdrawn = _present(connection, among)
    takes_now = follows.when == "they come" or before.state in ENDED
    return _Difference(wanted - taken - withdrawn if takes_now else set(), wanted & withdrawn, taken - wanted)


def _apply(
    connection: sa.Connection,
    there: StudyRecord,
    source: sa.Connection,
    before: StudyRecord,
    part: Sequence[int],
    now: datetime,
) -> Flowed:
    follows = there.plan.follows
    if follows is None or not part:
        return Flowed()
    differs = _difference(connection, follows, source, before, part)
    restored = len(_questions_of(connection, differs.back))
    put = _take(connection, there, taken_questions(source, before, follows, [*differs.new, *differs.back]), now)
    lost = _withdraw(connection, _questions_of(connection, differs.gone), now)
    if lost or restored:
        record(connection, "stage", now=now, by="rule", detail={"withdrawn": lost, "restored": restored})
    return Flowed(put - restored, lost, restored)


def _finish(
    connection: sa.Connection, source: sa.Connection, follows: Follows, state: str, mark: str, now: datetime
) -> None:
    """Delete what authors deleted, and note how far the comparison went."""
    pending = erase_texts(connection, source, follows, now)
    last = connection.execute(sa.select(stage.c.mark)).scalar_one_or_none() or " "
    if last.split(" ")[-1] != mark.split(" ")[-1]:
        _refresh_authors(connection, source, follows)
    _note(connection, state, f"{pending} held: {mark}" if pending else mark, now)


def _present(connection: sa.Connection, among: Sequence[int] | None) -> tuple[set[int], set[int]]:
    """The numbers of the results that were taken, and of those that were taken back."""
    query = sa.select(stage_question.c.source, stage_question.c.state).distinct()
    taken: set[int] = set()
    withdrawn: set[int] = set()
    for chunk in [None] if among is None else _chunks(among):
        part = query if chunk is None else query.where(stage_question.c.source.in_(chunk))
        for row in connection.execute(part):
            (taken if row.state == "taken" else withdrawn).add(row.source)
    return taken, withdrawn - taken


def _questions_of(connection: sa.Connection, sources: set[int]) -> list[int]:
    """The ids of the questions of these results."""
    query = sa.select(stage_question.c.question_id).order_by(stage_question.c.question_id)
    return [
        found
        for chunk in _chunks(sorted(sources))
        for found in connection.execute(query.where(stage_question.c.source.in_(chunk))).scalars()
    ]


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


def _refresh_authors(connection: sa.Connection, source: sa.Connection, follows: Follows) -> None:
    """Add persons that authors have become known as since their results were taken."""
    known: dict[int, set[str]] = {}
    for row in connection.execute(sa.select(author)):
        known.setdefault(row.question_id, set()).add(row.person)
    query = sa.select(stage_question.c.question_id, stage_question.c.source)
    rows = connection.execute(query.where(stage_question.c.state == "taken")).all()
    people = authors_of(source, follows, sorted({row.source for row in rows}))
    new = [
        {"question_id": row.question_id, "person": person}
        for row in rows
        for person in sorted(people.get(row.source, set()) - known.get(row.question_id, set()))
    ]
    if new:
        connection.execute(sa.insert(author), new)


def _note(connection: sa.Connection, state: str, mark: str, now: datetime) -> None:
    values = {"state": state, "mark": mark, "at": now}
    if not connection.execute(sa.update(stage).values(values)).rowcount:
        connection.execute(sa.insert(stage).values(one=1, **values))


def _chunks(values: Sequence[int] | Sequence[str]) -> Iterable[Sequence[int] | Sequence[str]]:
    return (values[start : start + CHUNK] for start in range(0, len(values), CHUNK))
