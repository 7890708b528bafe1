"""Templates of studies: those of the four papers that Similitude starts from, as packaged files."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.rating_scale import RatingScale
from similitude.errors import UnknownNameError

__all__ = ["TEMPLATES", "lay_out_template", "template_plan", "template_text"]

TEMPLATES = ("pairs", "giccs", "csts-conditions", "csts-verification", "usts")
"""The templates, in the order of the page; the first fits any pairs of texts."""

PLAN = "study.toml"


@cache
def template_plan(name: str) -> StudyPlan:
    """The plan of a template, without items.

    Raises:
        UnknownNameError: there is no such template.
    """
    return StudyPlan.model_validate(tomllib.loads(_folder(name).joinpath(PLAN).read_text(encoding="utf-8")))


def lay_out_template(name: str, folder: Path, language: str) -> None:
    """Copy the files of a template into a folder; of files in several languages that people judge, those of one.

    Args:
        name: one of `TEMPLATES`.
        folder: the folder of the new study.
        language: the language of the questions with a known answer.

    Raises:
        UnknownNameError: there is no such template.
    """
    for target, source in _files(_folder(name), language):
        content = source.read_bytes()
        if target.endswith(".md"):
            part, _, of_language = target.removesuffix(".md").rpartition(".")
            content = template_text(name, part, of_language).encode()
        (folder / target).write_bytes(content)


def template_text(name: str, part: str, language: str, scale: RatingScale | None = None) -> str:
    """A text of a template; empty if it has none in this language.

    Args:
        name: one of `TEMPLATES`.
        part: "guidelines" or "consent".
        language: its language.
        scale: the scale whose ends the text names; by default the template's.
    """
    source = _folder(name).joinpath(f"{part}.{language}.md")
    if not source.is_file():
        return ""
    ends = scale or template_plan(name).annotation_task().scale or RatingScale()
    written = source.read_text(encoding="utf-8")
    return written.replace("{low}", f"{ends.low:g}").replace("{high}", f"{ends.high:g}")


def _files(folder: Traversable, language: str) -> Iterator[tuple[str, Traversable]]:
    for source in folder.iterdir():
        stem, _, ending = source.name.rpartition(".")
        if ending != "jsonl":
            yield source.name, source
        elif stem.endswith(f".{language}"):
            yield f"{stem.removesuffix(f'.{language}')}.jsonl", source


def _folder(name: str) -> Traversable:
    if name not in TEMPLATES:
        raise UnknownNameError("template", name, TEMPLATES)
    return files(__package__).joinpath("templates", name)
