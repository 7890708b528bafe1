"""The fingerprint of a model: a hash of its files, and of all else that changes what it computes.

A commit on the hub never changes, so its name is enough. In a folder, every file counts that could matter: weights,
configuration, tokeniser. A large file is read once; its hash is remembered with its size and time of change.
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
"""Raised when we compute something else from the same model: 2, since pooling holds for models with a chat template."""
_PACKAGES = ("torch", "transformers", "tokenizers", "sentence-transformers")
_OTHER_SUFFIXES = frozenset(
    {".md", ".onnx", ".h5", ".msgpack", ".ot", ".gguf", ".tflite", ".png", ".jpg", ".log", ".lock"}
)
_OTHER_FOLDERS = ("checkpoint-", "onnx", "openvino", "coreml", "runs", "eval")

_hashes: dict[str, str] = {}
"""Hashes of large files, by path, size and time of change, for the life of this process."""


class Memory(Protocol):
    """Remembers the hashes of large files from run to run; a `VectorCache` does."""

    def recall(self, question: str) -> str | None:
        """The answer to a question; None if unknown."""
        ...

    def remember(self, question: str, answer: str) -> None:
        """Keep the answer to a question."""


def fingerprint(
    files: ModelFiles, cache: Memory | None, packages: Sequence[str] = _PACKAGES, /, **settings: object
) -> str:
    """A hash that changes when the model's files, the libraries or the settings do.

    Args:
        files: where the model is.
        cache: remembers the hashes of large files from run to run.
        packages: the libraries that compute.
        **settings: what else changes the numbers: pooling, precision, shapes.
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
    """Name and hash of each file that could matter, in the order of their names."""
    found = []
    for root, below, names in os.walk(folder):
        below[:] = [name for name in below if not name.startswith((".", *_OTHER_FOLDERS))]
        paths = [Path(root, name) for name in names if not name.startswith(".")]
        found += [path for path in paths if path.suffix not in _OTHER_SUFFIXES]
    return [f"{path.relative_to(folder).as_posix()} {hash_of_file(path, cache)}" for path in sorted(found)]


def hash_of_file(path: Path, cache: Memory | None) -> str:
    """SHA-256 of a file's bytes; of a large file that did not change since, as it is remembered."""
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
