"""The execution of a suite: every system scores every benchmark once, and what was scored before is kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import numpy as np

from similitude.data.addresses import BenchmarkData
from similitude.data.benchmark import Benchmark
from similitude.data.keywords import as_path
from similitude.data.listeners import with_progress_bar
from similitude.data.number_arguments import check_numbers, check_seed, check_whole_numbers
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener, System
from similitude.data.versions import versions
from similitude.errors import ArgumentError, PredictionError, SimilitudeError
from similitude.evaluate.calibration import Asked
from similitude.evaluate.measures import Measure, make_measure, make_measures
from similitude.evaluate.measures.over_sources import MeanOverSources
from similitude.evaluate.significance import Method, Test
from similitude.study.cells.cell import Cell
from similitude.study.cells.cell_run import run_cells
from similitude.study.cells.score_cell import ScoreCell
from similitude.study.engines import Engine
from similitude.study.execution import baseline_of, check_margin, run
from similitude.study.folder import RunFolder
from similitude.study.labels import Systems, distinct_labels, named_systems
from similitude.study.record import BenchmarkRecord
from similitude.study.suite.entries import Suite, SuiteEntry, open_entries, open_suite
from similitude.study.suite.library import is_suite
from similitude.study.suite.overlap import overlap_notes, refuse_copies
from similitude.study.suite.saved_system import SavedSystem
from similitude.study.suite.suite_folder import SuiteFolder, folder_names, members
from similitude.study.suite.suite_run import MeasuredBenchmark, SuiteRun, has_test_sets
from similitude.systems import DEFAULT_SYSTEM, make_system
from similitude.systems.attach_cache import AnswersChoice, CacheChoice, attach_chosen
from similitude.systems.scores import Scored

__all__ = ["DEFAULT_SUITE_MEASURES", "run_suite"]

DEFAULT_SUITE_MEASURES = ("spearman",)
"""The main score of STS tasks in MTEB."""


@with_progress_bar
def run_suite(
    data: Suite | BenchmarkData,
    systems: Systems = (DEFAULT_SYSTEM,),
    measures: str | Measure | Iterable[str | Measure] | None = (),
    *,
    names: Sequence[str] = (),
    data_folder: str | Path | None = None,
    skip_missing: bool = False,
    split: str | None = None,
    calibrate: Asked = "auto",
    calibrate_on: str | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    resamples: int | None = None,
    level: float = 0.95,
    interval: Method = "auto",
    test: Test = "auto",
    against: str | None = None,
    margin: float | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    fresh: bool = False,
    join: bool = True,
    cache: CacheChoice = "usual",
    answers: AnswersChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
    engine: Engine | None = None,
    command: Sequence[str] = (),
) -> SuiteRun:
    """Measure systems on several benchmarks, and average.

    Args:
        data: several benchmarks, or what `similitude.read` takes, in a list or by name; a TOML file with a suite, or
            ``suite:NAME``.
        systems: systems, or names such as "char-ngram-cosine(n=3)"; a mapping gives each a short name for tables.
        measures: names of measures, the main one first; by default those of the suite, else Spearman's rho.
        names: short names for tables: one for each system, in order, or ``NAME=SYSTEM`` for some.
        data_folder: of a suite's data; by default $SIMILITUDE_DATA, else the folder of its file.
        skip_missing: leave out benchmarks of a suite whose data is not there.
        split: of benchmarks for which the suite names none.
        calibrate: how scores are brought onto the gold scale, as in `similitude.run`.
        calibrate_on: the split of each benchmark that mappings are fitted on instead of the other folds.
        on_error: if a system gives no number for an item: "stop" (the system has no figure on this benchmark), or
            "skip" the item for all systems.
        resamples: of the items of each benchmark, as for `similitude.run`; 0 for no intervals.
        level: of the intervals.
        interval: as for `similitude.run`.
        test: as for `similitude.run`.
        against: one of the systems; the others are compared with it on the mean.
        margin: what counts as equivalent, in units of the mean: to ``against``, or without it to the best system.
        seed: of everything random.
        out: a folder to save the suite in. What it holds of earlier calls is not computed again.
        fresh: compute the predictions of these systems again.
        join: keep the systems and benchmarks that the folder holds in the result.
        cache: where encoders keep vectors; "usual" for the folder that the command line uses, None for nowhere.
        answers: where answers of language models are kept, likewise.
        listener: is told the progress.
        quiet: show no bar and no notes.
        engine: runs systems and benchmarks side by side in other processes, as for `similitude.run`.
        command: the words of the command line that makes the suite, for its page.

    Returns:
        The figures on every benchmark and their averages. A system that fails on a benchmark has no averages.

    Raises:
        SimilitudeError: a benchmark cannot be read, no system is named, or every system fails on every benchmark.

    >>> import similitude as sim
    >>> found = sim.run_suite(["sample:opinions", "sample:conditions"], ["levenshtein", "jaccard"], resamples=0)
    >>> dict(zip(found.systems, found.mean.values.round(2).tolist()))
    {'levenshtein': 0.18, 'word-ngram-jaccard': 0.2}
    """
    check_numbers(level=level, margin=margin)
    check_whole_numbers(resamples=resamples)
    check_seed(seed)
    suite = _opened(data, data_folder, skip_missing=skip_missing, split=split)
    given, short = named_systems(systems, names, benchmark={entry.name: entry.benchmark for entry in suite.entries})
    made = {str(system.identity): system for system in map(make_system, given)}
    _refuse_doubles(made, len(given))
    grid = _Grid.of(suite, made, SuiteFolder(as_path("out", out)) if out is not None else None, join=join)
    asked = make_measures(measures)
    usual = suite.measures or grid.before.get("measures", ()) or DEFAULT_SUITE_MEASURES
    made_measures = tuple(asked or map(make_measure, usual))
    labels = grid.labels(dict(zip(made, short, strict=True)))
    baseline = baseline_of(against, list(grid.systems), labels, resamples)
    check_margin(margin, resamples)
    benchmarks = [entry.measured for entry in grid.entries.values()]
    refuse_copies(benchmarks)
    attached = attach_chosen(list(grid.systems.values()), cache, answers, listener)
    ready = dict(zip(grid.systems, attached, strict=True))
    cells = grid.scored(ready, seed=seed, fresh=fresh, listener=listener, may_lack=on_error == "skip", engine=engine)
    options: dict[str, Any] = {
        "calibrate": calibrate, "calibrate_on": calibrate_on, "on_error": on_error, "resamples": resamples,
        "level": level, "interval": interval, "test": test, "seed": seed, "listener": listener,
        "cache": None, "answers": None,  # the systems have theirs
        "engine": engine,
    }  # fmt: skip
    by_label = dict(zip(grid.systems, labels, strict=True))
    measured = tuple(_measured(grid, ready, by_label, cells, made_measures, options))
    finished = SuiteRun(
        name=suite.name or grid.before.get("name") or suite.described_name,
        description=suite.description,
        language=suite.language,
        licence=suite.licence,
        against=baseline,
        margin=margin,
        benchmarks=measured,
        systems=tuple(grid.systems),
        labels=tuple(labels),
        measures=tuple(map(str, made_measures)),
        level=None if resamples == 0 else level,
        notes=tuple(_notes(suite, grid, measured, benchmarks)),
        seed=seed,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=versions(),
        folder=None if out is None else Path(out),
        command=tuple(command) if _is_whole(grid.before, command) else (),
    )
    if grid.folder is not None:
        grid.folder.save(finished)
    return finished


def _is_whole(before: Mapping[str, Any], command: Sequence[str]) -> bool:
    """Whether a command makes all that its folder holds: nothing was there, or what the same command had made."""
    return not before or before.get("command") == list(command)


@dataclass(frozen=True)
class _Cells:
    """What systems said of the benchmarks, and which failed: by folder of the benchmark, then by system."""

    scored: dict[str, dict[str, Scored]]
    failures: dict[str, dict[str, Exception]]

    def in_order(self, systems: Iterable[str]) -> _Cells:
        """The same, with the systems of each benchmark in this order, whatever was finished first."""
        scored = {name: {each: found[each] for each in systems if each in found} for name, found in self.scored.items()}
        return _Cells(scored, self.failures)

    def refuse_emptiness(self) -> None:
        """Raise the first error if no system was measured anywhere."""
        if not any(self.scored.values()):
            raise next(error for failed in self.failures.values() for error in failed.values())


@dataclass(frozen=True)
class _Grid:
    """Benchmarks x systems: those of this call, and those that the folder holds.

    Attributes:
        entries: benchmarks, by the name of their folder.
        systems: by identity; systems of earlier calls that were not named now are `SavedSystem` or not yet made.
        named: the identities of the systems of this call.
        folder: None if nothing is saved.
        before: the record of earlier calls.
        lost: systems of earlier calls that have no predictions and cannot be made again.
    """

    entries: Mapping[str, SuiteEntry]
    systems: Mapping[str, System]
    named: frozenset[str]
    folder: SuiteFolder | None
    before: Mapping[str, Any]
    lost: tuple[str, ...] = ()

    @classmethod
    def of(cls, suite: Suite, made: Mapping[str, System], folder: SuiteFolder | None, *, join: bool) -> _Grid:
        named, entries = frozenset(made), folder_names(suite.entries)
        if folder is None:
            return cls(entries, made, named, None, {})
        before = folder.claim(suite.described_name)
        kept = before if join else {}
        if not suite.is_closed:
            entries = {**folder.kept_entries(kept, list(entries)), **entries}
        earlier = [name for name in members(kept).get("systems", []) if name not in made]
        found = {name: _earlier(name, folder, entries) for name in earlier}
        folder.announce(before, entries, list(made))
        systems = {name: each for name, each in found.items() if each is not None} | dict(made)
        return cls(entries, systems, named, folder, before, tuple(name for name in earlier if found[name] is None))

    def notes(self) -> Iterator[str]:
        """What is not shown though the folder names it."""
        for name in self.lost:
            yield f"left out: {name} of an earlier call, which has no predictions and cannot be made again"

    def labels(self, names: Mapping[str, str]) -> list[str]:
        """The label of each system: the name that it has now or had before, or its identity.

        Args:
            names: by identity; empty for systems without one.
        """
        before = dict(zip(self.before.get("systems", []), self.before.get("labels", []), strict=False))
        given = [names.get(system) or before.get(system, "") for system in self.systems]
        return distinct_labels(list(self.systems), given)

    def run_folder(self, name: str) -> RunFolder | None:
        """The folder of the run on one benchmark."""
        return None if self.folder is None else RunFolder(self.folder.path / name)

    def scored(
        self,
        systems: Mapping[str, System],
        *,
        seed: int,
        fresh: bool,
        listener: Listener | None,
        may_lack: bool,
        engine: Engine | None,
    ) -> _Cells:
        """Let every system score every benchmark; a model is loaded once, and a failure stops nothing else."""
        found = _Cells({name: {} for name in self.entries}, {name: {} for name in self.entries})
        for name, entry in self.entries.items():
            folder = self.run_folder(name)
            if folder is not None:
                folder.claim(BenchmarkRecord.of(entry.measured, entry.split))
        places = {
            cell.key: (name, identity, cell)
            for identity, system in systems.items()
            for name in self.entries
            for cell in [self._cell(name, system, seed=seed, fresh=fresh and identity in self.named)]
        }

        def failed(cell: Cell, error: Exception) -> None:  # one cell is lost, and the table says so
            name, identity, _ = places[cell.key]
            found.failures[name][identity] = error

        def done(cell: Cell, scored: Scored) -> None:
            name, identity, _ = places[cell.key]
            try:
                found.scored[name][identity] = scored if may_lack else _complete(scored, self.entries[name])
            except PredictionError as error:
                failed(cell, error)

        items = {name: entry.measured.items for name, entry in self.entries.items()}
        cells = [cell for _, _, cell in places.values()]
        run_cells(cells, items, engine=engine, listener=listener, failed=failed, done=done)
        found.refuse_emptiness()
        return found.in_order(systems)

    def _cell(self, name: str, system: System, *, seed: int, fresh: bool) -> ScoreCell:
        """A system on a benchmark; of one that is known by its predictions alone, those are the product."""
        entry, folder = self.entries[name], self.run_folder(name)
        return ScoreCell(
            system=system,
            data=name,
            items=entry.measured.items,
            seed=seed,
            folder=folder,
            fresh=fresh,
            known=_saved(system, folder, entry) if isinstance(system, SavedSystem) else None,
            label=f"{system.identity} on {entry.name}",
        )


def _saved(system: System, folder: RunFolder | None, entry: SuiteEntry) -> Scored | None:
    """The saved predictions of a system for all items of a benchmark."""
    record = None if folder is None else folder.saved_systems().get(str(system.identity))
    saved = None if record is None or folder is None else folder.predictions(record)
    return (saved.predictions, saved.system) if saved is not None and saved.ids == entry.measured.items.ids else None


def _opened(
    data: Suite | BenchmarkData,
    folder: str | Path | None,
    *,
    skip_missing: bool,
    split: str | None,
) -> Suite:
    if isinstance(data, Suite):
        return data
    if is_suite(data):
        return open_suite(str(data), folder=folder, skip_missing=skip_missing, split=split)
    return open_entries(data, split=split)


def _refuse_doubles(made: Mapping[str, System], number: int) -> None:
    if not number:
        raise ArgumentError("no system to run", remedy="name one; 'similitude systems' lists them")
    if len(made) < number:
        raise ArgumentError("a system is named twice", remedy="name each system once")


def _earlier(identity: str, folder: SuiteFolder, entries: Mapping[str, SuiteEntry]) -> System | None:
    """A system of an earlier call: its predictions if they are complete and from one model, else the system itself.

    None if it has no predictions and cannot be made again.
    """
    saved = [RunFolder(folder.path / name).saved_systems().get(identity) for name in entries]
    there = [record for record in saved if record is not None]
    if len(there) == len(entries) and len({(record.model, record.code) for record in there}) == 1:
        return SavedSystem(there[0])
    try:
        return make_system(identity)
    except SimilitudeError:
        return SavedSystem(there[0]) if there else None


def _complete(scored: Scored, entry: SuiteEntry) -> Scored:
    predictions: Predictions = scored[0]
    lacking = np.flatnonzero(~np.isfinite(predictions.scores))
    if lacking.size:
        first, value = entry.measured.items.ids[lacking[0]], predictions.scores[lacking[0]]
        raise PredictionError(
            f"gave {value} for item '{first}'", where=entry.name, remedy="leave such items out with --on-error skip"
        )
    return scored


def _measured(
    grid: _Grid,
    systems: Mapping[str, System],
    labels: Mapping[str, str],
    cells: _Cells,
    measures: Sequence[Measure],
    options: Mapping[str, Any],
) -> Iterator[MeasuredBenchmark]:
    """Each benchmark with its run, in order."""
    from similitude.systems.objects import NamedSystem  # late: takes time

    for name, entry in grid.entries.items():
        scored, folder = cells.scored[name], grid.run_folder(name)
        own = [make_measure(entry.measure), *measures[1:]] if entry.measure else list(measures)
        found = run(
            entry.benchmark,
            [NamedSystem(systems[identity], labels[identity]) for identity in scored],
            _with_sources(own, entry.measured),
            split=entry.split,
            out=None if folder is None else folder.path,
            scored=scored,
            **options,
        ) if scored else None  # fmt: skip
        scale = entry.benchmark.scale
        yield MeasuredBenchmark(
            name=entry.name,
            folder=name,
            items=len(entry.measured) if found is None else found.data.items,
            weight=entry.weight,
            measure=entry.measure,
            split=entry.split,
            path=entry.path,
            description=entry.description,
            licence=entry.licence or entry.benchmark.licence,
            homepage=entry.homepage,
            scale=None if scale is None else str(scale),
            run=found,
            failures={identity: _reason(error) for identity, error in cells.failures[name].items()},
        )


def _with_sources(measures: Sequence[Measure], benchmark: Benchmark) -> list[Measure]:
    """The measures, and the mean of the main one over the sources, if these are test sets of their own."""
    sources = dict(benchmark.frame["source"].value_counts().iter_rows())
    over = MeanOverSources(measures[0])
    is_new = not isinstance(measures[0], MeanOverSources) and over not in measures
    return [*measures, over] if has_test_sets(sources) and is_new else list(measures)


def _calibrations(measured: Sequence[MeasuredBenchmark]) -> Iterator[str]:
    """How scores came onto the gold scale for measures with borders on it, and what is odd about them."""
    found = {each.name: each.run for each in measured if each.run is not None}
    manners: dict[str, list[str]] = {}
    for name, finished in found.items():
        if finished.calibration is not None:
            manners.setdefault(finished.calibration.manner, []).append(name)
    for manner, names in manners.items():
        yield f"measures with borders on the gold scale: scores {manner} on {', '.join(names)}"
    for name, finished in found.items():
        if finished.calibration is not None:
            labels = [record.label for record in finished.systems]
            yield from (f"{name}: {note}" for note in finished.calibration.notes(labels))


def _notes(
    suite: Suite, grid: _Grid, measured: Sequence[MeasuredBenchmark], benchmarks: Sequence[Benchmark]
) -> Iterator[str]:
    """What a reader must know."""
    yield from suite.notes
    yield from grid.notes()
    yield from _mixed_measures(measured)
    yield from _calibrations(measured)
    yield from overlap_notes(benchmarks)


def _mixed_measures(benchmarks: Sequence[MeasuredBenchmark]) -> Iterator[str]:
    """Notes on main measures that differ, and on sources that are not weighted one by one."""
    mains = {each.name: str(each.run.measures[0]) for each in benchmarks if each.run is not None}
    if len(set(mains.values())) > 1:
        told = ", ".join(f"{measure} on {name}" for name, measure in mains.items())
        yield f"averages mix measures: {told}"


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, SimilitudeError) else f"{type(error).__name__}: {error}"
