"""``similitude annotate open``, ``pause``, ``resume``, ``close`` and ``archive``: the life of a study."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from similitude.cli.annotate import DatabaseOption, StudyFile, say
from similitude.cli.annotation_place import BY, find_place, now

if TYPE_CHECKING:
    from pathlib import Path

    from similitude.collect.annotation.records import StudyState

__all__ = ["archive", "close", "open_", "pause", "resume"]


def open_(study: StudyFile, /, *, database: DatabaseOption = None) -> None:
    """Open a draft: from now on people can enter.

    Example: similitude annotate open studies/replies
    """
    _set_state(study, database, "open")


def pause(
    study: StudyFile,
    /,
    *,
    close: Annotated[bool, Parameter(help="Accept no more answers either, as `annotate close` does.")] = False,
    database: DatabaseOption = None,
) -> None:
    """Hand out no new work. People may finish what they have.

    Example: similitude annotate pause study.toml
    """
    _set_state(study, database, "closed" if close else "paused")


def resume(study: StudyFile, /, *, database: DatabaseOption = None) -> None:
    """Resume after a pause, or open a closed study again.

    Example: similitude annotate resume study.toml
    """
    _set_state(study, database, "open")


def close(study: StudyFile, /, *, database: DatabaseOption = None) -> None:
    """Accept no more answers. A closed study can be resumed. An archived study is taken out of the archive.

    Example: similitude annotate close studies/replies
    """
    _set_state(study, database, "closed")


def archive(study: StudyFile, /, *, database: DatabaseOption = None) -> None:
    """Make a closed study read-only and hide it from the list of studies. `annotate close` takes it back.

    Example: similitude annotate archive studies/replies
    """
    _set_state(study, database, "archived")


def _set_state(study: Path, database: str | None, state: StudyState) -> None:
    from similitude.collect.annotation.store import set_state

    with find_place(study, database).study() as db:
        there = set_state(db, state, now=now(), by=BY)
    say(f"'{there.plan.name}' is {there.state}")
