"""Paths in a plan, relative to the plan's file."""

from __future__ import annotations

from pathlib import Path

from similitude.data.addresses import SAMPLE_PREFIX

__all__ = ["beside", "model_beside"]


def beside(file: Path, written: str) -> str:
    """A path relative to the plan's file; addresses of samples and of the hub are unchanged."""
    if written.startswith((SAMPLE_PREFIX, "hf:")) or Path(written).is_absolute():
        return written
    return str(file.parent / written)


def model_beside(file: Path, written: str) -> str:
    """The folder beside the plan's file, if there is one; otherwise the name unchanged."""
    return str(file.parent / written) if (file.parent / written).is_dir() else written
