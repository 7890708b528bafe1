"""One task alone: the results of systems in it, with intervals, ranks and the thresholds to deploy."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from similitude import stats
from similitude.data.benchmark import Benchmark
from similitude.data.frames import Tabular
from similitude.data.keywords import as_path
from similitude.data.listeners import with_progress_bar
from similitude.data.number_arguments import check_numbers, check_seed, check_whole_numbers
from similitude.data.plural import counted
from similitude.data.protocols import Listener, System
from similitude.data.shown import Shown
from similitude.data.versions import versions
from similitude.errors import ArgumentError, PredictionError, UnknownKeyError, UnknownNameError
from similitude.evaluate.calibration import Asked
from similitude.evaluate.deployed_thresholds import deployed_thresholds
from similitude.evaluate.measured_figure import MeasuredFigure
from similitude.evaluate.operating_points import SystemThresholds
from similitude.evaluate.significance import TiedRank, tested_together, tied_ranks
from similitude.evaluate.tasks.outcome import LearnedOutcome, Outcome, RangeTask, Task
from similitude.evaluate.tasks.reading import TaskData, open_task
from similitude.stats import Interval
from similitude.stats.arrays import Array
from similitude.stats.finite import finite_or_none
from similitude.study.folder import RunFolder
from similitude.study.labels import Systems, distinct_labels, named_systems
from similitude.study.record import BenchmarkRecord
from similitude.study.scorer import Scorer
from similitude.systems import make_system
from similitude.systems.attach_cache import AnswersChoice, CacheChoice, attach_chosen
from similitude.systems.record import SystemRecord

__all__ = ["AchievedTask", "TaskResult", "TaskRun", "achieved_task", "folder_of_task", "run_task", "score_task"]

Progress = Callable[[str, int, int], None]
CHUNK_CELLS = 8_000_000
"""How many weights of units are held at a time: 64 MB."""
FOLDS, RESAMPLES = range(2)
"""Each has its own random stream, so that a task gives the same figures alone and beside others."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TaskResult:
    """The results of all systems in one task.

    Attributes:
        name: of the task.
        kind: of the task.
        outcome: for every unit and system.
        intervals: of each system's figure; None if nothing was resampled.
        thresholds: of each system, if the task learns them; else empty.
    """

    name: str
    kind: str
    outcome: Outcome
    intervals: tuple[Interval, ...] | None
    thresholds: tuple[SystemThresholds, ...] = ()

    def record(self, names: Sequence[str]) -> dict[str, Any]:
        """Everything, ready for JSON."""
        return {
            "name": self.name,
            "kind": self.kind,
            "figure": self.outcome.figure,
            "units": self.outcome.units,
            "calibration": self.outcome.calibration,
            "groups": None if self.outcome.groups is None else int(np.unique(self.outcome.groups).size),
            "notes": list(self.outcome.notes),
            "systems": [
                {
                    "system": name,
                    "value": finite_or_none(float(self.outcome.values[row])),
                    "low": None if self.intervals is None else finite_or_none(self.intervals[row].low),
                    "high": None if self.intervals is None else finite_or_none(self.intervals[row].high),
                    **{other: finite_or_none(float(values[row])) for other, values in self.outcome.others.items()},
                    **(self.thresholds[row].record() if self.thresholds else {}),
                }
                for row, name in enumerate(names)
            ],
        }


