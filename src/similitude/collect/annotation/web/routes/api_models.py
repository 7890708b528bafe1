"""The requests and responses of the REST API, as models."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from similitude.collect.annotation.records import AnnotatorRow, Invitation, Progress, StudyState
from similitude.collect.annotation.store import StudyRecord
from similitude.stats.finite import finite_or_none

__all__ = [
    "AddedModel",
    "AnnotatorModel",
    "Clean",
    "ErrorModel",
    "ExcludeModel",
    "Finite",
    "Given",
    "InvitationModel",
    "InviteModel",
    "ItemsModel",
    "ProgressModel",
    "ReadmitModel",
    "StateModel",
    "StudyModel",
    "Text",
]

Clean = Annotated[str, Field(pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")]
"""Text without control characters, which some databases cannot hold."""
Text = Annotated[Clean, Field(max_length=500)]
Finite = Annotated[float | None, BeforeValidator(finite_or_none)]
"""A number, or null where it is undefined."""


class Given(BaseModel):
    """The body of a request; unknown names are errors."""

    model_config = ConfigDict(extra="forbid")


class ErrorModel(BaseModel):
    """An error: a short name, a sentence and, if known, details."""

    error: str
    message: str
    detail: Any = None


class StudyModel(BaseModel):
    """The study."""

    name: str
    task: str
    state: StudyState
    version: int
    judgements: int
    languages: list[str]

    @classmethod
    def of(cls, study: StudyRecord) -> StudyModel:
        """From the store's record."""
        return cls(**_taken(cls, study.plan, study))


class StateModel(Given):
    """The state that a study is brought into."""

    state: StudyState


class ProgressModel(BaseModel):
    """The progress of the study. ``rate`` (answers per hour) and ``expected`` are null if too little is known."""

    state: StudyState
    questions: int
    complete: int
    wanted: int
    done: int
    held: int
    free: int
    rate: Finite
    expected: datetime | None
    second_round: int
    undecided: int
    annotators: dict[str, int]
    last_answer: datetime | None
    skipped: int

    @classmethod
    def of(cls, progress: Progress) -> ProgressModel:
        """From the store's record."""
        return cls(**_taken(cls, progress))


class AnnotatorModel(BaseModel):
    """One annotator, by pseudonym."""

    pseudonym: str
    source: str
    state: str
    answered: int
    gold_asked: int
    gold_right: int
    repeats_asked: int
    repeats_same: int
    skipped: int
    seconds: Finite
    excluded: bool
    flags: list[str]
    created: datetime
    seen: datetime

    @classmethod
    def of(cls, row: AnnotatorRow) -> AnnotatorModel:
        """From the store's record."""
        return cls(**_taken(cls, row, row.annotator))


class ExcludeModel(Given):
    """The reason for an exclusion, and whether to collect the answers again from others."""

    why: Annotated[Text, Field(min_length=1)]
    replace: bool = False


class ReadmitModel(Given):
    """The reason for a re-admission."""

    why: Text = ""


class InviteModel(Given):
    """The invitations to make. Each is for ``limit`` people; null means no limit."""

    count: Annotated[int, Field(ge=1, le=500)] = 1
    limit: Annotated[int, Field(ge=1, le=1_000_000)] | None = 1
    note: Annotated[Text, Field(max_length=200)] = ""


class InvitationModel(BaseModel):
    """An invitation. ``link`` holds its secret; only the response that makes it has one."""

    id: int
    link: str | None = None
    limit: int | None
    used: int
    note: str
    created: datetime
    expires: datetime | None
    revoked: datetime | None

    @classmethod
    def of(cls, invitation: Invitation, link: str | None = None) -> InvitationModel:
        """From the store's record."""
        return cls(**{**_taken(cls, invitation), "link": link})


class ItemModel(Given):
    """An item: a pair of texts, with context, condition and language where it has them."""

    id: Annotated[Clean, Field(min_length=1, max_length=200)]
    left: Annotated[Clean, Field(min_length=1, max_length=100_000)]
    right: Annotated[Clean, Field(min_length=1, max_length=100_000)]
    context: Annotated[list[Clean], Field(max_length=1000)] | None = None
    condition: Annotated[Clean, Field(max_length=2000)] | None = None
    group: Annotated[Clean, Field(max_length=200)] | None = None
    language: Annotated[Clean, Field(max_length=35)] | None = None


class ItemsModel(Given):
    """Items to add to the running study."""

    items: Annotated[list[ItemModel], Field(min_length=1, max_length=100_000)]


class AddedModel(BaseModel):
    """How many questions are new or changed."""

    added: int


def _taken(model: type[BaseModel], *records: object) -> dict[str, Any]:
    """Each field of a model from the first record that has it."""
    found = {name: [each for each in records if hasattr(each, name)] for name in model.model_fields}
    return {name: getattr(sources[0], name) for name, sources in found.items() if sources}
