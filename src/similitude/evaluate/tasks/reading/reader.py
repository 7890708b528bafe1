"""From what a user writes to a task: the sample, a path, or a kind and a path."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from similitude.data.addresses import SAMPLE_PREFIX
from similitude.data.reading.files import existing, holdings
from similitude.data.reading.problems import listing
from similitude.errors import ArgumentError, FormatError, UnknownNameError
from similitude.evaluate.tasks.outcome import Task
from similitude.evaluate.tasks.reading.articles import find_related
from similitude.evaluate.tasks.reading.card import CARD, TaskCard, read_card
from similitude.evaluate.tasks.reading.kind import TASK_KINDS, TaskKind, TaskSource, describe_task_kinds
from similitude.evaluate.tasks.reading.pairs import deduplication, related, text_reuse
from similitude.evaluate.tasks.reading.utterances import intent
from similitude.samples.tasks import sample_task_folder

__all__ = ["open_card", "open_task", "read_task"]

# Files are compared with the kinds in this order: the particular before the general.
TASK_KINDS.register("find-related")(find_related)
TASK_KINDS.register("related")(related)
TASK_KINDS.register("deduplication", "duplicates")(deduplication)
TASK_KINDS.register("text-reuse", "reuse")(text_reuse)
TASK_KINDS.register("intent", "faq")(intent)


def open_task(written: str | Path, *, name: str | None = None, encoding: str = "utf-8") -> Task:
    """The task that ``written`` names: ``sample:text-reuse``, a path, or ``related:pairs.csv``.

    >>> open_task("sample:related").kind
    'related'

    Raises:
        UnknownNameError: there is no such part of the sample, or no such kind.
        InputError: a file is missing, or not what it should be.
    """
    if isinstance(written, str) and written.startswith(SAMPLE_PREFIX):
        with sample_task_folder(written.removeprefix(SAMPLE_PREFIX)) as folder:
            return read_task(folder, name=name, encoding=encoding)
    kind, path = _parted(str(written))
    return read_task(path, kind=kind, name=name, encoding=encoding)


def open_card(written: str | Path) -> TaskCard:
    """What is known of a task that is a folder or a part of the sample: how it was made, and its licence.

    >>> open_card("sample:deduplication").licence
    'Apache-2.0'

    Raises:
        UnknownNameError: there is no such part of the sample.
        InputError: there is no such folder, or its card cannot be read.
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
) -> Task:
    """Read a task from a file, or from a folder, which may say in ``task.toml`` what it is.

    Args:
        path: a table (CSV, TSV, JSONL) or a folder, in a layout of `TASK_KINDS`.
        kind: the name of a kind; where it is not given, the card says it or the files are looked at.
        name: what to call the task; by default what the card says, else the name of the file or folder.
        encoding: of tables; a byte-order mark overrules it.
        classes: for labelled pairs, the classes in order, the least alike first, where their names do not say it.

    Raises:
        InputError: a file, or a row in it, is not what it should be; the message names place and remedy.
        UnknownNameError: there is no such kind.
        ArgumentError: classes are given for a kind that has none.
    """
    whole = existing(Path(path))
    whole = whole.parent if whole.name == CARD else whole
    card = read_card(whole) if whole.is_dir() else TaskCard()
    source = TaskSource(
        path=whole,
        name=name or card.name or _name_of(whole),
        encoding=encoding,
        classes=card.classes if classes is None else tuple(classes),
        card=card,
    )
    wanted = kind or card.kind
    known = _recognised(source) if wanted is None else TASK_KINDS.maker(wanted)()
    if source.classes is not None and not known.has_classes:
        raise ArgumentError(f"classes do not fit '{known.name}'", where=source.name, remedy="leave them out")
    return known.read(source)


def _parted(written: str) -> tuple[str | None, str]:
    """Kind and path. What stands before a colon is a kind, unless the whole is a path that is there.

    Raises:
        UnknownNameError: it is no kind, and what follows it is a path that is there.
    """
    kind, colon, rest = written.partition(":")
    if not colon or Path(written).exists():
        return None, written
    try:
        TASK_KINDS.maker(kind)
    except UnknownNameError:
        if Path(rest).exists() and len(kind) > 1:  # one letter is a drive
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
    there = holdings(source.path) if source.is_folder else f"the columns {listing(source.header(source.path))}"
    raise FormatError(
        f"the kind of task was not recognised; it holds {there}",
        where=str(source.path),
        remedy=f"say it: KIND:PATH, kind= in Python, or kind in {CARD}; kinds: {_kinds()}",
    )


def _kinds() -> str:
    """Every kind with its first layout, those that share one together."""
    by_layout: dict[str, list[str]] = {}
    for name, _, layouts in describe_task_kinds():
        by_layout.setdefault(layouts[0], []).append(name)
    return "; ".join(f"{', '.join(names)}: {layout}" for layout, names in by_layout.items())
