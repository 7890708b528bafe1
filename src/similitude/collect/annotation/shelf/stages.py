"""Stages on a shelf: which of its studies another one follows, and which follow it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from similitude.collect.annotation.plan import StudyPlan
from similitude.collect.annotation.plan.stages import earlier_file
from similitude.collect.annotation.shelf.study_files import PLAN
from similitude.collect.annotation.shelf.study_shelf import ShelvedStudy, StudyShelf
from similitude.collect.annotation.store import Database, read_study
from similitude.collect.annotation.store.refusals import NotThere

__all__ = ["earlier_database", "earlier_slug", "followers"]


def earlier_slug(folder: Path, slug: str, plan: StudyPlan) -> str | None:
    """The slug of the study that a study follows; None if it follows none, or one that is not on the shelf.

    Args:
        folder: the folder of the shelf.
        slug: the study.
        plan: its plan.
    """
    if plan.follows is None:
        return None
    file = earlier_file(plan.follows, folder / slug / PLAN)
    return file.parent.name if file.name == PLAN and file.parent.parent == folder else None


def earlier_database(shelf: StudyShelf, slug: str) -> Callable[[], Database | None]:
    """A function that gives the database of the study that a study follows, as its plan says at that moment.

    The function raises NotThere where that study is not on the shelf.
    """

    def find() -> Database | None:
        plan = read_study(shelf.databases.study(slug)).plan
        if plan.follows is None:
            return None
        earlier = earlier_slug(shelf.folder, slug, plan)
        if earlier is None:
            raise NotThere("no_study", f"the study '{plan.follows.study}' is not on this server")
        return shelf.database(earlier)

    return find


def followers(shelf: StudyShelf, slug: str) -> list[ShelvedStudy]:
    """The studies that follow a study, sorted by slug."""
    return [
        each
        for each in shelf.studies()
        if each.record is not None and earlier_slug(shelf.folder, each.slug, each.record.plan) == slug
    ]
