"""The scoring of a benchmark by systems; predictions in the run's folder are reused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener, System
from similitude.study.engines import Engine
from similitude.study.folder import RunFolder
from similitude.study.record import BenchmarkRecord
from similitude.study.score_task import ScoreCell, ScoredCell, ScoreTask, engine_apart
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
        engine: runs systems in other processes; None to run one after the other in this one.
    """

    def __init__(
        self,
        seed: int,
        folder: RunFolder | None,
        fresh: bool,
        listener: Listener | None,
        known: Mapping[str, Scored] | None = None,
        engine: Engine | None = None,
    ) -> None:
        self.seed, self.folder, self.fresh, self.listener, self.known = seed, folder, fresh, listener, known or {}
        self.engine = engine_apart(engine)

    def score(self, data: BenchmarkRecord, benchmark: Benchmark, systems: Sequence[System]) -> list[Scored]:
        """The predictions of every system, in order.

        Args:
            data: the record of the benchmark, with which the folder is claimed.
            benchmark: the items.
            systems: in order.
        """
        if self.folder is not None:
            self.folder.claim(data)
        if self.engine is not None:
            return self._scored_apart(self.engine, benchmark, systems)
        scored = []
        for done, system in enumerate(systems):
            self._tell(system, done, len(systems))
            scored.append(self.score_one(system, benchmark))
        return scored

    def score_one(self, system: System, benchmark: Benchmark) -> Scored:
        """The predictions of one system: known, saved, or new and then saved."""
        before = self.recall(system, benchmark)
        if before is not None:
            return before
        scored = score_items(system, benchmark.items, np.random.default_rng(self.seed), self.listener)
        self.remember(benchmark, scored)
        return scored

    def recall(self, system: System, benchmark: Benchmark) -> Scored | None:
        """The predictions of one system that are known or saved; None if there are none."""
        if str(system.identity) in self.known:
            return self.known[str(system.identity)]
        if self.folder is None or self.fresh:
            return None
        return self.folder.recall(describe(system, benchmark.items), benchmark.items)

    def remember(self, benchmark: Benchmark, scored: Scored) -> None:
        """Save new predictions, if there is a folder."""
        if self.folder is not None:
            predictions, record = scored
            self.folder.remember(record, benchmark.items, predictions)

    def unsaved(self, benchmark: Benchmark, systems: Sequence[System]) -> list[Predictions]:
        """The predictions of every system for items that the run's folder does not hold, such as another split."""
        other = Scorer(self.seed, None, True, self.listener, None, self.engine)
        if other.engine is not None:
            return [predictions for predictions, _ in other._scored_apart(other.engine, benchmark, systems)]
        return [other.score_one(system, benchmark)[0] for system in systems]

    def _scored_apart(self, engine: Engine, benchmark: Benchmark, systems: Sequence[System]) -> list[Scored]:
        """As `score`, on the workers of an engine; predictions are saved as they arrive."""
        found = {str(system.identity): self.recall(system, benchmark) for system in systems}
        missing = [ScoreCell(benchmark.name, system) for system in systems if found[str(system.identity)] is None]

        def done(cell: ScoreCell, result: ScoredCell) -> None:
            scored = result.scored(cell.system, benchmark.items, self.listener)
            self.remember(benchmark, scored)
            found[str(cell.system.identity)] = scored
            self._tell(cell.system, sum(each is not None for each in found.values()), len(systems))

        engine.run(ScoreTask({benchmark.name: benchmark.items}, self.seed), missing, done)
        return [scored for system in systems if (scored := found[str(system.identity)]) is not None]

    def _tell(self, system: System, done: int, total: int) -> None:
        if self.listener is not None:
            self.listener.progress(getattr(system, "called", None) or str(system.identity), done, total)
