"""Guidelines and the scale that they speak of: untouched ones follow it, others have to be looked at again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from similitude.collect.annotation.drafts.draft import Draft, TextPart
from similitude.collect.annotation.drafts.study_templates import TEMPLATES, template_text
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.errors import InputError

__all__ = ["check_guidelines", "earlier_scale", "note_scale", "read_again", "rescaled_texts", "template_of"]

NOTE = ".guidelines-of-scale"
"""A file beside the plan, with the ends of the scale for which the guidelines were written."""


def template_of(draft: Draft, part: TextPart, language: str) -> str | None:
    """The template whose text a study has, unchanged and for its scale; None if somebody wrote it."""
    held = draft.text(part, language).strip()
    scale = draft.plan.annotation_task().scale
    same = (each for each in TEMPLATES if held == template_text(each, part, language, scale).strip())
    return next(same, None)


def rescaled_texts(draft: Draft, plan: StudyPlan) -> dict[str, str]:
    """The guidelines that are a template's own, for the scale of a changed plan, by the name of their file."""
    if "" in (ends(draft.plan), ends(plan)) or ends(draft.plan) == ends(plan):
        return {}
    scale = plan.annotation_task().scale
    return {
        name: template_text(template, "guidelines", language, scale)
        for language, name in draft.plan.guidelines.items()
        if (template := template_of(draft, "guidelines", language)) is not None
    }


def note_scale(draft: Draft, plan: StudyPlan, texts: Mapping[str, str]) -> None:
    """Note that guidelines which stay as they are were written for the scale before this change."""
    note = draft.folder / NOTE
    before, after = ends(draft.plan), ends(plan)
    if note.exists() and note.read_text(encoding="utf-8") == after:
        note.unlink()
    elif before and after and before != after and not note.exists() and set(plan.guidelines.values()) - set(texts):
        note.write_text(before, encoding="utf-8")


def earlier_scale(folder: Path) -> str:
    """The ends of the scale for which the guidelines were written, where that is another one now; else empty."""
    note = folder / NOTE
    return note.read_text(encoding="utf-8") if note.exists() else ""


def check_guidelines(folder: Path) -> None:
    """Check that a draft's guidelines were looked at since its scale changed.

    Raises:
        InputError: they were not.
    """
    before = earlier_scale(folder)
    if before:
        remedy = "look at the texts in the study's settings, and save them"
        raise InputError(f"the guidelines were written for a scale of {before}", remedy=remedy)


def read_again(draft: Draft) -> None:
    """Note that somebody has looked at the guidelines."""
    (draft.folder / NOTE).unlink(missing_ok=True)


def ends(plan: StudyPlan) -> str:
    """The ends of a plan's scale in words; empty if it has none."""
    scale = plan.annotation_task().scale
    return "" if scale is None else f"{scale.low:g} – {scale.high:g}"
