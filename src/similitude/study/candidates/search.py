"""What the stages of a search share: plan, folder, engine, memory, listener and systems."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from similitude._version import __version__
from similitude.data.protocols import Listener
from similitude.study.candidates.free_pages import release_free_pages
from similitude.study.candidates.plan import CandidatesPlan
from similitude.study.candidates.search_folder import SearchFolder
from similitude.study.candidates.search_systems import SearchSystems
from similitude.study.candidates.stage_folder import Piece, StageFolder, StageResult, Task
from similitude.study.engines import Engine

__all__ = ["LIBRARIES", "Search"]

LIBRARIES = 300_000_000
"""Bytes that a process takes before it holds any text: measured 230 MB, half of them shared with others."""

ROWS, MOST_PIECES, PAGE_ROWS = 16_384, 1024, 1024
"""Texts of one piece at least, pieces at most, and what the texts of a piece are a multiple of (see `vector_file`)."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """A search at work.

    Attributes:
        plan: what to do.
        folder: where finished pieces are kept.
        engine: runs the pieces.
        memory: bytes that the search may take.
        systems: that give vectors or score pairs.
        device: on which neighbours are searched; None for the CPU.
        listener: is told the progress.
    """

    plan: CandidatesPlan
    folder: SearchFolder
    engine: Engine
    memory: int
    systems: SearchSystems
    device: str | None = None
    listener: Listener | None = None

    @property
    def memory_of_piece(self) -> int:
        """Bytes that one piece may take, beside libraries."""
        return max(0, self.memory - LIBRARIES) // self.engine.workers

    def pieces(self, rows: int) -> list[Piece]:
        """The pieces of a table of texts. They depend on the number of texts alone, and so do results.

        >>> [len(Search.pieces(None, rows)) for rows in (0, 16_384, 16_385, 100_000_000)]
        [0, 1, 2, 1018]
        """
        share = -(-rows // MOST_PIECES)
        return Piece.cut(rows, max(ROWS, -(-share // PAGE_ROWS) * PAGE_ROWS))

    def stage(self, name: str, key: Mapping[str, Any], work: Callable[[StageFolder], StageResult]) -> StageResult:
        """The result of a stage, which runs only if something that it depends on has changed.

        Args:
            name: of the stage and its folder.
            key: all that the result depends on; ready for JSON.
            work: makes the result in the folder of the stage.
        """
        folder, whole = self.folder.stage(name), {"similitude": __version__, **key}
        if (found := folder.finished(whole)) is not None:
            return found
        folder.begin(whole)
        start = time.perf_counter()
        result = _lasting(work(folder), time.perf_counter() - start)
        folder.finish(whole, result)
        release_free_pages()
        return result

    def run_pieces(self, folder: StageFolder, task: Task, pieces: Sequence[Piece], title: str) -> list[dict[str, Any]]:
        """The records of all pieces of a stage, in order."""
        return folder.run_pieces(task, pieces, self.engine, self.listener, title)


def _lasting(result: StageResult, seconds: float) -> StageResult:
    """The result with how long it took; its only step took as long, beside what stages before it took for the step."""
    steps = result.steps
    if len(steps) == 1:
        steps = (replace(steps[0], seconds=round(steps[0].seconds + seconds, 3)),)
    return replace(result, steps=steps, seconds=round(seconds, 3))
