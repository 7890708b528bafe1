"""The sections of a plan about those who answer: skipping questions, and breaks."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["REASONS", "BreakPlan", "SkipPlan", "SkipReason"]

SkipReason = Literal["unreadable", "language", "offensive", "undecided", "other"]
REASONS: tuple[SkipReason, ...] = get_args(SkipReason)
"""The reasons to skip a question, in the order of the page. "other" is given in one's own words."""


class _Part(BaseModel):
    """A part of the plan. It is frozen, and unknown names are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SkipPlan(_Part):
    """Whether people may skip questions, and what becomes of a skipped one.

    Attributes:
        allowed: whether work questions can be skipped; training and qualification never can.
        reasons: the reasons to choose from.
        limit: how many questions one person may skip; None means no limit.
        again: whether somebody else gets the question. If not, the skip uses up one of the wanted judgements.
    """

    allowed: bool = True
    reasons: Annotated[tuple[SkipReason, ...], Field(min_length=1)] = REASONS
    limit: Annotated[int, Field(ge=0)] | None = None
    again: bool = True


class BreakPlan(_Part):
    """Breaks that people announce: the time for their batch stands still meanwhile.

    Attributes:
        allowed: whether breaks can be announced.
        suggest: after so many minutes of work without one, a break is suggested; 0 for never.
        longest: the minutes of break that one batch allows in all; then its time goes on.
    """

    allowed: bool = True
    suggest: Annotated[float, Field(ge=0)] = 30
    longest: Annotated[float, Field(gt=0, le=1440)] = 30
