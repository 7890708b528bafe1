"""The console's part of the REST API: the studies that a token's leader leads. The rest is below each study's root."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from similitude.collect.annotation.web.console.study_lines import StudyLine, study_lines
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.api import ERRORS
from similitude.collect.annotation.web.visit import CurrentVisit

__all__ = ["StudyLineModel", "pages"]

pages = Routes(Role.TOKEN, prefix="/api/v1", scope="read")


class StudyLineModel(BaseModel):
    """A study of the server. The rest of the API is below ``address``. Counts are null for a broken study."""

    slug: str
    address: str
    title: str
    state: str
    role: str
    wanted: int | None
    done: int | None
    people: int | None
    last_answer: datetime | None
    attention: list[str]

    @classmethod
    def of(cls, line: StudyLine) -> StudyLineModel:
        """From a line of the list of studies."""
        summary = line.summary
        return cls(
            slug=line.study.slug,
            address=f"/s/{line.study.slug}/api/v1",
            title=line.title("en"),
            state=line.state,
            role=line.role,
            wanted=summary.wanted if summary else None,
            done=summary.done if summary else None,
            people=summary.people if summary else None,
            last_answer=summary.last_answer if summary else None,
            attention=[each.key for each in line.attention],
        )


@pages.get("/studies", response_model=list[StudyLineModel], responses=ERRORS)
def read_studies(visit: CurrentVisit) -> list[StudyLineModel]:
    """The studies that the token's leader leads, archived ones too."""
    assert visit.leader is not None
    return [StudyLineModel.of(line) for line in study_lines(visit.shelf, visit.leader, now=visit.now)]
