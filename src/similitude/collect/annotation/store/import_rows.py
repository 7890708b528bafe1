"""Writing imported rows in bulk: annotators, batches, slots, answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple

import sqlalchemy as sa

from similitude.collect.annotation.store.passwords import new_secret
from similitude.collect.annotation.store.questions import free_slot
from similitude.collect.annotation.store.second_round import open_second_rounds
from similitude.collect.annotation.store.study_record import StudyRecord
from similitude.collect.annotation.store.tables import annotator, answer, batch, exclusion, question, skip, slot

__all__ = ["Imported", "write_rows"]

Place = tuple[str, int, str]
"""Annotator, question, purpose: what a slot is for."""


class Imported(NamedTuple):
    """A checked row of an export."""

    question: int
    annotator: str
    round: str
    purpose: str
    version: int
    batch: int
    position: int
    value: Mapping[str, Any]
    seconds: float | None
    at: datetime
    ordering: list[int] | None
    current: bool
    excluded: bool
    stopped: bool
    comment: str | None = None
    skipped: str | None = None


def write_rows(
    connection: sa.Connection, there: StudyRecord, rows: Sequence[Imported], *, by: str, now: datetime
) -> None:
    """Write checked rows into a study without answers."""
    if not rows:
        return
    people = _annotators(connection, rows, by, now)
    batches = _batches(connection, rows, people)
    passed_on = _passed_on(there, rows)
    slots = _slots(connection, rows, people, batches, passed_on)
    _answers(connection, [row for row in rows if row.skipped is None], people, batches, slots)
    _skips(connection, [row for row in rows if row.skipped is not None], people, batches, slots)
    _chain(connection, [slots[place] for place in passed_on])
    _second_round(connection, there, rows)
    ids = list(batches.values())
    for start in range(0, len(ids), 500):
        open_second_rounds(connection, there, ids[start : start + 500])


def _insert(connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> list[int]:
    made = sa.insert(table).returning(table.c.id, sort_by_parameter_order=True)
    return list(connection.execute(made, list(rows)).scalars()) if rows else []


def _annotators(connection: sa.Connection, rows: Sequence[Imported], by: str, now: datetime) -> dict[str, int]:
    last = {row.annotator: row for row in rows}
    first: dict[str, datetime] = {}
    for row in rows:
        first[row.annotator] = min(row.at, first.get(row.annotator, row.at))
    made = [
        {
            "pseudonym": name,
            "source": "import",
            "state": "excluded" if row.excluded else "stopped" if row.stopped else "finished",
            "created": first[name],
            "seen": row.at,
        }
        for name, row in last.items()
    ]
    ids = dict(zip(last, _insert(connection, annotator, made), strict=True))
    excluded = [
        {"annotator_id": ids[name], "at": now, "by": by, "why": "imported", "state_before": "finished"}
        for name, row in last.items()
        if row.excluded
    ]
    _insert(connection, exclusion, excluded)
    return ids


def _batches(
    connection: sa.Connection, rows: Sequence[Imported], people: Mapping[str, int]
) -> dict[tuple[str, int], int]:
    together: dict[tuple[str, int], list[Imported]] = defaultdict(list)
    for row in rows:
        together[row.annotator, row.batch].append(row)
    made = [
        {
            "annotator_id": people[name],
            "number": number,
            "purpose": parts[0].purpose if parts[0].purpose in ("training", "qualification") else "work",
            "round": 1,
            "state": "sent",
            "size": len({part.question for part in parts}),
            "answered": len({part.question for part in parts}),
            "created": min(part.at for part in parts),
            "touched": max(part.at for part in parts),
            "expires": max(part.at for part in parts),
            "sent": max(part.at for part in parts),
        }
        for (name, number), parts in together.items()
    ]
    return dict(zip(together, _insert(connection, batch, made), strict=True))


def _slots(
    connection: sa.Connection,
    rows: Sequence[Imported],
    people: Mapping[str, int],
    batches: Mapping[tuple[str, int], int],
    passed_on: Collection[Place],
) -> dict[Place, int]:
    """A slot for every question that was answered: a free one, or a new one. What was passed on takes none of those."""
    free: dict[tuple[int, str], list[int]] = defaultdict(list)
    query = sa.select(slot.c.id, slot.c.question_id, slot.c.round).where(
        slot.c.state == "free", slot.c.purpose == "work"
    )
    for there in connection.execute(query.order_by(slot.c.id.desc())):
        free[there.question_id, there.round].append(there.id)
    places = {(row.annotator, row.question, row.purpose): row for row in rows}
    ring = {row.id: row.place for row in connection.execute(sa.select(question.c.id, question.c.place))}
    found: dict[Place, int] = {}
    new: dict[Place, Mapping[str, Any]] = {}
    for place, row in places.items():
        takes = row.purpose == "work" and place not in passed_on
        spare = free.get((row.question, row.round)) if takes else None
        if spare:
            found[place] = spare.pop()
        else:
            new[place] = {**free_slot(row.question, ring[row.question], row.round), **_held(row, people, batches)}
    found.update(zip(new, _insert(connection, slot, list(new.values())), strict=True))
    taken = [{"at": found[place], **_held(row, people, batches)} for place, row in places.items() if place not in new]
    if taken:
        columns: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in taken[0] if name != "at"}
        values = [{"at": each["at"], **{f"new_{name}": each[name] for name in columns}} for each in taken]
        connection.execute(sa.update(slot).where(slot.c.id == sa.bindparam("at")).values(columns), values)
    return found


def _held(row: Imported, people: Mapping[str, int], batches: Mapping[tuple[str, int], int]) -> dict[str, Any]:
    return {
        "purpose": row.purpose,
        "state": "held",
        "annotator_id": people[row.annotator],
        "batch_id": batches[row.annotator, row.batch],
        "position": row.position or None,
        "version": row.version,
        "ordering": row.ordering,
    }


def _given(
    row: Imported, people: Mapping[str, int], batches: Mapping[tuple[str, int], int], slots: Mapping[Place, int]
) -> dict[str, Any]:
    """What answers and skips have in common: who gave them, to what, and when."""
    return {
        "slot_id": slots[row.annotator, row.question, row.purpose],
        "question_id": row.question,
        "version": row.version,
        "annotator_id": people[row.annotator],
        "batch_id": batches[row.annotator, row.batch],
        "seconds": row.seconds,
        "at": row.at,
        "nonce": f"import-{new_secret()}",
        "withdrawn": False,
    }


def _answers(
    connection: sa.Connection,
    rows: Sequence[Imported],
    people: Mapping[str, int],
    batches: Mapping[tuple[str, int], int],
    slots: Mapping[Place, int],
) -> None:
    made = [{**_given(row, people, batches, slots), "value": dict(row.value), "comment": row.comment} for row in rows]
    ids = _insert(connection, answer, made)
    current = {each["slot_id"]: id_ for each, id_, row in zip(made, ids, rows, strict=True) if row.current}
    done = sa.update(slot).where(slot.c.id == sa.bindparam("at"))
    values = [{"at": slot_id, "given": id_} for slot_id, id_ in current.items()]
    if values:
        connection.execute(done.values(state="done", answer_id=sa.bindparam("given")), values)


def _passed_on(there: StudyRecord, rows: Sequence[Imported]) -> list[Place]:
    """The skipped work that others are asked for."""
    skipped = [row for row in rows if row.skipped is not None and row.current and row.purpose == "work"]
    return [(row.annotator, row.question, row.purpose) for row in skipped] if there.plan.skip.again else []


def _chain(connection: sa.Connection, skipped: Sequence[int]) -> None:
    """Let one slot of each question replace its skipped ones, as if they had been passed on one after the other."""
    chains: dict[tuple[int, str], list[int]] = defaultdict(list)
    for start in range(0, len(skipped), 500):
        part = slot.c.id.in_(skipped[start : start + 500])
        for row in connection.execute(sa.select(slot.c.id, slot.c.question_id, slot.c.round).where(part)).all():
            chains[row.question_id, row.round].append(row.id)
    for (question_id, round_), chain in chains.items():
        same = (slot.c.question_id == question_id) & (slot.c.round == round_) & (slot.c.purpose == "work")
        own = same & slot.c.replaces.is_(None) & slot.c.state.not_in(["skipped", "void"])
        last = connection.execute(sa.select(sa.func.min(slot.c.id)).where(own)).scalar_one()
        for before, after in pairwise([*chain, *([] if last is None else [last])]):
            connection.execute(sa.update(slot).where(slot.c.id == after).values(replaces=before))


def _skips(
    connection: sa.Connection,
    rows: Sequence[Imported],
    people: Mapping[str, int],
    batches: Mapping[tuple[str, int], int],
    slots: Mapping[Place, int],
) -> None:
    made = [{**_given(row, people, batches, slots), "reason": row.skipped, "note": row.comment} for row in rows]
    _insert(connection, skip, made)
    current = [each["slot_id"] for each, row in zip(made, rows, strict=True) if row.current]
    for start in range(0, len(current), 500):
        chunk = slot.c.id.in_(current[start : start + 500])
        connection.execute(sa.update(slot).where(chunk).values(state="skipped"))


def _second_round(connection: sa.Connection, there: StudyRecord, rows: Sequence[Imported]) -> None:
    """Continue the second round of questions that were in it."""
    planned = there.plan.second_round
    reopened = sorted({row.question for row in rows if row.round == "second" and row.purpose == "work"})
    if planned is None or not reopened:
        return
    connection.execute(sa.update(question).where(question.c.id.in_(reopened)).values(second_round="opened"))
    query = (
        sa.select(question.c.id, question.c.place, sa.func.count())
        .join(slot, (slot.c.question_id == question.c.id) & (slot.c.round == "second"))
        .where(question.c.id.in_(reopened))
        .group_by(question.c.id, question.c.place)
    )
    lacking = [
        free_slot(id_, place, "second")
        for id_, place, count in connection.execute(query).all()
        for _ in range(planned.judgements - count)
    ]
    if lacking:
        connection.execute(sa.insert(slot), lacking)
