"""Sweeps: a grid of trainings, the best by validation over several seeds, zero-shot, ablations, learning curves.

::

    data = "csts/train.csv"
    validation = "csts/validation.csv"     # default: a split of data, or a tenth of its pairs
    test = "csts/test.csv"                 # default: the validation items
    models = ["all-MiniLM-L6-v2"]
    encodings = ["cross", "bi", "tri"]
    seeds = [0, 1, 2]
    zero_shot = true
    ablations = true
    sizes = [1000, 3000, 7000]             # items of the learning curves

    [recipe]                               # of all trainings
    epochs = 3

    [grid]                                 # every combination is trained once
    lr = [1e-5, 3e-5]
    objective = ["mse", "quad", "quad+mse"]

Paths are relative to the file. Every finished training is recorded, so an interrupted sweep resumes.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener
from similitude.errors import InputError, RunError
from similitude.evaluate.measures import make_measure
from similitude.evaluate.rescaling import mapping_from_range
from similitude.registry import Spec
from similitude.stats import pearson, spearman
from similitude.study.cells.cell import Cell
from similitude.study.cells.cell_run import Done, engine_apart, run_cells
from similitude.study.cells.training_cell import TrainedSystem, TrainingCell, torch_threads
from similitude.study.engines import Engine
from similitude.study.folder import RunFolder
from similitude.study.mean_interval import Ends, mean_interval
from similitude.study.measurement import Intervals, measurement_of
from similitude.study.record import BenchmarkRecord
from similitude.study.scorer import Scorer
from similitude.study.sweep.plan import SweepPlan, combinations
from similitude.study.sweep.point import SweepCells, SweepPoint
from similitude.systems import make_system
from similitude.systems.conditional.architecture import Encoding, Reads
from similitude.systems.scores import Scored
from similitude.training.splits import TrainingData, draw_items, drawn_notes, training_data

__all__ = ["Sweep", "SweepRow", "planned_trainings", "read_sweep", "run_sweep"]

FIGURES = ("spearman", "pearson")
LEVEL = 0.95
ABLATIONS: tuple[Reads, ...] = ("condition", "sentences", "all")


@dataclass(frozen=True, kw_only=True)
class SweepRow:
    """One row of a table of results.

    Attributes:
        model: the backbone.
        encoding: of the trained model; None for zero-shot.
        reads: the parts of an item that were read.
        options: the best on the validation items.
        validation: Spearman on them, of the first seed.
        figures: spearman and pearson on the test items, one value per seed.
        intervals: 95 % intervals of the means, by figure; None if nothing can be said.
        items: the number learned from.
        size: the number that the plan asks for in a learning curve; whole sentence pairs may make it one or two more.
    """

    model: str
    encoding: str | None
    reads: str = "all"
    options: dict[str, Any]
    validation: float
    figures: Mapping[str, tuple[float, ...]]
    intervals: Mapping[str, Ends] | None = None
    items: int = 0
    size: int | None = None

    def mean(self, figure: str) -> float:
        """The mean over seeds."""
        return float(np.mean(self.figures[figure]))

    def deviation(self, figure: str) -> float:
        """The standard deviation over seeds (ddof 1); nan for one seed."""
        values = self.figures[figure]
        return float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        ends = None if self.intervals is None else {name: list(each) for name, each in self.intervals.items()}
        figures = {name: list(values) for name, values in self.figures.items()}
        values = {**self.__dict__, "figures": figures, "intervals": ends}
        return json.loads(json.dumps(values).replace("NaN", "null"))  # type: ignore[no-any-return]


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """A finished sweep: tables 3, 2 and 10 and figure 3 of the C-STS paper, for any models and data."""

    name: str
    folder: Path
    judged_on: str
    trained: tuple[SweepRow, ...]
    zero_shot: tuple[SweepRow, ...]
    ablations: tuple[SweepRow, ...]
    curves: tuple[SweepRow, ...]
    systems: tuple[SweepRow, ...] = ()
    is_simulated: bool = False
    notes: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Ready for JSON."""
        parts = ("trained", "zero_shot", "ablations", "curves", "systems")
        rows = {part: [row.record() for row in getattr(self, part)] for part in parts}
        return {
            "name": self.name,
            "judged_on": self.judged_on,
            **rows,
            "notes": list(self.notes),
            "drawn": list(self.drawn),
        }


def read_sweep(path: str | Path) -> SweepPlan:
    """Read a plan from a file.

    Raises:
        InputError: the file does not exist or is not TOML, or a key is unknown, missing or wrong.
    """
    return SweepPlan.read(Path(path))


def run_sweep(
    plan: SweepPlan,
    out: str | Path,
    *,
    device: str | None = None,
    listener: Listener | None = None,
    engine: Engine | None = None,
) -> Sweep:
    """Run all trainings of a plan that are not finished yet.

    Args:
        plan: what to train.
        out: the folder; the best models are kept in ``out/models``.
        device: as torch writes it; None for a GPU if there is one.
        listener: is told the progress.
        engine: runs trainings side by side in other processes, which must see the folder; the results are the same.

    Raises:
        RunError: a worker does not see the folder.
    """
    return _SweepRun(plan, Path(out), device, listener, engine_apart(engine)).run()


