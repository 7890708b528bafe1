"""Entry to a study: by invitation, openly, from a platform, or as a preview; sessions and consent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.records import Annotator, Entered, Source
from similitude.collect.annotation.signed_links import SignedLink
from similitude.collect.annotation.store.annotators import of_row, read_annotator, set_annotator_state, state_after
from similitude.collect.annotation.store.audit import record, record_rarely
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.invitations import use_invitation
from similitude.collect.annotation.store.own_questions import give_back_own
from similitude.collect.annotation.store.passwords import hashed, new_pseudonym, new_secret, salted
from similitude.collect.annotation.store.persons import attach_persons
from similitude.collect.annotation.store.pools import note_result
from similitude.collect.annotation.store.refusals import Conflict, NotAdmitted
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.submissions import Arrival, note_arrival, was_used
from similitude.collect.annotation.store.tables import annotator, study

__all__ = [
    "Known",
    "annotator_of_session",
    "consent",
    "enter_by_invitation",
    "enter_from_platform",
    "enter_open",
    "enter_preview",
    "set_language",
]


class Known(NamedTuple):
    """Who enters, as far as is known: the persons that they may be, and whether they passed the pool's test."""

    persons: Sequence[str] = ()
    qualified: bool = False


NOBODY = Known()


def enter_by_invitation(
    db: Database, token: str, *, known: Known = NOBODY, language: str | None, now: datetime
) -> Entered:
    """Enter by invitation; each entry uses it once.

    An invitation made for one annotator, or for a person who is one, lets them continue, for example on another device.

    Raises:
        NotAdmitted: the invitation is unknown, used up, expired or revoked, or the study is full or closed.
    """
    with writing(db) as connection:
        there = _open_study(db, connection)
        used = use_invitation(connection, token, now=now)
        if used.annotator is not None:
            return _again(connection, there, read_annotator(connection, used.annotator, lock=True), known)
        _check_room(connection, there.plan)
        return _new(connection, "invitation", known, language=language, now=now, invitation_id=used.invitation)


def enter_open(db: Database, *, known: Known = NOBODY, language: str | None, now: datetime) -> Entered:
    """Enter without an invitation, if the study is open to anyone.

    Raises:
        NotAdmitted: the study is not open to anyone, or it is full or closed.
    """
    with writing(db) as connection:
        there = _open_study(db, connection)
        if not there.plan.access.open:
            raise NotAdmitted("entry_closed", "this study is by invitation")
        _check_room(connection, there.plan)
        return _new(connection, "open", known, language=language, now=now)


def enter_from_platform(
    db: Database,
    source: Literal["prolific", "mturk"],
    external_id: str,
    *,
    submission: str = "",
    study_there: str = "",
    platform: Mapping[str, str] | None = None,
    link: SignedLink | None = None,
    session: str = "",
    known: Known = NOBODY,
    language: str | None,
    now: datetime,
) -> Entered:
    """Enter from Prolific or MTurk; the same person is the same annotator again.

    Anybody can make up an id. So a known person continues in the browser that they began with, or with a signed link
    that no other browser has used; else nothing of theirs is touched, and the log says that somebody tried.

    Args:
        db: the database.
        source: the platform; the plan must name it.
        external_id: the person's id there; its salted hash is kept, and the id itself where the plan says so.
        submission: the id of the submission or assignment.
        study_there: the platform's id of the study or HIT.
        platform: what the platform needs at the end: for MTurk ``assignmentId`` and ``turkSubmitTo``.
        link: the link that led here, if its signature is valid.
        session: the session of the annotator who used this browser last.
        known: who they are across studies.
        language: of the interface, where known.
        now: the moment.

    Raises:
        NotAdmitted: the plan does not name the platform, no id was given, the study is full or closed, the person is
            known in another browser, or the signed link was used in another one.
    """
    with writing(db) as connection:
        there = _open_study(db, connection)
        if getattr(there.plan.access, source, None) is None or not external_id.strip():
            raise NotAdmitted("entry_closed", f"nobody comes in from {source} here")
        _one_by_one(connection)
        external = salted(there.salt, source, external_id)
        query = sa.select(annotator).where(annotator.c.external_hash == external).with_for_update()
        row = connection.execute(query).one_or_none()
        refusal = None if row is None else _refusal_elsewhere(connection, row, link, session, now)
        if refusal is None:
            if row is None:
                _check_room(connection, there.plan)
                entered = _new(connection, source, known, language=language, now=now, external_hash=external)
            else:
                here = session if _is_here(row, session) else ""
                entered = _again(connection, there, of_row(row), known, session=here)
            came = Arrival(source, external_id, submission, study_there, dict(platform or {}), link)
            return entered._replace(annotator=note_arrival(connection, there, entered.annotator, came, now=now))
    raise refusal


def _is_here(row: Any, session: str) -> bool:
    return bool(session) and row.session_hash == hashed(session)


