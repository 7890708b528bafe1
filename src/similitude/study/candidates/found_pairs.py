"""What one way to find pairs has left for the merge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["FoundPairs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPairs:
    """Pairs that one way found.

    Attributes:
        files: each sorted by rows.
        digest: of all that the pairs depend on, or of the pairs themselves.
        facts: about the search; ready for JSON.
        notes: for the user.
        losses: of pairs that were given, by reason.
    """

    files: tuple[Path, ...]
    digest: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    losses: Mapping[str, int] = field(default_factory=dict)
