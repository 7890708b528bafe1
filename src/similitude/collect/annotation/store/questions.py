"""Questions and their slots: one slot per wanted judgement."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.records import Question
from similitude.collect.annotation.store.tables import annotator, answer, question, slot, wording
from similitude.collect.annotation.text_languages import needed_languages
from similitude.errors import ArgumentError

__all__ = ["CHUNK", "free_slot", "put_questions", "retire_absent"]

CHUNK = 500
"""Rows handled at once: within the number of variables that any database takes."""


def put_questions(
    connection: sa.Connection, questions: Sequence[Question], plan: StudyPlan, *, origin: str, now: datetime
) -> int:
    """Write new questions and changed versions, and open or close slots; returns how many were new or changed."""
    return sum(
        _put_chunk(connection, questions[start : start + CHUNK], plan, origin, now)
        for start in range(0, len(questions), CHUNK)
    )


def _put_chunk(
    connection: sa.Connection, questions: Sequence[Question], plan: StudyPlan, origin: str, now: datetime
) -> int:
    there = _there(connection, [each.key for each in questions])
    new = [each for each in questions if each.key not in there]
    changed = [each for each in questions if each.key in there and _differs(each, there[each.key])]
    _check_places(connection, changed, there)
    if new:
        rows = [_row(each, plan, origin) for each in new]
        connection.execute(sa.insert(question), rows)
    for each in changed:
        row = there[each.key]
        changes = {"version": row.version + 1, "language": needed_languages(each.items)}
        connection.execute(sa.update(question).where(question.c.id == row.id).values(changes))
    kept = [there[each.key].id for each in questions if each.key in there and there[each.key].retired]
    if kept:
        connection.execute(sa.update(question).where(question.c.id.in_(kept)).values(retired=False))
    now_there = _ids_and_versions(connection, [each.key for each in questions])
    words = [_wording(each, *now_there[each.key], now) for each in (*new, *changed)]
    if words:
        connection.execute(sa.insert(wording), words)
    work = [now_there[each.key][0] for each in questions if each.kind == "work"]
    set_wanted(connection, work, plan.judgements)
    return len(new) + len(changed)


def _check_places(connection: sa.Connection, changed: Sequence[Question], there: Mapping[str, Any]) -> None:
    """Refuse texts that another item had: ids that are numbers of rows move when a row comes or goes.

    Raises:
        ArgumentError: people have answered such a question, and their answers would go to other texts.
    """
    had = {_words(row.texts): key for key, row in there.items() if len(row.texts) == 1}
    moved = {each.key: had[_words(each.items)] for each in changed if had.get(_words(each.items), each.key) != each.key}
    ids = [there[key].id for key in moved]
    by_people = (answer.c.annotator_id == annotator.c.id) & (annotator.c.source != "preview") & ~answer.c.withdrawn
    answered = sa.select(question.c.key).join(answer, answer.c.question_id == question.c.id).join(annotator, by_people)
    key = connection.execute(answered.where(question.c.id.in_(ids)).limit(1)).scalar() if ids else None
    if key is not None:
        what = f"people have answered item '{key}', which now has the texts of item '{moved[key]}'"
        raise ArgumentError(what, remedy="give every text the id that it had, in a column 'id', and new texts new ids")


def _words(items: Sequence[Mapping[str, Any]]) -> str:
    return json.dumps([{name: text for name, text in item.items() if name != "id"} for item in items], sort_keys=True)


def _there(connection: sa.Connection, keys: Sequence[str]) -> dict[str, Any]:
    """The existing questions by key, each with its current wording."""
    same = (wording.c.question_id == question.c.id) & (wording.c.version == question.c.version)
    query = sa.select(question, wording.c.texts, wording.c.expected).join(wording, same).where(question.c.key.in_(keys))
    return {row.key: row for row in connection.execute(query).all()}


def _ids_and_versions(connection: sa.Connection, keys: Sequence[str]) -> dict[str, tuple[int, int]]:
    query = sa.select(question.c.key, question.c.id, question.c.version).where(question.c.key.in_(keys))
    return {key: (id_, version) for key, id_, version in connection.execute(query).all()}


def _row(each: Question, plan: StudyPlan, origin: str) -> dict[str, Any]:
    return {
        "key": each.key,
        "kind": each.kind,
        "version": 1,
        "wanted": 0,
        "place": place(plan.seed, each.key),
        "second_round": "undecided",
        "origin": origin,
        "retired": False,
        "language": needed_languages(each.items),
    }


def _wording(each: Question, question_id: int, version: int, now: datetime) -> dict[str, Any]:
    plain = _plain(each)
    return {"question_id": question_id, "version": version, "at": now, **plain}


def _plain(each: Question) -> dict[str, Any]:
    """The texts and the right answer, as JSON gives them back."""
    return {
        "texts": json.loads(json.dumps([dict(item) for item in each.items])),
        "expected": None if each.expected is None else json.loads(json.dumps(dict(each.expected))),
    }


def _differs(each: Question, row: Any) -> bool:
    if row.kind != each.kind:
        what = f"question '{each.key}' was {row.kind} and is now {each.kind}"
        raise ArgumentError(what, remedy="give it a new name")
    return _plain(each) != {"texts": row.texts, "expected": row.expected}


def place(seed: int, key: str) -> int:
    """A question's place on the ring that work is drawn from: random, but fixed by the seed."""
    return int.from_bytes(hashlib.sha256(f"{seed}:{key}".encode()).digest()[:7], "big")


