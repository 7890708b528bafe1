"""The steps of a study's settings: what each page shows, and how its form changes the plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from similitude.collect.annotation.drafts import settings_forms
from similitude.collect.annotation.drafts.draft import TEXT_PARTS, Draft, texts_in_folder
from similitude.collect.annotation.drafts.estimate import SECONDS
from similitude.collect.annotation.drafts.form_fields import FieldProblem, FormFields
from similitude.collect.annotation.drafts.settings_forms import Changed
from similitude.collect.annotation.drafts.shown_reading import ROLES, look_at
from similitude.collect.annotation.drafts.task_change import change_task
from similitude.collect.annotation.drafts.text_scale import rescaled_texts
from similitude.collect.annotation.drafts.tuple_design import with_tuples
from similitude.collect.annotation.plan.models import ReadingPlan, StudyPlan
from similitude.collect.annotation.rating_scale import RatingScale
from similitude.collect.annotation.tasks import ANNOTATION_TASKS
from similitude.collect.annotation.web.language import LANGUAGES
from similitude.collect.annotation.web.wizard.place import StudyPlace
from similitude.errors import SimilitudeError

__all__ = ["STEPS", "Edit", "Step", "next_step", "shown_steps"]

LONGEST_TEXT = 100_000
PAY = 12.0
"""Assumed pay an hour, for the first estimate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What a form would change.

    Attributes:
        plan: the new plan.
        texts: texts to write, by the name of their file.
        problems: what is wrong, by field; nothing is saved then.
        dropped: sections of the plan that no longer fit and are left out.
        texts_seen: whether the form showed the guidelines.
    """

    plan: StudyPlan
    texts: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, FieldProblem] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()
    texts_seen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A page of settings.

    Attributes:
        name: its name in addresses; its template is ``wizard/NAME.html``.
        read: the form as an edit of the plan.
        shown: what the template needs, for a plan that may not be saved yet, and the fields that were sent.
        applies: whether a study with this plan has such settings.
    """

    name: str
    read: Callable[[Draft, FormFields], Edit]
    shown: Callable[[StudyPlace, StudyPlan, FormFields], dict[str, Any]]
    applies: Callable[[StudyPlan], bool] = lambda plan: True


def _edit(changed: Changed) -> Edit:
    return Edit(plan=changed.plan, problems=changed.problems)


def _read_data(draft: Draft, fields: FormFields) -> Edit:
    """The settings of the reader, or one of the choices that it offers."""
    chosen = fields.text("choice")
    if chosen and draft.items is not None:
        choices = {choice.words: choice.reading for choice in look_at(draft.items, draft.plan.reading).choices}
        if chosen in choices:
            return Edit(plan=draft.plan.model_copy(update={"reading": choices[chosen]}))
    return _edit(settings_forms.read_reading(draft.plan, fields))


def _shown_data(place: StudyPlace, plan: StudyPlan, fields: FormFields) -> dict[str, Any]:
    separators = {sign: name for name, sign in settings_forms.SEPARATORS.items()}
    written = plan.reading.separator or ""
    return {
        "reading": place.reading(plan),
        "settings": plan.reading,
        "separator": separators.get(written, written),
        "told": plan.reading != ReadingPlan(columns=plan.reading.columns),
    }


def _read_task(draft: Draft, fields: FormFields) -> Edit:
    task = fields.choice("task", [*ANNOTATION_TASKS.names(), draft.plan.task], default=draft.plan.task)
    if fields.problems:
        return Edit(plan=draft.plan, problems=fields.problems)
    change = change_task(draft, task)
    texts = {**rescaled_texts(draft, change.plan), **change.texts}
    return Edit(plan=change.plan, texts=texts, dropped=change.dropped)


def _shown_task(place: StudyPlace, plan: StudyPlan, fields: FormFields) -> dict[str, Any]:
    reading = place.reading(plan)
    return {
        "tasks": list(dict.fromkeys((*OWN_TASKS, *ANNOTATION_TASKS.names()))),
        "has_condition": reading is not None and reading.has("condition"),
    }


OWN_TASKS = ("rating", "best-worst", "conditions", "verification")


def _read_columns(draft: Draft, fields: FormFields) -> Edit:
    return _edit(settings_forms.read_columns(draft.plan, fields, _found_out(draft)))


def _found_out(draft: Draft) -> Mapping[str, str]:
    """Our columns to the file's, as the reader finds them without being told."""
    if draft.items is None:
        return {}
    return look_at(draft.items, draft.plan.reading.model_copy(update={"columns": {}})).roles


def _shown_columns(place: StudyPlace, plan: StudyPlan, fields: FormFields) -> dict[str, Any]:
    reading = place.reading(plan)
    return {"reading": reading, "roles": ROLES, "matched": reading.roles if reading else {}}


def _read_scale(draft: Draft, fields: FormFields) -> Edit:
    changed = settings_forms.read_scale(draft.plan, fields)
    return Edit(plan=changed.plan, texts=rescaled_texts(draft, changed.plan), problems=changed.problems)


def _shown_scale(place: StudyPlace, plan: StudyPlan, fields: FormFields) -> dict[str, Any]:
    scale = plan.annotation_task().scale or RatingScale()
    labels = {language: _labels(scale, language) for language in plan.languages}
    return {"scale": scale, "points": settings_forms.labelled_points(scale), "labels": labels}


