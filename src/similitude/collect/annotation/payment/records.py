"""The records of payment: submissions of a platform, decisions, and one line of the leader's page of people."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

from similitude.collect.annotation.records import Annotator, AnnotatorRow

__all__ = ["Decision", "DecisionKind", "Outcome", "Payment", "Person", "Submission", "outcome_of"]

DecisionKind = Literal["approved", "rejected", "undecided", "bonus", "paid"]
"""``undecided`` takes a decision back; ``bonus`` states the whole bonus; ``paid`` what of it was handed over."""
Decision = Literal["approved", "rejected", "undecided"]
Outcome = Literal["complete", "early", "screened_out", "stopped", "excluded", "left", "unfinished"]

SCREENED = ("training", "qualification", "review")


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One submission on Prolific, or one assignment on MTurk.

    Attributes:
        submission: its id there; None where the study keeps no readable ids.
        participant: the person's id there; None where the study keeps no readable ids.
        study: the study's or HIT's id there.
        signed: the link that led here had a valid signature.
        code: the completion code of this submission; None until it is over.
    """

    id: int
    platform: str
    submission: str | None
    participant: str | None
    study: str | None
    signed: bool
    code: str | None
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    """One decision about somebody's pay; never changed, the last of its kind counts.

    ``submission`` is the number of the submission that it is about; None means all that the person did until then.
    """

    id: int
    submission: int | None
    kind: DecisionKind
    amount: Decimal | None
    currency: str | None
    reason: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """One line of the leader's page of people.

    Attributes:
        row: counts and flags, as in the table of annotators.
        outcome: how far they came: the kind of their completion code.
        note: the note of the invitation that they came by.
        active: seconds of work, where no answer counts more than the plan's idle limit, and no batch more than passed
        by the server's clock.
        last: their last answer.
        batches: batches of work that they sent.
        payments: all decisions about them, oldest first.
        listed: what of the bonus is on an open list.
        base: what they earn without a bonus; None without ``[pay]``.
    """

    row: AnnotatorRow
    outcome: Outcome
    note: str = ""
    active: float = 0.0
    last: datetime | None = None
    batches: int = 0
    submissions: tuple[Submission, ...] = ()
    payments: tuple[Payment, ...] = ()
    listed: Decimal = Decimal(0)
    base: Decimal | None = None

    @property
    def annotator(self) -> Annotator:
        """The annotator."""
        return self.row.annotator

    @property
    def pseudonym(self) -> str:
        """Their random name."""
        return self.annotator.pseudonym

    @property
    def decided(self) -> Payment | None:
        """The last decision to approve or reject; None if there is none, or if they began another submission since."""
        latest = max((each.created for each in self.submissions), default=None)
        found = [each for each in self.payments if each.kind in ("approved", "rejected", "undecided")]
        if not found or (latest is not None and found[-1].at < latest):
            return None
        return None if found[-1].kind == "undecided" else found[-1]

    @property
    def decision(self) -> Decision:
        """Whether they were approved or rejected."""
        decided = self.decided
        return "undecided" if decided is None else "approved" if decided.kind == "approved" else "rejected"

    def decision_on(self, submission: Submission) -> Payment | None:
        """The decision that counts for one submission: the last about it, or about all until then."""
        found = [
            each
            for each in self.payments
            if each.kind in ("approved", "rejected", "undecided")
            and (each.submission == submission.id or (each.submission is None and each.at >= submission.created))
        ]
        return None if not found or found[-1].kind == "undecided" else found[-1]

    @property
    def bonus(self) -> Decimal:
        """The whole bonus: the last one that was stated."""
        return self._last("bonus")

    @property
    def paid(self) -> Decimal:
        """What of the bonus was handed over."""
        return self._last("paid")

    @property
    def bonus_due(self) -> Decimal:
        """What of the bonus is still to be handed over."""
        return max(Decimal(0), self.bonus - self.paid)

    @property
    def bonus_unlisted(self) -> Decimal:
        """What of the bonus is due and on no open list."""
        return max(Decimal(0), self.bonus_due - self.listed)

    def _last(self, kind: DecisionKind) -> Decimal:
        amounts = [each.amount for each in self.payments if each.kind == kind and each.amount is not None]
        return amounts[-1] if amounts else Decimal(0)

    @property
    def earned(self) -> Decimal | None:
        """What they get, bonus included; nothing but the bonus once rejected. None without ``[pay]``."""
        if self.base is None:
            return None
        return (Decimal(0) if self.decision == "rejected" else self.base) + self.bonus

    @property
    def hourly(self) -> float:
        """What an hour of work brought them; nan if unknown."""
        if self.earned is None or self.active <= 0:
            return math.nan
        return float(self.earned) * 3600 / self.active

    @property
    def unsigned(self) -> bool:
        """They came from a platform by a link that anybody can make up."""
        return bool(self.submissions) and not any(each.signed for each in self.submissions)


def outcome_of(who: Annotator) -> Outcome:
    """How far somebody came, which decides the code that the platform gets."""
    if who.state == "finished":
        return "early" if who.reason == "early" else "complete"
    if who.state == "stopped":
        return "screened_out" if who.reason in SCREENED else "stopped"
    if who.state == "excluded":
        return "excluded"
    return "left" if who.state in ("declined", "withdrawn") else "unfinished"
