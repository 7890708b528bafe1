"""What people earn by the hour and what a study costs: from its design before it starts, then from real times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import NamedTuple

from similitude.collect.annotation.payment.records import Person
from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.plan.pay import PayPlan

__all__ = [
    "DesignEstimate",
    "PayOverview",
    "base_pay",
    "below_minimum",
    "design_estimate",
    "least_batches",
    "make_up",
    "pay_overview",
]

CENT = Decimal("0.01")
ENDED = ("complete", "early", "screened_out", "stopped")


def rounded(amount: Decimal) -> Decimal:
    """An amount in whole cents; halves go up.

    >>> rounded(Decimal("0.125"))
    Decimal('0.13')
    """
    return amount.quantize(CENT, ROUND_HALF_UP)


def base_pay(pay: PayPlan, *, ended: bool, batches: int, answered: int) -> Decimal:
    """What somebody earns without a bonus.

    >>> pay = PayPlan(currency="EUR", per_person="1", per_batch="2.50", per_question="0.01")
    >>> base_pay(pay, ended=True, batches=2, answered=40)
    Decimal('6.40')
    """
    whole = pay.per_batch * batches + pay.per_question * answered + (pay.per_person if ended else 0)
    return rounded(Decimal(whole))


def make_up(pay: PayPlan, person: Person) -> Decimal:
    """The bonus, in all, that lifts somebody to the hourly minimum; 0 if they are above it, or rejected."""
    if pay.hourly is None or person.base is None or person.decision == "rejected":
        return Decimal(0)
    needed = pay.hourly * Decimal(person.active) / 3600 - person.base
    return max(Decimal(0), needed.quantize(CENT, ROUND_CEILING))


def below_minimum(pay: PayPlan | None, person: Person) -> bool:
    """Whether somebody who reached the end and was not rejected earned less by the hour than the plan's minimum."""
    if pay is None or pay.hourly is None or person.outcome not in ENDED or person.decision == "rejected":
        return False
    return not math.isnan(person.hourly) and make_up(pay, person) > person.bonus


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignEstimate:
    """What a study will cost and what an hour will bring, before anybody has answered.

    Attributes:
        judgements: work answers wanted.
        batches: batches needed for them.
        people: the fewest people who can give them.
        minutes: the time of one batch, gold and repeats included.
        hours: the time of all work.
        hourly: what an hour brings, ``per_person`` shared among a person's batches.
        total: what everybody gets, without the fee.
        cost: the same with the fee.
    """

    judgements: int
    batches: int
    people: int
    minutes: float
    hours: float
    hourly: float
    total: Decimal
    cost: Decimal


def design_estimate(plan: StudyPlan, questions: int, *, seconds: float | None = None) -> DesignEstimate | None:
    """The estimate from the design; None without ``[pay]``.

    Args:
        plan: the study.
        questions: its work questions.
        seconds: the time of a question; by default the plan's.
    """
    if plan.pay is None:
        return None
    pay, each = plan.pay, seconds or plan.pay.seconds
    wanted = questions * plan.judgements
    people, batches, size = least_batches(plan, questions)
    total = rounded(pay.per_person * people + pay.per_batch * batches + pay.per_question * wanted)
    hours = wanted / float(1 - _known_share(plan)) * each / 3600
    return DesignEstimate(
        judgements=wanted,
        batches=batches,
        people=people,
        minutes=size * each / 60,
        hours=hours,
        hourly=float(total) / hours if hours else math.nan,
        total=total,
        cost=_with_fee(pay, total),
    )


class LeastBatches(NamedTuple):
    """The fewest people who can give all answers, their batches in all, and the questions of one, gold included."""

    people: int
    batches: int
    size: float


def least_batches(plan: StudyPlan, questions: int) -> LeastBatches:
    """How few people and batches a study needs: nobody is asked a question twice, and no two people share a batch.

    >>> least_batches(StudyPlan(name="pairs", task="rating", judgements=5), 3)
    LeastBatches(people=5, batches=5, size=3.0)
    """
    share = _known_share(plan)
    work = max(1, round(plan.batch.questions * (1 - share)))
    wanted = questions * plan.judgements
    per_person = min(questions, plan.batch.most or questions)
    people = max(plan.judgements, math.ceil(wanted / per_person)) if wanted else 0
    batches = people * math.ceil(per_person / work) if wanted else 0
    return LeastBatches(people, batches, min(plan.batch.questions, per_person / float(1 - share)))