def _refusal_elsewhere(
    connection: sa.Connection, row: Any, link: SignedLink | None, session: str, now: datetime
) -> NotAdmitted | None:
    """Why a known person may not continue in this browser; it is logged, at most once an hour."""
    if _is_here(row, session):
        return None
    if link is not None and not was_used(connection, link):
        return None
    record_rarely(connection, "entry_refused", subject=row.pseudonym, now=now)
    if link is not None:
        return NotAdmitted("link_used", "this link was used in another browser", remedy="start from the platform again")
    return NotAdmitted("other_browser", "this person began in another browser", remedy="continue there")


def enter_preview(db: Database, *, language: str | None, now: datetime, by: str) -> Entered:
    """Enter as a preview, to see what annotators see. It takes no slot, and its answers never count."""
    with writing(db) as connection:
        study_in(db, connection)
        record(connection, "preview", now=now, by=by)
        return _new(connection, "preview", NOBODY, language=language, now=now)


def annotator_of_session(db: Database, session: str) -> Annotator | None:
    """The annotator whose session this is; None if it is unknown or over."""
    query = sa.select(annotator).where(annotator.c.session_hash == hashed(session))
    with reading(db) as connection:
        row = connection.execute(query).one_or_none()
    return None if row is None else of_row(row)


def set_language(db: Database, annotator_id: int, language: str) -> Annotator:
    """Remember the interface language that an annotator chose."""
    with writing(db) as connection:
        connection.execute(sa.update(annotator).where(annotator.c.id == annotator_id).values(language=language))
        return read_annotator(connection, annotator_id)


def consent(
    db: Database, annotator_id: int, *, agreed: bool, reads: Sequence[str] | None = None, now: datetime
) -> Annotator:
    """Record consent or refusal. Agreeing twice is the same as once, and one may agree after declining.

    ``reads`` are the languages that they read, where they were asked.

    Raises:
        Conflict: they have begun to work and can no longer decline; they can opt out or withdraw.
    """
    with writing(db) as connection:
        who = read_annotator(connection, annotator_id, lock=True)
        fresh = who.state == "invited" or (who.state == "declined" and who.reason == "consent")
        if not fresh:
            if agreed:
                return who
            raise Conflict("state", "this annotator has already begun", remedy="opt out or withdraw instead")
        if not agreed:
            return set_annotator_state(connection, who, "declined", now=now, reason="consent")
        given = (
            sa.update(annotator)
            .where(annotator.c.id == annotator_id)
            .values(consented=now, reads=None if reads is None else sorted(set(reads)))
        )
        connection.execute(given)
        first = state_after(connection, study_in(db, connection).plan, who, "invited")
        return set_annotator_state(connection, who, first, now=now)


def _open_study(db: Database, connection: sa.Connection) -> StudyRecord:
    there = study_in(db, connection)
    if there.state not in ("open", "paused"):
        raise NotAdmitted("entry_closed", f"the study is {there.state}")
    return there


def _check_room(connection: sa.Connection, plan: StudyPlan) -> None:
    """Refuse entry to a full study; those who declined or withdrew do not count."""
    if plan.access.limit is None:
        return
    _one_by_one(connection)
    gone = annotator.c.state.in_(["declined", "withdrawn"])
    counted = sa.select(sa.func.count()).select_from(annotator).where(~gone, annotator.c.source != "preview")
    if connection.execute(counted).scalar_one() >= plan.access.limit:
        raise NotAdmitted("study_full", f"the study has its {plan.access.limit} annotators")


def _one_by_one(connection: sa.Connection) -> None:
    """Let people enter one after the other, so that each is counted and recognised."""
    connection.execute(sa.select(study.c.id).with_for_update())


def _new(
    connection: sa.Connection, source: Source, known: Known, *, language: str | None, now: datetime, **facts: Any
) -> Entered:
    session = new_secret()
    row = {
        "pseudonym": new_pseudonym(),
        "source": source,
        "language": language,
        "state": "invited",
        "session_hash": hashed(session),
        "created": now,
        "seen": now,
        **facts,
    }
    made = connection.execute(sa.insert(annotator).values(row).returning(annotator.c.id)).scalar_one()
    attach_persons(connection, made, known.persons)
    if known.qualified:
        note_result(connection, made, passed=True, by="pool", now=now, delivered=True)
    return Entered(read_annotator(connection, made), session, True)


def _again(
    connection: sa.Connection, there: StudyRecord, who: Annotator, known: Known, *, session: str = ""
) -> Entered:
    """Continue a session, or start a new one for a known annotator; the old one ends then."""
    if who.state == "withdrawn":
        raise NotAdmitted("entry_closed", "this annotator has withdrawn")
    if attach_persons(connection, who.id, known.persons):
        give_back_own(connection, there, who.id)
    session = session or new_secret()
    changed = {"session_hash": hashed(session)}
    connection.execute(sa.update(annotator).where(annotator.c.id == who.id).values(changed))
    return Entered(read_annotator(connection, who.id), session, False)
