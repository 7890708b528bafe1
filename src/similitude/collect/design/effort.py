"""The effort that a plan requires: judgements, and rough estimates of time and pay."""

from __future__ import annotations

from dataclasses import dataclass

from similitude.collect.design.design import Design
from similitude.data.plural import counted
from similitude.errors import ArgumentError

__all__ = ["Effort", "effort_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """The effort that a plan requires.

    Attributes:
        questions: the number of questions, with gold and repeats.
        per_question: annotators per question, which is also the least number of people needed.
        judgements: the number of answers in all.
        hours: the time of all annotators together; None if the time per question is unknown.
        cost: hours times pay; None if either is unknown.
        batch_minutes: the time of one annotator for the largest batch; None if unknown or without batches.
    """

    questions: int
    per_question: int
    judgements: int
    hours: float | None = None
    cost: float | None = None
    batch_minutes: float | None = None

    def sentences(self) -> tuple[str, ...]:
        """The effort in sentences."""
        asked = f"{counted(self.questions, 'question')} x {counted(self.per_question, 'annotator')}"
        said = [f"{asked} = {counted(self.judgements, 'judgement')}"]
        if self.hours is not None:
            batch = "" if self.batch_minutes is None else f"; the largest batch about {_minutes(self.batch_minutes)}"
            said.append(f"about {self.hours:,.1f} hours in all{batch}")
        if self.cost is not None:
            said.append(f"about {self.cost:,.0f} in pay, in the currency of the hourly pay")
        return tuple(said)


def effort_of(
    design: Design, *, seconds_per_question: float | None = None, pay_per_hour: float | None = None
) -> Effort:
    """Estimate the effort that a plan requires.

    >>> import polars as pl
    >>> plan = Design(task="rating", frame=pl.DataFrame({"question": ["a", "b"], "items": [["a"], ["b"]]}))
    >>> effort_of(plan, seconds_per_question=36, pay_per_hour=15).cost
    1.5

    Raises:
        ArgumentError: a number is not positive, or pay is given without the time per question.
    """
    for name, value in (("seconds_per_question", seconds_per_question), ("pay_per_hour", pay_per_hour)):
        if value is not None and not value > 0:
            raise ArgumentError(f"{name}={value:g}", remedy="use a number above 0")
    if pay_per_hour is not None and seconds_per_question is None:
        what = "pay by the hour says nothing while nobody knows how long a question takes"
        raise ArgumentError(what, remedy="give seconds per question too, from a pilot for example")
    hours = None if seconds_per_question is None else design.judgements * seconds_per_question / 3600
    return Effort(
        questions=len(design),
        per_question=design.per_question,
        judgements=design.judgements,
        hours=hours,
        cost=None if hours is None or pay_per_hour is None else hours * pay_per_hour,
        batch_minutes=_batch_minutes(design, seconds_per_question),
    )


def _batch_minutes(design: Design, seconds: float | None) -> float | None:
    if seconds is None or not design.batches:
        return None
    return int(design.frame["batch"].value_counts()["count"].to_numpy().max()) * seconds / 60


def _minutes(minutes: float) -> str:
    return counted(round(minutes), "minute") if minutes >= 1 else counted(round(60 * minutes), "second")
