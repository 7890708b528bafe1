"""The store's refusals, as one tree. ``status`` is the HTTP status of the response.

::

    SimilitudeError
    └── Refused
        ├── NotYours           403  a batch or a question of somebody else
        ├── NotNow             403  the study is paused or closed, or the annotator may not work
        ├── NotAdmitted        403  an invitation that is unknown, used up, expired or revoked; a study that is full
        ├── NotThere           404  there is no such batch, question, annotator, invitation or leader
        ├── Conflict           409  the batch was sent, somebody else holds the slot, the name is taken
        ├── InvalidAnswer      422  the form is not a valid answer; ``problems`` says why
        ├── Unacceptable       422  a value that no database can hold: too large a number, a null character
        └── StoreUnavailable   503  the database cannot be reached; nothing was acknowledged
            └── StorageFull    507  the disk is full

``key`` is the key of a message in the annotator's language; ``str(error)`` is English, for leaders and logs.
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
    """The store refused the call; nothing was changed."""

    status: ClassVar[int] = 400

    def __init__(self, key: str, what: str, *, where: str = "", remedy: str = "") -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.key = key


class NotYours(Refused):
    """A batch or a question of somebody else. Keys: ``not_yours``."""

    status = 403


class NotNow(Refused):
    """The study's or annotator's state forbids it.

    Keys: ``paused``, ``closed``, ``not_active``, ``no_consent``, ``no_skip``, ``skip_limit``, ``no_breaks``,
    ``break_used``.
    """

    status = 403


class NotAdmitted(Refused):
    """Entry is refused.

    Keys: ``invitation_unknown``, ``invitation_used``, ``invitation_expired``, ``invitation_revoked``, ``study_full``,
    ``entry_closed``.
    """

    status = 403


class NotThere(Refused):
    """There is no such thing.

    Keys: ``no_batch``, ``no_question``, ``no_annotator``, ``no_invitation``, ``no_leader``, ``no_token``, ``no_study``,
    ``no_bonus_list``.
    """

    status = 404


class Conflict(Refused):
    """Something has changed in the meantime.

    Keys: ``batch_sent``, ``slot_taken``, ``training_final``, ``batch_incomplete``, ``batch_expired``, ``name_taken``,
    ``state``, ``bonus_list_ended``.
    """

    status = 409


class InvalidAnswer(Refused):
    """The form is not a valid answer."""

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
    """The database cannot be reached. Nothing was acknowledged, and trying again is safe."""

    status = 503

    def __init__(self, what: str, *, key: str = "unavailable", remedy: str = "") -> None:
        super().__init__(key, what, remedy=remedy or "try again; what was acknowledged before is kept")


class StorageFull(StoreUnavailable):
    """The disk is full. Everything that was acknowledged before is kept."""

    status = 507

    def __init__(self, what: str) -> None:
        super().__init__(what, key="storage_full", remedy="make room on the database's disk")
