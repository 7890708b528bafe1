"""Where a model's files are: a folder, or a commit on the Hugging Face hub. Nothing here needs torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from similitude.errors import ArgumentError, MissingExtraError

__all__ = ["ModelFiles", "resolve"]

_MODEL_FILES = ("modules.json", "config.json", "adapter_config.json")
"""One of these lies in every model's folder: sentence-transformers', transformers', or peft's."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model that was found.

    Attributes:
        reference: what the libraries load it by: a folder, or the repository's name on the hub.
        commit: the commit on the hub; None for a folder.
    """

    reference: str
    commit: str | None = None

    @property
    def is_folder(self) -> bool:
        """Whether it lies on this machine and nowhere else."""
        return self.commit is None

    def file(self, name: str) -> Path | None:
        """One of its files, fetched from the hub where needed; None if it has no such file."""
        if self.commit is None:
            path = Path(self.reference, name)
            return path if path.is_file() else None
        return _hub_file(self.reference, name, self.commit)

    def settings(self, name: str) -> dict[str, Any]:
        """What one of its JSON files says; nothing if it has no such file.

        Raises:
            ArgumentError: the file is no JSON object.
        """
        path = self.file(name)
        if path is None:
            return {}
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ArgumentError(f"cannot read {name} ({error})", where=self.reference, remedy="mend it") from None
        return content if isinstance(content, dict) else {}


def resolve(model: str, revision: str | None, organisation: str) -> ModelFiles:
    """Find a model by folder or by name on the hub.

    Args:
        model: a folder, or a name such as ``sentence-transformers/all-MiniLM-L6-v2``.
        revision: a branch, tag or commit on the hub; its main branch where none is named.
        organisation: where on the hub to look for a name without one.

    Raises:
        ArgumentError: there is no such model, the folder holds none, or the hub cannot be reached.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _folder(folder, revision)
    if folder.is_file() or model.startswith(("/", ".", "~")) or model.count("/") > 1 or "\\" in model:
        what = "is a file" if folder.is_file() else "no such folder"
        raise ArgumentError(what, where=f"model '{model}'", remedy="name a model's folder, or a model on the hub")
    return _hub(model, revision, organisation)


def _folder(folder: Path, revision: str | None) -> ModelFiles:
    if revision is not None:
        raise ArgumentError(
            f"revision={revision} means nothing to a folder", where=f"model '{folder}'", remedy="leave revision out"
        )
    if not any((folder / name).is_file() for name in _MODEL_FILES):
        there = ", ".join(sorted(path.name for path in folder.iterdir())[:6]) or "nothing"
        raise ArgumentError(
            f"the folder holds no model: neither modules.json nor config.json is there (found: {there})",
            where=f"model '{folder}'",
            remedy="name a folder that sentence-transformers or transformers saved, or a model on the hub",
        )
    return ModelFiles(str(folder))


@lru_cache(maxsize=64)
def _hub(model: str, revision: str | None, organisation: str) -> ModelFiles:
    """The first of the names that the hub knows: a name alone belongs to sentence-transformers, or to nobody."""
    names = [model] if "/" in model else [f"{organisation}/{model}", model]
    for name in names[:-1]:
        try:
            return _found(ModelFiles(name, _commit(name, revision)))
        except ArgumentError:
            continue
    return _found(ModelFiles(names[-1], _commit(names[-1], revision)))


def _found(files: ModelFiles) -> ModelFiles:
    """The source, if there is a model at it: the hub is not asked about a commit until a file of it is needed."""
    if not any(files.file(name) for name in _MODEL_FILES):
        raise ArgumentError(
            f"neither modules.json nor config.json of revision {files.commit} is on this machine or can be fetched",
            where=f"model '{files.reference}'",
            remedy=_without_network(files.reference),
        )
    return files


def _commit(name: str, revision: str | None) -> str:
    """The commit that a revision stands for: asked of the hub, or, where it cannot be reached, of the local copy."""
    try:
        from huggingface_hub import errors, resolve_revision
    except ImportError:
        raise MissingExtraError("huggingface_hub", "encoders") from None
    where = f"model '{name}'"
    try:
        return str(resolve_revision(name, revision=revision).resolved)
    except errors.RevisionNotFoundError:
        remedy = "name a branch, tag or commit of it"
        raise ArgumentError(
            f"the Hugging Face hub has no revision '{revision}' of it", where=where, remedy=remedy
        ) from None
    except (errors.RepositoryNotFoundError, errors.HFValidationError):
        raise ArgumentError(
            "the Hugging Face hub has no such model, or does not show it to you",
            where=where,
            remedy="check the name, log in with 'hf auth login' if it is private, or name a model's folder",
        ) from None
    except Exception as error:
        raise _unreachable(name, error) from None


def _unreachable(name: str, error: Exception) -> ArgumentError:
    return ArgumentError(
        f"the Hugging Face hub cannot be reached ({type(error).__name__}) and no copy of the model is on this machine",
        where=f"model '{name}'",
        remedy=_without_network(name),
    )


def _without_network(name: str) -> str:
    return (
        f"where there is a network, run 'hf download {name} --local-dir FOLDER', bring the folder here, and write it "
        "in place of the name"
    )


def _hub_file(name: str, file: str, commit: str) -> Path | None:
    from huggingface_hub import errors, hf_hub_download

    try:
        return Path(hf_hub_download(name, file, revision=commit))
    except (errors.EntryNotFoundError, errors.LocalEntryNotFoundError):
        return None
    except Exception as error:
        raise _unreachable(name, error) from None