def set_wanted(connection: sa.Connection, question_ids: Sequence[int], wanted: int) -> None:
    """Open or close free first-round slots until there is one per wanted judgement."""
    original = (slot.c.question_id == question.c.id) & (slot.c.purpose == "work") & (slot.c.round == "first")
    original &= slot.c.state != "void"
    query = (
        sa.select(question.c.id, question.c.place, sa.func.count(slot.c.id).label("there"))
        .join(slot, original & slot.c.replaces.is_(None), isouter=True)
        .where(question.c.id.in_(question_ids))
        .group_by(question.c.id, question.c.place)
    )
    counted = connection.execute(query).all()
    lacking = [free_slot(row.id, row.place, "first") for row in counted for _ in range(max(0, wanted - row.there))]
    if lacking:
        connection.execute(sa.insert(slot), lacking)
    for row in counted:
        if row.there > wanted:
            close_free(connection, row.id, row.there - wanted)
    connection.execute(sa.update(question).where(question.c.id.in_(question_ids)).values(wanted=wanted))


def close_free(connection: sa.Connection, question_id: int, most: int | None = None) -> None:
    """Remove free slots of a question, at most ``most``.

    A slot whose answer was withdrawn stays, as void, because the blanked answer refers to it.
    """
    answered = sa.exists().where(answer.c.slot_id == slot.c.id)
    free = (
        sa.select(slot.c.id, answered.label("answered"))
        .where(slot.c.question_id == question_id, slot.c.purpose == "work", slot.c.state == "free")
        .order_by(slot.c.id.desc())
    )
    found = connection.execute(free if most is None else free.limit(most)).all()
    connection.execute(sa.delete(slot).where(slot.c.id.in_([row.id for row in found if not row.answered])))
    connection.execute(sa.update(slot).where(slot.c.id.in_([row.id for row in found])).values(state="void"))


def free_slot(question_id: int, ring_place: int, round_: str, replaces: int | None = None) -> Mapping[str, Any]:
    """A new slot for one more judgement."""
    return {
        "question_id": question_id,
        "round": round_,
        "purpose": "work",
        "state": "free",
        "place": ring_place,
        "replaces": replaces,
    }


def retire_absent(connection: sa.Connection, questions: Sequence[Question]) -> int:
    """Retire questions that are no longer in the plan; returns how many."""
    keys = {each.key for each in questions}
    asked = sa.select(question.c.id, question.c.key).where(question.c.origin == "plan", ~question.c.retired)
    gone = [row.id for row in connection.execute(asked).all() if row.key not in keys]
    for question_id in gone:
        connection.execute(sa.update(question).where(question.c.id == question_id).values(retired=True, wanted=0))
        close_free(connection, question_id)
    return len(gone)
