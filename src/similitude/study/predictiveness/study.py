"""How well measures on a benchmark predict the results of systems in tasks."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from similitude import stats
from similitude.data.addresses import open_benchmark
from similitude.data.benchmark import Benchmark
from similitude.data.counted_work import counted_work, uncounted_work
from similitude.data.protocols import Listener, System
from similitude.errors import ArgumentError
from similitude.evaluate.calibration import Asked
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.measures import Measure, has_two_labels, make_measure
from similitude.evaluate.significance.resampler import Resampler
from similitude.evaluate.significance.tested_measure import subjects_of
from similitude.evaluate.tasks import requirements_of_kind
from similitude.evaluate.tasks.outcome import Task
from similitude.evaluate.tasks.predictiveness import Predictiveness, Standings, predictiveness
from similitude.stats import Interval
from similitude.stats.finite import finite_or_none
from similitude.study.engines import Engine
from similitude.study.execution import run
from similitude.study.folder import RunFolder
from similitude.study.runs import Run
from similitude.study.scorer import Scorer
from similitude.study.task_run import TaskResult, achieved_task, folder_of_task, score_task
from similitude.systems import make_system
from similitude.systems.attach_cache import AnswersChoice, CacheChoice, attach_chosen

__all__ = [
    "PAPER_MEASURES",
    "PAPER_SYSTEMS",
    "FrameworkCase",
    "PredictivenessStudy",
    "run_predictiveness",
]

Array = NDArray[np.float64]

PAPER_MEASURES = (
    "ndcg@avgrank",
    "ncg@avgrank",
    "f1_low",
    "ndcg",
    "f1",
    "hmean(pearson, f1)",
    "hmean(spearman, f1)",
    "macro_avg(f1_low, f1_high)",
    "hmean(pearson, ncg@avgrank)",
    "hmean(spearman, ncg@avgrank)",
    "accuracy_low",
    "pearson",
    "spearman",
    "hmean(accuracy_low, accuracy_high)",
    "accuracy_high",
    "f1_high",
)
"""The 16 measures of the paper's table 2, in its order."""

PAPER_SYSTEMS = (
    "jaro(definition=second-string)",
    "jaro-winkler(definition=second-string)",
    "monge-elkan(definition=second-string)",
    "levenshtein(lowercase=false)",
    "longest-common-subsequence(lowercase=false)",
    "longest-common-subsequence(of=left)",
    "longest-common-substring(lowercase=false)",
    "greedy-string-tiling(unit=character, of=left)",
    "word-ngram-jaccard(tokens=break-iterator, short=nothing)",
    "word-ngram-jaccard(n=3, tokens=break-iterator, short=nothing)",
    "word-ngram-containment(tokens=break-iterator, short=nothing, of=left)",
    "word-ngram-containment(n=2, tokens=break-iterator, short=nothing, of=left)",
    "char-ngram-tfidf(alphabet=dkpro)",
    "word-cosine(tokens=break-iterator, lowercase=false)",
)
"""Fourteen measures of DKPro Similarity as it defines them; the paper took fourteen from there and names none.

They are those of its feature sets that need neither a lexicon nor a model. Its Levenshtein is a number of edits, which
is on no scale; here it is the share of the longer text.
"""


class FrameworkCase(NamedTuple):
    """The system that the framework selects for a task, the one that Pearson selects, and their results.

    Attributes:
        task: its name.
        measure: that the framework proposes for such tasks.
        chosen: the best system under that measure.
        achieved: its figure in the task.
        by_pearson: the best system under Pearson.
        pearson_achieved: its figure in the task.
        gain: interval of the difference, over the task's units; None if nothing was resampled.
        best: the best system in the task.
        best_achieved: its figure in the task.
    """

    task: str
    measure: str
    chosen: str
    achieved: float
    by_pearson: str
    pearson_achieved: float
    gain: Interval | None
    best: str
    best_achieved: float


