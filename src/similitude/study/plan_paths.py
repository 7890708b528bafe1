"""Paths in a plan, relative to the plan's file."""

from __future__ import annotations

import os
from pathlib import Path

from similitude.data.addresses import SAMPLE_PREFIX

__all__ = ["beside", "model_beside", "model_seen_from", "seen_from"]


def beside(file: Path, written: str) -> str:
    """A path relative to the plan's file; addresses of samples and of the hub are unchanged."""
    return written if _stays(written) else str(file.parent / written)


def model_beside(file: Path, written: str) -> str:
    """The folder beside the plan's file, if there is one; otherwise the name unchanged."""
    return str(file.parent / written) if (file.parent / written).is_dir() else written


def seen_from(folder: Path, written: str) -> str:
    """A path of this process, relative to the folder in which a plan is written; the reverse of `beside`."""
    return written if _stays(written) else os.path.relpath(written, folder)


def model_seen_from(folder: Path, written: str) -> str:
    """The folder of a model likewise, if there is one of that name; the reverse of `model_beside`."""
    return seen_from(folder, written) if Path(written).is_dir() else written


def _stays(written: str) -> bool:
    """Whether a plan means the same by this wherever it is: an address, or a path from the root."""
    return written.startswith((SAMPLE_PREFIX, "hf:")) or Path(written).is_absolute()
