"""The REST API of people and money: the table, decisions, lists for platforms, and the overview of pay."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import BaseModel, Field
from starlette.responses import Response

from similitude.collect.annotation.payment.bonus_lists import BonusList, BonusListKind
from similitude.collect.annotation.payment.pay_estimate import DesignEstimate, PayOverview
from similitude.collect.annotation.payment.people_rows import people_rows
from similitude.collect.annotation.payment.records import Payment
from similitude.collect.annotation.store import (
    approve_finished,
    bonus_lists,
    decide_payment,
    find_people,
    hand_over_bonuses,
    make_bonus_list,
    pay_so_far,
    people,
    person,
    read_bonus_list,
    remove_person,
    withdraw_bonus_list,
)
from similitude.collect.annotation.store.persons import person_behind
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.recognition import forget_visitor
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.api import ERRORS, Pseudonym
from similitude.collect.annotation.web.routes.api_models import Finite, Given, Text
from similitude.collect.annotation.web.routes.payment import list_response
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import CurrentVisit, RowNumber

__all__ = ["pages"]

pages = Routes(Role.TOKEN, prefix="/api/v1", scope="people")

ListName = Literal["prolific-approve", "prolific-approve-participants", "prolific-reject", "mturk-review"]
Amount = Annotated[Decimal, Field(ge=0, le=100_000, decimal_places=2)]


class DecisionModel(BaseModel):
    """One decision about somebody's pay."""

    kind: str
    amount: float | None
    currency: str | None
    reason: str
    by: str
    at: datetime
    submission: int | None

    @classmethod
    def of(cls, payment: Payment) -> DecisionModel:
        """From the store's record."""
        facts = {name: getattr(payment, name) for name in cls.model_fields}
        return cls(**{**facts, "amount": None if payment.amount is None else float(payment.amount)})


class PersonModel(BaseModel):
    """One person: the columns of the CSV, with every decision."""

    person: dict[str, Any]
    decisions: list[DecisionModel]


class DecideModel(Given):
    """A decision about people, by pseudonym. An amount belongs to a bonus only."""

    people: Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(min_length=1, max_length=5000)]
    decision: Literal["approved", "rejected", "undecided", "bonus", "paid"]
    reason: Text = ""
    amount: Amount | None = None


class ApproveModel(Given):
    """The reason for approving all who finished without flags."""

    reason: Text = ""


class RemoveModel(Given):
    """How somebody asked for the deletion of their data, and how they were recognised."""

    why: Annotated[Text, Field(min_length=1)]


class MakeListModel(Given):
    """The kind of a list of bonuses."""

    kind: BonusListKind


class BonusListModel(BaseModel):
    """A numbered list of bonuses; ``text`` is the file for the platform. It is open, paid or withdrawn."""

    number: int
    kind: BonusListKind
    state: str
    by: str
    at: datetime
    people: int
    amount: float
    text: str

    @classmethod
    def of(cls, made: BonusList) -> BonusListModel:
        """From the store's record."""
        return cls(
            number=made.number, kind=made.kind, state=made.state, by=made.by, at=made.at, people=len(made.lines),
            amount=float(made.amount), text=made.file().text,
        )  # fmt: skip


class WrittenModel(BaseModel):
    """How many decisions are new."""

    written: int


class EstimateModel(BaseModel):
    """What the study costs and what an hour brings, from its design."""

    judgements: int
    batches: int
    people: int
    minutes: Finite
    hours: Finite
    hourly: Finite
    total: float
    cost: float


class PayModel(BaseModel):
    """The overview of pay; amounts are in ``currency``, with the platform's fee."""

    currency: str
    hourly_minimum: float | None
    people: int
    median: Finite
    low: Finite
    below: int
    make_up: float
    seconds: Finite
    approved: float
    waiting: float
    expected: float | None
    design: EstimateModel

    @classmethod
    def of(cls, overview: PayOverview) -> PayModel:
        """From the store's record."""
        own = {name: getattr(overview, name, None) for name in cls.model_fields}
        minimum = overview.pay.hourly
        return cls(
            **{
                **_plain(own),
                "currency": overview.pay.currency,
                "hourly_minimum": None if minimum is None else float(minimum),
                "design": _estimate(overview.design),
            }
        )


def _estimate(design: DesignEstimate) -> EstimateModel:
    return EstimateModel(**_plain({name: getattr(design, name) for name in EstimateModel.model_fields}))


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: float(value) if isinstance(value, Decimal) else value for name, value in values.items()}


