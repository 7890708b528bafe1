"""The leader's list of skipped questions and comments."""

from __future__ import annotations

from starlette.responses import Response

from similitude.collect.annotation.store import progress, remarks, skipped_questions
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.visit import CurrentVisit

__all__ = ["pages"]

pages = Routes(Role.LEADER, prefix="/leader")


@pages.get("/remarks")
def show_remarks(visit: CurrentVisit) -> Response:
    """Which questions were skipped and why, and what people wrote about questions."""
    skipped, known = skipped_questions(visit.database), progress(visit.database, now=visit.now)
    given = known.done + known.skipped
    return visit.page(
        "leader/remarks.html",
        skipped=skipped,
        comments=remarks(visit.database),
        count=known.skipped,
        share=100 * known.skipped / given if given else 0.0,
    )
