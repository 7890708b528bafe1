"""The sample tasks: original texts, with one folder and one card for each task.

They are small and meant for first tries. The developers wrote the texts and the labels without looking at any system.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path

from similitude.errors import UnknownNameError

__all__ = ["SAMPLE_TASKS", "sample_task_folder"]

SAMPLE_TASKS = ("text-reuse", "related", "find-related", "deduplication", "intent")


@contextmanager
def sample_task_folder(part: str) -> Iterator[Path]:
    """The folder of one sample task.

    >>> with sample_task_folder("intent") as folder:
    ...     sorted(path.name for path in folder.iterdir())
    ['task.toml', 'utterances.csv']

    Raises:
        UnknownNameError: there is no such task.
    """
    if part not in SAMPLE_TASKS:
        raise UnknownNameError("task of the sample", part, SAMPLE_TASKS)
    with as_file(files("similitude.samples") / "task_files" / part) as folder:
        yield folder
