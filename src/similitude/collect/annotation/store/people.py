"""The leader's page of people: everybody with their code, ids, times, quality, decisions and pay; and finding one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.payment.pay_estimate import ENDED, PayOverview, base_pay, pay_overview
from similitude.collect.annotation.payment.records import Person, Submission, outcome_of
from similitude.collect.annotation.records import Annotator, AnnotatorRow
from similitude.collect.annotation.store.annotator_table import annotator_rows
from similitude.collect.annotation.store.bonus_lists import listed_in
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.passwords import salted
from similitude.collect.annotation.store.payments import decide_payment, payments_in
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.study_progress import progress
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.submissions import submission_hash, submission_of_row
from similitude.collect.annotation.store.tables import annotator, batch, invitation, submission
from similitude.collect.annotation.store.work_times import NO_WORK, work_times

__all__ = ["approve_finished", "find_people", "pay_so_far", "people", "person", "person_finder"]

IDLE = 120.0
"""Seconds that one answer counts at most, where the plan has no ``[pay]``."""


def people(db: Database, *, now: datetime) -> list[Person]:
    """Everybody who entered, in that order, without previews.

    To the flags of `annotator_rows` comes "times": a browser claimed more time than had passed.
    """
    rows = annotator_rows(db, now=now)
    with reading(db) as connection:
        there = study_in(db, connection)
        gathered = _Gathered(connection, there)
        return [gathered.person(row) for row in rows]


def person(db: Database, pseudonym: str, *, now: datetime) -> Person:
    """One person.

    Raises:
        NotThere: there is no such annotator.
    """
    for each in people(db, now=now):  # flags compare people with one another, so all are needed
        if each.pseudonym == pseudonym:
            return each
    raise NotThere("no_annotator", f"no annotator '{pseudonym[:40]}'", remedy="look at the list of people")


class _Gathered:
    """What the tables say about everybody, read once."""

    def __init__(self, connection: sa.Connection, there: StudyRecord) -> None:
        self.there = there
        self.work = work_times(connection, there.plan.pay.idle if there.plan.pay else IDLE)
        self.batches = _sent_batches(connection)
        self.notes = _notes(connection)
        self.payments = payments_in(connection)
        self.listed = listed_in(connection)
        self.submissions = _submissions(connection)

    def person(self, row: AnnotatorRow) -> Person:
        """One person."""
        who = row.annotator
        outcome, batches = outcome_of(who), self.batches.get(who.id, 0)
        work = self.work.get(who.id, NO_WORK)
        pay = self.there.plan.pay
        base = None
        if pay is not None:
            base = base_pay(pay, ended=outcome in ENDED, batches=batches, answered=row.answered)
        return Person(
            row=replace(row, flags=(*row.flags, "times")) if work.impossible else row,
            outcome=outcome,
            note=self.notes.get(who.id, ""),
            active=work.active,
            last=work.last,
            batches=batches,
            submissions=self._submissions_of(who),
            payments=tuple(self.payments.get(who.id, ())),
            listed=Decimal(self.listed.get(who.id, 0)).scaleb(-2),
            base=base,
        )

    def _submissions_of(self, who: Annotator) -> tuple[Submission, ...]:
        rows = self.submissions.get(who.id, [])
        return tuple(submission_of_row(row, code=who.completion_code if row is rows[-1] else row.code) for row in rows)


def _sent_batches(connection: sa.Connection) -> dict[int, int]:
    query = (
        sa.select(batch.c.annotator_id, sa.func.count())
        .where(batch.c.purpose == "work", batch.c.state == "sent")
        .group_by(batch.c.annotator_id)
    )
    return {row[0]: row[1] for row in connection.execute(query).all()}


def _notes(connection: sa.Connection) -> dict[int, str]:
    query = sa.select(annotator.c.id, invitation.c.note).join(invitation, invitation.c.id == annotator.c.invitation_id)
    return {row[0]: row[1] for row in connection.execute(query).all()}


def _submissions(connection: sa.Connection) -> dict[int, list[Any]]:
    found: defaultdict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(sa.select(submission).order_by(submission.c.id)).all():
        found[row.annotator_id].append(row)
    return found


def find_people(db: Database, wanted: str, everybody: Sequence[Person]) -> list[Person]:
    """The people whom a pasted pseudonym, code, note or platform id means.

    Ids are found by their hashes, whether or not the study keeps them readable. Pseudonyms and codes may be in small
    letters and cut short; notes may be any part.
    """
    asked = wanted.strip()
    if not asked:
        return list(everybody)
    with reading(db) as connection:
        hits = _by_hash(connection, study_in(db, connection), asked)
    return [each for each in everybody if each.annotator.id in hits or _means(each, asked)]


def _means(each: Person, asked: str) -> bool:
    codes = [each.annotator.completion_code, *(one.code for one in each.submissions)]
    ids = [name for one in each.submissions for name in (one.submission, one.participant) if name]
    upper = asked.upper()
    return (
        each.pseudonym.upper().startswith(upper)
        or any(code and code.startswith(upper) for code in codes)
        or asked in ids
        or asked.casefold() in each.note.casefold()
    )


def _by_hash(connection: sa.Connection, there: StudyRecord, *asked: str) -> set[int]:
    """The annotators whose id on a platform, or whose submission's id, is one of these."""
    platforms = ("prolific", "mturk")
    external = [salted(there.salt, platform, each) for each in asked for platform in platforms]
    sent = [submission_hash(there, platform, each) for each in asked for platform in platforms]
    by_person = sa.select(annotator.c.id).where(annotator.c.external_hash.in_(external))
    by_submission = sa.select(submission.c.annotator_id).where(submission.c.submission_hash.in_(sent))
    return {row[0] for query in (by_person, by_submission) for row in connection.execute(query).all()}


def person_finder(db: Database, everybody: Sequence[Person]) -> Callable[[str, str], Person | None]:
    """A function that finds the person of a submission's id or a participant's id; the submission counts first."""
    known = {each.annotator.id: each for each in everybody}

    def find(submission_id: str, participant: str) -> Person | None:
        with reading(db) as connection:
            there = study_in(db, connection)
            asked = (_by_hash(connection, there, each) for each in (submission_id, participant) if each)
            hits = next((found for found in asked if found), None)
        return None if hits is None else known.get(min(hits))

    return find


def approve_finished(db: Database, *, reason: str = "", now: datetime, by: str) -> int:
    """Approve everybody who answered something, finished, has no flag and is undecided. Returns how many."""
    chosen = [
        each.pseudonym
        for each in people(db, now=now)
        if each.outcome in ("complete", "early")
        and each.row.answered
        and not each.row.flags
        and each.decision == "undecided"
    ]
    return decide_payment(db, chosen, "approved", reason=reason, now=now, by=by) if chosen else 0


def pay_so_far(db: Database, everybody: Sequence[Person], *, now: datetime) -> PayOverview | None:
    """The overview of pay; None if the plan has no ``[pay]``."""
    with reading(db) as connection:
        plan = study_in(db, connection).plan
    if plan.pay is None:
        return None
    so_far = progress(db, now=now)
    return pay_overview(plan, everybody, questions=so_far.questions, left=so_far.held + so_far.free)
