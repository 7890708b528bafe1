"""Open a task by name: a part of the sample, a path, or a kind and a path."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from similitude.data.addresses import SAMPLE_PREFIX
from similitude.data.benchmark import Benchmark
from similitude.data.keywords import as_names, check_keywords
from similitude.data.reading.arguments import as_columns, as_missing
from similitude.data.reading.containers.objects import is_frame, object_tables
from similitude.data.reading.files import existing
from similitude.data.reading.problems import listing
from similitude.data.reading.source import BenchmarkSource
from similitude.data.reading.spool import local_files
from similitude.errors import ArgumentError, FormatError, SimilitudeError, UnknownNameError
from similitude.evaluate.tasks.outcome import Task
from similitude.evaluate.tasks.reading.articles import find_related
from similitude.evaluate.tasks.reading.card import CARD, TaskCard, read_card
from similitude.evaluate.tasks.reading.kind import TASK_KINDS, TaskKind, TaskSource, describe_task_kinds
from similitude.evaluate.tasks.reading.pairs import deduplication, related, text_reuse
from similitude.evaluate.tasks.reading.rows import read_rows
from similitude.evaluate.tasks.reading.utterances import intent
from similitude.paths import holdings
from similitude.samples.tasks import sample_task_folder

__all__ = ["TaskData", "open_card", "open_task", "read_task"]

TaskData = str | Path | Benchmark | Mapping[Any, Any] | Iterable[Any]
"""What `open_task` takes."""

COLUMNS = ("left", "right", "label", "id", "text", "split", "related", "query", "document")
"""Our names of the columns of tasks."""

# Files are compared with the kinds in this order: the particular before the general.
TASK_KINDS.register("find-related")(find_related)
TASK_KINDS.register("related")(related)
TASK_KINDS.register("deduplication", "duplicates")(deduplication)
TASK_KINDS.register("text-reuse", "reuse")(text_reuse)
TASK_KINDS.register("intent", "faq")(intent)


def open_task(
    written: TaskData, *, kind: str | None = None, name: str | None = None, encoding: str = "utf-8", **reading: Any
) -> Task:
    """The task that ``written`` names: ``sample:text-reuse``, a path, or ``related:pairs.csv``; or a table in memory.

    Args:
        written: the task. In memory, it is a data frame, columns by name or records; or several tables by the names
            that their files would have: ``{"pairs": ..., "texts": ...}``.
        kind: name of a kind, if ``written`` names none.
        name: name of the task.
        encoding: of files.
        **reading: further arguments of `read_task`.

    >>> open_task("sample:related").kind
    'related'

    Raises:
        UnknownNameError: the part of the sample or the kind is unknown.
        InputError: a file is missing or invalid.
        ArgumentError: this is nothing that holds a task, or an argument is not known.
    """
    check_keywords(read_task, reading, "a task")
    if not isinstance(written, str | Path):
        with _tables_on_disk(written) as table:
            return read_task(table, kind=kind, name=name or "unnamed", **reading)
    if isinstance(written, str) and written.startswith(SAMPLE_PREFIX):
        with sample_task_folder(written.removeprefix(SAMPLE_PREFIX)) as folder:
            return read_task(folder, kind=kind, name=name, **reading)
    own_kind, path = (None, str(written)) if kind is not None else _parted(str(written))
    return read_task(path, kind=kind or own_kind, name=name, encoding=encoding, **reading)


@contextmanager
def _tables_on_disk(data: Any) -> Iterator[Path]:
    """The path of a table in memory, or of several in a folder, written so that the readers of all kinds take them."""
    several = type(data) is dict and any(map(is_frame, data.values()))
    with TemporaryDirectory() as folder:
        for role, table in data.items() if several else [("data", data)]:
            columns = object_tables(table.to_polars() if isinstance(table, Benchmark) else table)[0].columns
            frame = pl.DataFrame([pl.Series(name, column, strict=False) for name, column in columns.items()])
            frame.write_parquet(Path(folder) / f"{role}.parquet")
        try:
            yield Path(folder) if several else Path(folder) / "data.parquet"
        except SimilitudeError as error:
            named = error.where.replace(f"{folder}/", "").replace(folder, "the task")
            error.where = named.replace("data.parquet", type(data).__name__).replace(".parquet", "")
            raise


def open_card(written: str | Path) -> TaskCard:
    """The card of a task folder or a part of the sample: origin and licence.

    >>> open_card("sample:deduplication").licence
    'Apache-2.0'

    Raises:
        UnknownNameError: the part of the sample is unknown.
        InputError: the folder is missing, or its card is invalid.
    """
    if isinstance(written, str) and written.startswith(SAMPLE_PREFIX):
        with sample_task_folder(written.removeprefix(SAMPLE_PREFIX)) as folder:
            return read_card(folder)
    return read_card(existing(Path(written)))


def read_task(
    path: str | Path,
    *,
    kind: str | None = None,
    name: str | None = None,
    encoding: str = "utf-8",
    classes: Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
    separator: str | None = None,
    decimal: str = ".",
    missing: tuple[str, ...] = (),
    sheet: str | None = None,
) -> Task:
    """Read a task from a file, or from a folder, which may describe itself in ``task.toml``.

    Args:
        path: a table (separated text, JSON, Parquet, Arrow, a workbook; packed or not) or a folder, in a layout of
            `TASK_KINDS`.
        kind: name of a kind; by default from the card, or recognised from the files.
        name: name of the task; by default from the card, else the name of the file or folder.
        encoding: of tables; a byte-order mark takes precedence.
        classes: for labelled pairs, the classes, least similar first, if their names do not imply the order.
        columns: our names of columns -> the file's: left, right, label, id, text, split, related, query, document.
        separator: between fields.
        decimal: the character before the decimals of a number.
        missing: codes of missing values.
        sheet: of a workbook.

    Raises:
        InputError: a file or a row is invalid; the message names place and remedy.
        UnknownNameError: the kind is unknown.
        ArgumentError: classes are given for a kind that has none.
    """
    classes = None if classes is None else as_names("classes", classes)
    whole = Path(path)
    whole = whole.parent if whole.name == CARD else whole
    with local_files([whole]) as (local,):
        card = read_card(local) if Path(local).is_dir() else TaskCard()
        source = TaskSource(
            path=Path(local),
            name=name or card.name or _name_of(whole),
            reading=BenchmarkSource(
                path=Path(local),
                encoding=encoding,
                columns=_known(as_columns(columns)),
                separator=separator,
                decimal=decimal,
                missing=as_missing(missing),
                sheet=sheet,
            ),
            classes=card.classes if classes is None else tuple(classes),
            card=card,
        )
        return _read_source(source, kind or card.kind)


def _known(columns: Mapping[str, str]) -> Mapping[str, str]:
    """Check that the names on our side are names of columns that tasks have.

    Raises:
        UnknownNameError: one is not.
    """
    for ours in columns:
        if ours not in COLUMNS:
            raise UnknownNameError("column of a task", ours, COLUMNS)
    return columns


def _read_source(source: TaskSource, kind: str | None) -> Task:
    known = _recognised(source) if kind is None else TASK_KINDS.maker(kind)()
    if source.classes is not None and not known.has_classes:
        raise ArgumentError(f"classes do not fit '{known.name}'", where=source.name, remedy="leave them out")
    return known.read(source)


def _parted(written: str) -> tuple[str | None, str]:
    """Kind and path. The part before a colon is a kind, unless the whole is an existing path.

    Raises:
        UnknownNameError: it is not a kind, and the rest is an existing path.
    """
    kind, colon, rest = written.partition(":")
    if not colon or Path(written).exists():
        return None, written
    try:
        TASK_KINDS.maker(kind)
    except UnknownNameError:
        if Path(rest).exists() and len(kind) > 1:  # one letter is a Windows drive
            raise
        return None, written
    return kind, rest


def _name_of(path: Path) -> str:
    whole = path.resolve()
    return whole.name if whole.is_dir() else whole.stem


def _recognised(source: TaskSource) -> TaskKind:
    for name in TASK_KINDS:
        known = TASK_KINDS.maker(name)()
        if known.fits(source):
            return known
    if not source.is_folder:
        read_rows(source.path, {}, None, source.reading)  # a file that cannot be read says why
    there = holdings(source.path) if source.is_folder else f"the columns {listing(source.header(source.path))}"
    raise FormatError(
        f"the kind of task was not recognised; it holds {there}",
        where=str(source.path),
        remedy=f"state it: KIND:PATH, kind= in Python, or kind in {CARD}; kinds: {_kinds()}",
    )


def _kinds() -> str:
    """Every kind with its first layout; kinds that share a layout are grouped."""
    by_layout: dict[str, list[str]] = {}
    for name, _, layouts in describe_task_kinds():
        by_layout.setdefault(layouts[0], []).append(name)
    return "; ".join(f"{', '.join(names)}: {layout}" for layout, names in by_layout.items())
