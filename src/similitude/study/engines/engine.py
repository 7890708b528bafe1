"""The port: a task, its pieces, and somebody who runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

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
        self,
        task: Callable[[Piece], Result],
        pieces: Sequence[Piece],
        done: Callable[[Piece, Result], None],
        failed: Callable[[Piece, Exception], None] | None = None,
    ) -> None:
        """Run the task on each piece, in any order.

        Args:
            task: what is done with a piece.
            pieces: in the order in which they start.
            done: called in this process as each piece ends, with its result.
            failed: called likewise with the error of a piece, which is then not raised.

        Raises:
            Exception: that of the first piece that failed, in the order of the pieces; its notes name the others.
            FullDiskError: the disk is full; pieces that had not started were not run.
        """

    def check_folder(self, folder: Path) -> None:
        """Check that every worker reads and writes the files of a folder.

        Raises:
            RunError: one does not; the message names its machine.
        """


class Failures(Generic[Piece]):
    """The errors of a run, by the position of their piece.

    Attributes:
        pieces: of the run.
        told: called with each error instead of raising it.
    """

    def __init__(self, pieces: Sequence[Piece], told: Callable[[Piece, Exception], None] | None) -> None:
        self.pieces, self.told = pieces, told
        self._errors: dict[int, Exception] = {}

    def add(self, position: int, error: Exception) -> None:
        """Keep the error of a piece."""
        if is_full_disk(error) and not isinstance(error, FullDiskError):
            error = full_disk(getattr(error, "filename", None) or "")
        self._errors[position] = error
        if self.told is not None:
            self.told(self.pieces[position], error)

    @property
    def is_hopeless(self) -> bool:
        """Whether pieces that have not started would fail as well: the disk is full."""
        return any(isinstance(error, FullDiskError) for error in self._errors.values())

    def raise_first(self) -> None:
        """Raise the error of the first failed piece, unless errors were told; a note says how many others failed."""
        if not self._errors or (self.told is not None and not self.is_hopeless):
            return
        (_, first), *others = sorted(self._errors.items())
        if others:
            told = "; ".join(dict.fromkeys(str(error) for _, error in others[:3]))
            first.add_note(f"{len(self._errors)} of {len(self.pieces)} pieces failed; others: {told}")
        raise first
