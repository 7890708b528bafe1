"""The reader of studies: a TOML file and the files that it names. Errors give file, line and remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from similitude.collect.annotation.plan.consistency import check_questions, misfits, notes_on
from similitude.collect.annotation.plan.known_answers import known_questions
from similitude.collect.annotation.plan.listed_items import with_listed_questions
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.stages import check_stages
from similitude.collect.annotation.plan.study import Study
from similitude.collect.annotation.plan.work import read_items, work_questions
from similitude.collect.annotation.tasks import AnnotationTask
from similitude.data.reading.toml_file import TomlFile
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
    written = TomlFile.read(source)
    plan = written.validated(StudyPlan)
    task = _task(plan, written)
    for misfit in misfits(plan, task):
        raise InputError(misfit.what, where=written.where(misfit.path), remedy=misfit.remedy)
    stages = check_stages(plan, written)
    plan = plan.model_copy(update={part: _texts(plan, part, written) for part in ("guidelines", "consent")})
    items = read_items(plan, source.parent)
    work = work_questions(plan, task, items, source.parent)
    if "judgements" not in written.values and work.judgements is not None:
        plan = plan.model_copy(update={"judgements": work.judgements})
    plan = with_listed_questions(plan, work.asked, source.parent)
    asked = [*work.asked, *known_questions(plan, task, items, source.parent)]
    check_questions(task, asked, more_come=plan.follows is not None)
    return Study(
        plan=plan,
        questions=tuple(each.question for each in asked),
        notes=(*stages, *work.notes, *notes_on(plan, asked)),
    )


def _text_of(path: Path, where: str) -> str:
    try:
        data = path.read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        what = f"'{path.name}' cannot be read: {error.strerror or error}"
        raise InputError(what, where=where, remedy="check the name and the folder") from None
    except UnicodeDecodeError as error:
        what = f"'{path.name}' is not UTF-8 (byte {error.start})"
        raise InputError(what, where=where, remedy="save it as UTF-8") from None
    if len(data) > LARGEST_TEXT:
        raise InputError(
            f"'{path.name}' has {len(data):,} bytes", where=where, remedy=f"shorten it to {LARGEST_TEXT:,}"
        )
    return text


def _task(plan: StudyPlan, written: TomlFile) -> AnnotationTask:
    try:
        return plan.annotation_task()
    except SimilitudeError as error:
        raise InputError(error.what, where=written.where(("task",)), remedy=error.remedy) from None


def _texts(plan: StudyPlan, part: Part, written: TomlFile) -> dict[str, str]:
    files: dict[Any, str] = getattr(plan, part)
    return {
        language: _text_of(written.path.parent / file, written.where((part, language)))
        for language, file in files.items()
    }
