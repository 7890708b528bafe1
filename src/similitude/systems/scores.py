"""Scores items with a system, and records how."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.listeners import NoteKeeper
from similitude.data.prediction import Predictions
from similitude.data.protocols import FitsTexts, Listener, System, Tells, UsesModel
from similitude.errors import PredictionError
from similitude.models.loaded_model import ModelChangedError, until_unchanged
from similitude.systems.record import SystemRecord

__all__ = ["Scored", "describe", "score_items"]

Scored = tuple[Predictions, SystemRecord]


def describe(system: System, items: Items, *, seconds: float = 0.0, notes: tuple[str, ...] = ()) -> SystemRecord:
    """The record of a system for these items."""
    fitted_on = f"items {items.fingerprint}" if isinstance(system, FitsTexts) else None
    model = system.model_fingerprint() if isinstance(system, UsesModel) else None
    return SystemRecord.of(system, fitted_on=fitted_on, model=model, seconds=seconds, notes=notes)


def score_items(system: System, items: Items, rng: np.random.Generator, listener: Listener | None = None) -> Scored:
    """Score the items; return predictions in their order and the record of the system.

    The system gets the items in random order, so that it cannot exploit the order of rows (in C-STS files, row parity
    alone would reach a Spearman correlation of 0.62).

    Raises:
        PredictionError: the system did not return one prediction per item.
        ArgumentError: the files of its model change all the time.
    """
    order = rng.permutation(len(items))
    return until_unchanged(lambda: _score_once(system, items, order, listener), f"system '{system.identity}'")


def _score_once(system: System, items: Items, order: NDArray[np.int64], listener: Listener | None) -> Scored:
    """Score the items once.

    Raises:
        ModelChangedError: the record after scoring is not that before: the model or the code changed meanwhile.
    """
    before, keeper, start = describe(system, items), NoteKeeper(listener), time.perf_counter()
    shuffled = _ready(system, items, keeper).score(items.take(order))
    seconds = time.perf_counter() - start
    if len(shuffled) != len(items):
        raise PredictionError(
            f"{len(shuffled)} predictions for {len(items)} items",
            where=str(system.identity),
            remedy="a system must return one prediction per item",
        )
    record = describe(system, items, seconds=seconds, notes=tuple(keeper.notes))
    if not record.same_work(before):
        raise ModelChangedError
    return shuffled.take(np.argsort(order)), record


def _ready(system: System, items: Items, listener: Listener) -> System:
    """The system with the listener, fitted on the texts (never the gold) of the items if it needs that."""
    listening = system.with_listener(listener) if isinstance(system, Tells) else system
    return listening.fit(items.texts()) if isinstance(listening, FitsTexts) else listening
