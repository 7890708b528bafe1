"""What a save would change: the lines of the study's file and of its texts, before and after."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, NamedTuple

from similitude.collect.annotation.drafts.draft import PLAN, inside
from similitude.collect.annotation.plan.comments import comments_in
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.writer import toml_of

__all__ = ["ChangedFile", "ChangedLine", "changes_of"]

Kind = Literal["same", "new", "gone", "gap"]
KINDS: Mapping[str, Kind] = {" ": "same", "+": "new", "-": "gone"}


class ChangedLine(NamedTuple):
    """A line of a file: as before, new, or gone; "gap" stands for lines that are left out."""

    kind: Kind
    text: str


class ChangedFile(NamedTuple):
    """A file that a save would change."""

    name: str
    lines: tuple[ChangedLine, ...]


def changes_of(folder: Path, plan: StudyPlan, texts: Mapping[str, str] | None = None) -> list[ChangedFile]:
    """The files that a save would change, with their lines.

    Args:
        folder: the study's folder.
        plan: the plan that would be written.
        texts: texts that would be written, by the name of their file.
    """
    old = (folder / PLAN).read_text(encoding="utf-8-sig")
    files = {PLAN: (old, toml_of(plan, comments=comments_in(old)))}
    for name, text in (texts or {}).items():
        path = inside(folder, name)
        files[name] = (path.read_text(encoding="utf-8-sig") if path.exists() else "", text)
    compared = (ChangedFile(name, tuple(_lines(before, after))) for name, (before, after) in files.items())
    return [file for file in compared if file.lines]


def _lines(before: str, after: str) -> Iterator[ChangedLine]:
    told = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    for number, line in enumerate(told):
        if number < 2:  # the names of the files
            continue
        if line.startswith("@@"):
            yield ChangedLine("gap", "")
        else:
            yield ChangedLine(KINDS[line[0]], line[1:])
