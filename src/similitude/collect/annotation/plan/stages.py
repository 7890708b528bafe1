"""Stages: a study that follows another one, checked against the plan of the earlier study."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from similitude.collect.annotation.plan.models import Follows, StudyPlan
from similitude.data.reading.toml_file import TomlFile
from similitude.errors import InputError

__all__ = ["check_stages", "earlier_file", "earlier_files", "is_folder_name"]

PLAN = "study.toml"
SOURCES = {
    "conditions": ("conditions", "written conditions"),
    "accepted": ("verification", "verified items"),
    "contentious": ("rating", "contentious items"),
}
"""What is taken: the task of the study that has it, and its name in messages."""
LONGEST_CHAIN = 20


def is_folder_name(name: str) -> bool:
    """Whether a study is named by its folder, not by the path of its file.

    >>> is_folder_name("write"), is_folder_name("../write/study.toml"), is_folder_name("write.toml")
    (True, False, False)
    """
    return not name.endswith(".toml") and "/" not in name and os.sep not in name


def earlier_file(follows: Follows, plan_file: Path) -> Path:
    """The TOML file of the earlier study.

    Args:
        follows: the section of the plan.
        plan_file: the TOML file of the study that follows.
    """
    folder = plan_file.absolute().parent
    if is_folder_name(follows.study):
        return folder.parent / follows.study / PLAN
    return Path(os.path.normpath(folder / follows.study))


def check_stages(plan: StudyPlan, written: TomlFile) -> list[str]:
    """Check what a study takes from an earlier one; returns notes that explain the stages.

    Raises:
        InputError: the earlier study cannot be read, is this one, follows this one, or has nothing of that kind.
    """
    follows = plan.follows
    if follows is None:
        return []
    where = written.where(("follows", "study"))
    earlier = _plan_of(earlier_file(follows, written.path), where)
    _check_chain(written.path.absolute(), where)
    _check_taken(follows, earlier, written)
    return _notes(plan, follows, earlier)


def _plan_of(path: Path, where: str) -> StudyPlan:
    if not path.is_file():
        what = f"no study at {path.parent.name}/{path.name}"
        remedy = 'name the folder of a study beside this one, or the path of its file: "../write/study.toml"'
        raise InputError(what, where=where, remedy=remedy)
    return TomlFile.read(path).validated(StudyPlan)


def earlier_files(plan_file: Path) -> list[Path]:
    """The TOML files of the studies before a study, the nearest first; a circle ends where it closes."""
    seen = [plan_file.absolute()]
    while len(seen) <= LONGEST_CHAIN:
        before = _earlier_of(seen[-1])
        if before is None:
            break
        seen.append(before)
        if _same(before) in map(_same, seen[:-1]):
            break
    return seen[1:]


def _check_chain(first: Path, where: str) -> None:
    """Refuse a circle of studies."""
    chain = earlier_files(first)
    if len(chain) >= LONGEST_CHAIN:
        raise InputError(f"a chain of {LONGEST_CHAIN} studies", where=where, remedy="make it shorter")
    if len({_same(each) for each in (first, *chain)}) <= len(chain):
        what = "the study follows itself" if len(chain) == 1 else "the studies follow each other in a circle"
        raise InputError(what, where=where, remedy="the first study of a chain follows none")


def _same(path: Path) -> str:
    return os.path.realpath(path)


def _earlier_of(file: Path) -> Path | None:
    try:
        section: Any = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("follows")
        return None if section is None else earlier_file(Follows.model_validate(section), file)
    except (OSError, ValueError):  # that study's own check says what is wrong with it
        return None


def _check_taken(follows: Follows, earlier: StudyPlan, written: TomlFile) -> None:
    needed, _ = SOURCES[follows.takes]
    task = earlier.annotation_task().name
    fits = task == needed or (follows.takes == "contentious" and task == "verification")
    if not fits:
        what = f"takes = '{follows.takes}' needs an earlier study of {needed}, and '{earlier.name}' is one of {task}"
        known = [takes for takes, (of, _) in SOURCES.items() if of == task]
        remedy = f'use takes = "{known[0]}"' if known else "follow another study"
        raise InputError(what, where=written.where(("follows", "takes")), remedy=remedy)


def _notes(plan: StudyPlan, follows: Follows, earlier: StudyPlan) -> list[str]:
    _, taken = SOURCES[follows.takes]
    wanted = f"each gets {plan.judgements} {'judgement' if plan.judgements == 1 else 'judgements'}"
    when = "as soon as they are final" if follows.when == "they come" else "once it is closed"
    notes = [f"the {taken} of '{earlier.name}' become questions {when}; {wanted}, none of them by its own authors"]
    if plan.access.open and plan.access.pool is None:
        notes.append(
            "open to anyone: a person of the earlier study who comes with another browser and no platform id is not "
            "recognised; [access] pool = ... or invitations keep strangers out"
        )
    return notes
