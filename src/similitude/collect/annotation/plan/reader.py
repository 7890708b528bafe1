"""The reader of studies: a TOML file and the files that it names. Errors give file, line and remedy."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ValidationError

from similitude.collect.annotation.plan.consistency import check_questions, misfits, notes_on
from similitude.collect.annotation.plan.known_answers import known_questions
from similitude.collect.annotation.plan.listed_items import with_listed_questions
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.study import Study
from similitude.collect.annotation.plan.work import read_items, work_questions
from similitude.collect.annotation.tasks import AnnotationTask
from similitude.data.reading.toml_lines import line_of
from similitude.errors import InputError, SimilitudeError

__all__ = ["read_study"]

LARGEST_TEXT = 200_000
"""Bytes of a text that is shown to people."""

Part = Literal["guidelines", "consent"]


def read_study(path: str | Path) -> Study:
    """Read and check a study.

    Args:
        path: the TOML file; the files that it names lie beside it.

    Raises:
        InputError: the study or one of its files is not valid; the message gives file, line and remedy.
    """
    source = Path(path)
    text = _text_of(source)
    written = _parsed(text, source.name)
    plan = _validated(written, text, source.name)
    task = _task(plan, text, source.name)
    for misfit in misfits(plan, task):
        raise InputError(misfit.what, where=_where(source.name, text, misfit.path), remedy=misfit.remedy)
    plan = plan.model_copy(update={part: _texts(plan, part, text, source) for part in ("guidelines", "consent")})
    items = read_items(plan, source.parent)
    work = work_questions(plan, task, items, source.parent)
    if "judgements" not in written and work.judgements is not None:
        plan = plan.model_copy(update={"judgements": work.judgements})
    plan = with_listed_questions(plan, work.asked, source.parent)
    asked = [*work.asked, *known_questions(plan, task, items, source.parent)]
    check_questions(task, asked)
    return Study(
        plan=plan,
        questions=tuple(each.question for each in asked),
        notes=(*work.notes, *notes_on(plan, asked)),
    )


def _text_of(path: Path, where: str = "") -> str:
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        what = f"'{path.name}' cannot be read: {error.strerror or error}"
        raise InputError(what, where=where or str(path), remedy="check the name and the folder") from None
    except UnicodeDecodeError as error:
        what = f"'{path.name}' is not UTF-8 (byte {error.start})"
        raise InputError(what, where=where or path.name, remedy="save it as UTF-8") from None
    if len(data) > LARGEST_TEXT:
        raise InputError(
            f"'{path.name}' has {len(data):,} bytes", where=where, remedy=f"shorten it to {LARGEST_TEXT:,}"
        )
    return text


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = place[1] if place else len(text.splitlines())
        what = f"is not TOML: {str(error).split(' (at')[0].lower()}"
        raise InputError(what, where=f"{name}, line {line}", remedy="correct that line") from None


def _validated(written: dict[str, Any], text: str, name: str) -> StudyPlan:
    try:
        return StudyPlan.model_validate(written)
    except ValidationError as error:
        raise _first_mistake(error, text, name) from None


def _task(plan: StudyPlan, text: str, name: str) -> AnnotationTask:
    try:
        return plan.annotation_task()
    except SimilitudeError as error:
        raise InputError(error.what, where=_where(name, text, ("task",)), remedy=error.remedy) from None


def _first_mistake(error: ValidationError, text: str, name: str) -> InputError:
    mistake = error.errors()[0]
    path = [part for part in mistake["loc"] if part in ("pass",) or not _is_branch(part)]
    where = _where(name, text, path)
    key = str(path[-1]) if path else ""
    if mistake["type"] == "extra_forbidden":
        known = _known_names(path[:-1])
        near = difflib.get_close_matches(key, known, n=1)
        hint = f"did you mean '{near[0]}'? " if near else ""
        return InputError(f"'{key}' is not known here", where=where, remedy=f"{hint}known: {', '.join(known)}")
    if mistake["type"] == "missing":
        return InputError(f"'{key}' is missing", where=where, remedy=f"add {key} = ...")
    said = mistake["msg"].removeprefix("Value error, ")
    quoted = f"{'.'.join(map(str, path))} = {mistake['input']!r}: " if not isinstance(mistake["input"], dict) else ""
    return InputError(f"{quoted}{said[:1].lower()}{said[1:]}", where=where, remedy="correct that line")


def _is_branch(part: str | int) -> bool:
    """Whether this part of pydantic's location is a branch of a union, which is not in the file."""
    return isinstance(part, str) and ("[" in part or part in ("dict", "str"))


def _known_names(path: Sequence[str | int]) -> list[str]:
    model: type[BaseModel] = StudyPlan
    for part in path:
        if isinstance(part, str) and part in model.model_fields:
            model = _model_in(model.model_fields[part].annotation) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model that an annotation is or holds: ``Example`` of ``tuple[Example, ...]``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    inner = (_model_in(each) for each in get_args(annotation))
    return next((each for each in inner if each is not None), None)


def _where(name: str, text: str, path: Sequence[str | int]) -> str:
    return f"{name}, line {line_of(text, path)}"


def _texts(plan: StudyPlan, part: Part, text: str, source: Path) -> dict[str, str]:
    files: dict[Any, str] = getattr(plan, part)
    return {
        language: _text_of(source.parent / file, _where(source.name, text, (part, language)))
        for language, file in files.items()
    }
