"""Kinds of task: how each is recognised and read, and the registry of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from similitude.data.reading.column_names import find_column
from similitude.data.reading.containers.table import USUAL_NAMES, plain_names
from similitude.data.reading.files import existing
from similitude.data.reading.sniffer import Sniffer
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.spool import local_files
from similitude.errors import InputError
from similitude.evaluate.tasks.outcome import Task
from similitude.evaluate.tasks.reading.card import TaskCard
from similitude.paths import holdings
from similitude.registry import Maker, Registry

__all__ = ["TASK_KINDS", "TaskKind", "TaskSource", "describe_task_kinds"]

TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".feather", ".xlsx")
ENDINGS = (*TABLES, *(f"{ending}{packed}" for ending in TABLES[:5] for packed in (".gz", ".zst", ".xz", ".bz2")))
"""How the names of tables end; two tables with one role are refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSource:
    """A file or folder to read as a task.

    Attributes:
        reading: how tables are read: encoding, separator, names of columns and so on.
        classes: the classes of labelled pairs, least similar first, if given.
        card: metadata of the folder.
    """

    path: Path
    name: str
    reading: BenchmarkSource
    classes: tuple[str, ...] | None = None
    card: TaskCard = field(default_factory=TaskCard)

    @property
    def is_folder(self) -> bool:
        """Whether the task is a folder."""
        return self.path.is_dir()

    def find(self, role: str) -> Path | None:
        """The file with this role in the folder: as named in the card, else ``role.csv``, ``role.tsv`` and so on.

        Raises:
            InputError: the card names a missing file, or two files have such a name.
        """
        if not self.is_folder:
            return None
        if role in self.card.files:
            return existing(self.path / self.card.files[role])
        there = [file for ending in ENDINGS if (file := self.path / f"{role}{ending}").is_file()]
        if len(there) > 1:
            what = f"two files may be the {role}: {there[0].name} and {there[1].name}"
            raise InputError(what, where=str(self.path), remedy=f"name one in task.toml: files.{role} = 'NAME'")
        return there[0] if there else None

    def main(self, *roles: str) -> Path | None:
        """The main table of the task: the path itself, or the first file with one of these roles."""
        if not self.is_folder:
            return self.path
        return next((file for file in map(self.find, roles) if file is not None), None)

    def need(self, *roles: str) -> Path:
        """Like `main`, but required.

        Raises:
            InputError: the folder has no such file.
        """
        file = self.main(*roles)
        if file is None:
            what = f"there is no {' or '.join(f'{role}.csv' for role in roles)}; it holds {holdings(self.path)}"
            remedy = f"add it (also .tsv, .jsonl, .parquet), or name it in task.toml: files.{roles[0]} = 'NAME'"
            raise InputError(what, where=str(self.path), remedy=remedy)
        return file

    def header(self, file: Path | None, *wanted: Iterable[str]) -> list[str]:
        """The column names of a table, which are likely to be among those wanted; empty without a file."""
        if file is None or file.is_dir():
            return []
        with local_files([file]) as (local,):
            source = replace(self.reading, path=Path(local), header=True)
            return Sniffer.of(source).header_for(USUAL_NAMES | plain_names(wanted))

    def has_columns(self, file: Path | None, *wanted: Iterable[str]) -> bool:
        """Whether a table has a column for each of these sets of names."""
        usual = [tuple(names) for names in wanted]
        header = self.header(file, *usual)
        return all(find_column(header, names) is not None for names in usual)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskKind:
    """A kind of task that can be read.

    Attributes:
        name: as registered.
        summary: one line for listings.
        layouts: descriptions of its files, one entry per layout.
        fits: whether a file or folder looks like this kind; of several, the one with the highest priority is used.
        read: reads the task.
        has_classes: whether an order of classes may be given.
        priority: files are compared with kinds from the highest on.
    """

    name: str
    summary: str
    layouts: tuple[str, ...]
    fits: Callable[[TaskSource], bool]
    read: Callable[[TaskSource], Task]
    has_classes: bool = False
    priority: float = 0.0


def _lacks(name: str, maker: Maker) -> Iterator[str]:
    """What a function that makes a kind must give and does not."""
    made = maker()
    if not isinstance(made, TaskKind):
        yield f"is a {type(made).__name__}, not a {TaskKind.__module__}.TaskKind"
    elif made.name != name:
        yield f"calls itself '{made.name}': set name='{name}'"


TASK_KINDS: Registry[TaskKind] = Registry(
    "kind of task", "similitude.task_kinds", contract=_lacks, priority=lambda maker: float(maker().priority)
)
"""All kinds, by priority, the order in which they are tried; other packages register by entry points."""


def describe_task_kinds() -> list[tuple[str, str, tuple[str, ...]]]:
    """Name, summary and layouts of every kind."""
    kinds = [maker() for maker in TASK_KINDS.listed().makers.values()]
    return [(each.name, each.summary, each.layouts) for each in kinds]
