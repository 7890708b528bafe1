"""Decisions about people's pay: approval, rejection, bonus. They are appended, and the last one counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from similitude.collect.annotation.payment.records import DecisionKind, Payment
from similitude.collect.annotation.records import Annotator
from similitude.collect.annotation.store.annotators import by_pseudonym
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, reading, writing
from similitude.collect.annotation.store.refusals import NotThere
from similitude.collect.annotation.store.study_record import study_in
from similitude.collect.annotation.store.tables import payment, submission, used_link
from similitude.errors import ArgumentError

__all__ = ["decide_payment", "forget_ids", "paid_in_all", "payments_in", "payments_of", "read_amount"]

NEEDS_REASON = ("rejected", "bonus")
NEEDS_AMOUNT = ("bonus", "paid")
MOST = Decimal(100_000)


def decide_payment(
    db: Database,
    people: Sequence[str],
    kind: DecisionKind,
    *,
    reason: str = "",
    amount: Decimal | None = None,
    submission_id: int | None = None,
    now: datetime,
    by: str,
) -> int:
    """Approve, reject or give a bonus to people, all of them or none. Returns how many decisions are new.

    Deciding the same again writes nothing, so that a second click pays nobody twice. Answers stay as they are: a
    rejected person's count until `exclude` leaves them out.

    Args:
        db: the database.
        people: pseudonyms.
        kind: the decision. "bonus" states the whole bonus (0 takes it back), "undecided" takes a decision back.
        reason: why; needed to reject and for a bonus. The person can read it.
        amount: of the bonus, in the currency of the plan.
        submission_id: decide only about this submission; one person alone.
        now: the moment.
        by: who decides.

    Raises:
        NotThere: there is no such annotator, or no such submission of theirs.
        ArgumentError: the reason or the amount is missing or makes no sense, or the plan has no ``[pay]`` for a bonus.
    """
    _check(kind, reason, amount)
    with writing(db) as connection:
        pay = study_in(db, connection).plan.pay
        if kind in NEEDS_AMOUNT and pay is None:
            raise ArgumentError("the study says nothing of money", remedy="add [pay] with a currency to its file")
        currency = pay.currency if pay is not None and amount is not None else None
        found = [by_pseudonym(connection, name) for name in sorted(set(people))]
        facts = {"kind": kind, "cents": _cents(amount), "currency": currency, "reason": reason, "by": by, "at": now}
        new = [_write(connection, who, facts, submission_id) for who in found]
        return sum(new)


def _check(kind: DecisionKind, reason: str, amount: Decimal | None) -> None:
    if kind in NEEDS_REASON and not reason.strip():
        raise ArgumentError("no reason was given", remedy="say why; the person can read it")
    if (amount is not None) != (kind in NEEDS_AMOUNT):
        what = "a bonus needs an amount" if kind in NEEDS_AMOUNT else f"'{kind}' has no amount"
        raise ArgumentError(what, remedy="give an amount for a bonus only")
    if amount is not None and not 0 <= amount <= MOST:
        raise ArgumentError(f"an amount of {amount}", remedy=f"give one from 0 to {MOST}")


def read_amount(written: str) -> Decimal:
    """An amount as people write it, with a point or a comma and at most two decimals.

    >>> read_amount("1,5")
    Decimal('1.50')

    Raises:
        ArgumentError: it is not an amount.
    """
    plain = written.strip().replace(",", ".", 1)
    whole, _, cents = plain.partition(".")
    if not (whole.isascii() and whole.isdigit() and len(whole) <= 6 and (cents == "" or cents.isascii())):
        raise ArgumentError(f"'{written[:20]}' is no amount", remedy="write a number such as 1.50")
    if cents and not (cents.isdigit() and len(cents) <= 2):
        raise ArgumentError(f"'{written[:20]}' is no amount", remedy="write at most two decimals, such as 1.50")
    return Decimal(f"{whole}.{cents:0<2}")


def _cents(amount: Decimal | None) -> int | None:
    return None if amount is None else int(amount * 100)


def _write(connection: sa.Connection, who: Annotator, facts: dict[str, Any], submission_id: int | None) -> bool:
    if submission_id is not None:
        theirs = sa.select(submission.c.id).where(submission.c.id == submission_id, submission.c.annotator_id == who.id)
        if connection.execute(theirs).first() is None:
            raise NotThere("no_submission", f"{who.pseudonym} has no submission {submission_id}")
    if _is_decided(connection, who, facts, submission_id):
        return False
    connection.execute(sa.insert(payment).values({**facts, "annotator_id": who.id, "submission_id": submission_id}))
    amount = {} if facts["cents"] is None else {"amount": f"{facts['cents'] / 100:.2f} {facts['currency']}"}
    detail = {**amount, "why": facts["reason"], **({} if submission_id is None else {"submission": submission_id})}
    what = f"payment_{facts['kind']}"
    record(connection, what, now=facts["at"], by=facts["by"], subject=who.pseudonym, detail=detail)
    return True


def _is_decided(connection: sa.Connection, who: Annotator, facts: dict[str, Any], submission_id: int | None) -> bool:
    """Whether the last decision of this kind says the same, and no submission has begun since."""
    alike = (facts["kind"],) if facts["kind"] in NEEDS_AMOUNT else ("approved", "rejected", "undecided")
    last = connection.execute(
        sa.select(payment)
        .where(payment.c.annotator_id == who.id, payment.c.kind.in_(alike))
        .order_by(payment.c.id.desc())
        .limit(1)
    ).one_or_none()
    if last is None:
        return bool(facts["kind"] == "undecided")
    newest = sa.select(sa.func.max(submission.c.created)).where(submission.c.annotator_id == who.id)
    begun = connection.execute(newest).scalar_one_or_none()
    if begun is not None and last.at < begun:
        return False
    said = (last.kind, last.cents, last.submission_id, last.reason)
    return bool(said == (facts["kind"], facts["cents"], submission_id, facts["reason"]))


def payments_of(db: Database, annotator_id: int) -> list[Payment]:
    """The decisions about one annotator, oldest first."""
    with reading(db) as connection:
        return payments_in(connection, annotator_id).get(annotator_id, [])


def payments_in(connection: sa.Connection, annotator_id: int | None = None) -> dict[int, list[Payment]]:
    """All decisions by annotator, or those about one; oldest first."""
    query = sa.select(payment).order_by(payment.c.id)
    if annotator_id is not None:
        query = query.where(payment.c.annotator_id == annotator_id)
    found: defaultdict[int, list[Payment]] = defaultdict(list)
    for row in connection.execute(query).all():
        found[row.annotator_id].append(
            Payment(
                id=row.id,
                submission=row.submission_id,
                kind=row.kind,
                amount=None if row.cents is None else Decimal(row.cents).scaleb(-2),
                currency=row.currency,
                reason=row.reason,
                by=row.by,
                at=row.at,
            )
        )
    return found


def paid_in_all(connection: sa.Connection) -> dict[int, int]:
    """The cents of their bonus that were handed over, by annotator."""
    rows = connection.execute(sa.select(payment).where(payment.c.kind == "paid").order_by(payment.c.id))
    return {row.annotator_id: row.cents for row in rows}


def forget_ids(connection: sa.Connection, who: Annotator) -> None:
    """Forget the ids of somebody who withdrew, but for a record of payment.

    Hashes and reasons go in any case, so that nobody is found by an id any more.
    """
    theirs = payment.c.annotator_id == who.id
    decided = connection.execute(sa.select(payment.c.id).where(theirs).limit(1)).first() is not None
    connection.execute(sa.update(payment).where(theirs, payment.c.reason != "").values(reason=""))
    ids = ("submission_hash",) if decided or who.completion_code else ("submission_hash", "submission", "participant")
    mine = submission.c.annotator_id == who.id
    connection.execute(sa.update(submission).where(mine).values(dict.fromkeys(ids)))
    connection.execute(sa.delete(used_link).where(used_link.c.annotator_id == who.id))
