"""The TOML files of studies: which there are, and a system that joins one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from similitude.data.reading.toml_file import TomlFile
from similitude.data.writing.atomic import write_atomically
from similitude.errors import ArgumentError, InputError, SimilitudeError
from similitude.study.study_plan import StudyPlan, read_study
from similitude.systems import make_system

__all__ = ["StudyFile", "add_system", "study_files"]


class StudyFile(NamedTuple):
    """A file with a study; an error if it cannot be read."""

    path: Path
    plan: StudyPlan | None
    error: str


def study_files(folder: str | Path) -> Iterator[StudyFile]:
    """The studies in a folder and below; TOML files that are something else are left out.

    Raises:
        InputError: there is no such folder.
    """
    root = Path(folder)
    if not root.is_dir():
        what = "is not a folder" if root.exists() else "there is no such folder"
        remedy = "name a folder with studies; those of the papers are in studies/ of a clone of the repository"
        raise InputError(what, where=str(root), remedy=remedy)
    for path in sorted(root.rglob("*.toml")):
        try:
            yield StudyFile(path, read_study(path), "")
        except SimilitudeError as error:
            if "tables" in _keys(path):
                yield StudyFile(path, None, str(error))


def _keys(path: Path) -> set[str]:
    try:
        return set(TomlFile.read(path).values)
    except SimilitudeError:
        return set()


def add_system(path: str | Path, system: str, name: str) -> StudyPlan:
    """Write a system into a study, so that it joins every table; all else in the file stays as it is.

    Args:
        path: the study.
        system: as a user writes it.
        name: in tables.

    Raises:
        ArgumentError: the study has a system of that name, or the system cannot be made.
        InputError: the file is no study.
    """
    file = TomlFile.read(path)
    plan = read_study(path)
    if "tables" not in file.values:
        remedy = "name a file with [[tables]]; a plan of one table takes it under its own key"
        raise ArgumentError(f"{file.path.name} has no tables that a system could join", remedy=remedy)
    taken = {row for table in plan.tables for row in getattr(table, "systems", ()) if row not in plan.systems}
    if name in plan.systems or name in taken:
        raise ArgumentError(f"there is a system '{name}' in this study", remedy="give another --name")
    make_system(system)
    line = f"{_key(name)} = {_quoted(system)}\n"
    found = re.search(r"^\[systems\][^\n]*\n", file.text, flags=re.MULTILINE)
    first = re.search(r"^\[", file.text, flags=re.MULTILINE)
    if found:
        text = file.text[: found.end()] + line + file.text[found.end() :]
    else:
        place = first.start() if first else len(file.text)
        text = file.text[:place] + f"[systems]\n{line}\n" + file.text[place:]
    write_atomically(file.path, lambda draft: draft.write_text(text, encoding="utf-8"))
    return read_study(path)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _quoted(name)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
