"""The records that plan, store and web exchange: frozen, without SQL and without HTML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

from similitude.collect.annotation.interface_languages import Language

__all__ = [
    "SCOPES",
    "Annotator",
    "AnnotatorRow",
    "AnnotatorState",
    "AnsweredPage",
    "ApiAccess",
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
    "LeaderInvitation",
    "LeaderRole",
    "LeaderSession",
    "LoggedIn",
    "Member",
    "MemberRole",
    "Option",
    "Problem",
    "Progress",
    "Purpose",
    "Question",
    "Result",
    "Saved",
    "Scope",
    "Sent",
    "Shown",
    "Skipped",
    "Source",
    "StudyState",
    "Work",
    "WorkKind",
]

Scope = Literal["read", "export", "people", "manage"]
SCOPES: tuple[Scope, ...] = ("read", "export", "people", "manage")
"""What a token of the REST API may do: look at progress and charts, read answers and comments, see and decide about
people, change the study."""
StudyState = Literal["draft", "open", "paused", "closed", "archived"]
"""The life of a study: see `store/study_life.py`."""
MemberRole = Literal["owner", "member"]
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
    "consent", "batch", "waiting", "paused", "closed", "later", "unreadable", "finished", "stopped", "declined",
    "excluded", "withdrawn",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question of a study, as planned.

    Attributes:
        key: its name, unique in the study.
        kind: work, or a kind with a known answer: gold, training, qualification.
        items: the items that it is about, each with its columns that are not null.
        expected: the right answer, as the task keeps answers; None for work.
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
    """What an annotator sees of a question, as plain text.

    Attributes:
        left: the first text; None where each option has its own.
        right: the second text; None where there are options.
        context: the turns of a dialogue before ``left``, oldest first, without ``left`` itself.
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
    """A problem with a submitted form: the key of a message, and the values for its braces.

    ``field`` is the form's field ("" for the whole form); ``position`` is the question's place in its batch.
    """

    field: str
    key: str
    values: Mapping[str, Any] = {}
    position: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotator:
    """One annotator. ``id`` is the database's; people see only the pseudonym.

    Attributes:
        platform: what the platform needs at the end (for MTurk: assignmentId, turkSubmitTo).
        reason: a message key that says why they were stopped: "gold", "training", "qualification", "review".
        completion_code: for the platform that they came from; set once they are finished or stopped.
        person: their code across the studies of the server; None if nobody knows.
        reads: the languages that they said they read; None if they were not asked, and then all are dealt.
        survey_before: when they answered the survey before the work; ``survey_after`` the one after it.
    """

    id: int
    pseudonym: str
    source: Source
    state: AnnotatorState
    language: str | None = None
    platform: Mapping[str, str] = field(default_factory=dict)
    reason: str | None = None
    completion_code: str | None = None
    person: str | None = None
    reads: tuple[str, ...] | None = None
    survey_before: datetime | None = None
    survey_after: datetime | None = None
    created: datetime
    seen: datetime


class Entered(NamedTuple):
    """An annotator who entered, and the secret for their cookie. The database keeps only its hash."""

    annotator: Annotator
    session: str
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """Feedback on a training answer: whether it was right, and the right answer."""

    right: bool
    expected: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchQuestion:
    """A question in a batch. It does not say whether it is gold or a repeat: annotators must not know.

    Attributes:
        position: its place in the batch, from 1; addresses and forms use it.
        answer: the last saved answer; None if there is none.
        feedback: for an answered training question.
        comment: what they wrote about the question.
        skipped: why they skipped it; None if they did not, or answered it later.
    """

    position: int
    key: str
    version: int
    shown: Shown
    answer: Mapping[str, Any] | None = None
    feedback: Feedback | None = None
    comment: str = ""
    skipped: Skipped | None = None

    @property
    def settled(self) -> bool:
        """Whether it was answered or skipped."""
        return self.answer is not None or self.skipped is not None


class Skipped(NamedTuple):
    """Why a question was skipped: the reason, and for "other" the person's own words."""

    reason: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The questions that one annotator holds.

    Attributes:
        questions: all of them, or those of one page.
        size: how many there are in all; ``answered`` of them have an answer or were skipped.
        purpose: "work", "training", "qualification" or "preview".
        round: for training, the number of the round, from 1.
        touched: when the last answer came; at first, when it was dealt.
        paused: since when its annotator has a break; None without one.
        rested: the seconds of breaks so far.
        fresh: since when its annotator works without a break.
        pace: the annotator's usual seconds a question, from earlier batches.
    """

    id: int
    purpose: Purpose
    state: BatchState
    round: int = 1
    created: datetime
    expires: datetime
    sent: datetime | None = None
    touched: datetime | None = None
    paused: datetime | None = None
    rested: float = 0.0
    fresh: datetime | None = None
    pace: float | None = None
    questions: tuple[BatchQuestion, ...]
    size: int
    answered: int

    @property
    def complete(self) -> bool:
        """Whether all questions have an answer, so that the batch can be sent."""
        return self.answered == self.size

    @property
    def next_position(self) -> int:
        """The position of the first question without an answer, or of the last question."""
        open_ones = [question.position for question in self.questions if not question.settled]
        return open_ones[0] if open_ones else self.size


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What an annotator does next.

    Attributes:
        kind: "batch" comes with ``batch``. With "later" other people hold all questions, and some may come back. With
        "unreadable" the training or test has no question in the languages that they read. The others are states of the
        annotator or the study, each with a page.
        done: how many work questions they have answered in closed batches.
        elsewhere: languages that they do not read and that there is work in, if there is none in theirs.
    """

    kind: WorkKind
    annotator: Annotator
    batch: Batch | None = None
    done: int = 0
    elsewhere: tuple[str, ...] = ()


