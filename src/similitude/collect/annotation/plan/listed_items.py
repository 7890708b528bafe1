"""The second round by list: items in a file that more people judge, whatever the first round says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from similitude.collect.annotation.plan.models import StudyPlan
from similitude.collect.annotation.plan.work import Asked, named_file
from similitude.data.reading.column_names import ALIASES, find_column
from similitude.data.reading.containers import read_table
from similitude.data.reading.containers.table import plain_names
from similitude.data.reading.format import BenchmarkSource
from similitude.data.reading.problems import settle
from similitude.data.reading.spool import local_files
from similitude.data.reading.tables import RawTable
from similitude.errors import InputError

__all__ = ["with_listed_questions"]

REMEDY = "name a table with a column id, as `similitude contentious` writes it, or a list of ids"


def with_listed_questions(plan: StudyPlan, asked: Sequence[Asked], folder: Path) -> StudyPlan:
    """The plan with the names of the listed questions in place of the name of the list's file.

    Only the ids are read. Nothing else in the file, such as a system's prediction, reaches the annotators.

    Args:
        plan: the plan.
        asked: its work questions.
        folder: where the plan lies.

    Raises:
        InputError: the file cannot be read, lists nothing, or names an item that the study does not ask about.
    """
    planned = plan.second_round
    if planned is None or planned.items is None:
        return plan
    ids, where = _ids(planned.items, folder)
    keys = {str(each.question.items[0]["id"]): each.question.key for each in asked}
    missing = [id_ for id_ in ids if id_ not in keys]
    if missing:
        what = f"item '{missing[0]}' is listed for the second round, but is not among the study's items"
        raise InputError(what, where=where, remedy="list ids of the study's items")
    listed = tuple(dict.fromkeys(keys[id_] for id_ in ids))
    return plan.model_copy(update={"second_round": planned.model_copy(update={"items": listed})})


def _ids(written: str | tuple[str, ...], folder: Path) -> tuple[list[str], str]:
    if not isinstance(written, str):
        return list(written), "[second_round] items"
    path = Path(named_file(folder, written))
    if not path.is_file():
        raise InputError("no such file", where=written, remedy=REMEDY)
    table = _read(path)
    settle(table.problems, "stop")
    name = find_column(table.columns, ALIASES["id"])
    if name is None:
        raise InputError("no column 'id'", where=written, remedy=REMEDY)
    ids = [text for value in table.columns[name] if value is not None and (text := _text(value))]
    if not ids:
        raise InputError("lists no item", where=written, remedy="list at least one, or leave items out")
    return ids, written


def _read(path: Path) -> RawTable:
    with local_files([path]) as (local,):
        return read_table(BenchmarkSource(path=Path(local), header=True), plain_names([ALIASES["id"]]))


def _text(value: object) -> str:
    """An id as text; 1.0, as tables write whole numbers beside missing ones, is 1."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()
