"""What the REST API takes and gives, described so that programs can rely on it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from similitude.collect.annotation.records import AnnotatorRow, Invitation, Progress
from similitude.collect.annotation.store import StudyRecord
from similitude.stats.finite import finite_or_none

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
        plan = study.plan
        return cls(
            name=plan.name,
            task=plan.task,
            state=study.state,
            version=study.version,
            judgements=plan.judgements,
            languages=list(plan.languages),
        )


class ProgressModel(BaseModel):
    """How far the study is. ``rate`` (answers an hour) and ``expected`` are null where too little is known."""

    state: Literal["open", "paused", "closed"]
    questions: int
    complete: int
    wanted: int
    done: int
    held: int
    free: int
    rate: float | None
    expected: datetime | None
    second_round: int
    undecided: int
    annotators: dict[str, int]
    last_answer: datetime | None

    @classmethod
    def of(cls, progress: Progress) -> ProgressModel:
        """From the store's record."""
        fields = {name: getattr(progress, name) for name in cls.model_fields}
        return cls(**{**fields, "rate": finite_or_none(progress.rate), "annotators": dict(progress.annotators)})


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
    seconds: float | None
    excluded: bool
    flags: list[str]
    created: datetime
    seen: datetime

    @classmethod
    def of(cls, row: AnnotatorRow) -> AnnotatorModel:
        """From the store's record."""
        who = row.annotator
        return cls(
            pseudonym=who.pseudonym,
            source=who.source,
            state=who.state,
            answered=row.answered,
            gold_asked=row.gold_asked,
            gold_right=row.gold_right,
            repeats_asked=row.repeats_asked,
            repeats_same=row.repeats_same,
            seconds=finite_or_none(row.seconds),
            excluded=row.excluded,
            flags=list(row.flags),
            created=who.created,
            seen=who.seen,
        )


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
        names = ("id", "limit", "used", "note", "created", "expires", "revoked")
        return cls(link=link, **{name: getattr(invitation, name) for name in names})


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
