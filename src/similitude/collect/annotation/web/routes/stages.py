"""The leader's page of stages: where a study's items come from, how far they are, and which studies follow."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.store.stage_progress import stage_progress
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.stage_links import earlier_stage, later_stages
from similitude.collect.annotation.web.visit import CurrentVisit

__all__ = ["pages"]

pages = Routes(Role.LEADER, prefix="/leader/stages")


@pages.get("")
def show(visit: CurrentVisit) -> Response:
    """The stages of the study."""
    flow = visit.services.flow
    flow.maybe(visit.database, now=visit.now)
    return visit.page(
        "leader/stages.html",
        stage=stage_progress(visit.database),
        earlier=earlier_stage(visit),
        later=later_stages(visit),
        problem=flow.problem,
        verifies="applies" in visit.study.task.fields,
    )
