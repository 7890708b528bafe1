"""Scores of one system for items, under the rules that every system must keep."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import FitsTexts, Listener, System, Tells, UsesModel
from similitude.errors import PredictionError
from similitude.systems.record import SystemRecord

__all__ = ["Notebook", "Scored", "describe", "score_items"]

Scored = tuple[Predictions, SystemRecord]


@dataclass(frozen=True)
class Notebook:
    """Listens to one system: writes down what it has to say, and passes on how far it is."""

    listener: Listener | None = None
    notes: list[str] = field(default_factory=list)

    def progress(self, stage: str, done: int, total: int) -> None:
        """Passed on."""
        if self.listener is not None:
            self.listener.progress(stage, done, total)

    def note(self, text: str) -> None:
        """Written down, and passed on."""
        self.notes.append(text)
        if self.listener is not None:
            self.listener.note(text)


def describe(system: System, items: Items, *, seconds: float = 0.0, notes: tuple[str, ...] = ()) -> SystemRecord:
    """The record of this system on these items."""
    fitted_on = f"items {items.fingerprint}" if isinstance(system, FitsTexts) else None
    model = system.model_fingerprint() if isinstance(system, UsesModel) else None
    return SystemRecord.of(system, fitted_on=fitted_on, model=model, seconds=seconds, notes=notes)


def score_items(system: System, items: Items, rng: np.random.Generator, listener: Listener | None = None) -> Scored:
    """Predictions for the items, in their order.

    Items are handed over in random order, so that no system can read gold off the order of rows (in C-STS files,
    parity alone would score Spearman 0.62).

    Raises:
        PredictionError: the system did not return one prediction an item.
    """
    order = rng.permutation(len(items))
    notebook = Notebook(listener)
    start = time.perf_counter()
    shuffled = _ready(system, items, notebook).score(items.take(order))
    seconds = time.perf_counter() - start
    if len(shuffled) != len(items):
        raise PredictionError(
            f"{len(shuffled)} predictions for {len(items)} items",
            where=str(system.identity),
            remedy="a system must return one prediction an item",
        )
    record = describe(system, items, seconds=seconds, notes=tuple(notebook.notes))
    return shuffled.take(np.argsort(order)), record


def _ready(system: System, items: Items, notebook: Notebook) -> System:
    """Heard by the notebook, and fitted on the texts of the items where it has to see them first; never on gold."""
    heard = system.with_listener(notebook) if isinstance(system, Tells) else system
    return heard.fit(items.texts()) if isinstance(heard, FitsTexts) else heard
