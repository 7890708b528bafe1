"""Where the cache is and how large it may grow: by environment variable, or where the platform keeps such things.

``SIMILITUDE_CACHE``
    A folder, or ``off`` for no cache.
``SIMILITUDE_CACHE_LIMIT``
    The most that vectors may take: bytes, or ``500MB``, ``20GB``; 5 GB where it is not set, and 0 for no cache. Answers
    of language models are never dropped to make room.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from similitude.errors import ArgumentError
from similitude.models.cache.answer_store import AnswerStore
from similitude.models.cache.vector_store import VectorStore, ignore

__all__ = ["ANSWERS_FILE", "FILE", "cache_folder", "cache_limit", "usual_answers", "usual_cache"]

FILE = "vectors.sqlite"
ANSWERS_FILE = "answers.sqlite"
USUAL_LIMIT = 5_000_000_000

_SIZE = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*$", re.IGNORECASE)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder of the cache; None where it is switched off.

    >>> cache_folder({"SIMILITUDE_CACHE": "/fast/disk"}).as_posix()
    '/fast/disk'
    """
    named = environment.get("SIMILITUDE_CACHE", "").strip()
    if named.lower() in ("off", "none", "0"):
        return None
    return Path(named).expanduser() if named else _platform_folder(environment) / "similitude"


def usual_cache(note: Callable[[str], None] = ignore) -> VectorStore | None:
    """The cache that the environment asks for; None where it asks for none.

    Args:
        note: told what the user should know, such as that entries were damaged.
    """
    folder, limit = cache_folder(), cache_limit()
    return VectorStore(folder / FILE, limit=limit, note=note) if folder and limit else None


def usual_answers(note: Callable[[str], None] = ignore) -> AnswerStore | None:
    """Where the environment asks to keep what language models answer: beside the vectors; None where nowhere.

    Args:
        note: told what the user should know, such as that answers were damaged.
    """
    folder = cache_folder()
    return AnswerStore(folder / ANSWERS_FILE, note=note) if folder and cache_limit() else None


def cache_limit(environment: Mapping[str, str] = os.environ) -> int:
    """The most bytes that the cache may hold; 0 switches it off.

    Raises:
        ArgumentError: the environment says something that is no size.

    >>> cache_limit({"SIMILITUDE_CACHE_LIMIT": "1.5 GB"})
    1500000000
    """
    written = environment.get("SIMILITUDE_CACHE_LIMIT", "").strip()
    if not written:
        return USUAL_LIMIT
    size = _SIZE.match(written)
    if size is None:
        raise ArgumentError(
            f"cannot read SIMILITUDE_CACHE_LIMIT='{written}'", remedy="write a size, as in 500MB or 5GB"
        )
    return int(float(size[1]) * _UNITS[size[2].lower()])


def _platform_folder(environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache")
