"""The execution of a run: systems score items, measures compare the scores with gold, and all of it is saved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from similitude.data.addresses import BenchmarkData, JudgementData, open_benchmark, open_judgements
from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.keywords import as_path
from similitude.data.listeners import with_progress_bar
from similitude.data.number_arguments import check_numbers, check_seed, check_whole_numbers
from similitude.data.plural import counted
from similitude.data.prediction import Predictions
from similitude.data.protocols import Listener, System
from similitude.data.provenance import Skipped
from similitude.data.reading.arguments import check_choice
from similitude.data.reading.problems import OnError
from similitude.data.versions import versions
from similitude.errors import ArgumentError, PredictionError
from similitude.evaluate.calibration import Asked
from similitude.evaluate.comparison import Comparison
from similitude.evaluate.deployed_thresholds import MOST_RESAMPLES, deployed_thresholds
from similitude.evaluate.measures import Measure, make_measures
from similitude.evaluate.rescaling import mapping_from_range
from similitude.evaluate.significance import Confidence, Method, Test
from similitude.evaluate.tasks import Requirements
from similitude.study.ceiling import RunCeiling, ceiling_of_benchmark, ceiling_of_run, judged_positions
from similitude.study.engines import Engine
from similitude.study.folder import RunFolder
from similitude.study.labels import Systems, distinct_labels, named_systems
from similitude.study.measurement import Intervals, Measurement, measurement_of
from similitude.study.record import BenchmarkRecord
from similitude.study.rounding_loss import rounding_losses
from similitude.study.run_calibration import calibration_split, calibration_words, run_calibration
from similitude.study.runs import Run, is_named
from similitude.study.saved_results import write_results
from similitude.study.scorer import Scorer
from similitude.systems import DEFAULT_SYSTEM, make_system
from similitude.systems.attach_cache import AnswersChoice, CacheChoice, attach_chosen
from similitude.systems.record import SystemRecord
from similitude.systems.scores import Scored

__all__ = ["baseline_of", "check_margin", "run"]

FEWEST_UNITS = 5
"""With fewer items or groups, intervals of rank correlations are too narrow: with 4, a nominal 95 % covers 75 %."""


@with_progress_bar
def run(
    data: BenchmarkData,
    systems: Systems = (DEFAULT_SYSTEM,),
    measures: str | Measure | Iterable[str | Measure] | None = (),
    *,
    names: Sequence[str] = (),
    split: str | None = None,
    calibrate: Asked = "auto",
    calibrate_on: str | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    resamples: int | None = None,
    level: float = 0.95,
    interval: Method = "auto",
    test: Test = "auto",
    seed: int = 0,
    out: str | Path | None = None,
    fresh: bool = False,
    cache: CacheChoice = "usual",
    answers: AnswersChoice = "usual",
    listener: Listener | None = None,
    quiet: bool = False,
    task: Requirements | None = None,
    judgements: Judgements | JudgementData | None = None,
    scored: Mapping[str, Scored] | None = None,
    against: str | None = None,
    margin: float | None = None,
    engine: Engine | None = None,
    command: Sequence[str] = (),
) -> Run:
    """Score the items with every system and measure the predictions against gold.

    Args:
        data: a benchmark, or what `similitude.read` takes: a path, a data frame, records and so on. If its columns need
            names, read it first: ``similitude.read(frame, columns={"left": "question1"})``.
        systems: systems, or their names with arguments: ``"char-ngram-cosine(n=3)"``; a mapping gives each a short name
            for tables: ``{"mine": system}``.
        measures: measures, or their names; the default ones if none is named. If gold has two labels, ``f1`` is F1 at a
            learned threshold, ``f1_binary``.
        names: short names for tables: one for each system, in order, or ``NAME=SYSTEM`` for some.
        split: measure this split only.
        calibrate: how scores are brought onto the gold scale. "auto" matches quantiles on the other folds for measures
            that cut scores at borders of the scale, and leaves errors on each system's declared range. "linear",
            "isotonic" and "quantile" fit such a mapping for errors too. "none" fits nothing; the output says so.
        calibrate_on: the split to fit on instead of the other folds; must not be the one measured.
        on_error: what to do if a system gives no number for an item: "stop", or "skip" the item for all systems.
        resamples: of the items, for bootstrap intervals and tests; 0 for neither intervals nor tests. By default only
            measures and tests that need resamples get them: 2,000, and more if many systems are compared.
        level: of the intervals; the tests use 1 - level.
        interval: "auto", "jackknife", "bca" or "percentile"; see `similitude.evaluate.significance.confidence`.
        test: "auto", "bootstrap", "permutation", "williams" or "steiger", for the difference of two systems.
        seed: of the order in which systems see the items, and of resampling.
        out: a folder to save the run in; predictions found there for the same items are not computed again.
        fresh: ignore predictions in the folder.
        cache: where encoders keep vectors; "usual" for the folder that the command line uses, None for nowhere.
        answers: where answers of language models are kept, so that nothing is asked twice, likewise.
        listener: is told the progress, and notes of systems; by default a bar in notebooks and terminals.
        quiet: show no bar and no notes.
        task: for which a system is to be chosen; recorded with the run. `similitude.study.choose` sets it.
        judgements: behind gold, or what `similitude.read_judgements` takes, for the human ceiling; by default those
            that the data keeps.
        scored: predictions that are known already, by identity of the system, with the record of the system.
        against: one of the systems; the others are compared with it (`Run.decisions`).
        margin: what counts as equivalent, in units of a measure: to ``against``, or without it to the best system.
        engine: runs systems side by side in other processes: ``with sim.open_engine("ray") as engine: ...``. The
            figures are the same as without.
        command: the words of the command line that makes the run, for its page.

    Returns:
        The run. Nothing is written unless ``out`` is given.

    >>> import similitude as sim
    >>> pairs = [("a cat", "one cat", 5), ("a cat", "a car", 1), ("a dog", "two dogs", 4), ("a dog", "rain", 0)]
    >>> found = sim.run(pairs, {"edits": "levenshtein", "mine": lambda a, b: a[0] == b[0]}, ["spearman"], resamples=0)
    >>> found["edits", "spearman"]
    0.400
    """
    check_numbers(level=level, margin=margin)
    check_whole_numbers(resamples=resamples)
    check_seed(seed)
    check_choice("on_error", on_error, get_args(OnError))
    benchmark = open_benchmark(data)
    asked = None if judgements is None else open_judgements(judgements)
    given, given_names = named_systems(systems, names, benchmark=benchmark, data=data)
    chosen = attach_chosen([make_system(system) for system in given], cache, answers, listener)
    _refuse_doubles(chosen)
    labels = distinct_labels([str(system.identity) for system in chosen], given_names)
    baseline = baseline_of(against, [str(system.identity) for system in chosen], labels, resamples)
    check_margin(margin, resamples)
    wanted = make_measures(measures)
    measured = benchmark.select(split=split, with_gold=True)
    held_out = calibration_split(benchmark, split, calibrate, calibrate_on)
    if asked is not None:
        judged_positions(asked, measured.items.ids)  # before systems run for hours
    folder = None if out is None else RunFolder(as_path("out", out))
    if folder is not None:
        folder.check_task(task)
    scorer = Scorer(seed, folder, fresh, listener, scored, engine)
    found = scorer.score(BenchmarkRecord.of(measured, split), measured, chosen)
    usable, left_out = _usable(measured, found, on_error)
    predictions = [predictions.take(usable) for predictions, _ in found]
    kept = measured.take(usable)
    mappings = [mapping_from_range(system.range, kept.scale) for system in chosen]
    progress = None if listener is None else listener.progress
    figures = measurement_of(
        kept,
        predictions,
        mappings,
        named := wanted,
        calibrate=lambda made, used: run_calibration(calibrate, made, predictions, used, held_out, scorer, chosen),
        intervals=Intervals(level=level, method=interval, test=test, resamples=resamples, seed=seed, progress=progress),
        trivial=True,
    )
    wanted, comparison, calibration = list(figures.measures), figures.comparison, figures.calibration
    own_units = replace(comparison, predicted=np.stack([each.scores for each in predictions]))
    thresholds = deployed_thresholds(
        own_units,
        wanted,
        resamples=MOST_RESAMPLES if resamples is None else resamples,
        level=level,
        seed=seed,
        progress=progress,
    )
    told = calibration_words(calibration, wanted, labels)
    losses = rounding_losses(kept, chosen, predictions, mappings, labels, wanted[0])
    finished = Run(
        benchmark=kept,
        data=BenchmarkRecord.of(kept, split),
        systems=tuple(replace(record, label=label) for (_, record), label in zip(found, labels, strict=True)),
        mappings=tuple(mappings),
        measures=tuple(wanted),
        figures=figures.figures,
        predictions=tuple(predictions),
        left_out=(*benchmark.provenance.skipped, *left_out),
        seed=seed,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        versions=versions(),
        confidence=figures.confidence,
        caveats=tuple(dict.fromkeys((*_replaced(named, wanted), *told, *losses, *_caveats(figures)))),
        folder=None if out is None else Path(out),
        task=task,
        thresholds=thresholds,
        calibration=calibration,
        ceiling=_ceiling(kept, asked, comparison, wanted, level, figures.confidence),
        against=baseline,
        margin=margin,
        trivial=figures.trivial,
        command=tuple(command),
    )
    if scorer.folder is not None:
        write_results(finished, scorer.folder)
    return finished


def _ceiling(
    benchmark: Benchmark,
    judgements: Judgements | None,
    comparison: Comparison,
    measures: Sequence[Measure],
    level: float,
    confidence: Confidence | None,
) -> RunCeiling | None:
    asked, intervals = (None, None) if confidence is None else (level, confidence.intervals[: comparison.systems])
    if judgements is None:
        return ceiling_of_benchmark(benchmark, comparison, measures, level=asked, intervals=intervals)
    known = judgements if judgements.items is not None else replace(judgements, items=benchmark.items.frame)
    return ceiling_of_run(known, benchmark.items.ids, comparison, measures, level=asked, intervals=intervals)


def _refuse_doubles(systems: Sequence[System]) -> None:
    names = [str(system.identity) for system in systems]
    if not names:
        raise ArgumentError("no system to run", remedy="name one; 'similitude systems' lists them")
    doubles = {name for name in names if names.count(name) > 1}
    if doubles:
        raise ArgumentError(f"system '{min(doubles)}' is named twice", remedy="name each system once")


def baseline_of(
    against: str | None, identities: Sequence[str], labels: Sequence[str], resamples: int | None
) -> str | None:
    """The identity of the baseline, which may be given by its label or written in another way.

    Raises:
        ArgumentError: it is none of the systems, there is no other, or nothing is tested.
    """
    if against is None:
        return None
    if resamples == 0:
        raise ArgumentError("--against needs tests, but --resamples 0 asks for none", remedy="leave out one of the two")
    by_label = dict(zip(labels, identities, strict=True)).get(against)
    found = by_label or next((name for name in identities if is_named(name, against, make_system)), None)
    if found is None:
        raise ArgumentError(
            f"the baseline '{against}' is none of the systems", remedy=f"name one of: {', '.join(labels)}"
        )
    if len(identities) < 2:
        raise ArgumentError(f"there is no system to compare with '{found}'", remedy="name another with --system")
    return found


def check_margin(margin: float | None, resamples: int | None) -> None:
    """Check that a margin is positive, and that something is tested.

    Raises:
        ArgumentError: it is not.
    """
    if margin is not None and not 0 < margin < float("inf"):
        what = f"a margin of {margin:g} leaves nothing that counts as equivalent"
        raise ArgumentError(what, remedy="give a positive number in units of the measure, such as --margin 0.01")
    if margin is not None and resamples == 0:
        raise ArgumentError("--margin needs tests, but --resamples 0 asks for none", remedy="leave out one of the two")


def _usable(
    benchmark: Benchmark, scored: Sequence[tuple[Predictions, SystemRecord]], on_error: Literal["stop", "skip"]
) -> tuple[NDArray[np.intp], list[Skipped]]:
    """The items for which every system gave a number, so that all are measured on the same items."""
    finite = np.stack([np.isfinite(predictions.scores) for predictions, _ in scored])
    ids, left_out = benchmark.items.ids, []
    skipped = [predictions.skipped for predictions, _ in scored]
    for system, position in np.argwhere(~finite):
        name, value = scored[system][1].identity, scored[system][0].scores[position]
        if skipped[system][position]:
            left_out.append(Skipped(where=f"item '{ids[position]}'", why=f"its prompt is too long for system '{name}'"))
            continue
        if on_error == "stop":
            raise PredictionError(
                f"system '{name}' gave {value} for item '{ids[position]}'",
                where=benchmark.name,
                remedy="fix the system, or leave such items out with --on-error skip",
            )
        left_out.append(Skipped(where=f"item '{ids[position]}'", why=f"system '{name}' gave {value}"))
    kept = np.flatnonzero(finite.all(axis=0))
    if kept.size == 0:
        first = f"{left_out[0].where}: {left_out[0].why}"
        what, remedy = f"no item has a number from every system ({first})", "fix the systems, or leave them out"
        raise PredictionError(what, where=benchmark.name, remedy=remedy)
    return kept, left_out


def _replaced(asked: Sequence[Measure], used: Sequence[Measure]) -> Iterator[str]:
    """Notes on measures that were replaced because gold has two labels."""
    for before, after in zip(asked, used, strict=False):
        if before != after:
            yield f"gold has two labels: {before} is {after}, at thresholds learned on the other folds"


def _caveats(figures: Measurement) -> Iterator[str]:
    for measure in figures.measures:
        yield from measure.caveats(figures.comparison)
    found = figures.confidence
    if found is not None and found.units < FEWEST_UNITS:
        what = counted(found.units, "item" if found.groups is None else "group")
        yield f"intervals and tests rest on {what}, too few to be trusted"
