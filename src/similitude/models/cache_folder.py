"""Where things are kept that can be had again: by environment variable, or where the platform keeps such things.

``SIMILITUDE_CACHE``
    A folder, or ``off`` for no cache.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["cache_folder"]


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path | None:
    """The folder of the cache; None where it is switched off.

    >>> cache_folder({"SIMILITUDE_CACHE": "/fast/disk"}).as_posix()
    '/fast/disk'
    """
    named = environment.get("SIMILITUDE_CACHE", "").strip()
    if named.lower() in ("off", "none", "0"):
        return None
    return Path(named).expanduser() if named else _platform_folder(environment) / "similitude"


def _platform_folder(environment: Mapping[str, str]) -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    if sys.platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    return Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache")
