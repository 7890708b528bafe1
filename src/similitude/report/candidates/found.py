"""What the page needs to know of a search for candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import polars as pl

from similitude.collect.candidates.steps import Step

__all__ = ["FoundCandidates"]


class _Table(Protocol):
    @property
    def frame(self) -> pl.DataFrame: ...


class FoundCandidates(Protocol):
    """The result of a search; `similitude.study.candidates.CandidatesRun` is one."""

    @property
    def name(self) -> str:
        """The name of the plan, or of the data."""

    @property
    def seed(self) -> int:
        """The seed of every draw."""

    @property
    def steps(self) -> Sequence[Step]:
        """What each step kept, in order."""

    @property
    def items(self) -> _Table:
        """The pairs that were found, as annotators will see them."""

    @property
    def plan_text(self) -> str:
        """The plan as TOML, with every default written out."""

    @property
    def versions(self) -> Mapping[str, str]:
        """Of the packages that can change the result."""

    @property
    def folder(self) -> Path | None:
        """Where all is saved; None if it is nowhere."""
