"""Pages of settings as changes of a plan: each form is read field by field, and gives a plan or problems by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from similitude.collect.annotation.drafts.form_fields import FieldProblem, FormFields
from similitude.collect.annotation.drafts.shown_reading import ROLES
from similitude.collect.annotation.interface_languages import LANGUAGES
from similitude.collect.annotation.plan.models import (
    Access,
    BatchPlan,
    MTurk,
    Prolific,
    ReadingPlan,
    SecondRound,
    StudyPlan,
)
from similitude.collect.annotation.rating_scale import RatingScale, written_number

__all__ = ["SEPARATORS", "Changed", "labelled_points", "read_columns", "read_design", "read_people", "read_reading",
           "read_scale"]  # fmt: skip

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
MOST_LABELS = 11
"""A scale with more points has labels at its ends only."""


class Changed(NamedTuple):
    """A plan as a form changes it, and the problems by field; with problems the plan is the old one."""

    plan: StudyPlan
    problems: Mapping[str, FieldProblem]


def _changed(plan: StudyPlan, fields: FormFields, changes: Callable[[], dict[str, Any]], field: str) -> Changed:
    """The plan with the changes, checked by its model; what the model refuses is a problem of ``field``."""
    try:
        made = changes()
        new = StudyPlan.model_validate({**plan.model_dump(by_alias=True), **made})
    except ValidationError as error:
        first = error.errors()[0]
        fields.problems.setdefault(field, FieldProblem("invalid", {"why": first["msg"].removeprefix("Value error, ")}))
        return Changed(plan, fields.problems)
    return Changed(plan if fields.problems else new, fields.problems)


def read_reading(plan: StudyPlan, fields: FormFields) -> Changed:
    """How the file is read: separator, header, encoding and so on; empty fields are found out by the reader."""

    def changes() -> dict[str, Any]:
        header = fields.choice("header", ("auto", "yes", "no"), default="auto")
        separator = fields.text("separator", longest=10)
        reading = ReadingPlan(
            format=fields.text("format", longest=60) or None,
            columns=plan.reading.columns,
            encoding=fields.text("encoding", longest=40) or "utf-8",
            separator=SEPARATORS.get(separator, separator) or None,
            header=None if header == "auto" else header == "yes",
            decimal=fields.choice("decimal", (".", ","), default="."),  # type: ignore[arg-type]
            missing=tuple(fields.text("missing", longest=200).split()),
            sheet=fields.text("sheet", longest=100) or None,
            on_error="skip" if fields.tick("skip") else "stop",
        )
        return {"reading": reading.model_dump()}

    return _changed(plan, fields, changes, "format")


def read_columns(plan: StudyPlan, fields: FormFields, known: Mapping[str, str]) -> Changed:
    """Which column of the file is which of ours.

    Args:
        plan: the plan.
        fields: a field for each of `ROLES`: a column of the file, or empty.
        known: our columns to the file's, as the reader finds them without being told.
    """

    def changes() -> dict[str, Any]:
        chosen = {role: fields.text(f"column.{role}", longest=200) for role in ROLES}
        for role in ("left", "right"):
            if not chosen[role]:
                fields.problems[f"column.{role}"] = FieldProblem("missing")
        _refuse_twice(chosen, fields)
        others = {ours: theirs for ours, theirs in plan.reading.columns.items() if ours not in ROLES}
        needed = {role: theirs for role, theirs in chosen.items() if theirs != known.get(role, "")}
        if needed and {"left", "right"} & set(needed):
            needed = {**needed, "left": chosen["left"], "right": chosen["right"]}
        return {"reading": plan.reading.model_copy(update={"columns": {**others, **needed}}).model_dump()}

    return _changed(plan, fields, changes, "column.left")


def _refuse_twice(chosen: Mapping[str, str], fields: FormFields) -> None:
    seen: dict[str, str] = {}
    for role, theirs in chosen.items():
        if theirs and theirs in seen:
            fields.problems[f"column.{role}"] = FieldProblem("twice", {"value": theirs})
        seen[theirs] = role


def labelled_points(scale: RatingScale) -> list[str]:
    """The numbers of a scale that have a field for a label."""
    points = scale.points if len(scale.points) <= MOST_LABELS else _whole_points(scale)
    return [written_number(point) for point in points]


def _whole_points(scale: RatingScale) -> tuple[float, ...]:
    whole = tuple(point for point in scale.points if point == int(point))
    ends = (scale.low, scale.high)
    return whole if len(whole) <= MOST_LABELS and set(ends) <= set(whole) else ends


def read_scale(plan: StudyPlan, fields: FormFields) -> Changed:
    """The ends, the step, and the labels per language."""

    def changes() -> dict[str, Any]:
        low = fields.number("low", least=-1e6, most=1e6, default=0)
        high = fields.number("high", least=-1e6, most=1e6, default=5)
        step = fields.number("step", least=1e-6, most=1e6, default=1)
        if low >= high:
            fields.problems["high"] = FieldProblem("not_above", {"low": f"{low:g}"})
            return {}
        new = RatingScale(low=low, high=high, step=step)
        points = labelled_points(new)
        labels = {language: _labels(fields, language, points) for language in plan.languages}
        for language, texts in labels.items():
            _move_ends(plan, fields, language, texts, new)
        labels |= _other_labels(plan, points)
        told = {language: texts for language, texts in labels.items() if texts}
        return {"scale": {"low": low, "high": high, "step": step, "labels": told}}

    return _changed(plan, fields, changes, "step")


def _move_ends(plan: StudyPlan, fields: FormFields, language: str, texts: dict[str, str], new: RatingScale) -> None:
    """Let the labels of the ends stay at the ends: what says "the same" at 5 of 5 says so at 7 of 7."""
    scale = plan.scale
    held = scale.labels.get(language, scale.labels) if scale is not None else {}
    if scale is None or not isinstance(held, Mapping):
        return
    for old_end, new_end in ((scale.low, new.low), (scale.high, new.high)):
        here, there = written_number(old_end), written_number(new_end)
        text = held.get(here)
        name = f"label.{language}.{here}"
        stays = not isinstance(text, str) or here == there or there in texts
        if stays or (name in fields and fields.text(name) != text):
            continue
        texts.pop(here, None)
        texts[there] = str(text)


def _other_labels(plan: StudyPlan, points: list[str]) -> dict[str, dict[str, str]]:
    """The labels in languages that the study does not use now, as far as their numbers are still on the scale."""
    held = plan.scale.labels if plan.scale else {}
    others = {name: texts for name, texts in held.items() if isinstance(texts, dict) and name not in plan.languages}
    return {name: {point: text for point, text in texts.items() if point in points} for name, texts in others.items()}


def _labels(fields: FormFields, language: str, points: list[str]) -> dict[str, str]:
    written = {point: fields.text(f"label.{language}.{point}", longest=200) for point in points}
    return {point: text for point, text in written.items() if text}


def read_design(plan: StudyPlan, fields: FormFields) -> Changed:
    """Judgements per question, tuples, batches, repeats and the second round."""

    def changes() -> dict[str, Any]:
        most = fields.optional_number("most", least=1, most=1_000_000)
        batch = BatchPlan(
            questions=fields.whole("batch", least=1, most=500, default=plan.batch.questions),
            minutes=fields.number("minutes", least=1, most=100_000, default=plan.batch.minutes),
            gold_share=plan.batch.gold_share,
            repeat_share=fields.number("repeat", least=0, most=50, default=100 * plan.batch.repeat_share) / 100,
            per_page=fields.whole("per_page", least=1, most=20, default=plan.batch.per_page),
            most=None if most is None else int(most),
        )
        if batch.per_page > batch.questions:
            fields.problems["per_page"] = FieldProblem("page_above_batch")
        return {
            "judgements": fields.whole("judgements", least=1, most=1000, default=plan.judgements),
            "tuple_size": fields.whole("tuple_size", least=2, most=9, default=plan.tuple_size),
            "seed": fields.whole("seed", most=2**31, default=plan.seed),
            "batch": batch.model_dump(),
            "second_round": _second_round(plan, fields),
        }

    return _changed(plan, fields, changes, "repeat")


def _second_round(plan: StudyPlan, fields: FormFields) -> dict[str, Any] | None:
    if not fields.tick("second"):
        return None
    before = plan.second_round or SecondRound()
    if before.items is not None:
        return before.model_dump()
    return {
        "spread": fields.number("spread", least=0, most=1000, default=before.spread or 0.5),
        "judgements": fields.whole("second_judgements", least=1, most=1000, default=before.judgements),
    }


def read_people(plan: StudyPlan, fields: FormFields) -> Changed:
    """Languages, ways to enter, the limit and the contact."""

    def changes() -> dict[str, Any]:
        ticked = [language for language in LANGUAGES if fields.tick(f"language.{language}")]
        if not ticked:
            fields.problems["language"] = FieldProblem("no_language")
        first = fields.choice("first", LANGUAGES, default=ticked[0] if ticked else "en")
        languages = sorted(ticked, key=lambda each: each != first)
        limit = fields.optional_number("limit", least=1, most=1_000_000)
        access = plan.access.model_copy(
            update={
                "open": fields.tick("open"),
                "limit": None if limit is None else int(limit),
                "prolific": _prolific(plan.access, fields),
                "mturk": _mturk(plan.access, fields),
            }
        )
        kept = {part: _in_languages(getattr(plan, part), languages) for part in ("title", "guidelines", "consent")}
        contact = fields.text("contact", longest=200) or None
        changed = {"languages": languages or plan.languages, "contact": contact, **kept}
        return {**changed, "access": access.model_dump(by_alias=True)}

    return _changed(plan, fields, changes, "language")


def _in_languages(texts: Mapping[Any, str], languages: list[str]) -> dict[str, str]:
    return {language: text for language, text in texts.items() if language in languages}


def _prolific(access: Access, fields: FormFields) -> Prolific | None:
    if not fields.tick("prolific"):
        return None
    address = fields.text("completion_url", longest=500)
    if not address.startswith("https://"):
        fields.problems["completion_url"] = FieldProblem("not_an_address")
    if access.prolific is None:
        return Prolific(completion_url=address)
    return access.prolific.model_copy(update={"completion_url": address})


def _mturk(access: Access, fields: FormFields) -> MTurk | None:
    if not fields.tick("mturk"):
        return None
    return (access.mturk or MTurk()).model_copy(update={"sandbox": fields.tick("sandbox")})
