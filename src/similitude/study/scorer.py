"""Systems score the items of a benchmark; what the run's folder holds is not computed again."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.protocols import Listener, System
from similitude.data.scale import Scale
from similitude.evaluate.rescaling import Calibration, Rescaling, fit_mapping, mapping_from_range
from similitude.study.folder import RunFolder
from similitude.study.record import BenchmarkRecord
from similitude.systems.scores import Scored, describe, score_items

__all__ = ["Scorer"]


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
