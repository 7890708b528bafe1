"""Links between the stages of one server: the study before, and the studies after."""

from __future__ import annotations

from typing import NamedTuple

from similitude.collect.annotation.plan.stages import is_slug
from similitude.collect.annotation.store import progress, read_study
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
    follows = visit.study.plan.follows
    if follows is None:
        return None
    try:
        database = visit.services.flow.earlier()
        if database is None:
            return StageLink(follows.study, "", "")
        plan, far = read_study(database).plan, progress(database, now=visit.now)
    except SimilitudeError:
        return StageLink(follows.study, "", "")
    address = f"/s/{follows.study}/leader" if visit.services.slug and is_slug(follows.study) else ""
    return StageLink(plan.text("title", visit.texts.language), far.state, address, far.done, far.wanted)


def later_stages(visit: Visit) -> list[StageLink]:
    """The studies of this server that follow this one."""
    return []
