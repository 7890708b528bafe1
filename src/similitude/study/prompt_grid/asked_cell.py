"""The cell in which a language model is asked about every item: its predictions, and what its questions led to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from similitude.data.listeners import FixedStage
from similitude.data.protocols import Listener
from similitude.study.cells.cell import Shared
from similitude.study.cells.score_cell import ScoreCell, ScoredItems, system_away
from similitude.study.prompt_grid.cells import AskingSystem, Cell
from similitude.study.prompt_grid.facts import Facts, FactsFolder, ObservedSystem
from similitude.systems.scores import describe

__all__ = ["AskedCell"]


class AskedItems(NamedTuple):
    """What asking led to."""

    scored: ScoredItems
    facts: Facts


@dataclass(frozen=True, kw_only=True)
class AskedCell(ScoreCell):
    """A language model is asked about the items of a benchmark; the product is its `Facts`.

    Attributes:
        grid_cell: its place in the grid.
        facts: where they are kept; None on a worker.
        stage: its number, and that of all cells.
    """

    grid_cell: Cell
    facts: FactsFolder | None
    stage: tuple[int, int]

    @property
    def name(self) -> str:
        """For people."""
        place, total = self.stage
        return f"{place} of {total}, {self.grid_cell.name}"

    def recall(self) -> Facts | None:  # type: ignore[override]
        """The facts, if they are kept and the predictions too."""
        if self.fresh or self.facts is None:
            return None
        found = self.facts.recall(self.grid_cell)
        return None if found is None or super().recall() is None else found

    def away(self) -> AskedCell:
        """Without items and folders."""
        return replace(self, items=None, folder=None, known=None, facts=None)

    def work(self, shared: Shared, listener: Listener | None) -> Any:
        """Ask about every item."""
        reported = list[Facts]()
        is_away = self.items is None
        system = system_away(self.system, listener) if is_away and listener is not None else self.system
        assert isinstance(system, AskingSystem)
        heard = listener if is_away else FixedStage(listener, stage=self.name)
        observed = replace(self, system=ObservedSystem(system, reported.append))
        scored = ScoreCell.work(observed, shared, heard)
        return AskedItems(scored, reported[0])

    def remember(self, result: Any) -> Facts:  # type: ignore[override]
        """Keep the facts, then the predictions."""
        assert self.facts is not None
        self.facts.remember(self.grid_cell, result.facts)
        observed = result.scored.record  # of the observed system, which has another type
        record = replace(describe(self.system, self._here()), seconds=observed.seconds, notes=observed.notes)
        super().remember(ScoredItems(result.scored.predictions, record, is_from_worker=False))
        facts: Facts = result.facts
        return facts
