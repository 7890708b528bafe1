"""A study as read: its plan with all texts, and its questions."""

from __future__ import annotations

from dataclasses import dataclass

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.records import Question

__all__ = ["Study"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A plan and its questions of every kind.

    ``notes`` tells a leader what may surprise; nothing in it needs a correction.
    """

    plan: StudyPlan
    questions: tuple[Question, ...]
    notes: tuple[str, ...] = ()
