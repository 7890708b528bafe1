"""Listeners that wrap another one: each changes what it hears in one way and passes it on."""

from __future__ import annotations

from dataclasses import dataclass, field

from similitude.data.protocols import Listener

__all__ = ["FixedStage", "NamedListener", "NoteKeeper", "OptionalListener", "StageStarts"]


@dataclass(frozen=True)
class OptionalListener:
    """Passes progress and notes on to another listener, or ignores them if there is none."""

    listener: Listener | None = None

    def progress(self, stage: str, done: int, total: int) -> None:
        """Pass progress on."""
        if self.listener is not None:
            self.listener.progress(stage, done, total)

    def note(self, text: str) -> None:
        """Pass a note on."""
        if self.listener is not None:
            self.listener.note(text)


@dataclass(frozen=True)
class NoteKeeper(OptionalListener):
    """Also keeps the notes, so that they can be shown or recorded once the work is done.

    >>> keeper = NoteKeeper()
    >>> keeper.note("two texts were cut")
    >>> keeper.notes
    ['two texts were cut']
    """

    notes: list[str] = field(default_factory=list)

    def note(self, text: str) -> None:
        """Keep a note and pass it on."""
        self.notes.append(text)
        super().note(text)


@dataclass(frozen=True)
class NamedListener(OptionalListener):
    """Puts a name before each stage and, unless told otherwise, before each note."""

    name: str = field(kw_only=True)
    names_notes: bool = field(default=True, kw_only=True)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Pass progress on under the name."""
        super().progress(f"{self.name}, {stage}", done, total)

    def note(self, text: str) -> None:
        """Pass a note on, under the name if notes are named."""
        super().note(f"{self.name}: {text}" if self.names_notes else text)


@dataclass(frozen=True)
class FixedStage(OptionalListener):
    """Reports all progress under one stage, whatever the stages of the work are called."""

    stage: str = field(kw_only=True)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Pass progress on under the fixed stage."""
        super().progress(self.stage, done, total)


@dataclass(frozen=True)
class StageStarts(OptionalListener):
    """Passes on only the start of each stage, for work whose progress is counted elsewhere."""

    def progress(self, stage: str, done: int, total: int) -> None:
        """Pass progress on if nothing has been done yet."""
        if done == 0:
            super().progress(stage, done, total)
