"""One system scores the items of one benchmark, under the rules that every system must keep."""

from __future__ import annotations

import time

import numpy as np

from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import FitsTexts, System
from similitude.errors import PredictionError
from similitude.study.record import SystemRecord

__all__ = ["Scored", "describe", "ready", "score_items"]

Scored = tuple[Predictions, SystemRecord]


def ready(system: System, items: Items) -> System:
    """The system, fitted on the texts of the items where it needs to see them first. It never sees gold."""
    return system.fit(items.texts()) if isinstance(system, FitsTexts) else system


def describe(system: System, items: Items, seconds: float = 0.0) -> SystemRecord:
    """The record of this system on these items."""
    fitted_on = f"items {items.fingerprint}" if isinstance(system, FitsTexts) else None
    return SystemRecord.of(system, fitted_on=fitted_on, seconds=seconds)


def score_items(system: System, items: Items, rng: np.random.Generator) -> Scored:
    """Predictions for the items, in their order.

    Items are handed over in random order, so that no system can read gold off the order of rows (in C-STS files,
    parity alone would score Spearman 0.62).

    Raises:
        PredictionError: the system did not return one prediction an item.
    """
    order = rng.permutation(len(items))
    start = time.perf_counter()
    shuffled = ready(system, items).score(items.take(order))
    seconds = time.perf_counter() - start
    if len(shuffled) != len(items):
        raise PredictionError(
            f"{len(shuffled)} predictions for {len(items)} items",
            where=str(system.identity),
            remedy="a system must return one prediction an item",
        )
    return shuffled.take(np.argsort(order)), describe(system, items, seconds)
