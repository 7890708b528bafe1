"""The layouts of tables beside plain systems: sweeps, the five settings, prompts, choices, predictiveness."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from similitude.evaluate.tasks.reading import open_task
from similitude.stats import Interval
from similitude.study.five_settings.findings import FiveSettings
from similitude.study.five_settings.plan import FiveSettingsPlan, OwnKind
from similitude.study.five_settings.study import open_models, run_five_settings
from similitude.study.folder import RunFolder
from similitude.study.predictiveness.plan import PredictivenessPlan, measures_of, systems_of
from similitude.study.predictiveness.study import PredictivenessStudy, run_predictiveness
from similitude.study.prompt_grid.cells import cells_of, measured_items
from similitude.study.prompt_grid.plan import ChoicePlan, Plan, ReferenceEntry, ScorePlan, placed
from similitude.study.prompt_grid.study import PromptGridStudy, run_prompt_grid
from similitude.study.runs import Run
from similitude.study.sweep.plan import SweepPlan
from similitude.study.sweep.study import Sweep, SweepRow, planned_trainings, run_sweep
from similitude.study.tables.table_keys import PlannedCell, StudyFigure, StudyWork, TableKeys, TableResult
from similitude.study.task_run import folder_of_task
from similitude.systems import make_system

__all__ = ["ChoicesTable", "FiveSettingsTable", "PredictivenessTable", "PromptsTable", "SweepTable"]


class SweepTable(TableKeys, SweepPlan):
    """A grid of trainings under a condition; the best by validation is repeated over seeds.

    Figures stand at part (trained, zero-shot, ablation, curve, system), model, encoding, reads, items, measure; the
    options that were chosen from the grid stand there too, by their name in the place of a measure.
    """

    layout: Literal["sweep"]

    def joined(self, systems: Mapping[str, str]) -> Self:
        """With further systems."""
        return self.model_copy(update={"systems": {**self.systems, **systems}})

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """The trainings of the grid, and which are done; what is repeated over seeds follows from them."""
        for cell in planned_trainings(self, work.folder, work.device):
            yield PlannedCell.of_training(cell)

    def run(self, work: StudyWork) -> TableResult:
        """Run what is missing."""
        done = run_sweep(self, work.folder, device=work.device, listener=work.listener, engine=work.engine)
        return TableResult(tuple(_of_sweep(done)), done, (), done.is_simulated)


def _of_sweep(sweep: Sweep) -> Iterator[StudyFigure]:
    parts = {"trained": sweep.trained, "zero-shot": sweep.zero_shot, "ablation": sweep.ablations}
    for part, rows in {**parts, "curve": sweep.curves, "system": sweep.systems}.items():
        for row in rows:
            yield from _of_row(part, row)


def _of_row(part: str, row: SweepRow) -> Iterator[StudyFigure]:
    at = {"part": part, "model": row.model, "encoding": row.encoding or "none", "reads": row.reads}
    at["items"] = f"{row.size or row.items:,}"
    for measure, values in row.figures.items():
        low, high = (None, None) if row.intervals is None else row.intervals[measure]
        where = {**at, "measure": measure}
        yield StudyFigure(at=where, value=row.mean(measure), low=low, high=high, runs=len(values))
    if row.encoding is not None:
        validation = row.validation if row.validation >= -1 else float("nan")
        yield StudyFigure(at={**at, "measure": "validation"}, value=validation)
    for option, chosen in row.options.items():
        is_number = isinstance(chosen, int | float) and not isinstance(chosen, bool)
        value, word = (float(chosen), "") if is_number else (float("nan"), _word(chosen))
        yield StudyFigure(at={**at, "measure": option}, value=value, word=word)


class FiveSettingsTable(TableKeys, FiveSettingsPlan):
    """The five settings of the USTS paper: zero-shot, frozen, domain-specific, -generalised, cross-domain.

    Figures stand at setting, system, data, measure; the standard deviation among people at system "people"; and the
    range of those that a system predicts (5th to 95th percentile) at setting, system, sigmas (from, to).
    """

    layout: Literal["five-settings"]

    def joined(self, systems: Mapping[str, str]) -> Self:
        """With further systems, which are not trained."""
        own = {name: OwnKind(system=written) for name, written in systems.items()}
        return self.model_copy(update={"own": {**self.own, **own}})

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """The trainings, and the systems on each benchmark."""
        models, cells = open_models(self, work.folder, device=work.device)
        for cell in models.trainings(cells):
            yield PlannedCell.of_training(cell)
        for domain in models.domains.values():
            saved = RunFolder(models.run_folder(domain.name)).saved_systems()
            for name, row in cells:
                if name == domain.name:
                    yield PlannedCell.of_system(f"{row.label} on {name}", models.system(row, name), saved)

    def run(self, work: StudyWork) -> TableResult:
        """Run what is missing."""
        options: dict[str, Any] = {"device": work.device, "cache": work.cache, "listener": work.listener}
        done = run_five_settings(self, work.folder, engine=work.engine, **options)
        return TableResult(tuple(_of_settings(done)), done, done.notes, done.is_simulated)


def _of_settings(done: FiveSettings) -> Iterator[StudyFigure]:
    predicted: dict[tuple[str, str], list[NDArray[np.float64]]] = {}
    for result in done.results:
        if np.isfinite(result.human_sigma):
            people = {"setting": "", "system": "people", "data": result.name, "measure": "sigma"}
            yield StudyFigure(at=people, value=result.human_sigma)
        for place, row in enumerate(result.rows):
            at = {"setting": str(row.setting.number), "system": row.kind.label, "data": result.name}
            yield from _of_run(result.run, place, at)
            spreads = result.spreads[place]
            if spreads is not None:
                yield StudyFigure(at={**at, "measure": "mean_sigma"}, value=float(spreads.predicted.mean()))
                known = predicted.setdefault((at["setting"], at["system"]), [])
                known += [spreads.predicted] if spreads.human.size else []
    for (setting, system), spreads_of_data in predicted.items():
        for name, share in (("from", 5), ("to", 95)) if spreads_of_data else ():
            value = float(np.percentile(np.concatenate(spreads_of_data), share))
            at = {"setting": setting, "system": system, "sigmas": name}
            yield StudyFigure(at=at, value=value, note=f"{share}th percentile of the predicted standard deviations")


class PromptsTable(TableKeys, ScorePlan):
    """Language models score similarity over a grid of instructions and shots.

    Figures stand at model, instruction, shots, by, measure.
    """

    layout: Literal["prompts"]

    def placed(self, file: Path) -> Self:
        """The plan with paths relative to the working directory."""
        return placed(self, file)

    def joined(self, systems: Mapping[str, str]) -> Self:
        """With further systems."""
        return _with_references(self, systems)

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """The cells of the grid."""
        yield from _planned_prompts(self, work)

    def run(self, work: StudyWork) -> TableResult:
        """Ask what was not asked yet."""
        done = _asked(self, work)
        return TableResult(tuple(_of_prompts(done)), done, (), done.run.data.is_simulated)


class ChoicesTable(TableKeys, ChoicePlan):
    """Language models choose the most similar of several texts, with and without the dialogue.

    Figures stand at model, by, dialogue, part, measure.
    """

    layout: Literal["choices"]
    ask: Literal["choice"] = "choice"

    def placed(self, file: Path) -> Self:
        """The plan with paths relative to the working directory."""
        return placed(self, file)

    def joined(self, systems: Mapping[str, str]) -> Self:
        """With further systems."""
        return _with_references(self, systems)

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """The cells of the grid."""
        yield from _planned_prompts(self, work)

    def run(self, work: StudyWork) -> TableResult:
        """Ask what was not asked yet."""
        done = _asked(self, work)
        return TableResult(tuple(_of_choices(done)), done, (), done.run.data.is_simulated)


def _with_references(plan: Plan, systems: Mapping[str, str]) -> Plan:
    more = tuple(ReferenceEntry(name=name, system=written) for name, written in systems.items())
    return plan.model_copy(update={"references": (*plan.references, *more)})


def _planned_prompts(plan: Any, work: StudyWork) -> Iterator[PlannedCell]:
    benchmark = measured_items(plan)
    saved = RunFolder(work.run_folder(benchmark)).saved_systems()
    for cell in cells_of(plan, benchmark):
        yield PlannedCell.of_system(cell.name, str(cell.system.identity), saved)
    for entry in plan.references:
        yield PlannedCell.of_system(entry.label, str(make_system(entry.system).identity), saved)


def _asked(plan: ScorePlan | ChoicePlan, work: StudyWork) -> PromptGridStudy:
    options: dict[str, Any] = {"fresh": work.fresh, "cache": work.cache, "answers": work.answers}
    out = work.run_folder(measured_items(plan))
    return run_prompt_grid(plan, out, listener=work.listener, engine=work.engine, **options)


def _settings(done: PromptGridStudy) -> Iterator[tuple[int, dict[str, str]]]:
    """Where each system of a grid stands; references have only a name."""
    parts = dict.fromkeys(done.cells[0].setting, "")
    for place, label in enumerate(done.labels):
        setting = done.cells[place].setting if place < len(done.cells) else {"model": label}
        yield place, {**parts, **{name: _word(value) for name, value in setting.items()}}


def _of_prompts(done: PromptGridStudy) -> Iterator[StudyFigure]:
    for place, at in _settings(done):
        yield from _of_run(done.run, place, at)
        if place < len(done.cells):
            yield StudyFigure(at={**at, "measure": "invalid"}, value=done.invalid(place))


def _of_choices(done: PromptGridStudy) -> Iterator[StudyFigure]:
    for place, at in _settings(done):
        for part in done.parts:
            figure = part.figures[place]
            half = 1.96 * figure.error
            for measure, value, error in (("accuracy", figure.accuracy, half), ("ndcg", figure.ndcg, None)):
                ends = (None, None) if error is None else (value - error, value + error)
                where = {**at, "part": part.name, "measure": measure}
                yield StudyFigure(at=where, value=value, low=ends[0], high=ends[1])


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
        folders |= {task.name: folder_of_task(self._folder(work), task) for task in map(open_task, self.tasks)}
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
            [open_task(written) for written in self.tasks],
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
            low, high = _ends(cell.interval)
            yield StudyFigure(at={**at, "figure": "rho"}, value=cell.rho, low=low, high=high)
            yield StudyFigure(at={**at, "figure": "place"}, value=float(place))
    for one, cells in zip(found.tasks, found.by_task, strict=True):
        for other, cell in zip(found.tasks, cells, strict=True):
            if one != other:
                low, high = _ends(cell.interval)
                at = {"measure": one, "task": other, "figure": "rho"}
                yield StudyFigure(at=at, value=cell.rho, low=low, high=high)
    for result in done.tasks:
        for row, record in enumerate(done.run.systems):
            low, high = (None, None) if result.intervals is None else _ends(result.intervals[row])
            at = {"system": record.label, "task": result.name, "figure": "achieved"}
            yield StudyFigure(at=at, value=float(result.outcome.values[row]), low=low, high=high)
        ends = {"best": np.nanmax, "worst": np.nanmin}
        for name, end in ends.items() if np.isfinite(result.outcome.values).any() else ():
            yield StudyFigure(at={"task": result.name, "figure": name}, value=float(end(result.outcome.values)))


def _of_run(finished: Run, place: int, at: Mapping[str, str]) -> Iterator[StudyFigure]:
    for column, measure in enumerate(finished.measures):
        figure, found = finished.figures[place][column], finished.confidence
        low, high = (None, None) if found is None else _ends(found.intervals[place][column])
        where = {**at, "measure": str(measure)}
        yield StudyFigure(at=where, value=figure.value, low=low, high=high, note=figure.reason or "")


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    if interval is None or not np.isfinite([interval.low, interval.high]).all():
        return None, None
    return float(interval.low), float(interval.high)


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
