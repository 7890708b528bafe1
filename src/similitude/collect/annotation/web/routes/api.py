"""The REST API for leaders' programs: progress, export, items, invitations, exclusion, pause.

Every request carries a leader's token: ``Authorization: Bearer TOKEN``. Errors are JSON: ``{"error", "message"}``.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path, Query
from starlette.responses import Response, StreamingResponse

from similitude.collect.annotation.store import (
    add_questions,
    exclude,
    export_csv,
    export_jsonl,
    invitations,
    invite,
    people,
    progress,
    readmit,
    revoke_invitation,
    set_state,
)
from similitude.collect.annotation.web.added_items import questions_from_items
from similitude.collect.annotation.web.guard import Role
from similitude.collect.annotation.web.roles import Routes
from similitude.collect.annotation.web.routes.api_models import (
    AddedModel,
    AnnotatorModel,
    ErrorModel,
    ExcludeModel,
    InvitationModel,
    InviteModel,
    ItemsModel,
    ProgressModel,
    ReadmitModel,
    StateModel,
    StudyModel,
)
from similitude.collect.annotation.web.routes.dashboard import wanted_state
from similitude.collect.annotation.web.routes.invitations import invitation_link
from similitude.collect.annotation.web.streams import streamed
from similitude.collect.annotation.web.visit import CurrentVisit, RowNumber

__all__ = ["ERRORS", "Pseudonym", "pages"]

pages = Routes(Role.TOKEN, prefix="/api/v1")

Pseudonym = Annotated[str, Path(max_length=100, description="The annotator's random name.")]
Everything = Annotated[bool, Query(description="Also changed answers, gold, repeats, training, excluded people.")]

ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorModel, "description": "Not readable"},
    401: {"model": ErrorModel, "description": "No valid token"},
    403: {"model": ErrorModel, "description": "The token may not do this"},
    404: {"model": ErrorModel, "description": "No such thing"},
    409: {"model": ErrorModel, "description": "Not possible any more"},
    413: {"model": ErrorModel, "description": "Too large"},
    422: {"model": ErrorModel, "description": "Not valid"},
    429: {"model": ErrorModel, "description": "Too many attempts"},
    503: {"model": ErrorModel, "description": "The database is out of reach"},
}


@pages.get("/study", scope="read", response_model=StudyModel, responses=ERRORS)
def read_study(visit: CurrentVisit) -> StudyModel:
    """The study and its state."""
    return StudyModel.of(visit.study)


@pages.get("/progress", scope="read", response_model=ProgressModel, responses=ERRORS)
def read_progress(visit: CurrentVisit) -> ProgressModel:
    """The number of answers, their rate, and the expected finish."""
    return ProgressModel.of(progress(visit.database, now=visit.now))


@pages.post("/pause", scope="manage", response_model=StudyModel, responses=ERRORS)
def pause(visit: CurrentVisit) -> StudyModel:
    """Pause the study: it gives out no new work."""
    return StudyModel.of(set_state(visit.database, "paused", now=visit.now, by=visit.by))


@pages.post("/resume", scope="manage", response_model=StudyModel, responses=ERRORS)
def resume(visit: CurrentVisit) -> StudyModel:
    """Resume the study."""
    return StudyModel.of(set_state(visit.database, wanted_state(visit, "open"), now=visit.now, by=visit.by))


@pages.post("/state", scope="manage", response_model=StudyModel, responses=ERRORS)
def change_state(visit: CurrentVisit, given: StateModel) -> StudyModel:
    """Bring the study into another state: draft to open, open to paused or closed, closed to open or archived."""
    return StudyModel.of(set_state(visit.database, wanted_state(visit, given.state), now=visit.now, by=visit.by))


@pages.get("/annotators", scope="people", response_model=list[AnnotatorModel], responses=ERRORS)
def read_annotators(visit: CurrentVisit) -> list[AnnotatorModel]:
    """All annotators by pseudonym, with flags."""
    return [AnnotatorModel.of(each.row) for each in people(visit.database, now=visit.now)]


@pages.post(
    "/annotators/{pseudonym}/exclude", scope="people", status_code=204, response_class=Response, responses=ERRORS
)
def exclude_annotator(visit: CurrentVisit, pseudonym: Pseudonym, given: ExcludeModel) -> Response:
    """Exclude an annotator's answers from the figures; this is logged and reversible."""
    exclude(visit.database, pseudonym, why=given.why, replace=given.replace, now=visit.now, by=visit.by)
    return Response(status_code=204)


@pages.post(
    "/annotators/{pseudonym}/readmit", scope="people", status_code=204, response_class=Response, responses=ERRORS
)
def readmit_annotator(visit: CurrentVisit, pseudonym: Pseudonym, given: ReadmitModel) -> Response:
    """Re-admit an excluded annotator."""
    readmit(visit.database, pseudonym, why=given.why, now=visit.now, by=visit.by)
    return Response(status_code=204)


@pages.get("/invitations", scope="people", response_model=list[InvitationModel], responses=ERRORS)
def read_invitations(visit: CurrentVisit) -> list[InvitationModel]:
    """All invitations, without their links."""
    return [InvitationModel.of(each) for each in invitations(visit.database)]


@pages.post("/invitations", scope="people", status_code=201, response_model=list[InvitationModel], responses=ERRORS)
def make_invitations(visit: CurrentVisit, given: InviteModel) -> list[InvitationModel]:
    """Make invitations. The response has their links, which are not stored."""
    made = [
        invite(visit.database, limit=given.limit, note=given.note, now=visit.now, by=visit.by)
        for _ in range(given.count)
    ]
    return [InvitationModel.of(each, invitation_link(visit, each)) for each in made]


@pages.delete("/invitations/{number}", scope="people", status_code=204, response_class=Response, responses=ERRORS)
def delete_invitation(visit: CurrentVisit, number: RowNumber) -> Response:
    """Revoke an invitation."""
    revoke_invitation(visit.database, number, now=visit.now, by=visit.by)
    return Response(status_code=204)


@pages.post("/items", scope="manage", status_code=201, response_model=AddedModel, responses=ERRORS)
def add_items(visit: CurrentVisit, given: ItemsModel) -> AddedModel:
    """Add items to the study. An existing item whose texts differ gets a new version."""
    items = [item.model_dump(exclude_none=True) for item in given.items]
    questions = questions_from_items(visit.study.plan, items)
    return AddedModel(added=add_questions(visit.database, questions, now=visit.now, by=visit.by))


@pages.get("/export.jsonl", scope="export", response_class=StreamingResponse, responses=ERRORS)
def export_as_jsonl(visit: CurrentVisit, everything: Everything = False) -> StreamingResponse:
    """The answers that count, as JSON lines for `similitude gold`; streamed."""
    return streamed(export_jsonl(visit.database, everything=everything), media_type="application/x-ndjson")


@pages.get("/export.csv", scope="export", response_class=StreamingResponse, responses=ERRORS)
def export_as_csv(visit: CurrentVisit, everything: Everything = False) -> StreamingResponse:
    """The answers that count, as CSV; streamed."""
    return streamed(export_csv(visit.database, everything=everything), media_type="text/csv; charset=utf-8")
