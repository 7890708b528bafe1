"""Folders of data files that are read together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from similitude.data.plural import agreeing
from similitude.data.reading.column_names import plain_name
from similitude.data.reading.files import folder_error
from similitude.data.reading.problems import listing
from similitude.errors import FormatError, InputError
from similitude.paths import printable

__all__ = ["FolderFiles", "data_files", "refuse_several_layouts"]

PACKED = (".gz", ".zst", ".xz", ".bz2", ".zip")
KINDS: Mapping[str, str] = {
    ".csv": "text", ".tsv": "text", ".txt": "text", ".tab": "text", ".jsonl": "JSON lines", ".ndjson": "JSON lines",
    ".json": "JSON", ".parquet": "Parquet", ".arrow": "Arrow", ".feather": "Arrow", ".ipc": "Arrow",
    ".xlsx": "workbooks", ".xlsb": "workbooks", ".xls": "workbooks", ".ods": "workbooks",
}  # fmt: skip
"""The endings of data files, and what they hold."""

ABOUT = re.compile(
    r"(readme|licen[cs]e|citation|copying|notice|changelog|authors|dataset_infos?\.json|metadata\.)", re.IGNORECASE
)
COMPANION = re.compile(r"\.(judgements\.jsonl|items\.jsonl|provenance\.json)$")


class FolderFiles(NamedTuple):
    """The data files of a folder.

    Attributes:
        files: the data files, sorted by name.
        ignored: the names of other files, to the reason why they are not read.
    """

    files: list[Path]
    ignored: dict[str, str]

    def note(self, folder: Path) -> str:
        """What was read and what was not."""
        left = "; ".join(f"{printable(name)} is {why}" for name, why in self.ignored.items())
        read = agreeing(len(self.files), "file", "is read", "are read together")
        return f"{printable(folder.resolve().name)}: {read}" + (f"; not read: {left}" if left else "")


def data_files(folder: Path) -> FolderFiles:
    """The data files of a folder, which must be of one kind. Hidden files do not count.

    Raises:
        FormatError: there are data files of several kinds.
        InputError: there is no data file.
    """
    entries = sorted(each for each in folder.iterdir() if not each.name.startswith("."))
    _refuse_folders_of_data(folder, entries)
    ignored = {each.name: why for each in entries if (why := _why_not(each)) is not None}
    files = [each for each in entries if each.name not in ignored]
    if not files:
        raise folder_error(folder)
    kinds = {kind: [each.name for each in files if _kind(each) == kind] for kind in dict.fromkeys(map(_kind, files))}
    if len(kinds) > 1:
        shown = "; ".join(f"{kind}: {listing(names, 4)}" for kind, names in kinds.items())
        what = f"the folder holds data files of several kinds ({shown})"
        raise FormatError(what, where=printable(folder), remedy="name the files that you mean")
    return FolderFiles(files, ignored)


def _refuse_folders_of_data(folder: Path, entries: Sequence[Path]) -> None:
    """Check that no folder inside holds data files as well.

    Raises:
        FormatError: data files stand both in the folder and in folders inside.
    """
    inside = [each.name for each in entries if each.is_dir() and any(map(_kind, each.iterdir()))]
    files = [each.name for each in entries if _why_not(each) is None]
    if inside and files:
        what = f"the folder holds data files ({listing(files, 4)}) and folders with data files ({listing(inside, 4)})"
        raise FormatError(what, where=printable(folder), remedy="name the files or the folder that you mean")


def refuse_several_layouts(folder: Path, headers: Mapping[str, Sequence[str]]) -> None:
    """Check that files can be read together: one may lack columns of another, as test sets lack scores.

    Args:
        folder: the folder, for messages.
        headers: the names of files, to their columns.

    Raises:
        InputError: two files have columns of their own.
    """
    first, names = next(iter(headers.items()))
    for file, others in headers.items():
        mine, theirs = set(map(plain_name, names)), set(map(plain_name, others))
        if not (mine <= theirs or theirs <= mine):
            what = f"the files have different columns: {first} has {listing(names, 8)}; {file} has {listing(others, 8)}"
            raise InputError(what, where=printable(folder), remedy="name the files that belong together")


def _why_not(path: Path) -> str | None:
    """Why a file is not read; None for a data file."""
    if path.is_dir():
        return "a folder"
    if ABOUT.match(path.name):
        return "about the data"
    if COMPANION.search(path.name):
        return "read with the file that it belongs to"
    return None if _kind(path) else "no data file by its name"


def _kind(path: Path) -> str:
    endings = list(_endings(path))
    return KINDS.get(endings[0], "") if endings else ""


def _endings(path: Path) -> Iterator[str]:
    """The endings of a file's name, the last first, without that of a packed file."""
    return (ending.lower() for ending in reversed(path.suffixes) if ending.lower() not in PACKED)
