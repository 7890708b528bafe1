"""What the annotation server's rooms hand each other: frozen records, without SQL and without HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

__all__ = [
    "Annotator",
    "AnnotatorRow",
    "AnnotatorState",
    "ApiToken",
    "AuditEntry",
    "Batch",
    "BatchQuestion",
    "BatchState",
    "Entered",
    "Entry",
    "Feedback",
    "Invitation",
    "Kind",
    "Language",
    "Leader",
    "Option",
    "Problem",
    "Progress",
    "Purpose",
    "Question",
    "Result",
    "Saved",
    "Sent",
    "Shown",
    "Source",
    "StudyState",
    "Work",
    "WorkKind",
]

Language = Literal["en", "de", "zh"]
"""A language that the interface speaks."""
StudyState = Literal["open", "paused", "closed"]
Source = Literal["invitation", "open", "prolific", "mturk", "preview", "import"]
Kind = Literal["work", "gold", "training", "qualification"]
Purpose = Literal["work", "gold", "repeat", "training", "qualification", "preview"]
BatchState = Literal["open", "sent", "expired"]
AnnotatorState = Literal[
    "invited",  # came in, has not consented yet
    "training",
    "qualification",
    "waiting",  # sent the qualification, which a leader reads
    "active",
    "finished",  # nothing is left for them, or they took the most they may
    "stopped",  # below a threshold; `reason` says which
    "declined",  # did not consent, or opted out; what was answered before stays
    "excluded",
    "withdrawn",  # answers and identity deleted
]
WorkKind = Literal[
    "consent", "batch", "waiting", "paused", "closed", "later", "finished", "stopped", "declined", "excluded",
    "withdrawn",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of a study as planned.

    Attributes:
        key: its name, unique among the study's questions of every kind.
        kind: work, or one of those with a known answer: gold, training, qualification.
        items: the items that it is about, each with the columns of an item that are not null.
        expected: the right answer, in the form of an answer of the task; None for work.
    """

    key: str
    kind: Kind = "work"
    items: tuple[Mapping[str, Any], ...]
    expected: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One of the texts to choose from; ``left`` is set where the options do not share it."""

    id: str
    text: str
    left: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What an annotator sees of a question, ready to be rendered; nothing in it is markup.

    Attributes:
        left: the first text; None where every option brings its own.
        right: the second text; None where there are options.
        context: the turns of a dialogue before ``left``, oldest first (``left`` itself is not repeated here).
        condition: the respect in which to compare.
        options: the texts to choose from, in the order in which this annotator sees them.
        language: of the texts, where known.
    """

    left: str | None = None
    right: str | None = None
    context: tuple[str, ...] = ()
    condition: str | None = None
    options: tuple[Option, ...] = ()
    language: str | None = None


class Problem(NamedTuple):
    """Something wrong with a submitted form: a message key that the web translates, and what to put into it.

    ``field`` is the form's field ("" for the whole form); ``position`` the question's place in its batch.
    """

    field: str
    key: str
    values: Mapping[str, Any] = {}
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotator:
    """One annotator. ``id`` is the database's; people see the pseudonym alone.

    Attributes:
        reason: a message key that says why they were stopped: "gold", "training", "qualification", "review".
        completion_code: for the platform they came from; set once they are finished or stopped.
        platform: what the platform's completion needs (for MTurk: assignmentId, turkSubmitTo), else empty.
    """

    id: int
    pseudonym: str
    source: Source
    state: AnnotatorState
    language: str | None = None
    reason: str | None = None
    completion_code: str | None = None
    platform: Mapping[str, str] = field(default_factory=dict)
    created: datetime
    seen: datetime


