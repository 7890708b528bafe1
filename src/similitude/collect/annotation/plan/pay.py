"""The section ``[pay]`` of a study: what people earn, and the least that an hour should bring."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = ["Money", "PayPlan"]

Money = Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=4)]
NOTHING = Decimal(0)


class PayPlan(BaseModel):
    """What people earn. The parts add up: so much a person, so much a batch, so much a question.

    Attributes:
        currency: its three letters: "EUR", "GBP", "USD".
        per_person: for everybody who reaches the end.
        per_batch: for each batch of work that is sent.
        per_question: for each work question that is answered.
        hourly: the least that an hour of work should bring; people below it are marked.
        fee: the platform's share on top of what people get: 0.333 is a third.
        seconds: the time that a question is expected to take; used until there are answers.
        idle: seconds that one answer counts at most, so that a coffee break is not work.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    per_person: Money = NOTHING
    per_batch: Money = NOTHING
    per_question: Money = NOTHING
    hourly: Money | None = None
    fee: Annotated[float, Field(ge=0, le=5)] = 0.0
    seconds: Annotated[float, Field(gt=0, le=86_400)] = 20.0
    idle: Annotated[float, Field(gt=0, le=86_400)] = 120.0

    @model_validator(mode="after")
    def _pays(self) -> PayPlan:
        if not (self.per_person or self.per_batch or self.per_question):
            raise ValueError("nobody is paid: set per_person, per_batch or per_question")
        return self
