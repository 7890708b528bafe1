"""Numbered lists of bonuses: what is on one is due on no other, and marking a list marks what it holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.payment.bonus_lists import BonusLine, BonusList, BonusListKind
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.payments import paid_in_all
from similitude.collect.annotation.store.refusals import Conflict, NotThere
from similitude.collect.annotation.store.studies import lock_study
from similitude.collect.annotation.store.study_record import study_in
from similitude.collect.annotation.store.tables import annotator, bonus_line, bonus_list, payment, submission
from similitude.errors import ArgumentError

__all__ = ["bonus_lists", "hand_over_bonuses", "listed_in", "make_bonus_list", "read_bonus_list", "withdraw_bonus_list"]


def make_bonus_list(
    db: Database, kind: BonusListKind, *, only: Collection[int] | None = None, now: datetime, by: str
) -> BonusList:
    """Make a list of the bonuses that are due and on no other list; it keeps its lines for good.

    Args:
        db: the database.
        kind: for whom it is. Those of a platform hold people whose id on it is readable, with their last submission.
        only: the annotators who may be on it; by default everybody.
        now: the moment.
        by: who makes it.

    Raises:
        ArgumentError: there is nothing to put on it.
    """
    with writing(db) as connection:
        lock_study(db, connection)
        rows = [row for row in _due(connection, kind) if only is None or row["annotator"] in only]
        if not rows:
            remedy = "bonuses on an open list are on no other; where ids are not readable, use the platform's own file"
            raise ArgumentError("no bonus is due for such a list", remedy=remedy)
        head = {"kind": kind, "state": "open", "by": by, "at": now}
        number = connection.execute(sa.insert(bonus_list).values(head).returning(bonus_list.c.id)).scalar_one()
        lines = [{name: row[name] for name in ("payment_id", "submission_id", "cents")} for row in rows]
        connection.execute(sa.insert(bonus_line), [{"bonus_list_id": number, **line} for line in lines])
        _record(connection, "bonus_list_made", number, rows, study_in(db, connection).plan.pay, now=now, by=by)
        return _read(connection, bonus_list.c.id == number)[0]


def _due(connection: sa.Connection, kind: BonusListKind) -> list[dict[str, Any]]:
    """A line for everybody who is due a bonus that is on no open list, in the order in which they entered."""
    stated: dict[int, Any] = {}
    decided = sa.select(payment.c.id, payment.c.annotator_id, payment.c.cents).where(payment.c.kind == "bonus")
    for row in connection.execute(decided.order_by(payment.c.annotator_id, payment.c.id)).all():
        stated[row.annotator_id] = row
    latest = {row.annotator_id: row for row in connection.execute(sa.select(submission).order_by(submission.c.id))}
    paid, listed = paid_in_all(connection), listed_in(connection)
    platform = kind.removesuffix("-bonus")
    found = []
    for who, row in stated.items():
        sent = latest.get(who)
        cents = row.cents - paid.get(who, 0) - listed.get(who, 0)
        fits = kind == "bonus" or (sent is not None and sent.platform == platform and bool(sent.participant))
        if cents > 0 and fits:
            of = None if sent is None else sent.id
            found.append({"annotator": who, "payment_id": row.id, "submission_id": of, "cents": cents})
    return found


def listed_in(connection: sa.Connection) -> dict[int, int]:
    """The cents on open lists, by annotator."""
    query = (
        sa.select(payment.c.annotator_id, sa.func.sum(bonus_line.c.cents))
        .select_from(bonus_line)
        .join(bonus_list, bonus_list.c.id == bonus_line.c.bonus_list_id)
        .join(payment, payment.c.id == bonus_line.c.payment_id)
        .where(bonus_list.c.state == "open")
        .group_by(payment.c.annotator_id)
    )
    return {row[0]: int(row[1]) for row in connection.execute(query)}


def bonus_lists(db: Database) -> list[BonusList]:
    """All lists, the newest first."""
    with reading(db) as connection:
        return _read(connection, sa.true())


def read_bonus_list(db: Database, number: int) -> BonusList:
    """One list.

    Raises:
        NotThere: there is no list of that number.
    """
    with reading(db) as connection:
        return _one(connection, number)


def hand_over_bonuses(db: Database, number: int, *, now: datetime, by: str) -> BonusList:
    """Note that the bonuses on a list were handed over: those and no others.

    Raises:
        NotThere: there is no list of that number.
        Conflict: it was handed over or withdrawn before.
    """
    with writing(db) as connection:
        lock_study(db, connection)
        found = _ended(connection, number, "paid", now=now, by=by)
        pay = study_in(db, connection).plan.pay
        paid = paid_in_all(connection)
        rows: list[dict[str, Any]] = [
            {
                "annotator_id": line.annotator,
                "kind": "paid",
                "cents": paid.get(line.annotator, 0) + int(line.amount * 100),
                "currency": None if pay is None else pay.currency,
                "reason": "",
                "by": by,
                "at": now,
            }
            for line in found.lines
        ]
        connection.execute(sa.insert(payment), rows)
        for line, row in zip(found.lines, rows, strict=True):
            detail = {"amount": f"{row['cents'] / 100:.2f} {row['currency']}", "list": number}
            record(connection, "payment_paid", now=now, by=by, subject=line.pseudonym, detail=detail)
        return found


def withdraw_bonus_list(db: Database, number: int, *, now: datetime, by: str) -> BonusList:
    """Withdraw a list that was not handed over: its bonuses are due again.

    Raises:
        NotThere: there is no list of that number.
        Conflict: it was handed over or withdrawn before.
    """
    with writing(db) as connection:
        lock_study(db, connection)
        return _ended(connection, number, "withdrawn", now=now, by=by)


def _ended(connection: sa.Connection, number: int, state: str, *, now: datetime, by: str) -> BonusList:
    found = _one(connection, number)
    if found.state != "open":
        raise Conflict("bonus_list_ended", f"list {number} is {found.state} already", remedy="look at the lists again")
    connection.execute(sa.update(bonus_list).where(bonus_list.c.id == number).values(state=state))
    lines = [{"cents": int(line.amount * 100)} for line in found.lines]
    _record(connection, f"bonus_list_{state}", number, lines, None, now=now, by=by)
    return found


def _record(
    connection: sa.Connection, what: str, number: int, lines: list[dict[str, Any]], pay: Any, *, now: datetime, by: str
) -> None:
    amount = f"{sum(line['cents'] for line in lines) / 100:.2f}{f' {pay.currency}' if pay else ''}"
    record(connection, what, now=now, by=by, detail={"list": number, "people": len(lines), "amount": amount})


def _one(connection: sa.Connection, number: int) -> BonusList:
    found = _read(connection, bonus_list.c.id == number)
    if not found:
        raise NotThere("no_bonus_list", f"no list {number} of bonuses", remedy="look at the lists")
    return found[0]


def _read(connection: sa.Connection, which: sa.ColumnElement[bool]) -> list[BonusList]:
    columns = (annotator.c.pseudonym, annotator.c.completion_code, payment.c.annotator_id, payment.c.reason)
    query = (
        sa.select(bonus_line, *columns, submission.c.participant, submission.c.submission)
        .join(bonus_list, bonus_list.c.id == bonus_line.c.bonus_list_id)
        .join(payment, payment.c.id == bonus_line.c.payment_id)
        .join(annotator, annotator.c.id == payment.c.annotator_id)
        .join(submission, submission.c.id == bonus_line.c.submission_id, isouter=True)
        .where(which)
        .order_by(bonus_line.c.id)
    )
    lines: defaultdict[int, list[BonusLine]] = defaultdict(list)
    for row in connection.execute(query):
        lines[row.bonus_list_id].append(
            BonusLine(
                annotator=row.annotator_id,
                pseudonym=row.pseudonym,
                code=row.completion_code,
                participant=row.participant,
                submission=row.submission,
                amount=Decimal(row.cents).scaleb(-2),
                reason=row.reason,
                stated=row.payment_id,
            )
        )
    heads = connection.execute(sa.select(bonus_list).where(which).order_by(bonus_list.c.id.desc())).all()
    return [
        BonusList(number=head.id, kind=head.kind, state=head.state, by=head.by, at=head.at, lines=tuple(lines[head.id]))
        for head in heads
    ]
