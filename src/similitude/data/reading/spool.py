"""Spool: streams and packed files as plain files in a temporary folder."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

from similitude.data.reading.compression import SUFFIXES, packed
from similitude.data.reading.disk_frames import temporary_folder
from similitude.data.reading.files import status
from similitude.data.reading.pipes import Stream, empty, stream_of
from similitude.errors import ArgumentError, InputError
from similitude.paths import printable

__all__ = ["local_files"]

LARGEST_RATIO = 1000
LARGEST_CONTENT = 1 << 28
"""A packed file whose content is larger than both limits, relative and in bytes, is refused."""

SPARE_ROOM = 1 << 30
"""Bytes of the disk that are left free."""

LAYERS = 3
"""A file that is packed so many times is refused."""

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
COMPANIONS = ("{stem}.judgements.jsonl", "{stem}.items.jsonl", "{stem}.toml", "recipe.toml")
"""Names of files that belong to a file and are found beside it."""

SEMEVAL = re.compile(r"\.(input|gs)\.")
"""The part of a name in which the texts and the scores of SemEval differ."""


@contextmanager
def local_files(paths: Sequence[str | Path]) -> Iterator[list[str | Path]]:
    """For each path, one that can be opened many times.

    Files, folders, and names with a scheme (``hf:``, ``sample:``) stay as they are. Standard input (``-``) and pipes
    are read once, and packed files (gzip, zstd, xz, bzip2, a ZIP archive of one file) are unpacked, into a temporary
    folder that lasts as long as the context.

    Args:
        paths: files, folders, names, pipes, or ``-``.

    Raises:
        InputError: a path cannot be read, never ends, is damaged, or unpacks to more than the disk can hold.
        ArgumentError: a pipe is named twice.
    """
    streams = [None if _is_name(path) else stream_of(path) for path in paths]
    _refuse_repeated([stream for stream in streams if stream])
    with ExitStack() as stack:
        spool = _Spool(stack)
        yield [_local(path, stream, spool) for path, stream in zip(paths, streams, strict=True)]


class _Spool:
    """A temporary folder, made when it is first needed; each file gets a folder of its own in it."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._numbers = itertools.count()

    @cached_property
    def _root(self) -> Path:
        try:
            made = tempfile.TemporaryDirectory(prefix="similitude-", dir=temporary_folder(), ignore_cleanup_errors=True)
        except OSError as error:
            what = f"no folder for temporary files: {error.strerror or error}"
            raise InputError(what, remedy="name a folder with the environment variable TMPDIR") from None
        return Path(self._stack.enter_context(made))

    def write(self, name: str, blocks: Iterable[bytes], where: str, folder: str = "") -> Path:
        """A new file of this name and content, in a folder of this name, by which some formats are recognised."""
        path = self._root / str(next(self._numbers)) / folder / name
        try:
            path.parent.mkdir(parents=True)
            with path.open("wb") as file:
                for block in blocks:
                    _refuse_full(path.parent, where)
                    file.write(block)
        except OSError as error:
            raise _unwritten(where, error.strerror or str(error)) from None
        return path


def _refuse_repeated(streams: Sequence[Stream]) -> None:
    for position, stream in enumerate(streams):
        if stream in streams[:position]:
            raise ArgumentError(f"{stream.shown} is named twice", remedy="it can be read only once; name it once")


def _is_name(path: str | Path) -> bool:
    """Whether a path is a name with a scheme, such as ``hf:NAME``, and not a file."""
    return bool(SCHEME.match(str(path))) and not os.path.lexists(path)


def _local(path: str | Path, stream: Stream | None, spool: _Spool) -> str | Path:
    if stream:
        copy = spool.write(stream.name, stream.blocks(), stream.shown)
        if not copy.stat().st_size:
            raise empty(stream.shown)
        return _unpacked(copy, spool, stream.shown) or copy
    if _is_name(path) or Path(path).is_dir():
        return path
    content = _unpacked(Path(path), spool, printable(Path(path).name))
    if content:
        _link_companions(Path(path), content, spool)
    return content or path


def _unpacked(path: Path, spool: _Spool, where: str) -> Path | None:
    """The content of a packed file; None for other files."""
    content, size = None, status(path).st_size
    for _ in range(LAYERS):
        found = packed(content or path)
        if found is None:
            return content
        content = spool.write(found.name, _limited(found.blocks, size, where), where, path.absolute().parent.name)
    raise InputError(f"is packed more than {LAYERS - 1} times", where=where, remedy="unpack it first")


def _limited(blocks: Iterable[bytes], packed_size: int, where: str) -> Iterator[bytes]:
    """The blocks, as long as the content is not suspiciously large."""
    size, limit = 0, max(LARGEST_CONTENT, LARGEST_RATIO * packed_size)
    for block in blocks:
        size += len(block)
        if size > limit:
            what = f"unpacks to more than {limit:,} bytes, {limit // max(packed_size, 1):,} times its size"
            raise InputError(what, where=where, remedy="unpack it first if that is right")
        yield block


def _refuse_full(folder: Path, where: str) -> None:
    if shutil.disk_usage(folder).free < SPARE_ROOM:
        raise _unwritten(where, f"less than {SPARE_ROOM:,} bytes are free in {temporary_folder()}")


def _unwritten(where: str, reason: str) -> InputError:
    remedy = "name a folder on a larger disk with the environment variable TMPDIR"
    return InputError(f"cannot be unpacked or copied: {reason}", where=where, remedy=remedy)


def _link_companions(path: Path, content: Path, spool: _Spool) -> None:
    """Put links to the companions of a packed file beside its content; packed companions are unpacked too."""
    for name in _companion_names(content):
        found = _beside(path, name)
        if found:
            target = _unpacked(found, spool, printable(found.name)) or found.absolute()
            (content.parent / name).symlink_to(target)


def _companion_names(content: Path) -> list[str]:
    swapped = SEMEVAL.sub(lambda part: ".gs." if part[0] == ".input." else ".input.", content.name, count=1)
    names = [pattern.format(stem=content.stem) for pattern in COMPANIONS] + [swapped]
    return [name for name in names if name != content.name]


def _beside(path: Path, name: str) -> Path | None:
    found = (path.with_name(name + suffix) for suffix in ("", *SUFFIXES))
    return next((each for each in found if each != path and each.is_file()), None)
