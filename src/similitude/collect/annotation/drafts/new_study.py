"""New studies: from an uploaded file and a template, or as a copy of another study."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from similitude.collect.annotation.drafts.draft import PLAN, copy_study, read_draft
from similitude.collect.annotation.drafts.estimate import check_plan
from similitude.collect.annotation.drafts.shown_reading import ShownReading, check_rows, look_at
from similitude.collect.annotation.drafts.study_templates import lay_out_template, template_plan
from similitude.collect.annotation.drafts.tuple_design import with_tuples
from similitude.collect.annotation.drafts.uploads import store_upload
from similitude.collect.annotation.plan.models import ReadingPlan, StudyPlan
from similitude.collect.annotation.plan.writer import write_plan
from similitude.errors import SimilitudeError

__all__ = ["Upload", "fill_copy", "fill_new", "likely_template", "study_name"]

FACTORS = (1.5, 1.0, 0.75, 0.5)
"""Tuples per item that are tried, where twice as many as items do not exist: four texts make only four triples."""


class Upload(NamedTuple):
    """An uploaded file: its content, the name that the browser sent, and the largest size in bytes."""

    content: BinaryIO
    name: str
    limit: int


def study_name(written: str) -> str:
    """A name that a plan takes, made of a title or of the name of a file.

    >>> study_name("my pairs (v2).csv"), study_name("???")
    ('my pairs v2', 'study')
    """
    stem = re.sub(r"\.[A-Za-z0-9]{1,7}$", "", written)
    return re.sub(r"[^\w .-]+", "", stem).strip(" .-")[:100] or "study"


def fill_new(folder: Path, upload: Upload, *, template: str = "", name: str = "", language: str = "en") -> None:
    """Lay out a new study: the uploaded file, the files of the template, and the plan.

    Args:
        folder: an empty folder.
        upload: the items.
        template: one of `TEMPLATES`; by default the one that fits the columns.
        name: the study's name; by default that of the file.
        language: the language that is offered first to annotators.

    Raises:
        InputError: the file is not accepted, or holds more than a server can read.
        UnknownNameError: there is no such template.
    """
    stored = store_upload(upload.content, upload.name, folder, limit=upload.limit)
    shown = look_at(stored, ReadingPlan())
    check_rows(shown)
    chosen = template or likely_template(shown)
    plan = _planned(chosen, stored, study_name(name or upload.name), language)
    lay_out_template(chosen, folder, language)
    write_plan(plan, folder / PLAN)
    if chosen != "pairs" and shown.problem is None and check_plan(folder).problem is not None:
        _fall_back(folder, stored, plan, language, asked=bool(template))


def _fall_back(folder: Path, stored: Path, plan: StudyPlan, language: str, *, asked: bool) -> None:
    """Fewer tuples per item, where there are too few texts for the usual number, else plain pairs unless asked."""
    if plan.annotation_task().several_items and _with_fewer_tuples(folder):
        return
    if asked:
        return
    lay_out_template("pairs", folder, language)
    write_plan(_planned("pairs", stored, plan.name, language), folder / PLAN)


def _with_fewer_tuples(folder: Path) -> bool:
    draft = read_draft(folder)
    for factor in FACTORS:
        with suppress(SimilitudeError):
            draft.save(with_tuples(draft, draft.plan, factor))
            return True
    return False


def _planned(template: str, stored: Path, name: str, language: str) -> StudyPlan:
    plan = template_plan(template)
    first = [each for each in plan.languages if each == language]
    languages = (*first, *(each for each in plan.languages if each != language))
    return plan.model_copy(update={"name": name, "items": stored.name, "languages": languages})


def likely_template(shown: ShownReading) -> str:
    """The template that fits the columns of a file.

    Conditions are verified, dialogues are for best-worst choices, and everything else is pairs to rate.
    """
    if shown.has("condition"):
        return "csts-verification"
    return "giccs" if shown.has("context") else "pairs"


def fill_copy(folder: Path, source: Path, *, name: str) -> None:
    """Lay out a copy of another study, under a name of its own and without answers.

    Raises:
        InputError: the other study's plan, or a file that it names, cannot be read.
    """
    copy_study(source, folder)
    draft = read_draft(folder)
    write_plan(draft.plan.model_copy(update={"name": study_name(name or f"{draft.plan.name} copy")}), folder / PLAN)
