"""The plan of a release of data: everything that ``publish.toml`` or the options of ``similitude publish`` say.

::

    data = "gold.jsonl"
    name = "home-utterances-de"
    version = "1.0.0"
    language = ["de"]
    license = "CC-BY-4.0"
    authors = ["A. Person"]
    split = "train=0.7,dev=0.1,test=0.2"
    by = "stratified"
    judgements = "answers.jsonl"
    instructions = "instructions.md"
    baselines = ["levenshtein", "use-multilingual"]

Paths are relative to the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from similitude.data.reading.toml_file import TomlFile
from similitude.errors import ArgumentError
from similitude.study.plan_paths import beside, seen_from

__all__ = ["PLAN_FILE", "PLAN_HEAD", "ReleasePlan", "checked_plan", "plan_text", "read_plan"]

PLAN_FILE = "publish.toml"
PLAN_HEAD = "# similitude publish publish.toml makes this release again, byte for byte."
"""The first line of the plan that a release keeps; one that a user wrote is never replaced."""

TEXTS = ("citation", "description", "instructions", "construction", "limits", "license_text")
"""Keys whose value is a text or a file with it."""
LISTS = ("language", "authors", "tags", "source_datasets", "baselines", "measures")

Creators = Literal["crowdsourced", "expert-generated", "found", "machine-generated", "no-annotation", "other"]


class ReleasePlan(BaseModel):
    """A release of data, as it is asked for. See docs/publish.md for the meaning of each key."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    data: str | list[str] | None = None
    name: str | None = None
    version: str = "1.0.0"
    language: list[str] = Field(default_factory=list)
    license: str | None = None
    license_text: str | None = None
    license_name: str = ""
    authors: list[str] = Field(default_factory=list)
    citation: str = ""
    description: str = ""
    homepage: str = ""
    date: str = ""
    repo: str = ""
    tags: list[str] = Field(default_factory=list)
    split: str | None = None
    by: Literal["random", "group", "source", "stratified"] = "random"
    keep_together: Literal["texts", "pairs"] = "texts"
    resplit: bool = False
    allow_leaks: bool = False
    seed: int = Field(default=0, ge=0)
    judgements: str | None = None
    positions_are_people: bool = False
    keep_annotators: bool = False
    instructions: str = ""
    construction: str = ""
    limits: str = ""
    annotated_by: Creators | None = None
    texts_by: Creators | None = None
    source_datasets: list[str] = Field(default_factory=list)
    baselines: list[str] = Field(default_factory=list)
    measures: list[str] = Field(default_factory=list)
    evaluation_split: str | None = None
    reading: dict[str, Any] = Field(default_factory=dict)
    judgements_reading: dict[str, Any] = Field(default_factory=dict)

    @field_validator(*LISTS, mode="before")
    @classmethod
    def _one_is_a_list(cls, value: Any) -> Any:
        values = [value] if isinstance(value, str) else value
        return [each for each in values if each != ""] if isinstance(values, list) else values

    def facts(self) -> dict[str, Any]:
        """The keyword arguments of `checked_facts`, without language and licence, which data may state, too."""
        names = ("name", "version", "license_text", "license_name", "authors", "citation")
        more = ("description", "homepage", "date", "tags")
        return {name: getattr(self, name) for name in (*names, *more)} | {"repository": self.repo}


def read_plan(path: str | Path, given: Mapping[str, Any]) -> ReleasePlan:
    """A plan from a file; its paths become relative to the working folder, and options that were given win.

    Raises:
        InputError: the file does not exist or is not TOML, or a key is unknown or wrong.
    """
    file = TomlFile.read(path)
    plan = file.validated(ReleasePlan)
    moved = _moved(plan, lambda written: _beside(file.path, written))
    return checked_plan({**plan.model_dump(exclude_defaults=True), **moved, **given})


def checked_plan(keys: Mapping[str, Any]) -> ReleasePlan:
    """A plan from options or arguments.

    Raises:
        ArgumentError: a value is not valid; the message names its option.
    """
    try:
        return ReleasePlan.model_validate(keys)
    except ValidationError as error:
        first = error.errors()[0]
        what = f"--{str(first['loc'][0]).replace('_', '-')} {first['input']!r} is not valid: {first['msg'].lower()}"
        raise ArgumentError(what, remedy="see docs/publish.md for what it takes") from None


def _beside(file: Path, written: str) -> str:
    """A path relative to the plan's file, without dots in between; of a plan that was named from the root, too."""
    moved = beside(Path(os.path.relpath(file)), written)
    return moved if moved == written else os.path.normpath(moved)


def plan_text(plan: ReleasePlan, folder: Path, unnamed: Sequence[str] = ()) -> str:
    """The plan as a TOML file in a folder: only what is not the default, with paths relative to that folder.

    A comment tells what the plan cannot name.
    """
    moved = plan.model_copy(update=_moved(plan, lambda written: seen_from(folder, os.fspath(written))))
    values = moved.model_dump(exclude_defaults=True)
    tables = {name: value for name, value in values.items() if isinstance(value, dict)}
    lines = [f"{name} = {_toml(value)}" for name, value in values.items() if name not in tables]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{json.dumps(key)} = {_toml(value)}" for key, value in table.items())]
    missing = f"# What was given as an object in Python is not in it. Name it first: {', '.join(unnamed)}."
    return "\n".join([PLAN_HEAD, *([missing] if unnamed else []), *lines, ""])


def _moved(plan: ReleasePlan, path: Any) -> dict[str, Any]:
    """The keys that hold paths, with other paths; a text is no path unless there is such a file."""
    changed: dict[str, Any] = {}
    if plan.data is not None:
        changed["data"] = path(plan.data) if isinstance(plan.data, str) else [path(each) for each in plan.data]
    if plan.judgements is not None:
        changed["judgements"] = path(plan.judgements)
    for name in TEXTS:
        written = getattr(plan, name)
        if written and "\n" not in written and len(written) < 1000:
            there, here = path(written), Path(written).is_file()
            if here or Path(there).is_file() or Path(written).suffix.lower() in (".md", ".txt", ".bib"):
                changed[name] = there
    return changed


def _toml(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(each)}" for key, each in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)
