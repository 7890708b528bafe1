"""The files of a model's folder that may shape its output.

All files count but those that no loader reads: documentation, images, weights of other frameworks, hidden files, and
folders of logs and checkpoints. If a JSON file of the model names one of these, as modules.json names the folders of
modules, it counts too. Links are followed, and so is the base model of an adapter.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from similitude.models.file_hashes import FileStat, is_regular
from similitude.models.files import ADAPTER_FILE, BASE

__all__ = ["FolderFile", "bases_of_adapters", "folder_files"]

_NOT_READ = frozenset(
    {".md", ".h5", ".msgpack", ".ot", ".tflite", ".gguf", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".log", ".lock"}
)
_FOLDERS_NOT_READ = ("checkpoint-", "coreml", "runs", "eval", "__pycache__")
_LONGEST_SETTINGS = 1 << 20
_VOCABULARIES = frozenset({"tokenizer.json", "vocab.json"})
"""JSON files that name no other files."""


class FolderFile(NamedTuple):
    """A file in the folder of a model.

    Attributes:
        name: the path within the folder.
        path: where it is.
        state: the state of the file and of the links that lead to it; None if it cannot be read.
    """

    name: str
    path: Path
    state: tuple[FileStat, ...] | None


def folder_files(folder: Path) -> list[FolderFile]:
    """The files that count, sorted by name."""
    named: frozenset[str] = frozenset()
    while True:
        walk = _Walk(named, set())
        counted = sorted(walk.below(folder, "", (), ()))
        more = frozenset().union(*(_names_in(file) for file in counted)) & walk.passed_over
        if not more:
            return counted
        named |= more


def bases_of_adapters(files: Sequence[FolderFile]) -> Iterator[str]:
    """The models that adapters in the folder are added to, as their settings name them."""
    for file in files:
        if file.name.rpartition("/")[2] == ADAPTER_FILE and file.state is not None:
            settings = _settings(_content(file.path))
            base = settings.get(BASE) if isinstance(settings, dict) else None
            if isinstance(base, str) and base:
                yield base


class _Walk(NamedTuple):
    """A walk through a folder.

    Attributes:
        named: files and folders that count whatever they are called.
        passed_over: the names of those that do not, which the walk finds out.
    """

    named: frozenset[str]
    passed_over: set[str]

    def below(
        self, folder: Path, prefix: str, above: tuple[tuple[int, int], ...], links: tuple[FileStat, ...]
    ) -> Iterator[FolderFile]:
        """All files below a folder that count; a link to a folder that it is in leads nowhere new."""
        known = folder.stat()
        place = (known.st_dev, known.st_ino)
        if place in above:
            return
        with os.scandir(folder) as entries:
            for entry in entries:
                path, name, is_folder = Path(entry.path), prefix + entry.name, entry.is_dir()
                passed = (*links, FileStat.of(entry.stat(follow_symlinks=False))) if entry.is_symlink() else links
                if entry.name not in self.named and _is_unread(entry.name, is_folder=is_folder):
                    self.passed_over.add(entry.name)
                elif is_folder:
                    yield from self.below(path, f"{name}/", (*above, place), passed)
                else:
                    yield FolderFile(name, path, _state(path, passed))


def _state(path: Path, links: tuple[FileStat, ...]) -> tuple[FileStat, ...] | None:
    """None for a broken link, a pipe or a device, which no loader reads."""
    try:
        known = path.stat()
    except OSError:
        return None
    return (*links, FileStat.of(known)) if is_regular(known) else None


def _is_unread(name: str, *, is_folder: bool) -> bool:
    """Whether no loader reads a file or folder of this name, unless some settings name it."""
    if is_folder:
        return name.startswith((".", *_FOLDERS_NOT_READ))
    return name.startswith(".") or Path(name).suffix.lower() in _NOT_READ


def _names_in(file: FolderFile) -> frozenset[str]:
    """All parts of paths in the strings of a JSON file."""
    base = file.name.rpartition("/")[2]
    if not base.endswith(".json") or file.state is None or base in _VOCABULARIES:
        return frozenset()
    if file.state[-1].size > _LONGEST_SETTINGS and not base.endswith(".index.json"):
        return frozenset()
    return _parts_of_paths(_content(file.path))


@functools.lru_cache(maxsize=256)
def _parts_of_paths(content: bytes) -> frozenset[str]:
    return frozenset(part for text in _strings(_settings(content)) for part in text.split("/"))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _settings(content: bytes) -> Any:
    """The content of a JSON file; None if it is not JSON."""
    try:
        return json.loads(content)
    except ValueError:
        return None


def _strings(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        yield from (text for pair in content.items() for part in pair for text in _strings(part))
    elif isinstance(content, list):
        yield from (text for part in content for text in _strings(part))
