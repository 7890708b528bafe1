"""The sample of tasks that ships with the package: our own texts, one folder a task, each with its card.

Small enough to read and good for trying things out. Nobody was asked: the texts were written, and the labels set, by
the developers, and no system was looked at while that was done.
"""

from __future__ import annotations

from importlib.resources import as_file, files

from similitude.errors import UnknownNameError
from similitude.evaluate.tasks.outcome import Task
from similitude.evaluate.tasks.reading.card import TaskCard, read_card
from similitude.evaluate.tasks.reading.reader import read_task

__all__ = ["SAMPLE_TASKS", "read_sample_card", "read_sample_task"]

SAMPLE_TASKS = ("text-reuse", "related", "find-related", "deduplication", "intent")


def read_sample_task(part: str) -> Task:
    """One task of the sample.

    >>> read_sample_task("intent").name
    'sample:intent'

    Raises:
        UnknownNameError: there is no such task.
    """
    _check(part)
    with as_file(files(__name__) / "files") as folder:
        return read_task(folder / part)


def read_sample_card(part: str) -> TaskCard:
    """What is known of a task of the sample: how it was made, and its licence.

    >>> read_sample_card("deduplication").licence
    'Apache-2.0'

    Raises:
        UnknownNameError: there is no such task.
    """
    _check(part)
    with as_file(files(__name__) / "files") as folder:
        return read_card(folder / part)


def _check(part: str) -> None:
    if part not in SAMPLE_TASKS:
        raise UnknownNameError("task of the sample", part, SAMPLE_TASKS)
