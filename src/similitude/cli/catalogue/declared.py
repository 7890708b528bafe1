"""The tables that ship with the package, one JSON file for each kind of name."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

__all__ = ["COMMANDS", "KINDS", "Kind", "Record", "command_table", "declared", "table_path"]

Kind = Literal["measures", "systems", "formats", "recipes", "suites", "tasks", "checks", "samples"]
Record = dict[str, Any]

KINDS: Final[tuple[Kind, ...]] = (
    "measures",
    "systems",
    "formats",
    "recipes",
    "suites",
    "tasks",
    "checks",
    "samples",
)
COMMANDS: Final = "commands"


def table_path(kind: str) -> Path:
    """The file of a table."""
    return Path(__file__).with_name(f"{kind}.json")


@cache
def _content(kind: str) -> Any:
    return json.loads(table_path(kind).read_text(encoding="utf-8"))


def declared(kind: Kind) -> list[Record]:
    """The records of what Similitude itself has of a kind, in the order of its listing; each has a ``name``."""
    records: list[Record] = _content(kind)
    return records


def command_table() -> dict[str, Record]:
    """Every command with its description (``does``), its ``arguments`` and its ``options``."""
    table: dict[str, Record] = _content(COMMANDS)
    return table
