"""A table of how well measures on a benchmark predict tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, Self

import numpy as np

from similitude.study.folder import RunFolder
from similitude.study.predictiveness.plan import PredictivenessPlan, measures_of, systems_of, tasks_of
from similitude.study.predictiveness.study import PredictivenessStudy, run_predictiveness
from similitude.study.tables.run_figures import interval_ends
from similitude.study.tables.table_keys import PlannedCell, StudyFigure, StudyWork, TableKeys, TableResult
from similitude.study.task_run import folder_of_task
from similitude.systems import make_system

__all__ = ["PredictivenessTable"]


class PredictivenessTable(TableKeys, PredictivenessPlan):
    """How well measures on a benchmark predict which system does best in tasks.

    Figures stand at measure, task, figure (rho, place); at system, task, figure (achieved); at task, figure (best,
    worst: of all systems); and, for how well one task predicts another, with its name in the place of a measure.
    """

    layout: Literal["predictiveness"]

    def joined(self, systems: Mapping[str, str]) -> Self:
        """With further systems."""
        return self.model_copy(update={"systems": (*self.systems, *systems.values())})

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """The systems on the benchmark and in each task."""
        names = [str(make_system(system).identity) for system in systems_of(self)]
        folders = {self.data: self._folder(work) / "benchmark"}
        folders |= {task.name: folder_of_task(self._folder(work), task) for task in tasks_of(self)}
        for place, folder in folders.items():
            saved = RunFolder(folder).saved_systems()
            yield from (PlannedCell.of_system(f"{system} on {place}", system, saved) for system in names)

    def _folder(self, work: StudyWork) -> Path:
        """Benchmark and tasks are kept apart from those of other tables."""
        return work.folder / "tasks" / re.sub(r"[^\w.-]+", "-", self.name)

    def run(self, work: StudyWork) -> TableResult:
        """Score what is missing."""
        done = run_predictiveness(
            self.data,
            tasks_of(self),
            systems_of(self),
            measures_of(self),
            out=self._folder(work),
            fresh=work.fresh,
            split=self.split,
            calibrate=self.calibrate,
            resamples=self.resamples,
            level=self.level,
            seed=self.seed,
            cache=work.cache,
            answers=work.answers,
            listener=work.listener,
            engine=work.engine,
        )
        return TableResult(
            tuple(_of_predictiveness(done)), done, tuple(done.predictiveness.notes), done.run.data.is_simulated
        )


def _of_predictiveness(done: PredictivenessStudy) -> Iterator[StudyFigure]:
    found = done.predictiveness
    for measure, cells, places in zip(found.measures, found.by_measure, found.places, strict=True):
        for task, cell, place in zip(found.tasks, cells, places, strict=True):
            at = {"measure": measure, "task": task}
            low, high = interval_ends(cell.interval)
            yield StudyFigure(at={**at, "figure": "rho"}, value=cell.rho, low=low, high=high)
            yield StudyFigure(at={**at, "figure": "place"}, value=float(place))
    for one, cells in zip(found.tasks, found.by_task, strict=True):
        for other, cell in zip(found.tasks, cells, strict=True):
            if one != other:
                low, high = interval_ends(cell.interval)
                at = {"measure": one, "task": other, "figure": "rho"}
                yield StudyFigure(at=at, value=cell.rho, low=low, high=high)
    for result in done.tasks:
        for row, record in enumerate(done.run.systems):
            low, high = (None, None) if result.intervals is None else interval_ends(result.intervals[row])
            at = {"system": record.label, "task": result.name, "figure": "achieved"}
            yield StudyFigure(at=at, value=float(result.outcome.values[row]), low=low, high=high)
        ends = {"best": np.nanmax, "worst": np.nanmin}
        for name, end in ends.items() if np.isfinite(result.outcome.values).any() else ():
            yield StudyFigure(at={"task": result.name, "figure": name}, value=float(end(result.outcome.values)))