def _known_share(plan: StudyPlan) -> Fraction:
    """The share of gold and repeats."""
    return Fraction(str(plan.batch.gold_share)) + Fraction(str(plan.batch.repeat_share))


@dataclass(frozen=True, slots=True, kw_only=True)
class PayOverview:
    """What a study has cost so far, what it will cost, and what an hour brings.

    Attributes:
        people: how many reached an end; figures by the hour are theirs.
        median: of what an hour brought; nan if unknown.
        low: its 10th percentile.
        below: how many earned less by the hour than the minimum.
        make_up: the bonuses that would lift all of them to it, beyond what they have.
        seconds: the median time of a question.
        approved: what was approved, bonuses included, with the fee.
        waiting: what those who reached an end and are undecided would get, with the fee.
        expected: what the study will have cost at its end, with the fee; None if it cannot be said.
        design: the estimate from the design, with real times as soon as there are some.
    """

    pay: PayPlan
    people: int
    median: float
    low: float
    below: int
    make_up: Decimal
    seconds: float
    approved: Decimal
    waiting: Decimal
    expected: Decimal | None
    design: DesignEstimate


def pay_overview(plan: StudyPlan, people: Sequence[Person], *, questions: int, left: int) -> PayOverview | None:
    """The overview; None without ``[pay]``.

    Args:
        plan: the study.
        people: everybody in it.
        questions: its work questions.
        left: the work answers that are still to come.
    """
    if plan.pay is None:
        return None
    pay = plan.pay
    ended = [each for each in people if each.outcome in ENDED]
    hourly = sorted(each.hourly for each in ended if each.decision != "rejected" and not math.isnan(each.hourly))
    times = sorted(each.row.seconds for each in people if not math.isnan(each.row.seconds))
    seconds = quantile(times, 0.5)
    design = design_estimate(plan, questions, seconds=None if math.isnan(seconds) else seconds)
    assert design is not None
    low = [each for each in ended if below_minimum(pay, each)]
    approved = sum((each.earned or Decimal(0) for each in people if each.decision == "approved"), Decimal(0))
    rejected = sum((each.bonus for each in people if each.decision == "rejected"), Decimal(0))
    waiting = sum((each.earned or Decimal(0) for each in ended if each.decision == "undecided"), Decimal(0))
    # Answers of people who still work are costed like those to come: what they earn is neither decided nor waiting.
    at_work = [each for each in people if each.outcome == "unfinished" and each.decision == "undecided"]
    unsettled = sum(each.row.answered for each in at_work)
    return PayOverview(
        pay=pay,
        people=len(ended),
        median=quantile(hourly, 0.5),
        low=quantile(hourly, 0.1),
        below=len(low),
        make_up=sum((make_up(pay, each) - each.bonus for each in low), Decimal(0)),
        seconds=seconds,
        approved=_with_fee(pay, approved + rejected),
        waiting=_with_fee(pay, waiting),
        expected=_expected(pay, approved + rejected + waiting, design, left + unsettled),
        design=design,
    )


def _expected(pay: PayPlan, so_far: Decimal, design: DesignEstimate, left: int) -> Decimal | None:
    """What is decided or waiting, and for all other answers the rate of the design."""
    if not design.judgements:
        return None
    return _with_fee(pay, so_far + rounded(design.total * Decimal(left) / design.judgements))


def _with_fee(pay: PayPlan, amount: Decimal) -> Decimal:
    return rounded(amount * (1 + Decimal(str(pay.fee))))


def quantile(ordered: Sequence[float], share: float) -> float:
    """A quantile of sorted numbers, linear between neighbours; nan of none.

    >>> quantile([1.0, 2.0, 3.0], 0.5), quantile([0.0, 10.0], 0.1)
    (2.0, 1.0)
    """
    if not ordered:
        return math.nan
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
