"""What the REST API takes and gives, described so that programs can rely on it."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from similitude.collect.annotation.records import AnnotatorRow, Invitation, Progress
from similitude.collect.annotation.store import StudyRecord

__all__ = [
    "AddedModel",
    "AnnotatorModel",
    "ErrorModel",
    "ExcludeModel",
    "InvitationModel",
    "InviteModel",
    "ItemsModel",
    "ProgressModel",
    "ReadmitModel",
    "StudyModel",
]

Clean = Annotated[str, Field(pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")]
"""Without control characters, which some databases cannot hold."""
Text = Annotated[Clean, Field(max_length=500)]
Finite = Annotated[float | None, BeforeValidator(lambda value: value if math.isfinite(value) else None)]
"""A number, or null where it is undefined."""


class _Given(BaseModel):
    """What a program sends: a name that is not known is an error."""

    model_config = ConfigDict(extra="forbid")


class ErrorModel(BaseModel):
    """What went wrong: a short name, a sentence, and where known the details."""

    error: str
    message: str
    detail: Any = None


class StudyModel(BaseModel):
    """The study."""

    name: str
    task: str
    state: Literal["open", "paused", "closed"]
    version: int
    judgements: int
    languages: list[str]

    @classmethod
    def of(cls, study: StudyRecord) -> StudyModel:
        """From the store's record."""
        return cls(**_taken(cls, study.plan, study))


class ProgressModel(BaseModel):
    """How far the study is. ``rate`` (answers an hour) and ``expected`` are null where too little is known."""

    state: Literal["open", "paused", "closed"]
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
    seconds: Finite
    excluded: bool
    flags: list[str]
    created: datetime
    seen: datetime

    @classmethod
    def of(cls, row: AnnotatorRow) -> AnnotatorModel:
        """From the store's record."""
        return cls(**_taken(cls, row, row.annotator))


class ExcludeModel(_Given):
    """Why somebody is excluded, and whether their answers are to be collected anew from others."""

    why: Annotated[Text, Field(min_length=1)]
    replace: bool = False


class ReadmitModel(_Given):
    """Why somebody is re-admitted."""

    why: Text = ""


class InviteModel(_Given):
    """Which invitations to make: ``limit`` people for each, null for no limit."""

    count: Annotated[int, Field(ge=1, le=500)] = 1
    limit: Annotated[int, Field(ge=1, le=1_000_000)] | None = 1
    note: Annotated[Text, Field(max_length=200)] = ""


class InvitationModel(BaseModel):
    """An invitation. ``link`` holds its secret and is given only in the reply that makes it."""

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


class ItemModel(_Given):
    """An item to ask about: a pair of texts and what belongs to it."""

    id: Annotated[Clean, Field(min_length=1, max_length=200)]
    left: Annotated[Clean, Field(min_length=1, max_length=100_000)]
    right: Annotated[Clean, Field(min_length=1, max_length=100_000)]
    context: Annotated[list[Clean], Field(max_length=1000)] | None = None
    condition: Annotated[Clean, Field(max_length=2000)] | None = None
    group: Annotated[Clean, Field(max_length=200)] | None = None
    language: Annotated[Clean, Field(max_length=35)] | None = None


class ItemsModel(_Given):
    """Items to add to the running study."""

    items: Annotated[list[ItemModel], Field(min_length=1, max_length=100_000)]


class AddedModel(BaseModel):
    """How many questions are new or changed."""

    added: int


def _taken(model: type[BaseModel], *records: object) -> dict[str, Any]:
    """Each field of a model from the first record that has it."""
    found = {name: [each for each in records if hasattr(each, name)] for name in model.model_fields}
    return {name: getattr(sources[0], name) for name, sources in found.items() if sources}
