"""The points of a sweep, and the training that each of them is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from similitude.data.benchmark import Benchmark
from similitude.study.cells.trained_score_cell import TrainedScoreCell
from similitude.study.cells.training_cell import TrainingCell
from similitude.study.sweep.plan import SweepPlan
from similitude.systems.conditional.architecture import Encoding, Reads
from similitude.training.splits import SeveralData, TrainingData, draw_items

__all__ = ["SweepCells", "SweepPoint"]


class SweepPoint(NamedTuple):
    """One training of a sweep.

    Attributes:
        model: the backbone.
        encoding: cross, bi or tri.
        options: the values from the grid, by name.
        seed: of the training.
        reads: the parts of an item that are read.
        items: the number to learn from; None for all.
    """

    model: str
    encoding: Encoding
    options: tuple[tuple[str, Any], ...]
    seed: int
    reads: Reads = "all"
    items: int | None = None

    @property
    def label(self) -> str:
        """For people."""
        chosen = "".join(f", {name} {value}" for name, value in self.options)
        reads = "" if self.reads == "all" else f", reads {self.reads}"
        few = "" if self.items is None else f", {self.items:,} items"
        return f"{self.encoding} from {self.model} (seed {self.seed}{chosen}{reads}{few})"


@dataclass(frozen=True)
class SweepCells:
    """Makes the cells of points.

    Attributes:
        data: to learn from, and to choose by.
        test: the items on which figures are measured.
        folder: of the sweep.
        device: as torch writes it; None for a GPU if there is one.
        threads: of torch on workers.
    """

    plan: SweepPlan
    data: TrainingData
    test: Benchmark
    folder: Path
    device: str | None
    threads: int | None = None

    def training(self, point: SweepPoint) -> TrainingCell:
        """The training of a point; of the models, those that are not needed any more may be dropped."""
        return TrainingCell(
            kind="conditional",
            keywords=self._keywords(point),
            data=self._name(point),
            parts=self._parts(point),
            root=self.folder / "models",
            label=point.label,
            keeps_model=False,
            device=self.device,
            threads=self.threads,
        )

    def scored(self, point: SweepPoint) -> TrainedScoreCell:
        """The test items, scored by the model of a point."""
        return TrainedScoreCell(
            training=self.training(point), data="test", items=self.test.items, root=self.folder / "predictions"
        )

    def shared(self, points: list[SweepPoint]) -> dict[str, Any]:
        """What the cells of these points read."""
        return {"test": self.test.items, **{self._name(point): self._parts(point) for point in points}}

    def _name(self, point: SweepPoint) -> str:
        return "train" if point.items is None else f"train, {point.items} items, seed {point.seed}"

    def _parts(self, point: SweepPoint) -> SeveralData:
        few = self.data.train if point.items is None else draw_items(self.data.train, point.items, point.seed)
        return SeveralData((few,), (self.data.validation,))

    def _keywords(self, point: SweepPoint) -> dict[str, Any]:
        options = {**self.plan.recipe, **dict(point.options)}
        teachers = options.pop("teachers", 0)
        given = {"model": point.model, "architecture": point.encoding, "reads": point.reads, "seed": point.seed}
        return {**options, **given, "cross_fit": teachers}
