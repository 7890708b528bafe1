"""People as rows for CSV and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any

from similitude.collect.annotation.payment.pay_estimate import below_minimum, make_up
from similitude.collect.annotation.payment.records import Person
from similitude.collect.annotation.plan.pay import PayPlan

__all__ = ["people_rows"]


def people_rows(everybody: Iterable[Person], pay: PayPlan | None) -> Iterator[dict[str, Any]]:
    """One row a person for CSV and JSON; numbers that are unknown are null."""
    for each in everybody:
        decided, latest = each.decided, each.submissions[-1] if each.submissions else None
        yield {
            "pseudonym": each.pseudonym,
            "code": each.annotator.completion_code,
            "source": each.annotator.source,
            "state": each.annotator.state,
            "outcome": each.outcome,
            "note": each.note,
            "participant": latest.participant if latest else None,
            "submission": latest.submission if latest else None,
            "submissions": len(each.submissions),
            "signed": None if latest is None else not each.unsigned,
            "entered": each.annotator.created.isoformat(),
            "last_answer": each.last.isoformat() if each.last else None,
            "active_minutes": round(each.active / 60, 2),
            "seconds_per_question": None if math.isnan(each.row.seconds) else round(each.row.seconds, 2),
            "answers": each.row.answered,
            "batches": each.batches,
            "gold_right": each.row.gold_right,
            "gold_asked": each.row.gold_asked,
            "repeats_same": each.row.repeats_same,
            "repeats_asked": each.row.repeats_asked,
            "flags": " ".join(each.row.flags),
            "decision": each.decision,
            "reason": decided.reason if decided else "",
            "decided_by": decided.by if decided else "",
            "decided_at": decided.at.isoformat() if decided else None,
            "bonus": float(each.bonus),
            "bonus_due": float(each.bonus_due),
            "pay": None if each.earned is None else float(each.earned),
            "currency": pay.currency if pay else None,
            "hourly": None if math.isnan(each.hourly) else round(each.hourly, 2),
            "below_minimum": below_minimum(pay, each),
            "make_up_bonus": float(make_up(pay, each)) if pay else None,
        }
