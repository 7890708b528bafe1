"""Where the cache is and how large it may grow, as set by environment variables or by default.

``SIMILITUDE_CACHE``
    A folder, or ``off`` for no cache.
``SIMILITUDE_CACHE_LIMIT``
    The maximum size of the vectors: bytes, or ``500MB``, ``20GB``. The default is 5 GB; 0 disables the cache. Answers
    of language models are never deleted to make room.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from similitude.data.byte_sizes import size_in
from similitude.models.cache.answer_store import AnswerStore
from similitude.models.cache.store import ignore
from similitude.models.cache.vector_store import VectorStore

__all__ = [
    "ANSWERS_FILE",
    "FILE",
    "Caches",
    "cache_folder",
    "cache_limit",
    "default_caches",
    "usual_answers",
    "usual_cache",
]

FILE = "vectors.sqlite"
ANSWERS_FILE = "answers.sqlite"
DEFAULT_LIMIT = 5_000_000_000


class Caches(NamedTuple):
    """A cache of vectors and one of answers; None where there is none."""

    vectors: VectorStore | None = None
    answers: AnswerStore | None = None


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder of the cache; None if the cache is disabled.

    >>> cache_folder({"SIMILITUDE_CACHE": "/fast/disk"}).as_posix()
    '/fast/disk'
    """
    named = environment.get("SIMILITUDE_CACHE", "").strip()
    if named.lower() in ("off", "none", "0"):
        return None
    return Path(named).expanduser() if named else _platform_folder(environment) / "similitude"


def usual_cache(note: Callable[[str], None] = ignore) -> VectorStore | None:
    """The vector cache that the environment configures; None if it is disabled.

    Args:
        note: called with messages for the user, for example about damaged entries.
    """
    folder, limit = cache_folder(), cache_limit()
    return VectorStore(folder / FILE, limit=limit, note=note) if folder and limit else None


def usual_answers(note: Callable[[str], None] = ignore) -> AnswerStore | None:
    """The answer cache that the environment configures, beside the vectors; None if it is disabled.

    Args:
        note: called with messages for the user, for example about damaged answers.
    """
    folder = cache_folder()
    return AnswerStore(folder / ANSWERS_FILE, note=note) if folder and cache_limit() else None


def default_caches(note: Callable[[str], None] = ignore) -> Caches:
    """The caches of vectors and of answers that the environment configures."""
    return Caches(usual_cache(note), usual_answers(note))


def cache_limit(environment: Mapping[str, str] = os.environ) -> int:
    """The maximum size of the cache in bytes; 0 disables it.

    Raises:
        ArgumentError: SIMILITUDE_CACHE_LIMIT is not a size.

    >>> cache_limit({"SIMILITUDE_CACHE_LIMIT": "1.5 GB"})
    1500000000
    """
    limit = size_in(environment, "SIMILITUDE_CACHE_LIMIT")
    return DEFAULT_LIMIT if limit is None else limit


def _platform_folder(environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache")
