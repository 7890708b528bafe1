"""What the store refuses, as one tree; each says by ``status`` how the web answers.

::

    SimilitudeError
    └── Refused
        ├── NotYours           403  a batch or a question that was dealt to somebody else
        ├── NotNow             403  the study is paused or closed, or the annotator may not work (any more)
        ├── NotAdmitted        403  an invitation that is unknown, used up, expired or revoked; a study that is full
        ├── NotThere           404  no such batch, question, annotator, invitation, leader
        ├── Conflict           409  the batch is sent, the slot has gone to somebody else, the name is taken
        ├── InvalidAnswer      422  the form's fields do not make an answer; ``problems`` says which and why
        ├── Unacceptable       422  a value that no database holds: a number too large, a null character
        └── StoreUnavailable   503  the database cannot be reached now; nothing was acknowledged
            └── StorageFull    507  no room on the disk

``key`` is a message key for the annotator's language; ``str(error)`` is English, for leaders and logs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from similitude.collect.annotation.records import Problem
from similitude.errors import SimilitudeError

__all__ = [
    "Conflict",
    "InvalidAnswer",
    "NotAdmitted",
    "NotNow",
    "NotThere",
    "NotYours",
    "Refused",
    "StorageFull",
    "StoreUnavailable",
    "Unacceptable",
]


class Refused(SimilitudeError):  # noqa: N818 - named for what happened, as its children are
    """The store did not do what was asked, and nothing was changed."""

    status: ClassVar[int] = 400

    def __init__(self, key: str, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.key = key


class NotYours(Refused):
    """A batch or a question that was dealt to somebody else. Keys: ``not_yours``."""

    status = 403


class NotNow(Refused):
    """Not in this state of study or annotator. Keys: ``paused``, ``closed``, ``not_active``, ``no_consent``."""

    status = 403


class NotAdmitted(Refused):
    """Nobody comes in this way.

    Keys: ``invitation_unknown``, ``invitation_used``, ``invitation_expired``, ``invitation_revoked``, ``study_full``,
    ``entry_closed``.
    """

    status = 403


class NotThere(Refused):
    """There is no such thing.

    Keys: ``no_batch``, ``no_question``, ``no_annotator``, ``no_invitation``, ``no_leader``, ``no_token``, ``no_study``.
    """

    status = 404


class Conflict(Refused):
    """It has gone another way meanwhile.

    Keys: ``batch_sent``, ``slot_taken``, ``training_final``, ``batch_incomplete``, ``batch_expired``, ``name_taken``,
    ``state``.
    """

    status = 409


class InvalidAnswer(Refused):
    """The form's fields do not make an answer."""

    status = 422

    def __init__(self, problems: Sequence[Problem]) -> None:
        named = ", ".join(f"{problem.field or 'form'}: {problem.key}" for problem in problems)
        super().__init__("invalid_answer", f"the form does not make an answer ({named})")
        self.problems = tuple(problems)


class Unacceptable(Refused):
    """A value that the database cannot hold: a number too large, a null character, half a surrogate."""

    status = 422

    def __init__(self) -> None:
        super().__init__("unacceptable", "a value that the database cannot hold", remedy="send plain text and numbers")


class StoreUnavailable(Refused):
    """The database cannot be reached now; nothing was acknowledged, and trying again is safe."""

    status = 503

    def __init__(self, what: str, *, key: str = "unavailable", remedy: str = "") -> None:
        super().__init__(key, what, remedy=remedy or "try again; what was acknowledged before is kept")


class StorageFull(StoreUnavailable):
    """There is no room for another answer; what was acknowledged before is kept."""

    status = 507

    def __init__(self, what: str) -> None:
        super().__init__(what, key="storage_full", remedy="make room on the database's disk")
