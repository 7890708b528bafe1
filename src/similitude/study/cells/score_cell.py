"""The cell in which a system scores the items of a benchmark."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener, System, UsesModel
from similitude.models.cache import AnswerStore, VectorStore
from similitude.study.cells.cell import Cell, Shared
from similitude.study.folder import RunFolder
from similitude.systems.attach_cache import attach_cache
from similitude.systems.object_state import is_unknown_state
from similitude.systems.record import SystemRecord
from similitude.systems.scores import Scored, describe, score_items

__all__ = ["ScoreCell", "ScoredItems", "system_away"]


class ScoredItems(NamedTuple):
    """What scoring led to; the record is that of the process which scored."""

    predictions: Predictions
    record: SystemRecord
    is_from_worker: bool


@dataclass(frozen=True, kw_only=True)
class ScoreCell:
    """A system scores the items of a benchmark.

    Attributes:
        system: to score with.
        data: the name under which workers find the items.
        items: None on a worker.
        seed: of the order in which the system sees the items.
        folder: where predictions are kept; None for nowhere.
        fresh: whether to ignore what is kept.
        known: what the system said before; it is not asked again.
        label: what it does, for people; by default the name of the system.
    """

    system: System
    data: str
    items: Items | None
    seed: int
    folder: RunFolder | None = None
    fresh: bool = False
    known: Scored | None = None
    label: str = ""
    needs: tuple[Cell, ...] = ()

    @property
    def key(self) -> str:
        """The system and the name of the data."""
        return f"{self.system.identity} / {self.data}"

    @property
    def name(self) -> str:
        """For people."""
        return self.label or getattr(self.system, "called", None) or str(self.system.identity)

    def recall(self) -> Scored | None:
        """The predictions that are known or kept for the same system and the same items."""
        if self.known is not None:
            return self.known
        if self.folder is None or self.fresh:
            return None
        items = self._here()
        return self.folder.recall(describe(self.system, items), items)

    def away(self) -> ScoreCell:
        """Without items, folder and what is known."""
        return replace(self, items=None, folder=None, known=None)

    def work(self, shared: Shared, listener: Listener | None) -> ScoredItems:
        """Score the items."""
        is_away = self.items is None
        assert not is_away or listener is not None
        system = system_away(self.system, listener) if is_away and listener is not None else self.system
        items = shared[self.data] if self.items is None else self.items
        scored = score_items(system, items, np.random.default_rng(self.seed), listener)
        return ScoredItems(*scored, is_away)

    def remember(self, result: Any) -> Scored:
        """Keep the predictions with the record that this process would have written.

        A worker knows best which model it loaded, and whether scoring changed the system. The state of code and of
        objects is as it is here: an object that was sent to another process may look different there.
        """
        predictions, record, is_from_worker = result
        items = self._here()
        if is_from_worker:
            here = describe(self.system, items)
            is_from_there = isinstance(self.system, UsesModel) or is_unknown_state(record.model)
            model = record.model if is_from_there else here.model
            record = replace(here, model=model, seconds=record.seconds, notes=record.notes)
        if self.folder is not None:
            self.folder.remember(record, items, predictions)
        return predictions, record

    def _here(self) -> Items:
        assert self.items is not None  # only `work` runs on a worker
        return self.items


def system_away(system: System, listener: Listener) -> System:
    """The system with caches that tell this listener what is wrong with them; their own listener stayed behind."""
    vectors, answers = getattr(system, "cache", None), getattr(system, "answers", None)
    return attach_cache(
        system,
        vectors.telling(listener.note) if isinstance(vectors, VectorStore) else None,
        answers.telling(listener.note) if isinstance(answers, AnswerStore) else None,
    )