class AchievedTask(NamedTuple):
    """A result with the figures of its resamples: systems x resamples; None if nothing was resampled."""

    result: TaskResult
    resampled: Array | None


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TaskRun(Shown, Tabular):
    """Systems in one task.

    Attributes:
        result: the figures.
        systems: the record of each system, in the order given.
        ranks: of the systems, with letters for those not significantly different; None if nothing was resampled.
        level: of intervals; differences are significant at 1 - level.
        created: in ISO 8601.
        versions: of Python and the packages that were used.

    >>> import similitude as sim
    >>> found = sim.task("sample:related", ["word-ngram-jaccard", "levenshtein"], resamples=0)
    >>> round(found["levenshtein"], 2)
    0.45
    """

    result: TaskResult
    systems: tuple[SystemRecord, ...]
    ranks: tuple[TiedRank, ...] | None
    level: float
    resamples: int
    seed: int
    created: str
    versions: dict[str, str]

    def __getitem__(self, system: str) -> MeasuredFigure:
        """The figure of a system, by its name in tables or its identity.

        Raises:
            UnknownKeyError: there is no such system; the message suggests the nearest.
        """
        names = [record.label for record in self.systems]
        known = names if system in names else [record.identity for record in self.systems]
        if system not in known:
            raise UnknownKeyError("system in this task", str(system), names)
        row = known.index(system)
        ends = None if self.result.intervals is None else self.result.intervals[row]
        low, high = (None, None) if ends is None else (ends.low, ends.high)
        return MeasuredFigure(self.result.outcome.values[row], low=low, high=high, level=self.level)

    def __repr__(self) -> str:
        figure, best = self.result.outcome.figure, self.systems[self.best_first[0]].label
        title = f"TaskRun '{self.result.name}': {counted(len(self.systems), 'system')}"
        return f"<{title}, {self.result.outcome.units:,} units\n {best} has the highest {figure}: {self[best]!r}>"

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row per system."""
        record = self.result.record([record.label for record in self.systems])
        for row, one in enumerate(record["systems"]):
            rank = None if self.ranks is None else self.ranks[row]
            ranked = {"rank_best": rank and rank.best, "rank_worst": rank and rank.worst, "tied": rank and rank.letters}
            flat = {name: value for name, value in one.items() if not isinstance(value, list | dict)}
            yield {"task": self.result.name, "figure": self.result.outcome.figure, **flat, **ranked}

    def to_dict(self) -> dict[str, Any]:
        """The record of the task, ready for JSON."""
        return self.record()

    @property
    def best_first(self) -> list[int]:
        """Indices of the systems, best first."""
        return [int(row) for row in np.argsort(-self.result.outcome.values, kind="stable")]

    def record(self) -> dict[str, Any]:
        """Everything but the similarities, ready for JSON."""
        return {
            "task": self.result.record([record.label for record in self.systems]),
            "ranks": None if self.ranks is None else [rank._asdict() for rank in self.ranks],
            "systems": [asdict(record) for record in self.systems],
            "level": self.level,
            "resamples": self.resamples,
            "seed": self.seed,
            "created": self.created,
            "versions": self.versions,
        }


@with_progress_bar
def run_task(
    task: Task | TaskData,
    systems: Systems,
    *,
    kind: str | None = None,
    classes: Sequence[str] | None = None,
    columns: Mapping[str, str] | None = None,
    names: Sequence[str] = (),
    cache: CacheChoice = "usual",
    answers: AnswersChoice = "usual",
    out: str | Path | None = None,
    fresh: bool = False,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    calibrate: Asked = "auto",
    listener: Listener | None = None,
    quiet: bool = False,
) -> TaskRun:
    """Let systems do one task.

    Args:
        task: ``"sample:deduplication"``, a path, ``"related:pairs.csv"``; or a table in memory: a data frame with left,
            right and label, columns by name, or records; or several tables by the names that their files would have,
            ``{"pairs": ..., "texts": ...}``.
        systems: systems, or their names with arguments; a mapping gives each a short name.
        kind: of the task, such as "deduplication", if it is not recognised.
        classes: of labelled pairs, least similar first, if their names do not imply the order.
        columns: our names of columns to those of the table, such as ``{"label": "is_copy"}``.
        names: short names for tables: one for each system, in order, or ``NAME=SYSTEM`` for some.
        cache: where encoders keep vectors; "usual" for the folder that the command line uses, None for nowhere.
        answers: where answers of language models are kept, likewise.
        out: a folder; predictions found there for the same pairs are reused.
        fresh: ignore predictions in the folder.
        resamples: of the task's units; 0 for none.
        level: of the intervals.
        seed: of orders, folds and draws.
        calibrate: "auto" learns on the other folds where on its scale a system says yes, or goes from class to class;
            "none" cuts the range that it declares in the middle, or into equal parts, and the output says so.
        listener: is told the progress; by default a bar in notebooks and terminals.
        quiet: show no bar and no notes.

    Raises:
        ArgumentError: there is no system, or one is named twice; or nothing is calibrated that could be left out.
        PredictionError: a system gives no number for a pair.

    >>> found = run_task("sample:deduplication", ["word-ngram-jaccard"], resamples=0)
    >>> found.result.outcome.figure
    'F1'
    """
    check_numbers(level=level)
    check_whole_numbers(resamples=resamples)
    check_seed(seed)
    opened = _opened(task, {"kind": kind, "classes": classes, "columns": columns})
    given, short = named_systems(systems, names)
    made = attach_chosen([make_system(system) for system in given], cache, answers, listener)
    identities = [str(system.identity) for system in made]
    if not identities or len(set(identities)) < len(identities):
        what = "no system to run" if not identities else "a system is named twice"
        raise ArgumentError(what, remedy="name each once with --system; 'similitude systems' lists them")
    _check_calibration(calibrate, opened)
    labels = distinct_labels(identities, short)
    folder = None if out is None else RunFolder(as_path("out", out))
    similarities, records = score_task(opened, made, Scorer(seed, folder, fresh, listener))
    progress = None if listener is None else listener.progress
    options: dict[str, Any] = {"resamples": resamples, "level": level, "seed": seed, "progress": progress}
    raw = None if calibrate == "auto" else _outcome_on_range(opened, made, similarities)
    achieved = achieved_task(opened, similarities, outcome=raw, **options)
    finished = TaskRun(
        result=achieved.result,
        systems=tuple(replace(record, label=label) for record, label in zip(records, labels, strict=True)),
        ranks=None if achieved.resampled is None else _ranks(achieved, 1 - level),
        level=level,
        resamples=resamples,
        seed=seed,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=dict(versions()),
    )
    if folder is not None:
        folder.write_json("task.json", finished.record())
    return finished


def _opened(task: Task | TaskData, reading: Mapping[str, Any]) -> Task:
    """The task as it is, or read.

    Raises:
        ArgumentError: the task was read before, and an argument says how to read it.
    """
    if not (hasattr(task, "outcome") and hasattr(task, "items")):
        return open_task(task, **reading)
    given = [f"{name}=" for name, value in reading.items() if value is not None]
    if given:
        what = f"the task was read before, and {', '.join(given)} would change nothing"
        raise ArgumentError(what, remedy=f"leave out {', '.join(given)}")
    return task  # type: ignore[return-value]


def _check_calibration(calibrate: Asked, task: Task) -> None:
    """Check that a task can be done so.

    Raises:
        UnknownNameError: there is no such calibration.
        ArgumentError: a mapping is named, or the task only compares similarities.
    """
    if calibrate not in get_args(Asked):
        raise UnknownNameError("calibration", calibrate, get_args(Asked))
    if calibrate not in ("auto", "none"):
        what = f"a {calibrate} mapping does not matter in a task, which learns where on its own scale a system says yes"
        raise ArgumentError(what, where=task.name, remedy="leave out --calibrate, or give --calibrate none")
    if calibrate == "none" and not isinstance(task, RangeTask):
        what = f"{task.kind} only asks which similarity is higher: there is nothing to calibrate"
        raise ArgumentError(what, where=task.name, remedy="leave out --calibrate none")


def _outcome_on_range(task: Task, systems: Sequence[System], similarities: Array) -> Outcome:
    """The outcome without calibration.

    Raises:
        ArgumentError: a system declares no range.
    """
    assert isinstance(task, RangeTask)  # `_check_calibration` has refused others
    ranges = [system.range for system in systems if system.range is not None]
    if len(ranges) < len(systems):
        name = next(str(system.identity) for system in systems if system.range is None)
        what = f"system '{name}' declares no range that could be cut"
        raise ArgumentError(what, where=task.name, remedy="leave out --calibrate none, or the system")
    low, width = np.array([[each.low, each.width] for each in ranges]).T[..., None]
    return task.outcome_on_range((similarities - low) / width)


def score_task(task: Task, systems: Sequence[System], scorer: Scorer) -> tuple[Array, tuple[SystemRecord, ...]]:
    """The similarities of the task's pairs (systems x pairs), and the records of the systems.

    Raises:
        PredictionError: a system gives no number for a pair.
    """
    pairs = Benchmark(name=task.name, frame=task.items.frame, scale=None)
    scored = scorer.score(BenchmarkRecord.of(pairs, None), pairs, systems)
    rows = np.stack([predictions.scores for predictions, _ in scored])
    if not np.isfinite(rows).all():
        row, place = np.argwhere(~np.isfinite(rows))[0]
        what = f"system '{scored[row][1].identity}' gave {rows[row, place]} for pair {place + 1}"
        raise PredictionError(what, where=task.name, remedy="fix the system, or leave it out")
    return rows, tuple(record for _, record in scored)


def achieved_task(
    task: Task,
    similarities: Array,
    *,
    resamples: int,
    level: float,
    seed: int,
    progress: Progress | None = None,
    outcome: Outcome | None = None,
) -> AchievedTask:
    """The results of a task, given the similarities of its pairs or its outcome; the same alone and beside others."""
    outcome = task.outcome(similarities, _stream(seed, FOLDS)) if outcome is None else outcome
    drawn = _resampled(outcome, resamples, seed, progress) if resamples else None
    thresholds: tuple[SystemThresholds, ...] = ()
    if isinstance(outcome, LearnedOutcome):
        options: dict[str, Any] = {"resamples": resamples, "level": level, "seed": seed, "progress": progress}
        thresholds = deployed_thresholds(outcome.comparison, [outcome.measure], **options)
    intervals = None if drawn is None else tuple(_intervals(outcome, drawn, level))
    result = TaskResult(name=task.name, kind=task.kind, outcome=outcome, intervals=intervals, thresholds=thresholds)
    return AchievedTask(result, drawn)


def _resampled(outcome: Outcome, resamples: int, seed: int, progress: Progress | None) -> Array:
    """Systems x resamples, in chunks that bound memory."""
    rng, parts = _stream(seed, RESAMPLES), []
    units = stats.Units(outcome.units) if outcome.groups is None else stats.Units.of_groups(outcome.groups)
    for first, last in stats.in_chunks(resamples, max(1, CHUNK_CELLS // outcome.units)):
        drawn = stats.bootstrap_weights(units.number, last - first, rng)
        parts.append(outcome.resampled(units.over_items(drawn)))
        if progress is not None:
            progress("resampling", last, resamples)
    return np.concatenate(parts, axis=1)


def folder_of_task(folder: Path, task: Task) -> Path:
    """The folder of a task beside others."""
    return folder / "tasks" / re.sub(r"[^\w.-]+", "-", task.name)


def _stream(seed: int, purpose: int) -> np.random.Generator:
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(purpose,)))


def _intervals(outcome: Outcome, drawn: Array, level: float) -> list[Interval]:
    """Percentile intervals; where thresholds are learned anew in each resample, corrected for the bias of that."""
    is_learned = isinstance(outcome, LearnedOutcome)
    found = []
    for row, value in zip(drawn, outcome.values.tolist(), strict=True):
        if is_learned:
            interval = stats.bias_corrected_interval(row[np.isfinite(row)], value, level)
        else:
            interval = stats.percentile_interval(row, level)
        found.append(stats.holding(interval, value))
    return found


def _ranks(achieved: AchievedTask, alpha: float) -> tuple[TiedRank, ...]:
    """Ranks by the paired bootstrap, all pairs of systems together."""
    values, drawn = achieved.result.outcome.values, achieved.resampled
    assert drawn is not None  # the caller has asked
    above = np.triu_indices(values.size, 1)
    plain = [
        stats.bootstrap_p_value(both[np.isfinite(both)], values[one] - values[other], stats.rounding_of(1.0))
        for one, other in zip(*above, strict=True)
        for both in [drawn[one] - drawn[other]]
    ]
    p_values = np.full((values.size, values.size), np.nan)
    p_values[above] = p_values.T[above] = plain
    covariance = np.atleast_2d(np.cov(drawn[:, np.isfinite(drawn).all(axis=0)]))
    p_values, _ = tested_together(values, covariance, np.inf, p_values, 1 - alpha)
    return tuple(tied_ranks(values, p_values, alpha, higher_is_better=True))
