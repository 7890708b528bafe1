"""One system scores the items of one benchmark, under the rules that every system must keep."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.item import Items
from similitude.data.prediction import Predictions
from similitude.data.protocols import (
    AnswerCache,
    FitsTexts,
    Listener,
    System,
    Tells,
    UsesAnswers,
    UsesCache,
    UsesModel,
    VectorCache,
)
from similitude.data.scale import Scale
from similitude.errors import PredictionError
from similitude.evaluate.rescaling import Calibration, Rescaling, fit_mapping, mapping_from_range
from similitude.study.folder import RunFolder
from similitude.study.record import BenchmarkRecord
from similitude.systems.record import SystemRecord

__all__ = ["Notebook", "Scored", "Scorer", "describe", "equipped", "score_items"]

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


def equipped(system: System, cache: VectorCache | None, answers: AnswerCache | None = None) -> System:
    """The system with somewhere to keep its vectors and its answers, where there is and the system can use it."""
    if cache is not None and isinstance(system, UsesCache):
        system = system.with_cache(cache)
    if answers is not None and isinstance(system, UsesAnswers):
        system = system.with_answers(answers)
    return system


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


class Scorer:
    """Scores systems, taking from the run's folder what is there and leaving there what is not.

    Attributes:
        seed: of the order in which items are handed over.
        folder: where predictions are kept; None for nowhere.
        fresh: whether to compute again what is kept.
        listener: hears how far it is.
    """

    def __init__(self, seed: int, folder: RunFolder | None, fresh: bool, listener: Listener | None) -> None:
        self.seed, self.folder, self.fresh, self.listener = seed, folder, fresh, listener

    def score(self, data: BenchmarkRecord, benchmark: Benchmark, systems: Sequence[System]) -> list[Scored]:
        """What every system says of the items, in order.

        Args:
            data: the record of the benchmark, by which the folder knows it.
            benchmark: the items.
            systems: who scores them.
        """
        if self.folder is not None:
            self.folder.claim(data)
        scored = []
        for done, system in enumerate(systems):
            if self.listener is not None:
                self.listener.progress(str(system.identity), done, len(systems))
            scored.append(self._one(system, benchmark))
        return scored

    def _one(self, system: System, benchmark: Benchmark) -> Scored:
        items = benchmark.items
        if self.folder is not None and not self.fresh:
            before = self.folder.recall(describe(system, items), items)
            if before is not None:
                return before
        predictions, record = score_items(system, items, np.random.default_rng(self.seed), self.listener)
        if self.folder is not None:
            self.folder.remember(record, items, predictions)
        return predictions, record

    def mapping(
        self, system: System, scale: Scale | None, calibrate: Calibration | None, held_out: Benchmark | None
    ) -> Rescaling:
        """From the system's declared range, or fitted on the held-out split."""
        if calibrate is None or held_out is None:
            return mapping_from_range(system.range, scale)
        predictions, _ = score_items(system, held_out.items, np.random.default_rng(self.seed), self.listener)
        return fit_mapping(
            calibrate, predictions.scores, held_out.gold.scores, fitted_on=f"split '{held_out.frame['split'][0]}'"
        )