def _labels(scale: RatingScale, language: str) -> dict[str, str]:
    by_language = {name: texts for name, texts in scale.labels.items() if isinstance(texts, dict)}
    if by_language:
        return dict(by_language.get(language, {}))
    return {number: text for number, text in scale.labels.items() if isinstance(text, str)}


def _read_design(draft: Draft, fields: FormFields) -> Edit:
    changed = settings_forms.read_design(draft.plan, fields)
    factor = fields.optional_number("factor", least=0.1, most=1000)
    if changed.problems or fields.problems:
        return Edit(plan=draft.plan, problems=fields.problems)
    if factor is None:
        return _edit(changed)
    try:
        return Edit(plan=with_tuples(draft, changed.plan, factor))
    except SimilitudeError as error:
        return Edit(plan=draft.plan, problems={"factor": FieldProblem("invalid", {"why": str(error)})})


def _shown_design(place: StudyPlace, plan: StudyPlan, fields: FormFields) -> dict[str, Any]:
    seconds = fields.number("seconds", least=0.1, most=36_000, default=plan.pay.seconds if plan.pay else SECONDS)
    hourly = float(plan.pay.hourly) if plan.pay and plan.pay.hourly else PAY
    pay = fields.number("pay", least=0.01, most=10_000, default=hourly)
    findings = place.check(plan, seconds=seconds, pay=pay)
    several = plan.annotation_task().several_items
    return {
        "estimate": findings.estimate,
        "findings": findings,
        "seconds": f"{seconds:g}",
        "pay": f"{pay:g}",
        "several": several,
        "checkable": plan.annotation_task().checkable,
    }


def _read_people(draft: Draft, fields: FormFields) -> Edit:
    changed = settings_forms.read_people(draft.plan, fields)
    return Edit(plan=texts_in_folder(draft.folder, changed.plan), problems=changed.problems)


def _shown_people(place: StudyPlace, plan: StudyPlan, fields: FormFields) -> dict[str, Any]:
    return {"all_languages": LANGUAGES}


def _read_texts(draft: Draft, fields: FormFields) -> Edit:
    """Title, guidelines and consent in every language; a text that is emptied leaves the plan."""
    titles: dict[str, str] = {}
    texts: dict[str, str] = {}
    changes: dict[str, dict[str, str]] = {part: dict(getattr(draft.plan, part)) for part in TEXT_PARTS}
    for language in draft.plan.languages:
        title = fields.text(f"title.{language}", longest=200)
        titles |= {language: title} if title else {}
        for part in TEXT_PARTS:
            written = fields.lines(f"{part}.{language}", longest=LONGEST_TEXT)
            name = changes[part].get(language, f"{part}.{language}.md")
            if not written:
                changes[part].pop(language, None)
                continue
            changes[part][language] = name
            if written.strip() != draft.text(part, language).strip():
                texts[name] = f"{written}\n"
    if fields.problems:
        return Edit(plan=draft.plan, problems=fields.problems)
    return Edit(plan=draft.plan.model_copy(update={"title": titles, **changes}), texts=texts, texts_seen=True)


def _shown_texts(place: StudyPlace, plan: StudyPlan, fields: FormFields) -> dict[str, Any]:
    held = {part: {each: place.draft.text(part, each) for each in plan.languages} for part in TEXT_PARTS}
    sent = {
        part: {each: fields.lines(f"{part}.{each}", longest=LONGEST_TEXT) for each in plan.languages}
        for part in TEXT_PARTS
    }
    is_sent = any(f"{part}.{each}" in fields for part in TEXT_PARTS for each in plan.languages)
    return {"parts": TEXT_PARTS, "texts": sent if is_sent else held}


def _has_file(plan: StudyPlan) -> bool:
    """Whether its items are in a file; those of an earlier study come by themselves."""
    return plan.items is not None or plan.follows is None


def _has_scale(plan: StudyPlan) -> bool:
    return plan.annotation_task().scale is not None


STEPS: Mapping[str, Step] = {
    step.name: step
    for step in (
        Step(name="data", read=_read_data, shown=_shown_data, applies=_has_file),
        Step(name="task", read=_read_task, shown=_shown_task),
        Step(name="columns", read=_read_columns, shown=_shown_columns, applies=_has_file),
        Step(name="scale", read=_read_scale, shown=_shown_scale, applies=_has_scale),
        Step(name="design", read=_read_design, shown=_shown_design),
        Step(name="people", read=_read_people, shown=_shown_people),
        Step(name="texts", read=_read_texts, shown=_shown_texts),
    )
}
"""The steps, in their order; "check" follows the last."""

CHECK = "check"


def shown_steps(plan: StudyPlan) -> list[str]:
    """The steps that a study with this plan has, the last one included."""
    return [*(step.name for step in STEPS.values() if step.applies(plan)), CHECK]


def next_step(name: str, plan: StudyPlan, *, back: bool = False) -> str:
    """The step after (or before) a step; the first and the last stay."""
    names = shown_steps(plan)
    place = names.index(name) if name in names else 0
    return names[max(place - 1, 0)] if back else names[min(place + 1, len(names) - 1)]
