"""The port: a task, its pieces, and somebody who runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from similitude.data.writing.atomic import full_disk, is_full_disk
from similitude.errors import FullDiskError

__all__ = ["Engine", "Failures"]

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class Engine(Protocol):
    """Runs a task on many pieces.

    A task can be pickled, depends on nothing but its piece, and writes large results to files itself, atomically; what
    it returns is small. Pieces that are finished stay finished: if one fails, the others still run, and the error is
    raised at the end. To resume, a caller leaves out the pieces whose files are there.
    """

    @property
    def workers(self) -> int:
        """How many pieces run at a time."""

    @property
    def is_here(self) -> bool:
        """Whether pieces run in this process, so that tasks need not be pickled and share its memory."""

    def run(
        self, task: Callable[[Piece], Result], pieces: Sequence[Piece], done: Callable[[Piece, Result], None]
    ) -> None:
        """Run the task on each piece, in any order; ``done`` is called in this process as each piece ends.

        Raises:
            Exception: that of the first piece that failed, in the order of the pieces; its notes name the others.
        """

    def check_folder(self, folder: Path) -> None:
        """Check that every worker reads and writes the files of a folder.

        Raises:
            RunError: one does not; the message names its machine.
        """


class Failures:
    """The errors of a run, by the position of their piece."""

    def __init__(self, pieces: int) -> None:
        self.pieces = pieces
        self._errors: dict[int, BaseException] = {}

    def add(self, position: int, error: BaseException) -> None:
        """Keep the error of a piece."""
        is_bare = is_full_disk(error) and not isinstance(error, FullDiskError)
        self._errors[position] = full_disk(getattr(error, "filename", None) or "") if is_bare else error

    @property
    def is_hopeless(self) -> bool:
        """Whether pieces that have not started would fail as well: the disk is full."""
        return any(isinstance(error, FullDiskError) for error in self._errors.values())

    def raise_first(self) -> None:
        """Raise the error of the first failed piece, if any failed; a note says how many others did."""
        if not self._errors:
            return
        (_, first), *others = sorted(self._errors.items())
        if others:
            told = "; ".join(dict.fromkeys(str(error) for _, error in others[:3]))
            first.add_note(f"{len(self._errors)} of {self.pieces} pieces failed; others: {told}")
        raise first
