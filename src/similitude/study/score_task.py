"""The task of workers that score items: one piece is one system on one benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from similitude.data.item import Items
from similitude.data.listeners import NoteKeeper, OptionalListener
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener, System, UsesModel
from similitude.errors import ArgumentError
from similitude.models.cache import AnswerStore, VectorStore
from similitude.study.engines import Engine
from similitude.systems.attach_cache import attach_cache
from similitude.systems.object_state import is_unknown_state
from similitude.systems.record import SystemRecord
from similitude.systems.scores import Scored, describe, score_items

__all__ = ["ScoreCell", "ScoreTask", "ScoredCell", "engine_apart", "on_worker"]


class ScoreCell(NamedTuple):
    """A system, and the name of the benchmark that it is to score."""

    benchmark: str
    system: System


class ScoredCell(NamedTuple):
    """What a worker found.

    Attributes:
        record: of the system, as the worker sees it.
        notes: for the user, of the system and of its caches.
    """

    predictions: Predictions
    record: SystemRecord
    notes: tuple[str, ...]

    def scored(self, system: System, items: Items, listener: Listener | None) -> Scored:
        """The predictions with the record that this process would have written; notes go to the listener.

        The worker knows best which model it loaded, and whether scoring changed the system. The state of code and of
        objects is as it is here: an object that was sent to another process may look different there.
        """
        for note in self.notes:
            OptionalListener(listener).note(note)
        here, there = describe(system, items), self.record
        is_from_there = isinstance(system, UsesModel) or is_unknown_state(there.model)
        model = there.model if is_from_there else here.model
        return self.predictions, replace(here, model=model, seconds=there.seconds, notes=there.notes)


@dataclass(frozen=True)
class ScoreTask:
    """Scores the items of a benchmark with a system.

    Attributes:
        items: by the name of their benchmark.
        seed: of the order in which the system sees them.
    """

    items: Mapping[str, Items]
    seed: int

    def __call__(self, cell: ScoreCell) -> ScoredCell:
        """The predictions, and what the user should hear."""
        keeper = NoteKeeper()
        items, rng = self.items[cell.benchmark], np.random.default_rng(self.seed)
        predictions, record = score_items(on_worker(cell.system, keeper), items, rng, keeper)
        return ScoredCell(predictions, record, tuple(keeper.notes))


def on_worker(system: System, listener: Listener) -> System:
    """The system with caches that tell this listener what is wrong with them; their own listener stayed behind."""
    vectors, answers = getattr(system, "cache", None), getattr(system, "answers", None)
    return attach_cache(
        system,
        vectors.telling(listener.note) if isinstance(vectors, VectorStore) else None,
        answers.telling(listener.note) if isinstance(answers, AnswerStore) else None,
    )


def engine_apart(engine: Engine | None) -> Engine | None:
    """The engine if its workers are other processes; None if systems run one after the other in this one.

    Raises:
        ArgumentError: several pieces are to run at a time in this process.
    """
    if engine is None or not engine.is_here:
        return engine
    if engine.workers > 1:
        raise ArgumentError(
            f"{engine.workers} workers in one process gain nothing: a model uses all cores, and an endpoint is asked "
            "many things at a time",
            remedy="add --engine ray for processes side by side, or leave --workers out",
        )
    return None
