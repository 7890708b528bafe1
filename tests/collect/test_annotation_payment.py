"""Pay by the hour, what a study costs, and the lists for platforms: by hand, from made-up people."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from similitude.collect.annotation.payment.pay_estimate import (
    base_pay,
    below_minimum,
    design_estimate,
    make_up,
    pay_overview,
)
from similitude.collect.annotation.payment.platform_lists import LISTS, matched_file, platform_list
from similitude.collect.annotation.payment.records import Payment, Person, Submission, outcome_of
from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.plan.pay import PayPlan
from similitude.collect.annotation.records import Annotator, AnnotatorRow
from similitude.collect.annotation.store.payments import read_amount
from similitude.errors import ArgumentError

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PAY = PayPlan(currency="GBP", per_batch=Decimal("2.00"), hourly=Decimal("12.00"), fee=0.25)


def annotator(number: int = 1, state: str = "finished", **facts: Any) -> Annotator:
    known = {"pseudonym": f"P{number}", "source": "prolific", "completion_code": f"CODE{number}"}
    return Annotator(id=number, state=state, created=NOW, seen=NOW, **{**known, **facts})  # type: ignore[arg-type]


def submission(number: int = 1, platform: str = "prolific", **facts: Any) -> Submission:
    known = {"submission": f"s{number}", "participant": f"p{number}", "study": "st", "signed": True, "code": None}
    return Submission(id=number, platform=platform, **{"created": NOW, **known, **facts})


def payment(kind: str, amount: str | None = None, *, number: int = 1, minutes: int = 1, **facts: Any) -> Payment:
    known = {"submission": None, "currency": "GBP" if amount else None, "reason": "", "by": "anna"}
    whole = None if amount is None else Decimal(amount)
    at = NOW + timedelta(minutes=minutes)
    return Payment(id=number, kind=kind, amount=whole, at=at, **{**known, **facts})  # type: ignore[arg-type]


def person(
    number: int = 1, *, active: float = 600.0, who: Annotator | None = None, answered: int = 20, **facts: Any
) -> Person:
    row = AnnotatorRow(
        annotator=who or annotator(number), answered=answered, gold_asked=0, gold_right=0, repeats_asked=0,
        repeats_same=0, seconds=active / max(1, answered), excluded=False,
    )  # fmt: skip
    known: dict[str, Any] = {"base": Decimal("2.00"), "submissions": (submission(number),), "batches": 1}
    return Person(row=row, outcome=outcome_of(row.annotator), active=active, **{**known, **facts})


def test_pay_by_the_hour_by_hand() -> None:
    # 2.00 for 600 s is 2.00 * 3600 / 600 = 12.00 an hour, exactly the minimum.
    fair = person(active=600.0)
    assert fair.hourly == pytest.approx(12.0)
    assert not below_minimum(PAY, fair)
    assert make_up(PAY, fair) == 0
    # 2.00 for 900 s is 8.00 an hour; an hourly 12.00 is 3.00 for 900 s, so 1.00 is missing.
    slow = person(active=900.0)
    assert slow.hourly == pytest.approx(8.0)
    assert make_up(PAY, slow) == Decimal("1.00")
    assert below_minimum(PAY, slow)
    helped = person(active=900.0, payments=(payment("bonus", "1.00"),))
    assert helped.hourly == pytest.approx(12.0)
    assert not below_minimum(PAY, helped)
    # 601 s need 12 * 601 / 3600 = 2.00333...: a cent more, since half a cent less would be too little.
    assert make_up(PAY, person(active=601.0)) == Decimal("0.01")


def test_who_is_not_marked_as_underpaid() -> None:
    assert not below_minimum(None, person(active=9000.0))
    assert not below_minimum(PAY.model_copy(update={"hourly": None}), person(active=9000.0))
    assert not below_minimum(PAY, person(active=9000.0, payments=(payment("rejected"),)))
    assert not below_minimum(PAY, person(active=9000.0, who=annotator(state="active")))
    assert math.isnan(person(active=0.0).hourly)
    assert not below_minimum(PAY, person(active=0.0))
    assert math.isnan(person(base=None).hourly)


def test_base_pay_adds_up_and_rounds_to_cents() -> None:
    pay = PayPlan(currency="EUR", per_person=Decimal(1), per_batch=Decimal("0.5"), per_question=Decimal("0.0125"))
    assert base_pay(pay, ended=True, batches=3, answered=10) == Decimal("2.63")  # 1 + 1.5 + 0.125, halves go up
    assert base_pay(pay, ended=False, batches=0, answered=0) == 0


def plan(**changes: Any) -> StudyPlan:
    whole = {"name": "s", "task": "rating", "judgements": 5, "pay": PAY.model_dump(), **changes}
    return StudyPlan.model_validate(whole)


def test_the_estimate_of_a_design_by_hand() -> None:
    # 100 questions x 5 answers = 500; 20 a batch, of which a tenth gold and a tenth repeats leave 16 for work.
    # Each of 5 people answers all 100: ceil(100 / 16) = 7 batches each, 35 in all, at 2.00 is 70.00; with a fee of
    # a quarter 87.50. 500 / 0.8 = 625 questions of 20 s are 12500 s = 3.4722 h: 20.16 an hour.
    found = design_estimate(
        plan(batch={"questions": 20, "gold_share": 0.1, "repeat_share": 0.1}, gold={"questions": "g"}), 100
    )
    assert found is not None
    assert (found.judgements, found.people, found.batches) == (500, 5, 35)
    assert (found.total, found.cost) == (Decimal("70.00"), Decimal("87.50"))
    assert found.minutes == pytest.approx(20 * 20 / 60)
    assert found.hours == pytest.approx(12500 / 3600)
    assert found.hourly == pytest.approx(70 * 3600 / 12500)


def test_the_estimate_with_a_limit_per_person() -> None:
    # 500 answers, at most 20 each: 25 people, one batch of 20 each. 20 questions of 30 s are 10 minutes for 2.00.
    found = design_estimate(plan(batch={"questions": 20, "most": 20}), 100, seconds=30)
    assert found is not None
    assert (found.people, found.batches, found.total) == (25, 25, Decimal("50.00"))
    assert found.hourly == pytest.approx(12.0)
    assert design_estimate(plan(pay=None), 100) is None


def test_the_overview_by_hand() -> None:
    people = [
        person(1, active=600.0, payments=(payment("approved"),)),  # 12.00 an hour
        person(2, active=1200.0, payments=(payment("approved"), payment("bonus", "1.00"))),  # 9.00 an hour
        person(3, active=900.0),  # 8.00 an hour, undecided
        person(4, active=60.0, payments=(payment("rejected", reason="no"),)),  # does not count
        person(5, active=60.0, who=annotator(5, "active", completion_code=None)),
    ]
    found = pay_overview(plan(batch={"questions": 20, "most": 20}), people, questions=20, left=20)
    assert found is not None
    assert found.people == 4
    assert found.median == pytest.approx(9.0)
    assert found.low == pytest.approx(8.2)  # a fifth of the way from 8 to 9
    # Person 2 needs 12 * 1200 / 3600 - 2 = 2.00 in all and has 1.00; person 3 needs 1.00.
    assert (found.below, found.make_up) == (2, Decimal("2.00"))
    assert found.approved == Decimal("6.25")  # (2 + 3) with a fee of a quarter
    assert found.waiting == Decimal("2.50")
    # Of 100 answers, 20 are to come and 20 are of person 5, who still works: 40 % of 5 people's 10.00 are 4.00;
    # (5 + 2 + 4) with the fee.
    assert found.expected == Decimal("13.75")
    assert pay_overview(plan(pay=None), people, questions=20, left=40) is None
    empty = pay_overview(plan(), [], questions=0, left=0)
    assert empty is not None
    assert empty.expected is None
    assert math.isnan(empty.median)


def test_the_last_decision_counts_until_another_submission_begins() -> None:
    decided = (payment("approved", minutes=1), payment("rejected", minutes=2, reason="r"))
    assert person(payments=decided).decision == "rejected"
    assert person(payments=(*decided, payment("undecided", minutes=3))).decision == "undecided"
    later = submission(2, created=NOW + timedelta(minutes=5))
    both = person(submissions=(submission(1), later), payments=decided)
    assert both.decision == "undecided"
    assert both.decision_on(submission(1)).kind == "rejected"  # type: ignore[union-attr]
    assert both.decision_on(later) is None
    one = person(submissions=(submission(1), later), payments=(payment("approved", minutes=9, submission=2),))
    assert one.decision_on(submission(1)) is None
    assert one.decision_on(later).kind == "approved"  # type: ignore[union-attr]


def test_bonuses_are_stated_whole_and_handed_over_once() -> None:
    stated = (payment("bonus", "1.00"), payment("bonus", "1.50"))
    assert person(payments=stated).bonus_due == Decimal("1.50")
    assert person(payments=(*stated, payment("paid", "1.50"))).bonus_due == 0
    more = person(payments=(*stated, payment("paid", "1.50"), payment("bonus", "2.00")))
    assert (more.bonus, more.paid, more.bonus_due) == (Decimal("2.00"), Decimal("1.50"), Decimal("0.50"))
    assert person(payments=(payment("rejected", reason="x"), payment("bonus", "0.20"))).earned == Decimal("0.20")


@pytest.mark.parametrize(
    ("state", "reason", "outcome"),
    [
        ("finished", None, "complete"),
        ("finished", "early", "early"),
        ("stopped", "gold", "stopped"),
        ("stopped", "training", "screened_out"),
        ("stopped", "qualification", "screened_out"),
        ("stopped", "review", "screened_out"),
        ("excluded", None, "excluded"),
        ("declined", "opted_out", "left"),
        ("withdrawn", None, "left"),
        ("active", None, "unfinished"),
    ],
)
def test_outcomes(state: str, reason: str | None, outcome: str) -> None:
    assert outcome_of(annotator(state=state, reason=reason)) == outcome


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_lists_for_prolific_parse_back() -> None:
    people = [
        person(1, payments=(payment("approved"), payment("bonus", "1.50", reason="long"))),
        person(2, payments=(payment("rejected", reason='random, "all 3"'),)),
        person(3),
        person(4, submissions=(submission(4, submission=None, participant=None),), payments=(payment("approved"),)),
    ]
    assert platform_list("prolific-approve", people) == ("prolific-approve.txt", "s1\n", 1, 1)
    assert platform_list("prolific-approve-participants", people).text == "p1\n"
    assert rows_of(platform_list("prolific-reject", people).text)[1:] == [["s2", "p2", 'random, "all 3"']]
    assert platform_list("mturk-review", people).lines == 0


def test_lists_for_mturk_parse_back() -> None:
    assignments = (
        submission(1, "mturk", submission="A1", participant="W1"),
        submission(2, "mturk", submission="A2", participant="W1", created=NOW + timedelta(minutes=5)),
    )
    worker = person(
        1,
        submissions=assignments,
        payments=(
            payment("approved", number=1),
            payment("rejected", number=2, minutes=9, submission=2, reason="=1+1"),
            payment("bonus", "0.30", number=7, minutes=9, reason="thanks"),
        ),
    )
    assert rows_of(platform_list("mturk-review", [worker]).text) == [
        ["AssignmentId", "Approve", "Reject"],
        ["A1", "x", ""],
        ["A2", "", "'=1+1"],
    ]
    assert {name for name in LISTS if platform_list(name, [worker]).lines} == {"mturk-review"}


def test_the_platforms_own_file_is_filled_in() -> None:
    approved = person(1, payments=(payment("approved"), payment("bonus", "2.00", reason="r")))
    assignment = submission(2, "mturk", submission="A2")
    rejected = person(2, submissions=(assignment,), payments=(payment("rejected", reason="bad"),))
    known = {("s1", "p1"): approved, ("A2", "W2"): rejected}

    def find(one: str, other: str) -> Person | None:
        return known.get((one, other))

    def on_list(who: Collection[int]) -> dict[int, Decimal]:
        return {1: approved.bonus} if 1 in who else {}

    prolific = "Submission id,Participant id,Status\ns1,p1,AWAITING REVIEW\ns9,p9,RETURNED\n"
    two = "Submission id,Participant id,Status\ns1,p1,AWAITING REVIEW\ns1,p1,ACTIVE\ns9,p9,RETURNED\n"
    bonuses = [row[5] for row in rows_of(matched_file(two, find, on_list).text)]
    assert bonuses == ["Bonus", "2.00", "", ""], "once a person"
    made = matched_file("\ufeff" + prolific, find, on_list)
    assert (made.lines, made.without_id) == (1, 1)
    assert rows_of(made.text) == [
        ["Submission id", "Participant id", "Status", "Decision", "Reason", "Bonus"],
        ["s1", "p1", "AWAITING REVIEW", "approved", "", "2.00"],
        ["s9", "p9", "RETURNED", "", "", ""],
    ]
    mturk = "HITId,AssignmentId,WorkerId,Approve,Reject\nh,A2,W2,,\n"
    assert rows_of(matched_file(mturk, find, on_list).text)[1] == ["h", "A2", "W2", "", "bad"]
    with pytest.raises(ValueError, match="no column of ids"):
        matched_file("a,b\n1,2\n", find, on_list)


@pytest.mark.parametrize("written", ["", "x", "-1", "1.234", "1e3", "1,2,3", "٣", "9" * 9, "1.٣", "nan"])
def test_amounts_that_are_none(written: str) -> None:
    with pytest.raises(ArgumentError):
        read_amount(written)


@pytest.mark.parametrize(("written", "amount"), [("1", "1.00"), (" 1,5 ", "1.50"), ("0.05", "0.05"), ("12.", "12.00")])
def test_amounts(written: str, amount: str) -> None:
    assert read_amount(written) == Decimal(amount)


def test_a_plan_that_pays_nobody_is_refused() -> None:
    with pytest.raises(ValueError, match="nobody is paid"):
        PayPlan(currency="EUR")
    with pytest.raises(ValueError, match="currency"):
        PayPlan(currency="euro", per_batch=Decimal(1))
