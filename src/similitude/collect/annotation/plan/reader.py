"""The reader of studies: a TOML file and the files that it names. Errors give file, line and remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from similitude.collect.annotation.plan.consistency import check_questions, misfits, notes_on
from similitude.collect.annotation.plan.known_answers import known_questions
from similitude.collect.annotation.plan.link_keys import with_link_keys
from similitude.collect.annotation.plan.listed_items import with_listed_questions
from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.stages import check_stages
from similitude.collect.annotation.plan.study import Study
from similitude.collect.annotation.plan.text_file import text_of
from similitude.collect.annotation.plan.work import read_items, work_questions
from similitude.collect.annotation.tasks import AnnotationTask
from similitude.data.reading.toml_file import TomlFile
from similitude.errors import InputError, SimilitudeError

__all__ = ["read_study"]

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
    plan = with_link_keys(plan, written)
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


def _task(plan: StudyPlan, written: TomlFile) -> AnnotationTask:
    try:
        return plan.annotation_task()
    except SimilitudeError as error:
        raise InputError(error.what, where=written.where(("task",)), remedy=error.remedy) from None


def _texts(plan: StudyPlan, part: Part, written: TomlFile) -> dict[str, str]:
    files: dict[Any, str] = getattr(plan, part)
    return {
        language: text_of(written.path.parent / file, written.where((part, language)))
        for language, file in files.items()
    }