class Entered(NamedTuple):
    """An annotator who came in, and the secret for their cookie; it is shown here once and kept only as a hash."""

    annotator: Annotator
    session: str
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """What a training answer was worth: shown at once, with the right answer."""

    right: bool
    expected: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchQuestion:
    """A question in a batch. Says nothing of gold or repeats: annotators must not be able to tell.

    Attributes:
        position: its place in the batch, from 1; how it is named in addresses and forms.
        answer: what was saved last, None so far.
        feedback: for an answered training question.
    """

    position: int
    key: str
    version: int
    shown: Shown
    answer: Mapping[str, Any] | None = None
    feedback: Feedback | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one annotator holds to answer.

    Attributes:
        purpose: "work", "training", "qualification" or "preview".
        round: of a training batch: which of the rounds, from 1.
    """

    id: int
    purpose: Purpose
    state: BatchState
    round: int = 1
    created: datetime
    expires: datetime
    sent: datetime | None = None
    questions: tuple[BatchQuestion, ...]

    @property
    def answered(self) -> int:
        """How many have an answer."""
        return sum(question.answer is not None for question in self.questions)

    @property
    def complete(self) -> bool:
        """Whether all have an answer, so that it can be sent."""
        return self.answered == len(self.questions)

    @property
    def next_position(self) -> int:
        """The place of the first question without an answer; of the last one where all have."""
        open_ones = [question.position for question in self.questions if question.answer is None]
        return open_ones[0] if open_ones else len(self.questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What an annotator has to do next.

    Attributes:
        kind: "batch" comes with ``batch``; "later": nothing is free now but may be again (others hold it); the rest
            are states of annotator or study that the web has a page for.
        done: how many work questions they have answered in closed batches.
    """

    kind: WorkKind
    annotator: Annotator
    batch: Batch | None = None
    done: int = 0


class Entry(NamedTuple):
    """One submitted answer: which question of the batch, the form's fields, and the form's nonce.

    ``seconds`` is what the browser measured, where it did.
    """

    position: int
    form: Mapping[str, str]
    nonce: str
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """The acknowledgement of one answer: it is on disk.

    Attributes:
        replayed: the same form had been saved before; nothing new was written.
        late: the batch had timed out, and the answer was still welcome.
        answered: how many questions of the batch have an answer now, of ``size``.
    """

    position: int
    answer: Mapping[str, Any]
    at: datetime
    seconds: float | None
    replayed: bool = False
    late: bool = False
    feedback: Feedback | None = None
    answered: int
    size: int


class Result(NamedTuple):
    """How a training round or a qualification went: ``right`` of ``of`` so far; ``passed`` None: not decided yet."""

    right: int
    of: int
    needed: float
    passed: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The acknowledgement of a whole batch; ``annotator`` as they stand now (perhaps stopped: tell them why)."""

    batch: int
    purpose: Purpose
    at: datetime
    replayed: bool
    annotator: Annotator
    result: Result | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a study is.

    Attributes:
        questions: work questions asked; ``complete`` of them have every judgement that is wanted.
        wanted: judgements wanted, second round included; ``done``, ``held`` and ``free`` add up to it.
        rate: judgements an hour, from the first one of the last 24 hours until now; nan for fewer than five.
        expected: when the last judgement will be in at this rate; None where unknown.
        second_round: questions reopened for a second round; ``undecided`` may still be.
        annotators: how many are in each state.
    """

    state: StudyState
    questions: int
    complete: int
    wanted: int
    done: int
    held: int
    free: int
    rate: float
    expected: datetime | None
    second_round: int
    undecided: int
    annotators: Mapping[str, int]
    last_answer: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorRow:
    """One line of the leader's table of annotators.

    Attributes:
        answered: work questions answered.
        gold_right: right gold questions of ``gold_asked``.
        repeats_same: repeats answered as before, of ``repeats_asked``.
        seconds: median time for a question; nan where unknown.
        flags: message keys: "gold_low", "inconsistent", "fast", "one_sided".
    """

    annotator: Annotator
    answered: int
    gold_asked: int
    gold_right: int
    repeats_asked: int
    repeats_same: int
    seconds: float
    excluded: bool
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """A link that lets people in. ``token`` is the secret, present only when it has just been made.

    ``limit`` None means open to anyone who has it, up to the study's own limit.
    """

    id: int
    token: str | None = None
    limit: int | None
    used: int
    note: str
    annotator: str | None = None
    created: datetime
    expires: datetime | None
    revoked: datetime | None


class Leader(NamedTuple):
    """Someone who leads the study."""

    id: int
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """A leader's token for the REST API. ``token`` is the secret, present only when it has just been made."""

    id: int
    token: str | None = None
    leader: str
    note: str
    created: datetime
    expires: datetime | None
    revoked: datetime | None


class AuditEntry(NamedTuple):
    """Who did what when. ``subject`` is the annotator, invitation or leader concerned; None once withdrawn."""

    at: datetime
    by: str
    what: str
    subject: str | None
    detail: Mapping[str, Any]
