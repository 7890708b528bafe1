"""Scores items with a system, and records how."""

from __future__ import annotations

import time
from dataclasses import is_dataclass, replace

import numpy as np
from numpy.typing import NDArray

from similitude.data.item import Items
from similitude.data.listeners import NoteKeeper
from similitude.data.prediction import Predictions
from similitude.data.protocols import FitsTexts, Listener, System, Tells, UsesModel
from similitude.errors import PredictionError
from similitude.models.loaded_model import ModelChangedError, until_unchanged
from similitude.systems.object_state import digest_of, is_unknown_state, unknown_state
from similitude.systems.own import has_own_identity
from similitude.systems.record import SystemRecord

__all__ = ["Scored", "describe", "score_items"]

Scored = tuple[Predictions, SystemRecord]


def describe(system: System, items: Items, *, seconds: float = 0.0, notes: tuple[str, ...] = ()) -> SystemRecord:
    """The record of a system for these items."""
    fitted_on = f"items {items.fingerprint}" if isinstance(system, FitsTexts) else None
    model = system.model_fingerprint() if isinstance(system, UsesModel) else _state(system)
    return SystemRecord.of(system, fitted_on=fitted_on, model=model, seconds=seconds, notes=notes)


def _state(system: System) -> str | None:
    """The state of an object of anybody's own; None for ours, and for one that vouches for itself by ``version``.

    The fields of a dataclass are in the record already, so only the code of its class counts. An object whose state
    cannot be looked into is never the same again, unless it vouches for itself by an identity of its own.
    """
    if type(system).__module__.startswith("similitude.") or isinstance(getattr(system, "version", None), str):
        return None
    found = digest_of(type(system) if is_dataclass(system) else system).value
    return found or (None if has_own_identity(system) else unknown_state())


def _may_change_by_use(system: System) -> bool:
    is_ours = type(system).__module__.startswith("similitude.")
    return getattr(system, "may_change_by_use", not is_ours and not isinstance(system, UsesModel))


def score_items(system: System, items: Items, rng: np.random.Generator, listener: Listener | None = None) -> Scored:
    """Score the items; return predictions in their order and the record of the system.

    The system gets the items in random order, so that it cannot exploit the order of rows (in C-STS files, row parity
    alone would reach a Spearman correlation of 0.62), unless it says that the order of rows is part of its question
    (``needs_file_order``).

    Raises:
        PredictionError: the system did not return one prediction per item.
        ArgumentError: the files of its model change all the time.
    """
    order = rng.permutation(len(items))
    if getattr(system, "needs_file_order", False):
        order = np.arange(len(items))
    return until_unchanged(lambda: _score_once(system, items, order, listener), f"system '{system.identity}'")


def _score_once(system: System, items: Items, order: NDArray[np.int64], listener: Listener | None) -> Scored:
    """Score the items once.

    Raises:
        ModelChangedError: the record after scoring is not that before: the model or the code changed meanwhile. An
            object that changes by use is recorded as one that is never the same again.
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
        record = _changed_by_use(system, record, before)
    return shuffled.take(np.argsort(order)), record


def _changed_by_use(system: System, record: SystemRecord, before: SystemRecord) -> SystemRecord:
    """The record of an object that scoring changed, as a counter does: nothing of it is reused.

    One that has an identity of its own vouches that its predictions follow from the state that it was in before.

    Raises:
        ModelChangedError: it is no such object, so its model or its code changed meanwhile.
    """
    if not _may_change_by_use(system):
        raise ModelChangedError
    if is_unknown_state(before.model):
        return record
    if not hasattr(system, "may_change_by_use"):
        return replace(record, model=before.model)
    note = f"'{system.identity}' is computed anew each time, since scoring changes its state"
    return replace(record, model=unknown_state(), notes=(*record.notes, note))


def _ready(system: System, items: Items, listener: Listener) -> System:
    """The system with the listener, fitted on the texts (never the gold) of the items if it needs that."""
    listening = system.with_listener(listener) if isinstance(system, Tells) else system
    return listening.fit(items.texts()) if isinstance(listening, FitsTexts) else listening
