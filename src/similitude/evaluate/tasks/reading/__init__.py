"""Readers of tasks: a file or folder in a documented layout, or a part of the sample."""

from similitude.evaluate.tasks.reading.card import TaskCard, read_card
from similitude.evaluate.tasks.reading.kind import TASK_KINDS, TaskKind, TaskSource, describe_task_kinds
from similitude.evaluate.tasks.reading.reader import TaskData, open_card, open_task, read_task

__all__ = [
    "TASK_KINDS",
    "TaskCard",
    "TaskData",
    "TaskKind",
    "TaskSource",
    "describe_task_kinds",
    "open_card",
    "open_task",
    "read_card",
    "read_task",
]