@pages.get("/people", response_model=list[dict[str, Any]], responses=ERRORS)
def read_people(
    visit: CurrentVisit, search: Annotated[str, Query(max_length=200, description="Name, code, id or note.")] = ""
) -> list[dict[str, Any]]:
    """Everybody with code, times, quality, decision and pay."""
    found = find_people(visit.database, search, people(visit.database, now=visit.now))
    return list(people_rows(found, visit.study.plan.pay))


@pages.get("/people/{pseudonym}", response_model=PersonModel, responses=ERRORS)
def read_person(visit: CurrentVisit, pseudonym: Pseudonym) -> PersonModel:
    """One person, with every decision about them."""
    who = person(visit.database, pseudonym, now=visit.now)
    [row] = people_rows([who], visit.study.plan.pay)
    return PersonModel(person=row, decisions=[DecisionModel.of(each) for each in who.payments])


@pages.post("/people/decisions", status_code=201, response_model=WrittenModel, responses=ERRORS)
def decide(visit: CurrentVisit, given: DecideModel) -> WrittenModel:
    """Approve, reject or give a bonus to people: all of them or none. The same decision again writes nothing."""
    count = decide_payment(
        visit.database,
        given.people,
        given.decision,
        reason=given.reason,
        amount=given.amount,
        now=visit.now,
        by=visit.by,
    )
    return WrittenModel(written=count)


@pages.post("/people/approve-finished", status_code=201, response_model=WrittenModel, responses=ERRORS)
def approve_all(visit: CurrentVisit, given: ApproveModel) -> WrittenModel:
    """Approve everybody who finished, has no flag and is undecided."""
    return WrittenModel(written=approve_finished(visit.database, reason=given.reason, now=visit.now, by=visit.by))


@pages.post("/people/{pseudonym}/remove", status_code=204, response_class=Response, responses=ERRORS)
def remove(visit: CurrentVisit, pseudonym: Pseudonym, given: RemoveModel) -> Response:
    """Delete somebody's data because they asked for it; the record of payment stays."""
    person = person_behind(visit.database, pseudonym)
    remove_person(visit.database, pseudonym, why=given.why, now=visit.now, by=visit.by)
    forget_visitor(visit, person)
    return Response(status_code=204)


@pages.get("/pay", response_model=PayModel, responses=ERRORS)
def read_pay(visit: CurrentVisit) -> PayModel:
    """Cost so far, expected total, and pay by the hour; 404 if the plan has no ``[pay]``."""
    overview = pay_so_far(visit.database, people(visit.database, now=visit.now), now=visit.now)
    if overview is None:
        raise Refusal(404, "payment.no_pay")
    return PayModel.of(overview)


@pages.get("/payment/{name}", response_class=Response, responses=ERRORS)
def read_list(visit: CurrentVisit, name: Annotated[ListName, Path(description="The list.")]) -> Response:
    """One of the lists that Prolific or MTurk takes, as text."""
    return list_response(visit, name)


@pages.get("/bonus-lists", response_model=list[BonusListModel], responses=ERRORS)
def read_bonus_lists(visit: CurrentVisit) -> list[BonusListModel]:
    """All lists of bonuses, the newest first."""
    return [BonusListModel.of(each) for each in bonus_lists(visit.database)]


@pages.post("/bonus-lists", status_code=201, response_model=BonusListModel, responses=ERRORS)
def make_list(visit: CurrentVisit, given: MakeListModel) -> BonusListModel:
    """Make a list of the bonuses that are due and on no other list; 422 if there is none."""
    return BonusListModel.of(make_bonus_list(visit.database, given.kind, now=visit.now, by=visit.by))


@pages.get("/bonus-lists/{number}", response_model=BonusListModel, responses=ERRORS)
def read_one_list(visit: CurrentVisit, number: RowNumber) -> BonusListModel:
    """One list of bonuses."""
    return BonusListModel.of(read_bonus_list(visit.database, number))


@pages.post("/bonus-lists/{number}/paid", response_model=BonusListModel, responses=ERRORS)
def mark_paid(visit: CurrentVisit, number: RowNumber) -> BonusListModel:
    """Note that the bonuses on this list were handed over: those and no others."""
    hand_over_bonuses(visit.database, number, now=visit.now, by=visit.by)
    return BonusListModel.of(read_bonus_list(visit.database, number))


@pages.post("/bonus-lists/{number}/withdraw", response_model=BonusListModel, responses=ERRORS)
def withdraw_list(visit: CurrentVisit, number: RowNumber) -> BonusListModel:
    """Withdraw a list that was not handed over: its bonuses are due again."""
    withdraw_bonus_list(visit.database, number, now=visit.now, by=visit.by)
    return BonusListModel.of(read_bonus_list(visit.database, number))
