"""A study's folder as the browser edits it: the plan in its file, the texts beside it, and nothing else."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.writer import write_plan
from similitude.data.reading.toml_file import TomlFile
from similitude.data.writing.atomic import write_atomically
from similitude.errors import InputError

__all__ = ["PLAN", "Draft", "TextPart", "copy_study", "read_draft", "stamp_of"]

PLAN = "study.toml"
TextPart = Literal["guidelines", "consent"]
TEXT_PARTS: tuple[TextPart, ...] = ("guidelines", "consent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A study's folder and its plan; ``guidelines`` and ``consent`` of the plan hold names of files.

    Attributes:
        folder: the folder.
        plan: the plan, as the file has it.
        stamp: a hash of the file, by which a change by somebody else is noticed.
    """

    folder: Path
    plan: StudyPlan
    stamp: str

    @property
    def items(self) -> Path | None:
        """The file of items in the folder; None if there is none, or if the items are a sample or on the hub."""
        name = self.plan.items
        return None if name is None or ":" in name else self.folder / name

    def text(self, part: TextPart, language: str) -> str:
        """A text; empty if there is none.

        Raises:
            InputError: its file is outside of the folder, or cannot be read.
        """
        name = dict(getattr(self.plan, part)).get(language)
        if name is None:
            return ""
        path = inside(self.folder, name)
        try:
            return path.read_text(encoding="utf-8-sig") if path.exists() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"'{path.name}' cannot be read: {error}", remedy="save it as UTF-8") from None

    def save(self, plan: StudyPlan) -> Draft:
        """Write a changed plan, whole or not at all."""
        write_plan(plan, self.folder / PLAN)
        return read_draft(self.folder)


def read_draft(folder: Path) -> Draft:
    """A study's folder, with its plan checked key by key; the files that the plan names may still be missing.

    Raises:
        InputError: the file cannot be read, or has a key that is unknown or has a wrong value.
    """
    written = TomlFile.read(folder / PLAN)
    return Draft(folder=folder, plan=written.validated(StudyPlan), stamp=stamp_of(folder))


def stamp_of(folder: Path) -> str:
    """A hash of the plan's file."""
    return hashlib.sha256((folder / PLAN).read_bytes()).hexdigest()[:16]


def save_text(folder: Path, name: str, text: str) -> None:
    """Write a text beside the plan, whole or not at all.

    Raises:
        InputError: the name leads out of the folder.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip() + "\n"
    write_atomically(inside(folder, name), lambda draft: draft.write_text(lines, encoding="utf-8", newline="\n"))


def inside(folder: Path, name: str) -> Path:
    """The path of a file in the folder.

    Raises:
        InputError: the name leads out of the folder.
    """
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise InputError(f"'{name}' is outside of the study's folder", where=PLAN, remedy="move it into the folder")
    return path


def copy_study(source: Path, target: Path) -> None:
    """Copy a study's plan and the files that it names into another folder, without answers.

    Raises:
        InputError: a file that the plan names is missing or outside of the folder.
    """
    draft = read_draft(source)
    shutil.copyfile(source / PLAN, target / PLAN)
    for name in named_files(draft.plan):
        path = inside(source, name)
        if not path.is_file():
            raise InputError(f"'{name}' is missing", where=source.name, remedy="correct the study that is copied")
        goal = inside(target, name)
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, goal)
    # Notes of ours, such as that the guidelines have to be read again.
    for note in source.glob(".guidelines-*"):
        shutil.copyfile(note, target / note.name)


def named_files(plan: StudyPlan) -> Iterator[str]:
    """The names of the files that a plan names, in its folder."""
    listed = plan.second_round.items if plan.second_round else None
    known = [part.questions for part in (plan.gold, plan.training, plan.qualification) if part]
    tables = [plan.items, plan.questions, listed if isinstance(listed, str) else None, *known]
    texts = [name for part in TEXT_PARTS for name in getattr(plan, part).values()]
    prolific = plan.access.prolific
    keys = [prolific.jwks, prolific.public_key, prolific.secret_file] if prolific else []
    yield from (name for name in (*tables, *texts, *keys) if name and not name.startswith(("sample:", "hf:")))


def texts_in_folder(folder: Path, plan: StudyPlan) -> StudyPlan:
    """The plan with texts that lie in the folder under their usual names, for languages that name none."""
    changes = {part: dict(getattr(plan, part)) for part in TEXT_PARTS}
    for part, texts in changes.items():
        usual = {language: f"{part}.{language}.md" for language in plan.languages if language not in texts}
        texts |= {language: name for language, name in usual.items() if (folder / name).is_file()}
    return plan.model_copy(update={"guidelines": changes["guidelines"], "consent": changes["consent"]})
