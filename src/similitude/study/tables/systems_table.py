"""A table of systems and trainings on benchmarks: what ``similitude evaluate`` measures, over seeds and grids."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from pydantic import AfterValidator, Discriminator, Field, Tag, field_validator

from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.errors import SimilitudeError
from similitude.evaluate.calibration import Asked
from similitude.evaluate.measures import Measure, make_measure
from similitude.registry import Spec
from similitude.stats import Interval
from similitude.stats.arrays import Array
from similitude.study.cells.cell_run import run_cells
from similitude.study.cells.trained_score_cell import TrainedScoreCell
from similitude.study.cells.training_cell import TrainedSystem, TrainingCell
from similitude.study.execution import run
from similitude.study.folder import RunFolder
from similitude.study.mean_interval import Ends, mean_interval
from similitude.study.plan_paths import beside
from similitude.study.record import BenchmarkRecord
from similitude.study.runs import Run
from similitude.study.scorer import Scorer
from similitude.study.suite.saved_system import SavedSystem
from similitude.study.tables.table_keys import PlannedCell, StudyFigure, StudyWork, TableKeys, TableResult, known_system
from similitude.study.tables.trained_entry import TrainedEntry
from similitude.systems import make_system
from similitude.systems.attach_cache import attach_chosen
from similitude.systems.scores import Scored
from similitude.training.splits import draw_items, drawn_notes

__all__ = ["MeasuredData", "SystemsTable"]


def _kind_of_entry(written: Any) -> str:
    return "system" if isinstance(written, str) else "training"


SystemEntry = Annotated[str, AfterValidator(known_system), Tag("system")]
Entry = Annotated[SystemEntry | Annotated[TrainedEntry, Tag("training")], Discriminator(_kind_of_entry)]


class MeasuredData(NamedTuple):
    """The run on one benchmark, and the row of the table that each of its systems belongs to."""

    name: str
    run: Run
    rows: tuple[str, ...]


class SystemsTable(TableKeys):
    """Systems, and models that are trained, measured on benchmarks.

    Attributes:
        data: names of the study's data, or addresses; a table gives each a name: ``{U = "usts/ustsu"}``.
        split: of each of them.
        systems: by name: a system, or a training.
        measures: of every cell; the default ones if none is named.
        seeds: of trainings; figures are means over them.
        calibrate: as in `similitude.run`.
        resamples: as in `similitude.run`.
        level: of the intervals.
        limit: measure only so many items of each benchmark, drawn at random by the first seed.
    """

    layout: Literal["systems"]
    data: dict[str, str] = Field(min_length=1)
    split: str | None = None
    systems: dict[str, Entry] = Field(default_factory=dict)
    measures: tuple[str, ...] = ()
    seeds: tuple[int, ...] = Field(default=(0,), min_length=1)
    calibrate: Asked = "auto"
    resamples: int | None = Field(default=None, ge=0)
    level: float = Field(default=0.95, ge=0.5, lt=1)
    limit: int | None = Field(default=None, ge=3)

    @field_validator("data", mode="before")
    @classmethod
    def _one_or_several(cls, written: Any) -> Any:
        listed = [written] if isinstance(written, str) else written
        return {str(name): name for name in listed} if isinstance(listed, list | tuple) else listed

    @field_validator("measures")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        try:
            return tuple(str(make_measure(name)) for name in names)
        except SimilitudeError as error:
            raise ValueError(str(error)) from None

    def placed(self, file: Path, data: dict[str, str]) -> SystemsTable:
        """With paths relative to the working directory."""
        entries = {
            name: entry.placed(file, data) if isinstance(entry, TrainedEntry) else entry
            for name, entry in self.systems.items()
        }
        places = {name: beside(file, data.get(written, written)) for name, written in self.data.items()}
        return self.model_copy(update={"systems": entries, "data": places})

    def joined(self, systems: Mapping[str, str]) -> SystemsTable:
        """With further systems."""
        return self.model_copy(update={"systems": {**self.systems, **systems}})

    def benchmarks(self) -> dict[str, Benchmark]:
        """What is measured, by its name in the table."""
        opened = {name: open_benchmark(address) for name, address in self.data.items()}
        return {
            name: draw_items(data.select(split=self.split, with_gold=True), self.limit, self.seeds[0])
            for name, data in opened.items()
        }

    def planned(self, work: StudyWork) -> Iterator[PlannedCell]:
        """The cells of the table, and which are done."""
        benchmarks = self.benchmarks()
        trainings = {name: self._cells(name, entry, work) for name, entry in self._trained()}
        for cells in trainings.values():
            yield from map(PlannedCell.of_training, cells)
        for name, benchmark in benchmarks.items():
            saved = RunFolder(work.run_folder(benchmark)).saved_systems()
            for row, written in self._plain():
                yield PlannedCell.of_system(f"{row} on {name}", str(make_system(written).identity), saved)
            for row, entry in self._trained():
                done = [self._scored(entry, cell, benchmark, work).recall() is not None for cell in trainings[row]]
                points = len(trainings[row]) // len(self.seeds)
                for place, seed in enumerate(self.seeds):
                    yield PlannedCell(f"{row}, seed {seed} on {name}", any(done[place * points : (place + 1) * points]))

    def run(self, work: StudyWork) -> TableResult:
        """Train and score what is missing; measure everything."""
        benchmarks = self.benchmarks()
        chosen = {name: self._chosen(name, entry, work) for name, entry in self._trained()}
        done = tuple(self._measured(name, benchmark, chosen, work) for name, benchmark in benchmarks.items())
        figures = tuple(figure for each in done for figure in self._figures(each))
        caveats = (f"{each.name}: {note}" for each in done for note in each.run.caveats)
        seen = (note for each in done for note in _learned_items(each, chosen))
        is_simulated = any(each.run.data.is_simulated for each in done)
        return TableResult(
            figures, done, tuple(dict.fromkeys((*caveats, *seen))), is_simulated, drawn=drawn_notes(**benchmarks)
        )

    def _plain(self) -> Iterator[tuple[str, str]]:
        return ((name, entry) for name, entry in self.systems.items() if isinstance(entry, str))

    def _trained(self) -> Iterator[tuple[str, TrainedEntry]]:
        return ((name, entry) for name, entry in self.systems.items() if isinstance(entry, TrainedEntry))

    def _cells(self, name: str, entry: TrainedEntry, work: StudyWork) -> list[TrainingCell]:
        how = {"device": work.device, "cache": work.cache, "keeps_model": False}
        return [cell for seed in self.seeds for cell in entry.cells(name, seed, work.folder / "models", **how)]

    def _chosen(self, name: str, entry: TrainedEntry, work: StudyWork) -> list[TrainingCell]:
        """The best training of each seed by validation, the first of equals."""
        every = self._cells(name, entry, work)
        shared = {cell.data: cell.parts for cell in every} if work.engine is not None else {}
        found = run_cells(every, shared, engine=work.engine, listener=work.listener)
        points = len(every) // len(self.seeds)
        parts = [every[place * points : (place + 1) * points] for place in range(len(self.seeds))]
        return [max(part, key=lambda cell: _validation(found[cell.key])) for part in parts]

    def _scored(
        self, entry: TrainedEntry, cell: TrainingCell, benchmark: Benchmark, work: StudyWork
    ) -> TrainedScoreCell:
        return TrainedScoreCell(
            training=cell,
            data=benchmark.name,
            items=benchmark.items,
            root=work.folder / "predictions",
            arguments=entry.arguments,
        )

    def _measured(
        self, name: str, benchmark: Benchmark, chosen: Mapping[str, Sequence[TrainingCell]], work: StudyWork
    ) -> MeasuredData:
        """Every row on one benchmark."""
        plain = list(self._plain())
        systems = attach_chosen([make_system(written) for _, written in plain], work.cache, work.answers, work.listener)
        folder = RunFolder(work.run_folder(benchmark))
        scorer = Scorer(0, folder, work.fresh, work.listener, engine=work.engine)
        data = BenchmarkRecord.of(benchmark, self.split)
        known = [(row, each) for (row, _), each in zip(plain, scorer.score(data, benchmark, systems), strict=True)]
        cells = [
            (row, self._scored(entry, cell, benchmark, work)) for row, entry in self._trained() for cell in chosen[row]
        ]
        shared = {benchmark.name: benchmark.items} if work.engine is not None else {}
        found = run_cells([cell for _, cell in cells], shared, engine=work.engine, listener=work.listener)
        known += [(row, found[cell.key]) for row, cell in cells]
        renamed = [(row, _numbered(scored, place)) for place, (row, scored) in enumerate(known)]
        finished = run(
            benchmark,
            {f"{row}, {place + 1}": SavedSystem(record) for place, (row, (_, record)) in enumerate(renamed)},
            self.measures,
            scored={record.identity: (predictions, record) for _, (predictions, record) in renamed},
            split=None,
            calibrate=self.calibrate,
            resamples=self.resamples,
            level=self.level,
            cache=None,
            answers=None,
            listener=work.listener,
        )
        labelled = tuple(replace(record, label=row) for record, (row, _) in zip(finished.systems, renamed, strict=True))
        return MeasuredData(name, replace(finished, systems=labelled), tuple(row for row, _ in renamed))

    def _figures(self, measured: MeasuredData) -> Iterator[StudyFigure]:
        """One figure for each row and measure: the mean over seeds."""
        finished = measured.run
        for row in dict.fromkeys(measured.rows):
            places = [place for place, name in enumerate(measured.rows) if name == row]
            for column, measure in enumerate(finished.measures):
                values = [finished.figures[place][column].value for place in places]
                low, high = _within(
                    measure, mean_interval(values, *_spread_over_items(finished, places, column), self.level)
                )
                at = {"system": row, "data": measured.name, "measure": str(measure)}
                why = next((w for place in places if (w := finished.figures[place][column].reason)), "")
                yield StudyFigure(
                    at=at, value=float(np.mean(values)), low=low, high=high, runs=len(places), note=why or ""
                )


def _learned_items(measured: MeasuredData, chosen: Mapping[str, Sequence[TrainingCell]]) -> Iterator[str]:
    """Notes on rows that learned from some of the pairs that they are measured on."""
    pairs = set(measured.run.benchmark.frame.select("left", "right", "condition").iter_rows())
    for row, cells in chosen.items():
        parts = [part for cell in cells if cell.parts is not None for part in cell.parts.train]
        learned = {each for part in parts for each in part.frame.select("left", "right", "condition").iter_rows()}
        if both := len(pairs & learned):
            told = f"has learned from {both:,} of the {len(pairs):,} pairs that it is measured on"
            yield f"{measured.name}: '{row}' {told}"


def _spread_over_items(finished: Run, places: Sequence[int], column: int) -> tuple[list[Ends], Array | None]:
    """The intervals of some systems on one measure, and how their figures vary together from sample to sample."""
    found = finished.confidence
    if found is None:
        return [(None, None)] * len(places), None
    ends: list[Ends] = [_finite(found.intervals[place][column]) for place in places]
    return ends, found.covariances[column][np.ix_(places, places)]


def _within(measure: Measure, ends: Ends) -> Ends:
    """The interval, cut to the values that the measure can take."""
    low, high = ends
    return None if low is None else max(low, measure.low), None if high is None else min(high, measure.high)


def _finite(interval: Interval) -> Ends:
    known = math.isfinite(interval.low) and math.isfinite(interval.high)
    return (float(interval.low), float(interval.high)) if known else (None, None)


def _numbered(scored: Scored, place: int) -> Scored:
    """The predictions under an identity of their own, since two rows may be the same system."""
    predictions, record = scored
    return predictions, replace(record, identity=str(Spec(f"row-{place}", None, (), {})))


def _validation(trained: TrainedSystem) -> float:
    """The figure by which a training is chosen: the first that its validation gives; undefined is worse than any."""
    preferred = next((name for name in ("spearman", "rho") if name in trained.figures), None)
    value = trained.figures[preferred] if preferred else next(iter(trained.figures.values()))
    return -math.inf if math.isnan(value) else value
