"""The task of asking one cell of a grid, here or on a worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from similitude.data.item import Items
from similitude.data.listeners import NoteKeeper
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener
from similitude.study.prompt_grid.cells import AskingSystem, Cell
from similitude.study.prompt_grid.facts import Facts, ObservedSystem
from similitude.study.score_task import on_worker
from similitude.systems.scores import score_items

__all__ = ["ObservedCell", "ObservedTask"]


class ObservedCell(NamedTuple):
    """What a cell led to.

    Attributes:
        seconds: the duration of scoring.
        notes: of the system.
        told: all notes, those of caches too.
    """

    facts: Facts
    predictions: Predictions
    seconds: float
    notes: tuple[str, ...]
    told: tuple[str, ...]


@dataclass(frozen=True)
class ObservedTask:
    """Asks the questions of a cell.

    Attributes:
        seed: of the order in which the system sees the items.
        listener: is told the progress; None on a worker.
    """

    items: Items
    seed: int
    listener: Listener | None = None

    def __call__(self, piece: tuple[int, Cell]) -> ObservedCell:
        """The predictions and the facts of a cell, which comes with its place in the grid."""
        keeper, reported = NoteKeeper(self.listener), list[Facts]()
        observed = ObservedSystem(self._system(piece[1], keeper), reported.append)
        predictions, outcome = score_items(observed, self.items, np.random.default_rng(self.seed), keeper)
        return ObservedCell(reported[0], predictions, outcome.seconds, outcome.notes, tuple(keeper.notes))

    def _system(self, cell: Cell, keeper: NoteKeeper) -> AskingSystem:
        system = cell.system if self.listener is not None else on_worker(cell.system, keeper)
        assert isinstance(system, AskingSystem)
        return system