@dataclass(frozen=True, kw_only=True, eq=False)
class PredictivenessStudy:
    """The results of systems on a benchmark and in tasks.

    Attributes:
        run: figures of every system under every measure on the benchmark.
        tasks: one result per task.
        predictiveness: how well measures predict tasks, and tasks each other.
        cases: for tasks of known kinds, the choices of the framework and of Pearson.
        seconds: spent in "systems", "tasks" and "resampling".
    """

    run: Run
    tasks: tuple[TaskResult, ...]
    predictiveness: Predictiveness
    cases: tuple[FrameworkCase, ...]
    seconds: dict[str, float]

    def record(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        names = [record.identity for record in self.run.systems]
        found = self.predictiveness
        return {
            "run": self.run.record(),
            "tasks": [task.record(names) for task in self.tasks],
            "predictiveness": [
                {"measure": name, "task": task, "place": place, **_cell_record(cell)}
                for name, row, places in zip(found.measures, found.by_measure, found.places, strict=True)
                for task, cell, place in zip(found.tasks, row, places, strict=True)
            ],
            "between_tasks": [
                {"predicts": one, "task": other, **_cell_record(cell)}
                for one, row in zip(found.tasks, found.by_task, strict=True)
                for other, cell in zip(found.tasks, row, strict=True)
                if one != other
            ],
            "framework": [
                case._asdict() | {"gain": None if case.gain is None else [case.gain.low, case.gain.high]}
                for case in self.cases
            ],
            "notes": list(found.notes),
            "seconds": self.seconds,
        }


def run_predictiveness(
    data: Benchmark | str | Path,
    tasks: Sequence[Task],
    systems: Sequence[str | System] = PAPER_SYSTEMS,
    measures: Sequence[str | Measure] = PAPER_MEASURES,
    *,
    split: str | None = None,
    listener: Listener | None = None,
    cache: CacheChoice = "usual",
    answers: AnswersChoice = "usual",
    out: str | Path | None = None,
    fresh: bool = False,
    resamples: int = 1000,
    level: float = 0.95,
    seed: int = 0,
    calibrate: Asked = "none",
    engine: Engine | None = None,
) -> PredictivenessStudy:
    """Measure systems on a benchmark and in tasks, and how well each measure predicts each task.

    Args:
        data: a benchmark, or what `similitude.read` takes.
        tasks: at least one.
        systems: at least two, better fourteen or more.
        measures: whose rankings are compared with the tasks.
        split: of the benchmark.
        listener: is told the progress.
        cache: where encoders keep vectors; "usual" for the folder that the command line uses, None for nowhere.
        answers: where answers of language models are kept, likewise.
        out: a folder; predictions found there for the same pairs are reused.
        fresh: ignore predictions in the folder.
        resamples: of items, units and systems together; 0 for none.
        level: of the intervals.
        seed: of orders, folds and draws.
        calibrate: as in `similitude.run`. The paper maps declared ranges to the gold scale, so that the default is
            "none"; "auto" ranks systems as `similitude.choose` does.
        engine: runs systems side by side in other processes.

    Raises:
        ArgumentError: there is no task.
        PredictionError: a system gives no number for a pair.
    """
    if not tasks:
        raise ArgumentError("no task to predict", remedy="name at least one with --task")
    benchmark = data if isinstance(data, Benchmark) else open_benchmark(data)
    chosen = attach_chosen([make_system(system) for system in systems], cache, answers, listener)
    clock = _Clock()
    options: dict[str, Any] = {
        "seed": seed,
        "fresh": fresh,
        "listener": listener,
        "calibrate": calibrate,
        "cache": None,
        "answers": None,
        "engine": engine,
    }
    where = None if out is None else Path(out)
    options |= {"split": split, "calibrate": calibrate, "out": where and where / "benchmark"}
    finished = run(benchmark, chosen, measures, resamples=0, **options)
    folders = [None if where is None else RunFolder(folder_of_task(where, task)) for task in tasks]
    similarities = [
        score_task(task, chosen, Scorer(seed, folder, fresh, listener, engine=engine))[0]
        for task, folder in zip(tasks, folders, strict=True)
    ]
    clock.lap("systems")
    pairs = counted_work(zip(tasks, similarities, strict=True), listener, "tasks", len(tasks))
    done = [achieved_task(task, scores, resamples=resamples, level=level, seed=seed) for task, scores in pairs]
    results = tuple(each.result for each in done)
    clock.lap("tasks")
    uncounted_work(listener, f"resampling {len(measures):,} measures {resamples:,} times")
    measured = _measured(finished, resamples, seed)
    achieved = Standings(
        names=tuple(task.name for task in tasks),
        values=np.stack([each.outcome.values for each in results], axis=1),
        resampled=np.stack([each.resampled for each in done if each.resampled is not None]) if resamples else None,
    )
    found = predictiveness(measured, achieved, rng=np.random.default_rng(seed), level=level)
    clock.lap("resampling")
    cases = tuple(_cases(finished, results, achieved, level))
    study = PredictivenessStudy(run=finished, tasks=results, predictiveness=found, cases=cases, seconds=clock.seconds)
    if where is not None:
        RunFolder(where).write_json("study.json", study.record())
    return study


class _Clock:
    """The seconds between laps, by name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.seconds[name], self._last = now - self._last, now


def _measured(finished: Run, resamples: int, seed: int) -> Standings:
    """Figures on the benchmark and in each resample, negated where lower is better."""
    signs = np.array([1.0 if measure.higher_is_better else -1.0 for measure in finished.measures])
    values = np.array([[figure.value for figure in row] for row in finished.figures]) * signs
    names = tuple(str(measure) for measure in finished.measures)
    if not resamples:
        return Standings(names=names, values=values)
    comparison = finished.comparison
    groups = comparison.groups
    units = stats.Units(comparison.gold.size) if groups is None else stats.Units.of_groups(groups)
    subjects = subjects_of(comparison, finished.measures)
    drawn = Resampler(subjects, units, comparison.gold.size, seed).bootstrap(resamples)
    resampled = np.full((len(names), len(values), resamples), np.nan)
    for place, (subject, found) in enumerate(zip(subjects, drawn, strict=True)):
        resampled[place, subject.defined] = found * signs[place]
    return Standings(names=names, values=values, resampled=resampled)


def _cases(finished: Run, tasks: Sequence[TaskResult], achieved: Standings, level: float) -> Iterator[FrameworkCase]:
    """One case for each task of a known kind."""
    comparison = finished.comparison
    names = [record.identity for record in finished.systems]
    usual = _best_under(make_measure("pearson"), comparison)
    two_labels = has_two_labels(comparison.gold, comparison.scale)
    for place, task in enumerate(tasks):
        needs = requirements_of_kind(task.kind)
        measure = None if needs is None else needs.measure_for(two_labels=two_labels)
        chosen = None if measure is None else _best_under(measure, comparison)
        if chosen is None or usual is None:
            continue
        values = task.outcome.values
        best = int(values.argmax())
        drawn = None if achieved.resampled is None else achieved.resampled[place]
        yield FrameworkCase(
            task.name,
            str(measure),
            names[chosen],
            float(values[chosen]),
            names[usual],
            float(values[usual]),
            None if drawn is None else _gain(drawn[chosen] - drawn[usual], level),
            names[best],
            float(values[best]),
        )


def _gain(differences: Array, level: float) -> Interval:
    """The interval of a difference; resamples in which a figure is undefined do not count."""
    return stats.percentile_interval(differences[np.isfinite(differences)], level)


def _best_under(measure: Measure, comparison: Comparison) -> int | None:
    values = np.array([figure.value for figure in measure(comparison)])
    return None if np.isnan(values).all() else int(np.nanargmax(values if measure.higher_is_better else -values))


def _cell_record(cell: Any) -> dict[str, Any]:
    ahead = cell.ahead_of_pearson
    return {
        "rho": finite_or_none(cell.rho),
        "mad": finite_or_none(cell.mad),
        "msd": finite_or_none(cell.msd),
        "low": finite_or_none(cell.interval.low),
        "high": finite_or_none(cell.interval.high),
        "undefined_because": cell.interval.reason,
        "systems": cell.systems,
        "ahead_of_pearson": None if np.isnan(ahead.low) else [ahead.low, ahead.high],
    }
