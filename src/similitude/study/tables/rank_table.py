"""A table of how far systems move when they are ranked by another measure: Table 1 of the task-oriented paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.prediction import Predictions
from similitude.data.protocols import System
from similitude.data.reading.predictions import open_predictions
from similitude.data.scale import Scale
from similitude.errors import InputError
from similitude.evaluate.calibration import Asked
from similitude.evaluate.diagnostics import rank_differences
from similitude.study.execution import run
from similitude.study.folder import RunFolder
from similitude.study.plan_paths import beside
from similitude.study.predictiveness.plan import with_paper_names
from similitude.study.predictiveness.study import PAPER_SYSTEMS
from similitude.study.runs import Run
from similitude.study.tables.table_keys import PlannedCell, StudyFigure, StudyWork, TableKeys, TableResult
from similitude.systems import make_system
from similitude.systems.recorded import Recorded, recorded_system

__all__ = ["RANKED_BY", "RankTable"]

Array = NDArray[np.float64]

RANKED_BY = ("pearson", "spearman", "ndcg", "ndcg@avgrank", "accuracy_3bin", "f1")
"""The measures of the paper's Table 1, in its order."""
SUBMITTED = 88
"""The paper ranks so many submissions to SemEval 2012; figures over other systems are not compared with its own."""


class RankTable(TableKeys):
    """Mean absolute difference between the ranks of systems under two measures, for each pair of measures.

    Figures stand at measure, other, figure (mean, largest), each pair once, in the order of the measures; and at figure
    (systems: their number).

    Attributes:
        data: a benchmark.
        split: of it.
        systems: that are ranked; "paper" for those of the task-oriented paper.
        predictions: files of further systems that were run elsewhere, as for ``similitude measure``, or folders with a
            file for each source of the data, ``STS.output.MSRpar.txt``; ``*`` stands for any name: ``submissions/*``.
        range: of these predictions, such as 0..5; the gold scale if not given.
        measures: at least two.
        calibrate: as in `similitude.run`.
    """

    layout: Literal["ranks"]
    data: str
    split: str | None = None
    systems: tuple[str, ...] = ()
    predictions: tuple[str, ...] = ()
    range: str | None = None
    measures: tuple[str, ...] = Field(default=RANKED_BY, min_length=2)
    calibrate: Asked = "none"

    @model_validator(mode="after")
    def _ranks_something(self) -> Self:
        if not self.systems and not self.predictions:
            raise ValueError("there is nothing to rank; give systems or predictions")
        return self

    def placed(self, file: Path) -> Self:
        """With paths relative to the working directory."""
        files = tuple(beside(file, written) for written in self.predictions)
        return self.model_copy(update={"data": beside(file, self.data), "predictions": files})

    def joined(self, systems: Mapping[str, str]) -> Self:
        """With further systems."""
        return self.model_copy(update={"systems": (*self.systems, *systems.values())})

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """The systems on the benchmark; predictions are there already."""
        saved = RunFolder(work.run_folder(self._benchmark())).saved_systems()
        for name in self._names():
            yield PlannedCell.of_system(f"{name} on {self.data}", str(make_system(name).identity), saved)

    def run(self, work: StudyWork) -> TableResult:
        """Score what is missing, and rank."""
        benchmark = self._benchmark()
        options: dict[str, Any] = {"cache": work.cache, "answers": work.answers, "listener": work.listener}
        systems: list[str | System] = [*self._names(), *self._recorded(benchmark)]
        out = work.run_folder(benchmark)
        how: dict[str, Any] = {"calibrate": self.calibrate, "resamples": 0, "fresh": work.fresh, "out": out}
        done = run(benchmark, systems, self.measures, engine=work.engine, **how, **options)
        is_trial = len(done.systems) != SUBMITTED
        return TableResult(tuple(_differences(done)), done, tuple(done.caveats), is_trial=is_trial)

    def _benchmark(self) -> Benchmark:
        return open_benchmark(self.data).select(split=self.split, with_gold=True)

    def _names(self) -> tuple[str, ...]:
        return with_paper_names(self.systems, PAPER_SYSTEMS)

    def _recorded(self, benchmark: Benchmark) -> Iterator[System]:
        """One system for each file; a file is named by its path, since those of several teams often have one name."""
        declared = benchmark.scale if self.range is None else Scale.parse(self.range)
        for path in (path for written in self.predictions for path in _files(written)):
            read = _submission if path.is_dir() else _column
            scores = read(path, benchmark, declared)
            yield Recorded(
                file=path.as_posix(), range=declared, ids=benchmark.frame["id"], predictions=Predictions(scores)
            )


def _column(file: Path, benchmark: Benchmark, declared: Scale | None) -> Array:
    table = open_predictions(file)
    return recorded_system(table, benchmark.items, range=declared, gold=benchmark.gold.scores).predictions.scores


def _submission(folder: Path, benchmark: Benchmark, declared: Scale | None) -> Array:
    """Predictions of a folder that has one file for each source of the data, as submissions to SemEval have.

    Raises:
        InputError: a source has no file, or several.
    """
    sources = benchmark.frame["source"].to_list()
    scores = np.empty(len(benchmark))
    for source in dict.fromkeys(sources):
        name = str(source).rpartition("/")[2]
        files = sorted(folder.glob(f"*.{name}.*"))
        if len(files) != 1:
            what = f"{len(files)} files for the source '{name}'"
            raise InputError(what, where=str(folder), remedy=f"have one, such as STS.output.{name}.txt")
        rows = np.flatnonzero([each == source for each in sources])
        scores[rows] = _column(files[0], benchmark.take(rows), declared)
    return scores


def _files(written: str) -> list[Path]:
    """The files of a path, or of a pattern of paths, sorted.

    Raises:
        InputError: there is none.
    """
    path = Path(written)
    root = Path(path.anchor)
    files = sorted(root.glob(path.relative_to(root).as_posix()))
    if not files:
        raise InputError("no such file", where=written, remedy="give files of predictions, or a pattern such as *.txt")
    return files


def _differences(done: Run) -> Iterator[StudyFigure]:
    yield StudyFigure(at={"figure": "systems"}, value=float(len(done.systems)))
    found = rank_differences(done.figures, done.measures)
    names = [str(measure) for measure in done.measures]
    for one in range(len(names)):
        for other in range(one + 1, len(names)):
            at = {"measure": names[one], "other": names[other]}
            yield StudyFigure(at={**at, "figure": "mean"}, value=float(found.mean[one, other]))
            yield StudyFigure(at={**at, "figure": "largest"}, value=float(found.largest[one, other]))
