"""The lines of the list of studies: state, progress, last answer and what needs a leader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import NamedTuple

from similitude.collect.annotation.records import Leader, LeaderRole
from similitude.collect.annotation.shelf import ShelvedStudy, StudyShelf, is_slug
from similitude.collect.annotation.store import StudySummary, led_studies, study_summary
from similitude.errors import SimilitudeError

__all__ = ["Attention", "StudyLine", "study_lines"]

QUIET = timedelta(days=3)
"""An open study without an answer for this long is worth a look."""


class Attention(NamedTuple):
    """Something that needs a leader: the key of a text (``console.KEY``), and the values for its braces."""

    key: str
    values: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyLine:
    """One line of the list. ``state`` is "broken" for a study whose files were never in order."""

    study: ShelvedStudy
    role: LeaderRole
    state: str
    summary: StudySummary | None
    attention: tuple[Attention, ...]

    @property
    def editable(self) -> bool:
        """Whether its settings can be changed in the browser: it was never opened, and its folder has a proper name."""
        return self.state in ("draft", "broken") and is_slug(self.study.slug)

    def title(self, language: str) -> str:
        """The study's title, or its slug."""
        record = self.study.record
        return record.plan.text("title", language) if record else self.study.slug


def study_lines(shelf: StudyShelf, leader: Leader, *, now: datetime) -> list[StudyLine]:
    """The studies that a leader leads, sorted by slug."""
    roles: dict[str, LeaderRole] = dict(led_studies(shelf.console, leader))
    slugs: Iterable[str] = shelf.slugs()
    return [_line(shelf, slug, roles.get(slug, "admin"), now) for slug in slugs if leader.admin or slug in roles]


def _line(shelf: StudyShelf, slug: str, role: LeaderRole, now: datetime) -> StudyLine:
    found = shelf.look_safely(slug)
    if found.record is None:
        return StudyLine(study=found, role=role, state="broken", summary=None, attention=_of_files(found))
    try:
        summary = study_summary(shelf.databases.study(slug))
    except SimilitudeError as error:
        trouble = (Attention("problem", {"problem": str(error)}),)
        return StudyLine(study=found, role=role, state="broken", summary=None, attention=trouble)
    attention = (*_of_files(found), *_of_people(found, summary, now))
    return StudyLine(study=found, role=role, state=found.record.state, summary=summary, attention=attention)


def _of_files(found: ShelvedStudy) -> tuple[Attention, ...]:
    if found.problem:
        return (Attention("problem", {"problem": found.problem}),)
    return (Attention("changed"),) if found.changed else ()


def _of_people(found: ShelvedStudy, summary: StudySummary, now: datetime) -> list[Attention]:
    assert found.record is not None
    needed = [Attention("waiting", {"count": summary.waiting})] if summary.waiting else []
    if found.record.state == "open" and summary.done < summary.wanted:
        since = summary.last_answer or found.record.created
        if now - since > QUIET:
            needed.append(Attention("quiet", {"days": (now - since).days}))
    if found.record.state == "open" and summary.wanted and summary.done >= summary.wanted:
        needed.append(Attention("complete"))
    return needed
