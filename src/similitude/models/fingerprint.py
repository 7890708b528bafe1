"""The fingerprint of a model: a hash of its files and of everything else that changes its output.

A commit on the hub never changes, so its name is enough. In a folder, every file that could matter is hashed: weights,
configuration, tokeniser. The hash of a large file is remembered with its size and modification time.
"""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Protocol

from similitude.models.files import ModelFiles

__all__ = ["Memory", "fingerprint", "hash_of_file"]

_LARGE = 1 << 20
_OUR_WAY = 2
"""Incremented when we compute something else from the same model. 2: pooling also applies to models with a chat
template.
"""
_PACKAGES = ("torch", "transformers", "tokenizers", "sentence-transformers")
_OTHER_SUFFIXES = frozenset(
    {".md", ".onnx", ".h5", ".msgpack", ".ot", ".gguf", ".tflite", ".png", ".jpg", ".log", ".lock"}
)
_OTHER_FOLDERS = ("checkpoint-", "onnx", "openvino", "coreml", "runs", "eval")

_hashes: dict[str, str] = {}
"""Hashes of large files by path, size and modification time, for the life of this process."""


class Memory(Protocol):
    """Stores the hashes of large files between runs, as a `VectorCache` does."""

    def recall(self, question: str) -> str | None:
        """The stored answer to a question; None if unknown."""
        ...

    def remember(self, question: str, answer: str) -> None:
        """Store the answer to a question."""


def fingerprint(
    files: ModelFiles, cache: Memory | None, packages: Sequence[str] = _PACKAGES, /, **settings: object
) -> str:
    """A hash of the model's files, the versions of the libraries, and the settings.

    Args:
        files: the files of the model.
        cache: stores the hashes of large files between runs.
        packages: the libraries that compute.
        **settings: everything else that changes the output: pooling, precision, shapes.
    """
    facts = [f"{name}={value!r}" for name, value in sorted(settings.items())]
    facts += [f"our way {_OUR_WAY}", *(f"{package} {_version(package)}" for package in packages)]
    facts += [f"{files.reference}@{files.commit}"] if files.commit else _files(Path(files.reference), cache)
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()


@functools.cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


def _files(folder: Path, cache: Memory | None) -> list[str]:
    """Name and hash of each relevant file, sorted by name."""
    found = []
    for root, below, names in os.walk(folder):
        below[:] = [name for name in below if not name.startswith((".", *_OTHER_FOLDERS))]
        paths = [Path(root, name) for name in names if not name.startswith(".")]
        found += [path for path in paths if path.suffix not in _OTHER_SUFFIXES]
    return [f"{path.relative_to(folder).as_posix()} {hash_of_file(path, cache)}" for path in sorted(found)]


def hash_of_file(path: Path, cache: Memory | None) -> str:
    """SHA-256 of a file; for a large file that has not changed, the remembered hash."""
    stat = path.stat()
    if stat.st_size < _LARGE:
        return _read_hash(path)
    question = f"sha256 of {path.resolve()}, {stat.st_size} bytes, changed at {stat.st_mtime_ns}, file {stat.st_ino}"
    if question not in _hashes:
        known = None if cache is None else cache.recall(question)
        _hashes[question] = known or _read_hash(path)
        if cache is not None and not known:
            cache.remember(question, _hashes[question])
    return _hashes[question]


def _read_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
