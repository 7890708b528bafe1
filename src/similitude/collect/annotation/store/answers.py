"""Saving answers: on disk before they are acknowledged, and never changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.records import Annotator, AnsweredPage, BatchQuestion, Entry, Problem, Saved
from similitude.collect.annotation.store.annotators import may_work, read_annotator
from similitude.collect.annotation.store.batches import feedback_on, owned_batch, part_of, question_in
from similitude.collect.annotation.store.database import Database, writing
from similitude.collect.annotation.store.refusals import Conflict, InvalidAnswer, NotNow, NotThere
from similitude.collect.annotation.store.remarks import comment_problem, kept_comment, reasons_in
from similitude.collect.annotation.store.second_round import open_second_rounds
from similitude.collect.annotation.store.study_life import ENDED
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import answer, batch, question, slot, wording
from similitude.collect.annotation.tasks import Answer

__all__ = ["may_save", "save_answer", "save_answers", "save_page"]

LONGEST_NONCE = 200
LAST_POSITION = 10_000
LONGEST_SECONDS = 86_400.0
SETTLED = ("done", "skipped")
"""The states of slots that already count as answered in their batch."""

Form = Callable[[Sequence[BatchQuestion]], Sequence[Entry]]
"""Reads the entries of a form, given the questions that it answers, as they were shown."""

_PLACES = (
    sa.select(
        slot, question.c.key, wording.c.texts, wording.c.expected, answer.c.value, answer.c.comment, answer.c.seconds
    )
    .join(question, question.c.id == slot.c.question_id)
    .join(wording, (wording.c.question_id == slot.c.question_id) & (wording.c.version == slot.c.version))
    .join(answer, answer.c.id == slot.c.answer_id, isouter=True)
    .where(slot.c.batch_id == sa.bindparam("batch"))
    .where(slot.c.position.in_(sa.bindparam("positions", expanding=True)))
    .order_by(slot.c.position)
    .with_for_update(of=slot)
)
_BEFORE = sa.select(answer.c.nonce, answer.c.at, answer.c.seconds).where(
    answer.c.annotator_id == sa.bindparam("who"), answer.c.nonce.in_(sa.bindparam("nonces", expanding=True))
)
_APPEND = sa.insert(answer).returning(answer.c.id)
_TAKE = (
    sa.update(slot)
    .where(slot.c.id == sa.bindparam("slot"))
    .values(state="done", annotator_id=sa.bindparam("who"), answer_id=sa.bindparam("given"))
)
_TOUCH = (
    sa.update(batch)
    .where(batch.c.id == sa.bindparam("held"))
    .values(answered=sa.bindparam("count"), touched=sa.bindparam("moment"), expires=sa.bindparam("end"))
)


class _Kept(NamedTuple):
    """An answer that is already in the database."""

    at: datetime
    seconds: float | None


def save_answer(db: Database, annotator_id: int, batch_id: int, entry: Entry, *, now: datetime) -> Saved:
    """Save one answer; see `save_answers`."""
    return save_answers(db, annotator_id, batch_id, [entry], now=now)[0]


def save_answers(
    db: Database, annotator_id: int, batch_id: int, entries: Sequence[Entry], *, now: datetime
) -> list[Saved]:
    """Save the answers of one page, all or none. They are on disk when this returns.

    A form that arrives again (same nonce, same content) is acknowledged as before, and nothing is written. A changed
    answer is a new row, and the last one counts. After the time-out an answer is still accepted as long as nobody else
    holds the question.

    Raises:
        InvalidAnswer: a form is not a valid answer; ``problems`` gives position and field.
        NotThere: there is no such batch, or no such question in it.
        NotYours: the batch belongs to somebody else.
        NotNow: the annotator may not work, or the study is closed.
        Conflict: the batch was sent, somebody else holds the question, or it is a training question whose right answer
        was already shown.
    """
    with writing(db) as connection:
        there = study_in(db, connection)
        who = read_annotator(connection, annotator_id, lock=True)
        held = owned_batch(connection, annotator_id, batch_id, lock=True)
        places = _places(connection, batch_id, [entry.position for entry in entries])
        return _save(connection, there, who, held, places, entries, now)


def save_page(
    connection: sa.Connection,
    there: StudyRecord,
    who: Annotator,
    batch_id: int,
    positions: Sequence[int],
    form: Form,
    *,
    now: datetime,
) -> AnsweredPage:
    """Save the answers of one page in an open transaction, and read the page after it.

    The answers are on disk when the transaction ends. See `save_answers` for what is refused.

    Args:
        connection: the transaction.
        there: the study.
        who: the annotator, locked.
        batch_id: the batch.
        positions: of the questions that the form answers.
        form: reads the form's entries, given the questions as they were shown.
        now: the moment.
    """
    held = owned_batch(connection, who.id, batch_id, lock=True)
    last = max(positions, default=0)
    after = range(last + 1, last + 1 + there.plan.batch.per_page)
    places = _places(connection, batch_id, [*positions, *after])
    missing = [each for each in positions if each not in places]
    if missing and held.state == "expired":
        raise Conflict("slot_taken", "the time ran out, and somebody else has this question")
    if missing:
        raise NotThere("no_question", f"no question {missing[0]} in this batch")
    entries = form([question_in(places[each], there) for each in positions])
    saved = _save(connection, there, who, held, places, entries, now)
    skipped = reasons_in(connection, held.id) if any(each.state == "skipped" for each in places.values()) else {}
    following = tuple(question_in(places[each], there, skipped.get(each)) for each in after if each in places)
    answered = saved[-1].answered if saved else held.answered
    part = part_of(held, following, size=held.size, answered=answered)
    return AnsweredPage(who, tuple(saved), replace(part, touched=max(now, held.touched)))


def _save(
    connection: sa.Connection,
    there: StudyRecord,
    who: Annotator,
    held: Any,
    places: Mapping[int, Any],
    entries: Sequence[Entry],
    now: datetime,
) -> list[Saved]:
    given = list(zip(entries, _read(there, places, entries), strict=True))
    before = _saved_before(connection, who.id, [_form_key(*each) for each in given])
    new = [each for each in given if _form_key(*each) not in before]
    answered = held.answered
    if new:
        may_save(there, who)
        answered += sum(places[entry.position].state not in SETTLED for entry, _ in new)
        spent = _elapsed(held, now) / len(new)
        before |= _append(connection, held, places, new, spent, now)
        _touch(connection, there, held, answered, now)
    acknowledged = {entry.position for entry, _ in new}
    return [
        Saved(
            position=entry.position,
            answer=value,
            at=before[_form_key(entry, value)].at,
            seconds=before[_form_key(entry, value)].seconds,
            replayed=entry.position not in acknowledged,
            late=held.state == "expired",
            feedback=feedback_on(places[entry.position], value, there),
            answered=answered,
            size=held.size,
        )
        for entry, value in given
    ]


def may_save(there: StudyRecord, who: Annotator) -> None:
    """Check that an annotator may save and send answers.

    Raises:
        NotNow: the study is closed, they have not consented, or they may no longer work.
    """
    if there.state in ENDED:
        raise NotNow("closed", "the study is closed")
    may_work(who)


def _places(connection: sa.Connection, batch_id: int, positions: Sequence[int]) -> dict[int, Any]:
    if len(set(positions)) < len(positions):
        raise NotThere("no_question", "a question is answered twice in one form")
    asked = {"batch": batch_id, "positions": [each for each in positions if 0 < each <= LAST_POSITION]}
    return {row.position: row for row in connection.execute(_PLACES, asked).all()}


def _read(there: StudyRecord, slots: Mapping[int, Any], entries: Sequence[Entry]) -> list[Answer]:
    answers: list[Answer] = []
    problems: list[Problem] = []
    for entry in entries:
        if entry.position not in slots:
            raise NotThere("no_question", f"no question {entry.position} in this batch")
        if not entry.nonce or len(entry.nonce) > LONGEST_NONCE:
            raise InvalidAnswer([Problem("nonce", "missing", {}, entry.position)])
        value, found = there.task.read(slots[entry.position].texts, entry.form)
        about_comment = comment_problem(entry)
        problems += [] if about_comment is None else [about_comment]
        problems += [problem._replace(position=entry.position) for problem in found]
        answers += [] if value is None else [value]
    if problems:
        raise InvalidAnswer(problems)
    return answers


def _form_key(entry: Entry, value: Answer) -> str:
    """A key that tells a repeated form from a change made in a page that the browser had cached."""
    said = [entry.comment] if entry.comment else []
    content = json.dumps([entry.nonce, entry.position, dict(value), *said], sort_keys=True)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _saved_before(connection: sa.Connection, annotator_id: int, keys: Sequence[str]) -> dict[str, _Kept]:
    rows = connection.execute(_BEFORE, {"who": annotator_id, "nonces": list(keys)}).all()
    return {row.nonce: _Kept(row.at, row.seconds) for row in rows}


def _append(
    connection: sa.Connection,
    held: Any,
    slots: Mapping[int, Any],
    new: Sequence[tuple[Entry, Answer]],
    spent: float,
    now: datetime,
) -> dict[str, _Kept]:
    kept = {}
    for entry, value in new:
        place = slots[entry.position]
        _check_slot(connection, held, place)
        seconds = _measured(entry.seconds, spent + (place.seconds or 0.0))
        row = {
            "slot_id": place.id,
            "question_id": place.question_id,
            "version": place.version,
            "annotator_id": held.annotator_id,
            "batch_id": held.id,
            "value": dict(value),
            "seconds": seconds,
            "comment": kept_comment(entry.comment),
            "at": now,
            "nonce": _form_key(entry, value),
            "withdrawn": False,
        }
        made = connection.execute(_APPEND, row).scalar_one()
        connection.execute(_TAKE, {"slot": place.id, "who": held.annotator_id, "given": made})
        kept[row["nonce"]] = _Kept(now, seconds)
    return kept


def _check_slot(connection: sa.Connection, held: Any, place: Any) -> None:
    """Check that an answer can still count."""
    if held.state == "sent":
        raise Conflict("batch_sent", "this batch was sent; its answers are final")
    if place.purpose == "training" and place.state == "done":
        raise Conflict("training_final", "the right answer was already shown; continue with the next question")
    if held.state == "open":
        return
    if place.state in SETTLED:
        raise Conflict("batch_expired", "the time for this batch is over; answers saved in time are kept")
    again = sa.select(slot.c.id).where(slot.c.annotator_id == held.annotator_id, slot.c.purpose == place.purpose)
    if connection.execute(again.where(slot.c.question_id == place.question_id)).first() is not None:
        raise Conflict("slot_taken", "the time ran out, and this question is in your new batch")


def _elapsed(held: Any, now: datetime) -> float:
    """Seconds since the batch's last answer; 0 if the clock was set back."""
    return max(0.0, float((now - held.touched).total_seconds()))


def _measured(by_browser: float | None, spent: float) -> float:
    """Seconds spent on a question so far: as the browser measured them if that is plausible, else as the server did."""
    if by_browser is None or not 0 <= by_browser <= LONGEST_SECONDS:
        return round(spent, 3)
    return round(by_browser, 3)


def _touch(connection: sa.Connection, there: StudyRecord, held: Any, answered: int, now: datetime) -> None:
    """Give the batch its full time again; a late answer may settle a question."""
    end = held.expires
    if held.state == "open":
        end = max(end, now + timedelta(minutes=there.plan.batch.minutes))
    moment = max(now, held.touched)
    connection.execute(_TOUCH, {"held": held.id, "count": answered, "moment": moment, "end": end})
    if held.state == "expired":
        open_second_rounds(connection, there, [held.id])
