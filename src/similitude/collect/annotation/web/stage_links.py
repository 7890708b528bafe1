"""Links between the stages of one server: the study before, and the studies after."""

from __future__ import annotations

from typing import NamedTuple

from similitude.collect.annotation.shelf.stages import earlier_slug, followers
from similitude.collect.annotation.store import Database, progress, read_study
from similitude.collect.annotation.web.visit import Visit
from similitude.errors import SimilitudeError

__all__ = ["StageLink", "earlier_stage", "later_stages"]


class StageLink(NamedTuple):
    """Another stage: its title, its state, its address for leaders (empty if another server has it), its progress."""

    title: str
    state: str
    address: str
    done: int = 0
    wanted: int = 0


def earlier_stage(visit: Visit) -> StageLink | None:
    """The study that this one follows; None if it follows none."""
    follows, shelf = visit.study.plan.follows, visit.services.shelf
    if follows is None:
        return None
    slug = None if shelf is None else earlier_slug(shelf.folder, visit.services.slug, visit.study.plan)
    try:
        database = visit.services.flow.earlier()
        return StageLink(follows.study, "", "") if database is None else _link(visit, database, slug)
    except SimilitudeError:
        return StageLink(follows.study, "", "")


def later_stages(visit: Visit) -> list[StageLink]:
    """The studies of this server that follow this one."""
    shelf = visit.services.shelf
    if shelf is None:
        return []
    found = [each.slug for each in followers(shelf, visit.services.slug)]
    return [_link(visit, shelf.database(slug), slug) for slug in found]


def _link(visit: Visit, database: Database, slug: str | None) -> StageLink:
    plan, far = read_study(database).plan, progress(database, now=visit.now)
    address = f"/s/{slug}/leader/stages" if slug else ""
    return StageLink(plan.text("title", visit.texts.language), far.state, address, far.done, far.wanted)
