"""The scoring of a benchmark by systems: one cell each, kept in the folder of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener, System
from similitude.study.cells.cell_run import run_cells
from similitude.study.cells.score_cell import ScoreCell
from similitude.study.engines import Engine
from similitude.study.folder import RunFolder
from similitude.study.record import BenchmarkRecord
from similitude.systems.scores import Scored

__all__ = ["Scorer"]


@dataclass(frozen=True)
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

    seed: int
    folder: RunFolder | None
    fresh: bool
    listener: Listener | None
    known: Mapping[str, Scored] | None = None
    engine: Engine | None = field(default=None)

    def score(self, data: BenchmarkRecord, benchmark: Benchmark, systems: Sequence[System]) -> list[Scored]:
        """The predictions of every system, in order.

        Args:
            data: the record of the benchmark, with which the folder is claimed.
            benchmark: the items.
            systems: in order.
        """
        if self.folder is not None:
            self.folder.claim(data)
        cells = [self.cell(system, benchmark) for system in systems]
        shared = {benchmark.name: benchmark.items}
        found = run_cells(cells, shared, engine=self.engine, listener=self.listener)
        return [found[cell.key] for cell in cells]

    def cell(self, system: System, benchmark: Benchmark, *, label: str = "") -> ScoreCell:
        """The cell of one system on this benchmark."""
        return ScoreCell(
            system=system,
            data=benchmark.name,
            items=benchmark.items,
            seed=self.seed,
            folder=self.folder,
            fresh=self.fresh,
            known=(self.known or {}).get(str(system.identity)),
            label=label,
        )

    def unsaved(self, benchmark: Benchmark, systems: Sequence[System]) -> list[Predictions]:
        """The predictions of every system for items that the run's folder does not hold, such as another split."""
        other = replace(self, folder=None, fresh=True, known=None)
        return [predictions for predictions, _ in other.score(BenchmarkRecord.of(benchmark, None), benchmark, systems)]
