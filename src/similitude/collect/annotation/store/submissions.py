"""Submissions of a platform: who came with which, which one is being worked on, and the signed links they used."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.payment.records import Submission
from similitude.collect.annotation.records import Annotator
from similitude.collect.annotation.signed_links import SignedLink
from similitude.collect.annotation.store.annotators import read_annotator, set_annotator_state
from similitude.collect.annotation.store.database import Database, reading
from similitude.collect.annotation.store.passwords import hashed, salted
from similitude.collect.annotation.store.refusals import NotAdmitted
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import annotator, batch, submission, used_link

__all__ = [
    "Arrival",
    "assignment_is_done",
    "note_arrival",
    "submission_hash",
    "submission_of_row",
    "was_used",
    "worked_in_submission",
]


GRACE = timedelta(hours=1)
"""How long an expired link is remembered: longer than two clocks differ."""


class Arrival(NamedTuple):
    """Somebody's arrival from a platform, with the ids that it gave them; ``link`` if it was signed."""

    source: str
    participant: str
    submission: str
    study: str
    platform: Mapping[str, str]
    link: SignedLink | None


def note_arrival(
    connection: sa.Connection, there: StudyRecord, who: Annotator, came: Arrival, *, now: datetime
) -> Annotator:
    """Note the submission that an annotator came with, in the transaction of their entry.

    With another submission than before they get a new completion code at its end, and go on if they were finished.

    Raises:
        NotAdmitted: the submission belongs to somebody else.
    """
    if came.platform:
        connection.execute(sa.update(annotator).where(annotator.c.id == who.id).values(platform=dict(came.platform)))
    if came.link is not None:
        _use(connection, who, came.link, now)
    if came.submission:
        _note(connection, there, who, came, now)
    return read_annotator(connection, who.id)


def _note(connection: sa.Connection, there: StudyRecord, who: Annotator, came: Arrival, now: datetime) -> None:
    secret = submission_hash(there, came.source, came.submission)
    known = connection.execute(sa.select(submission).where(submission.c.submission_hash == secret)).one_or_none()
    if known is not None and known.annotator_id != who.id:
        raise NotAdmitted("submission_taken", "this submission belongs to somebody else")
    if known is not None:
        signed = bool(known.signed or came.link is not None)
        connection.execute(sa.update(submission).where(submission.c.id == known.id).values(signed=signed))
        return
    _begin_anew(connection, who, now)
    keep = there.plan.access.keep_platform_ids
    row = {
        "annotator_id": who.id,
        "platform": came.source,
        "submission_hash": secret,
        # MTurk's assignment has to be sent back at the end; it names no person.
        "submission": came.submission if keep or came.source == "mturk" else None,
        "participant": came.participant if keep else None,
        "study": came.study or None,
        "signed": came.link is not None,
        "created": now,
    }
    connection.execute(sa.insert(submission).values(row))


def _begin_anew(connection: sa.Connection, who: Annotator, now: datetime) -> None:
    """Close the submission before, with its code; somebody who was finished may go on."""
    query = sa.select(submission.c.id).where(submission.c.annotator_id == who.id).order_by(submission.c.id.desc())
    before = connection.execute(query.limit(1)).scalar_one_or_none()
    if before is None:
        return
    connection.execute(sa.update(submission).where(submission.c.id == before).values(code=who.completion_code))
    if who.state == "finished":
        set_annotator_state(connection, who, "active", now=now)
    if who.state in ("finished", "active"):
        connection.execute(sa.update(annotator).where(annotator.c.id == who.id).values(completion_code=None))


def submission_hash(there: StudyRecord, platform: str, external_id: str) -> str:
    """The hash that is kept of a submission's id."""
    return salted(there.salt, f"{platform} submission", external_id)


def was_used(connection: sa.Connection, link: SignedLink) -> bool:
    """Whether a signed link was used before."""
    query = sa.select(used_link.c.link_hash).where(used_link.c.link_hash == hashed(link.proof))
    return connection.execute(query).first() is not None


def _use(connection: sa.Connection, who: Annotator, link: SignedLink, now: datetime) -> None:
    """Remember a link until it expires; after that its signature is refused anyway."""
    if was_used(connection, link):
        return
    connection.execute(sa.delete(used_link).where(used_link.c.expires < now - GRACE))
    row = {"link_hash": hashed(link.proof), "annotator_id": who.id, "expires": link.expires}
    connection.execute(sa.insert(used_link).values(row))


def submission_of_row(row: Any, *, code: str | None) -> Submission:
    """The record of a submission."""
    return Submission(
        id=row.id,
        platform=row.platform,
        submission=row.submission,
        participant=row.participant,
        study=row.study,
        signed=bool(row.signed),
        code=code,
        created=row.created,
    )


def assignment_is_done(connection: sa.Connection, there: StudyRecord, who: Annotator) -> bool:
    """Whether a worker has sent the batches that an MTurk assignment holds."""
    mturk = there.plan.access.mturk
    if who.source != "mturk" or mturk is None or mturk.batches is None:
        return False
    return _sent_since(connection, who) >= mturk.batches


def worked_in_submission(db: Database, who: Annotator) -> bool:
    """Whether somebody has sent work, or anything before it, in their current submission."""
    with reading(db) as connection:
        study_in(db, connection)
        return _sent_since(connection, who, any_purpose=True) > 0


def _sent_since(connection: sa.Connection, who: Annotator, *, any_purpose: bool = False) -> int:
    newest = sa.select(sa.func.max(submission.c.created)).where(submission.c.annotator_id == who.id)
    since = connection.execute(newest).scalar_one_or_none()
    query = sa.select(sa.func.count()).select_from(batch).where(batch.c.annotator_id == who.id, batch.c.state == "sent")
    if not any_purpose:
        query = query.where(batch.c.purpose == "work")
    if since is not None:
        query = query.where(batch.c.sent >= since)
    return int(connection.execute(query).scalar_one())