class Entry(NamedTuple):
    """One submitted answer: the position of the question, the form's fields, and the form's nonce.

    ``seconds`` is the time that the browser measured, if it did; ``comment`` what was written about the question.
    """

    position: int
    form: Mapping[str, str]
    nonce: str
    seconds: float | None = None
    comment: str = ""


class AnsweredPage(NamedTuple):
    """A page of answers that is on disk: who gave them, and the questions of the page after it."""

    annotator: Annotator
    saved: tuple[Saved, ...]
    following: Batch


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """The acknowledgement of one answer: it is on disk.

    Attributes:
        replayed: the same form was saved before; nothing new was written.
        late: the batch had timed out, but the answer was still accepted.
        answered: how many of the batch's ``size`` questions have an answer now.
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
    """The result of training or qualification: ``right`` of ``of`` so far. ``passed`` is None until it is decided."""

    right: int
    of: int
    needed: float
    passed: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """The acknowledgement of a whole batch. ``annotator`` has the state after it, which may be stopped."""

    batch: int
    purpose: Purpose
    at: datetime
    replayed: bool
    result: Result | None = None
    annotator: Annotator


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of a study.

    Attributes:
        questions: work questions asked; ``complete`` of them have all their judgements.
        wanted: judgements wanted, second round included; ``done``, ``held`` and ``free`` add up to it. Those of
            excluded people are not among them.
        rate: judgements per hour, from the first one of the last 24 hours until now; nan for fewer than five.
        expected: when the last judgement arrives at this rate; None if unknown.
        second_round: questions in their second round; ``undecided`` may still get one.
        annotators: how many are in each state.
        skipped: how often a work question was skipped, and not answered later by the same person.
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
    skipped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorRow:
    """One line of the leader's table of annotators.

    Attributes:
        answered: work questions answered.
        gold_right: right answers to the ``gold_asked`` gold questions.
        repeats_same: repeats answered as before, of ``repeats_asked``.
        seconds: median time per question; nan if unknown.
        flags: message keys: "gold_low", "inconsistent", "fast", "one_sided", "skips", "times".
        skipped: work questions skipped.
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
    skipped: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """An invitation link. ``token`` is its secret, present only when it has just been made.

    ``limit`` is how many people may use it; None means as many as the study takes.
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


LeaderRole = Literal["admin", "owner", "member"]
"""What somebody is in a study: an admin of the server, or an owner or a member of the study."""


class Leader(NamedTuple):
    """Someone who leads studies. An ``admin`` leads all studies of the server."""

    id: int
    name: str
    admin: bool = False


class ApiAccess(NamedTuple):
    """What a token of the REST API may do: for whom, in which scopes, and in which study (None: all of theirs)."""

    leader: Leader
    scopes: tuple[str, ...]
    slug: str | None


class LoggedIn(NamedTuple):
    """A login: the secret for the cookie, and whether nothing else is asked. If not, a code has to follow."""

    session: str
    proven: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderSession:
    """A session of a leader. ``agent`` is what the browser calls itself; ``here`` marks the one that asks."""

    id: str
    agent: str
    created: datetime
    seen: datetime
    expires: datetime
    here: bool


class Member(NamedTuple):
    """A leader's part in one study of a server with many: an owner also closes it and chooses its leaders."""

    name: str
    role: MemberRole


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderInvitation:
    """A link by which somebody becomes a leader. ``token`` is its secret, present only when it has just been made.

    Attributes:
        admin: whether they will lead all studies.
        slug: the study that they will lead; None for none yet.
        role: their part in that study.
    """

    id: int
    token: str | None = None
    admin: bool
    slug: str | None
    role: MemberRole | None
    created: datetime
    expires: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiToken:
    """A leader's token for the REST API. ``token`` is the secret, present only when it has just been made."""

    id: int
    token: str | None = None
    leader: str
    note: str
    scopes: tuple[str, ...]
    slug: str | None
    created: datetime
    expires: datetime | None
    revoked: datetime | None


class AuditEntry(NamedTuple):
    """An entry of the audit log. ``subject`` is the annotator, invitation or leader; None once withdrawn."""

    at: datetime
    by: str
    what: str
    subject: str | None
    detail: Mapping[str, Any]
