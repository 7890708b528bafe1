"""The scoring of a benchmark by systems; predictions in the run's folder are reused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener, System
from similitude.study.folder import RunFolder
from similitude.study.record import BenchmarkRecord
from similitude.systems.scores import Scored, describe, score_items

__all__ = ["Scorer"]


class Scorer:
    """Runs systems on items; reads predictions from the run's folder, and saves new ones there.

    Attributes:
        seed: of the order in which systems see the items.
        folder: of predictions; None to save none.
        fresh: whether to ignore saved predictions.
        listener: is told the progress.
        known: what systems said of the items before, by identity; they are not asked again.
    """

    def __init__(
        self,
        seed: int,
        folder: RunFolder | None,
        fresh: bool,
        listener: Listener | None,
        known: Mapping[str, Scored] | None = None,
    ) -> None:
        self.seed, self.folder, self.fresh, self.listener, self.known = seed, folder, fresh, listener, known or {}

    def score(self, data: BenchmarkRecord, benchmark: Benchmark, systems: Sequence[System]) -> list[Scored]:
        """The predictions of every system, in order.

        Args:
            data: the record of the benchmark, with which the folder is claimed.
            benchmark: the items.
            systems: in order.
        """
        if self.folder is not None:
            self.folder.claim(data)
        scored = []
        for done, system in enumerate(systems):
            if self.listener is not None:
                name = getattr(system, "called", None) or str(system.identity)
                self.listener.progress(name, done, len(systems))
            scored.append(self.score_one(system, benchmark))
        return scored

    def score_one(self, system: System, benchmark: Benchmark) -> Scored:
        """The predictions of one system: known, saved, or new and then saved."""
        if str(system.identity) in self.known:
            return self.known[str(system.identity)]
        items = benchmark.items
        if self.folder is not None and not self.fresh:
            before = self.folder.recall(describe(system, items), items)
            if before is not None:
                return before
        predictions, record = score_items(system, items, np.random.default_rng(self.seed), self.listener)
        if self.folder is not None:
            self.folder.remember(record, items, predictions)
        return predictions, record

    def unsaved(self, benchmark: Benchmark, systems: Sequence[System]) -> list[Predictions]:
        """The predictions of every system for items that the run's folder does not hold, such as another split."""
        return [
            score_items(system, benchmark.items, np.random.default_rng(self.seed), self.listener)[0]
            for system in systems
        ]
