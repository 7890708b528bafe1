"""The study that a page of settings is about: its folder, its state, and whether the leader may change it."""

from __future__ import annotations

from dataclasses import dataclass

from similitude.collect.annotation.drafts.draft import Draft, read_draft
from similitude.collect.annotation.drafts.estimate import SECONDS, Findings, check_plan
from similitude.collect.annotation.drafts.shown_reading import ShownReading, look_at
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.records import StudyState
from similitude.collect.annotation.store import role_in_study
from similitude.collect.annotation.web.security.refusals import Refusal
from similitude.collect.annotation.web.visit import Visit

__all__ = ["StudyPlace", "place_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPlace:
    """A study whose settings a leader sees.

    Attributes:
        slug: its name in addresses.
        draft: its folder and plan.
        state: its state; a study whose files were never in order is a draft.
    """

    slug: str
    draft: Draft
    state: StudyState

    @property
    def plan(self) -> StudyPlan:
        """The plan, as the file has it."""
        return self.draft.plan

    @property
    def running(self) -> bool:
        """Whether the study has been opened, so that changes are shown before they are saved."""
        return self.state != "draft"

    def address(self, step: str) -> str:
        """The address of one of its pages."""
        return f"/leader/edit/{self.slug}/{step}"

    def reading(self, plan: StudyPlan | None = None) -> ShownReading | None:
        """How its file of items is understood; None if it has no file of its own."""
        path = self.draft.items
        return None if path is None else look_at(path, (plan or self.plan).reading)

    def check(self, plan: StudyPlan | None = None, *, seconds: float = SECONDS, pay: float | None = None) -> Findings:
        """All checks of its files, and the effort at so many seconds a question and such a pay."""
        return check_plan(self.draft.folder, plan, seconds=seconds, pay=pay)


def place_of(visit: Visit, slug: str) -> StudyPlace:
    """The study of an address.

    Raises:
        Refusal: there is no such study (404), somebody else leads it (403), or it is archived (409).
        InputError: its plan has a key that is unknown or wrong.
    """
    if not visit.shelf.has(slug):
        raise Refusal(404, "error.not_found")
    if visit.leader is None or role_in_study(visit.console, visit.leader, slug) is None:
        raise Refusal(403, "error.not_your_study")
    record = visit.shelf.look(slug).record
    state: StudyState = record.state if record else "draft"
    if state == "archived":
        raise Refusal(409, "error.archived")
    return StudyPlace(slug=slug, draft=read_draft(visit.shelf.folder / slug), state=state)
