"""The life of a study: draft, open, paused, closed, archived.

::

    draft ──> open <──> paused
                │  ╲      │
                │   ╲     │
                └──> closed <──> archived

A draft admits nobody but previews. A paused study gives out no new work, but people may finish what they hold. A closed
study accepts no answers. An archived study cannot be changed at all, and lists hide it. A closed study can be reopened,
and an archived one brought back; every change is logged.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa

from similitude.collect.annotation.records import StudyState
from similitude.collect.annotation.store.audit import record
from similitude.collect.annotation.store.database import Database, writing
from similitude.collect.annotation.store.refusals import Conflict
from similitude.collect.annotation.store.study_record import StudyRecord, study_in
from similitude.collect.annotation.store.tables import study

__all__ = ["ENDED", "NEXT_STATES", "OWNERS_ONLY", "set_state"]

NEXT_STATES: Mapping[StudyState, tuple[StudyState, ...]] = {
    "draft": ("open", "archived"),
    "open": ("paused", "closed"),
    "paused": ("open", "closed"),
    "closed": ("open", "archived"),
    "archived": ("closed",),
}
"""The states that may follow each state."""
OWNERS_ONLY: tuple[StudyState, ...] = ("closed", "archived")
"""Only owners (and admins) bring a study into these states, or out of them."""
ENDED: tuple[StudyState, ...] = ("closed", "archived")
"""Studies in these states accept no answers."""


def set_state(db: Database, state: StudyState, *, now: datetime, by: str) -> StudyRecord:
    """Bring the study into a state; nothing happens if it is in that state already.

    Raises:
        Conflict: that state cannot follow the present one.
    """
    with writing(db) as connection:
        before = study_in(db, connection).state
        if before == state:
            return study_in(db, connection)
        _check(before, state)
        connection.execute(sa.update(study).values(state=state))
        record(connection, "study_state", now=now, by=by, detail={"from": before, "to": state})
        return study_in(db, connection)


def _check(before: StudyState, state: StudyState) -> None:
    if state not in NEXT_STATES:
        raise Conflict("state", f"no state '{state}'", remedy=f"use {', '.join(NEXT_STATES)}")
    if state not in NEXT_STATES[before]:
        after = " or ".join(NEXT_STATES[before])
        raise Conflict("state", f"a study that is {before} cannot become {state}", remedy=f"it can become {after}")
