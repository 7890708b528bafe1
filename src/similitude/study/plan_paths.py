"""Paths in a plan, which are relative to the plan's file."""

from __future__ import annotations

from pathlib import Path

from similitude.data.addresses import SAMPLE_PREFIX

__all__ = ["beside", "model_beside"]


def beside(file: Path, written: str) -> str:
    """A path relative to the plan's file; names of the sample and of the hub stay what they are."""
    if written.startswith((SAMPLE_PREFIX, "hf:")) or Path(written).is_absolute():
        return written
    return str(file.parent / written)


def model_beside(file: Path, written: str) -> str:
    """A folder beside the plan's file, if there is one; else the name as it is."""
    return str(file.parent / written) if (file.parent / written).is_dir() else written
