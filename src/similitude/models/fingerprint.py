"""The fingerprint of a model: a hash of its files and of everything else that changes its output.

A commit on the hub never changes, so its name is enough. In a folder, every file that could matter is hashed: weights,
configuration, tokeniser, modules in subfolders, and the base model of an adapter.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from similitude.errors import MissingExtraError, SimilitudeError
from similitude.models.file_hashes import FileStat, Memory, hash_of_file
from similitude.models.files import ModelFiles, local_commit
from similitude.models.folder_files import FolderFile, bases_of_adapters, folder_files

__all__ = ["ModelState", "fingerprint", "model_state", "package_state"]

_OUR_WAY = 3
"""Incremented when we compute something else from the same model, or hash other files. 2: pooling also applies to
models with a chat template. 3: all files that may matter, the device class and the precision.
"""
_PACKAGES = ("torch", "transformers", "tokenizers", "sentence-transformers", "peft")


class ModelState(NamedTuple):
    """The state that a model is in.

    Attributes:
        fingerprint: a hash of everything that changes its output.
        files: the states of its files, which also tell a file that was changed and changed back.
    """

    fingerprint: str
    files: tuple[tuple[FileStat, ...] | None, ...]


def fingerprint(
    files: ModelFiles, cache: Memory | None, packages: Sequence[str] = _PACKAGES, /, **settings: object
) -> str:
    """A hash of the model's files, the versions of the libraries, and the settings.

    Args:
        files: the files of the model.
        cache: stores the hashes of large files between runs.
        packages: the libraries that compute.
        **settings: everything else that changes the output: pooling, device class, precision, shapes.
    """
    return model_state(files, cache, packages, **settings).fingerprint


def model_state(
    files: ModelFiles, cache: Memory | None, packages: Sequence[str] = _PACKAGES, /, **settings: object
) -> ModelState:
    """The fingerprint together with the states of the files; the arguments are those of `fingerprint`."""
    facts = [f"{name}={value!r}" for name, value in sorted(settings.items())]
    facts += [f"our way {_OUR_WAY}", *(f"{package} {_version(package)}" for package in packages)]
    if files.commit:
        return ModelState(_hash([*facts, *_commits(files)]), ())
    parts = list(_parts(Path(files.reference), ()))
    for part in parts:
        facts += [part] if isinstance(part, str) else ["folder", *(_fact(file, cache) for file in part)]
    states = tuple(file.state for part in parts if not isinstance(part, str) for file in part)
    return ModelState(_hash(facts), states)


def package_state(package: str, module: str, extra: str | None = None) -> ModelState:
    """The state of a model that an installed package brings.

    Args:
        package: the name of the distribution.
        module: the name under which it is imported; it is not imported here.
        extra: the extra of Similitude that brings it; None for a package that is always there.

    Raises:
        SimilitudeError: the package is not installed.
    """
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        if extra is None:
            raise SimilitudeError(f"{package} is not installed", remedy=f"pip install {package}")
        raise MissingExtraError(module, extra)
    return model_state(ModelFiles(spec.submodule_search_locations[0]), None, (package,))


def _hash(facts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(facts).encode("utf-8", "surrogateescape")).hexdigest()


@functools.cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


def _parts(folder: Path, above: tuple[Path, ...]) -> Iterator[list[FolderFile] | str]:
    """The files of a folder and of the models that it adapts; for one on the hub, its name and commit."""
    counted = folder_files(folder)
    yield counted
    for base in bases_of_adapters(counted):
        place, known = Path(base), (*above, folder.resolve())
        if not place.is_dir():
            yield f"{base}@{local_commit(base)}"
        elif place.resolve() not in known:
            yield from _parts(place, known)


def _fact(file: FolderFile, cache: Memory | None) -> str:
    """Name and hash of a file; a file that cannot be read cannot have been loaded either."""
    try:
        return f"{file.name!r} {'unreadable' if file.state is None else hash_of_file(file.path, cache)}"
    except OSError:
        return f"{file.name!r} unreadable"


def _commits(files: ModelFiles) -> Iterator[str]:
    """Name and commit of a model on the hub and, if it is an adapter, of the model that it adapts."""
    yield f"{files.reference}@{files.commit}"
    if (base := files.base) is not None:
        yield f"{base.reference}@{base.commit}"