def planned_trainings(plan: SweepPlan, out: Path, device: str | None = None) -> list[TrainingCell]:
    """The trainings of the whole grid, with the first seed."""
    run = _SweepRun(plan, out, device, None, None)
    return [run.cells.training(point) for points in run.grid().values() for point in points]


class _SweepRun:
    def __init__(
        self, plan: SweepPlan, folder: Path, device: str | None, listener: Listener | None, engine: Engine | None
    ) -> None:
        self.plan, self.folder, self.listener, self.engine = plan, folder, listener, engine
        _refuse_older(folder)
        data = open_benchmark(plan.data)
        held_out = None if plan.validation is None else open_benchmark(plan.validation)
        divided = training_data(data, held_out, seed=plan.seeds[0])
        every = {"train": divided.train, "validation": divided.validation, "test": _test_items(plan, data, divided)}
        few = {name: draw_items(part, plan.items, plan.seeds[0]) for name, part in every.items()}
        self.data, self.test = TrainingData(few["train"], few["validation"], divided.notes), few["test"]
        self.drawn = drawn_notes(**few)
        threads = None if engine is None else torch_threads()
        self.cells = SweepCells(plan, self.data, self.test, folder, device, threads)
        self.trained: dict[str, TrainedSystem] = {}

    def run(self) -> Sweep:
        pairs, grid = self._pairs, self.grid()
        self.folder.mkdir(parents=True, exist_ok=True)
        if self.engine is not None:
            self.engine.check_folder(self.folder)
        self._train(grid)
        best = {part: self._best(points) for part, points in grid.items()}
        main = [best[model, encoding, self.plan.reads] for model, encoding in pairs]
        curves = [
            best[self.plan.models[0], encoding, self.plan.reads]._replace(items=items)
            for encoding in self.plan.encodings
            for items in self._sizes
        ]
        others = [best[self.plan.models[0], "cross", reads] for reads in ABLATIONS] if self.plan.ablations else []
        scored = self._score([*main, *others, *curves], kept=frozenset(map(self._name, main)))
        plain = self._plain()
        return Sweep(
            name=self.plan.name,
            folder=self.folder,
            judged_on=f"{BenchmarkRecord.of(self.test, None).counted} items of '{self.test.name}'",
            trained=tuple(self._row(point, scored) for point in main),
            zero_shot=tuple(plain[model] for model in self.plan.models) if self.plan.zero_shot else (),
            ablations=tuple(self._row(point, scored) for point in others),
            curves=tuple(self._row(point, scored) for point in curves),
            systems=tuple(plain[name] for name in self.plan.systems),
            is_simulated=self.data.train.is_simulated,
            notes=self.data.notes,
            drawn=self.drawn,
        )

    @property
    def _pairs(self) -> list[tuple[str, Encoding]]:
        return list(itertools.product(self.plan.models, self.plan.encodings))

    def grid(self) -> dict[tuple[str, Encoding, Reads], list[SweepPoint]]:
        """The points of each part of the grid."""
        parts: dict[tuple[str, Encoding, Reads], None] = {
            (model, encoding, self.plan.reads): None for model, encoding in self._pairs
        }
        for reads in ABLATIONS if self.plan.ablations else ():
            parts[self.plan.models[0], "cross", reads] = None
        return {part: self._points(*part) for part in parts}

    def _train(self, grid: Mapping[Any, Sequence[SweepPoint]]) -> None:
        """Train the whole grid; of each part, only the model of the best point so far is kept on disk."""
        part_of = {self._name(point): points for points in grid.values() for point in points}

        def done(cell: Cell, trained: TrainedSystem) -> None:
            self.trained[cell.key] = trained
            finished = [point for point in part_of[cell.key] if self._name(point) in self.trained]
            best = self._best(finished)
            for point in finished:
                if point != best:
                    self.cells.training(point).drop()

        points = list(itertools.chain(*grid.values()))
        self._run([self.cells.training(point) for point in points], points, done)

    def _score(self, points: Sequence[SweepPoint], kept: frozenset[str]) -> dict[str, Scored]:
        """The test items, scored by the model of each point over all seeds; models are kept on request only."""
        every = [point._replace(seed=seed) for point in points for seed in self.plan.seeds]
        seeds = {self._name(one): self._name(one._replace(seed=self.plan.seeds[0])) for one in every}
        trainings = {cell.key: cell.training for cell in map(self.cells.scored, every)}
        of = {cell.key: cell.training.key for cell in map(self.cells.scored, every)}

        def done(cell: Cell, product: Any) -> None:
            if cell.key in of and seeds[of[cell.key]] not in kept:
                trainings[cell.key].drop()

        found = self._run(list(map(self.cells.scored, every)), every, done)
        keeps = [replace(cell, keeps_model=True) for cell in trainings.values() if seeds[cell.key] in kept]
        self._run(keeps, every, lambda cell, product: None)
        return found

    def _plain(self) -> dict[str, SweepRow]:
        """The rows of systems that are not trained here: models as they are, and systems that the plan names."""
        device = {} if self.cells.device is None else {"device": self.cells.device}
        condition = {"condition": "append"} if self.plan.reads == "all" else {}
        named = {
            model: str(Spec("encoder", None, (model,), {**condition, **device}))
            for model in (self.plan.models if self.plan.zero_shot else ())
        } | dict(self.plan.systems)
        folder = RunFolder(self.folder / f"systems-{self.test.items.fingerprint[:8]}")
        scorer = Scorer(0, folder, False, self.listener, engine=self.engine)
        systems = [make_system(written) for written in named.values()]
        scored = scorer.score(BenchmarkRecord.of(self.test, None), self.test, systems) if systems else []
        return {
            name: SweepRow(
                model=name,
                encoding=None,
                options={},
                validation=float("nan"),
                figures={figure: (value,) for figure, value in self._figures(predictions).items()},
                intervals=self._intervals([predictions]),
            )
            for name, (predictions, _) in zip(named, scored, strict=True)
        }

    def _run(self, cells: Sequence[Cell], points: Sequence[SweepPoint], done: Done) -> dict[str, Any]:
        shared = self.cells.shared(list(points)) if self.engine is not None else {}
        return run_cells(cells, shared, engine=self.engine, listener=self.listener, done=done)

    @property
    def _sizes(self) -> list[int]:
        return [items for items in self.plan.sizes if items < len(self.data.train)]

    def _points(self, model: str, encoding: Encoding, reads: Reads) -> list[SweepPoint]:
        """The points of a part of the grid.

        Raises:
            InputError: there are none.
        """
        seed = self.plan.seeds[0]
        grid = combinations(self.plan.grid, encoding, reads)
        found = [SweepPoint(model, encoding, each, seed, reads) for each in grid]
        if not found:
            raise InputError("nothing in the grid can be trained", where=self.plan.name, remedy="add values to [grid]")
        return found

    def _best(self, points: Sequence[SweepPoint]) -> SweepPoint:
        """The point with the best validation, the first of equals."""
        return max(points, key=lambda point: _validation(self.trained[self._name(point)]))

    def _name(self, point: SweepPoint) -> str:
        return self.cells.training(point).key

    def _row(self, point: SweepPoint, scored: Mapping[str, Scored]) -> SweepRow:
        """The row of a chosen point over all seeds."""
        cells = [self.cells.scored(point._replace(seed=seed)) for seed in self.plan.seeds]
        said = [scored[cell.key][0] for cell in cells]
        figures = [self._figures(predictions) for predictions in said]
        first = cells[0].training.recall()
        assert first is not None  # it was trained, now or before
        return SweepRow(
            model=point.model,
            encoding=point.encoding,
            reads=point.reads,
            options=dict(point.options),
            validation=_validation(first),
            figures={name: tuple(each[name] for each in figures) for name in FIGURES},
            intervals=self._intervals(said),
            items=first.items,
            size=point.items,
        )

    def _intervals(self, said: Sequence[Predictions]) -> dict[str, Ends]:
        """Intervals for the mean over seeds of each figure."""
        measures = [make_measure(name) for name in FIGURES]
        as_they_are = [mapping_from_range(None, self.test.scale)] * len(said)
        found = measurement_of(
            self.test, said, as_they_are, measures, calibrate=lambda made, used: None, intervals=Intervals(level=LEVEL)
        )
        ends = {}
        for column, name in enumerate(FIGURES):
            figures = [found.figure(row, column) for row in range(len(said))]
            each = [(one.low, one.high) for one in figures]
            together = None if found.confidence is None else found.confidence.covariances[column]
            low, high = mean_interval([float(one) for one in figures], each, together, LEVEL)
            ends[name] = (None if low is None else max(low, -1.0), None if high is None else min(high, 1.0))
        return ends

    def _figures(self, predictions: Predictions) -> dict[str, float]:
        gold = self.test.gold.scores
        return {
            "spearman": float(spearman(predictions.scores, gold)),
            "pearson": float(pearson(predictions.scores, gold)),
        }


def _validation(trained: TrainedSystem) -> float:
    """Spearman on the validation items; one that is undefined is worse than any."""
    found = trained.figures["spearman"]
    return -2.0 if np.isnan(found) else found


def _refuse_older(folder: Path) -> None:
    """Refuse a folder in which an older version kept its results.

    Raises:
        RunError: it is such a folder.
    """
    if (folder / "results.json").is_file():
        raise RunError(
            "holds a sweep of Similitude 0.1, which only that version resumes",
            where=str(folder),
            remedy="choose another --folder; its models stay systems: conditional(FOLDER/models/NAME)",
        )


def _test_items(plan: SweepPlan, data: Benchmark, divided: TrainingData) -> Benchmark:
    """The test items; the validation items if no test items have gold."""
    if plan.test is not None:
        return open_benchmark(plan.test).select(with_gold=True)
    if "test" in data.splits and (test := data.select(split="test")).frame["score"].count():
        return test.select(with_gold=True)
    return divided.validation
