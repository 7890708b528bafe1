"""Where a model's files are: in a folder, or at a commit on the Hugging Face hub. Does not need torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from similitude.errors import ArgumentError, MissingExtraError
from similitude.models.packages import PACKAGE, model_folder_in_package

__all__ = ["ADAPTER_FILE", "BASE", "ModelFiles", "local_commit", "resolve"]

ADAPTER_FILE, BASE = "adapter_config.json", "base_model_name_or_path"
"""The settings of an adapter, and the setting that names the model to which it is added."""
_MODEL_FILES = ("modules.json", "config.json", ADAPTER_FILE)
"""Every model has one of these files: from sentence-transformers, transformers, or peft."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of one model.

    Attributes:
        reference: what libraries load it by: a folder, or the repository's name on the hub.
        commit: the commit on the hub; None for a folder.
    """

    reference: str
    commit: str | None = None

    @property
    def is_folder(self) -> bool:
        """Whether the files are in a local folder."""
        return self.commit is None

    def file(self, name: str) -> Path | None:
        """The path of one of its files, downloaded from the hub if necessary; None if it has no such file."""
        if self.commit is None:
            path = Path(self.reference, name)
            return path if path.is_file() else None
        return _hub_file(self.reference, name, self.commit)

    @property
    def base(self) -> ModelFiles | None:
        """On the hub, the model to which it is added if it is an adapter, as far as this machine knows.

        Loading an adapter downloads its settings, so that it is known from then on.
        """
        return None if self.commit is None else _base_on_hub(self.reference, self.commit)

    def settings(self, name: str) -> dict[str, Any]:
        """The contents of one of its JSON files; empty if it has no such file.

        Raises:
            ArgumentError: the file is not valid JSON.
        """
        path = self.file(name)
        if path is None:
            return {}
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise ArgumentError(f"cannot read {name} ({error})", where=self.reference, remedy="fix the file") from None
        return content if isinstance(content, dict) else {}


def resolve(model: str, revision: str | None, organisation: str) -> ModelFiles:
    """Find a model by folder or by name on the hub.

    Args:
        model: a folder, a name such as ``sentence-transformers/all-MiniLM-L6-v2``, or ``package:NAME`` for the folder
            in an installed package.
        revision: a branch, tag or commit on the hub; None for the main branch.
        organisation: the organisation to try first for a name without one.

    Raises:
        ArgumentError: there is no such model, the folder contains none, or the hub cannot be reached.
    """
    if model.startswith(PACKAGE):
        return _folder(model_folder_in_package(model), revision)
    folder = Path(model).expanduser()
    if folder.is_dir():
        return _folder(folder, revision)
    if folder.is_file() or model.startswith(("/", ".", "~")) or model.count("/") > 1 or "\\" in model:
        what = "is a file, not a folder" if folder.is_file() else "no such folder"
        raise ArgumentError(what, where=f"model '{model}'", remedy="name a model's folder, or a model on the hub")
    return _hub(model, revision, organisation)


def _folder(folder: Path, revision: str | None) -> ModelFiles:
    if revision is not None:
        raise ArgumentError(
            f"revision={revision} is not valid for a folder", where=f"model '{folder}'", remedy="leave revision out"
        )
    if not any((folder / name).is_file() for name in _MODEL_FILES):
        there = ", ".join(sorted(path.name for path in folder.iterdir())[:6]) or "nothing"
        raise ArgumentError(
            f"the folder contains no model: it has neither modules.json nor config.json (found: {there})",
            where=f"model '{folder}'",
            remedy="name a folder that sentence-transformers or transformers saved, or a model on the hub",
        )
    return ModelFiles(str(folder))


@lru_cache(maxsize=64)
def _hub(model: str, revision: str | None, organisation: str) -> ModelFiles:
    """Try the name with the default organisation first, then the bare name."""
    names = [model] if "/" in model else [f"{organisation}/{model}", model]
    for name in names[:-1]:
        try:
            return _found(ModelFiles(name, _commit(name, revision)))
        except ArgumentError:
            continue
    return _found(ModelFiles(names[-1], _commit(names[-1], revision)))


def _base_on_hub(name: str, commit: str) -> ModelFiles | None:
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError:
        return None
    path = try_to_load_from_cache(name, ADAPTER_FILE, revision=commit)  # asks nobody
    if not isinstance(path, str):
        return None
    base = json.loads(Path(path).read_text(encoding="utf-8")).get(BASE)
    return ModelFiles(base, _commit_of_base(base)) if isinstance(base, str) and base else None


@lru_cache(maxsize=64)
def _commit_of_base(name: str) -> str | None:
    try:
        return _commit(name, None)
    except ArgumentError:
        return local_commit(name)


def local_commit(name: str) -> str | None:
    """The commit of a model's main branch that was downloaded last; None if there is none on this machine."""
    try:
        from huggingface_hub import constants
    except ImportError:
        return None
    main = Path(constants.HF_HUB_CACHE, f"models--{name.replace('/', '--')}", "refs", "main")
    return main.read_text(encoding="utf-8").strip() if main.is_file() else None


def _found(files: ModelFiles) -> ModelFiles:
    """Return the files if there is a model; the hub is not asked about a commit until one of its files is needed."""
    if not any(files.file(name) for name in _MODEL_FILES):
        raise ArgumentError(
            f"neither modules.json nor config.json of revision {files.commit} is on this machine or can be downloaded",
            where=f"model '{files.reference}'",
            remedy=_without_network(files.reference),
        )
    return files


def _commit(name: str, revision: str | None) -> str:
    """The commit of a revision, from the hub or, if it cannot be reached, from the local copy."""
    try:
        from huggingface_hub import errors, resolve_revision
    except ImportError:
        raise MissingExtraError("huggingface_hub", "encoders") from None
    where = f"model '{name}'"
    try:
        return str(resolve_revision(name, revision=revision).resolved)
    except errors.RevisionNotFoundError:
        remedy = "name a branch, tag or commit of the model"
        raise ArgumentError(
            f"the Hugging Face hub has no revision '{revision}' of this model", where=where, remedy=remedy
        ) from None
    except (errors.RepositoryNotFoundError, errors.HFValidationError):
        raise ArgumentError(
            "the Hugging Face hub has no such model, or you have no access to it",
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
        f"on a machine with network access, run 'hf download {name} --local-dir FOLDER'; then copy the folder here "
        "and give its path instead of the name"
    )


def _hub_file(name: str, file: str, commit: str) -> Path | None:
    from huggingface_hub import errors, hf_hub_download

    try:
        return Path(hf_hub_download(name, file, revision=commit))
    except (errors.EntryNotFoundError, errors.LocalEntryNotFoundError):
        return None
    except Exception as error:
        raise _unreachable(name, error) from None
