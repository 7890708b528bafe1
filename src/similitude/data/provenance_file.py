"""``NAME.provenance.json``: beside a benchmark that we wrote, how the files that it comes from were understood."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from similitude.data.provenance import Provenance

__all__ = ["earlier_reading", "provenance_file", "provenance_text"]


def provenance_file(path: Path) -> Path:
    """The path of the provenance of a file: ``pairs.provenance.json`` for ``pairs.csv``."""
    return path.with_name(f"{path.stem}.provenance.json")


def provenance_text(provenance: Provenance, written: Path) -> str:
    """The provenance as JSON, with the size of the file that it belongs to.

    Args:
        provenance: how the benchmark came about.
        written: the file that was written.
    """
    content = {"file": written.name, "bytes": written.stat().st_size, **asdict(provenance)}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def earlier_reading(path: Path) -> str | None:
    """One line on the files that a file of ours was made from; None if that is not known or the file was changed."""
    beside = provenance_file(path)
    try:
        content = json.loads(beside.read_text(encoding="utf-8"))
        if content["bytes"] != path.stat().st_size or not content["readings"]:
            return None
        return f"{path.name}: made from {'; '.join(map(_line, content['readings']))} (see {beside.name})"
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _line(reading: Mapping[str, Any]) -> str:
    columns = ", ".join(f"{ours} = {theirs}" for ours, theirs in reading["columns"].items() if ours != theirs)
    codes = ", ".join(f"{code} means missing" for code in reading["missing"])
    return ", ".join(part for part in (f"{reading['file']} read as {reading['layout']}", columns, codes) if part)
