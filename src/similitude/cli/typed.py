"""The command as it was typed: the page of a run prints it, so that the run can be made again."""

from __future__ import annotations

from contextvars import ContextVar

__all__ = ["TYPED"]

TYPED: ContextVar[tuple[str, ...]] = ContextVar("typed", default=())
"""The words after ``similitude``; empty outside of the command line."""
