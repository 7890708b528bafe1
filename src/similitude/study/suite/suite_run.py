"""A run of a suite: one run for each benchmark, and the averages over them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from similitude.data.frames import Tabular
from similitude.data.plural import counted
from similitude.data.shown import Shown
from similitude.errors import ArgumentError, UnknownKeyError
from similitude.evaluate.measured_figure import MeasuredFigure
from similitude.evaluate.measures.over_sources import MeanOverSources
from similitude.evaluate.significance import Decision, Evidence, decision_on
from similitude.stats.arrays import Array
from similitude.stats.finite import finite_or_none
from similitude.study.breakdown import LEAST_ITEMS, Breakdown, breakdown, can_divide, check_columns
from similitude.study.conclusion import Conclusion
from similitude.study.conclusion_sentence import Standing
from similitude.study.labels import other_labels, with_labels
from similitude.study.runs import Run
from similitude.study.suite.averages import Average, RankAverages, average_of, rank_averages
from similitude.study.suite.figure_grid import FigureGrid

__all__ = ["MeasuredBenchmark", "SuiteRun", "has_test_sets", "renamed_suite"]


@dataclass(frozen=True, kw_only=True, eq=False)
class MeasuredBenchmark:
    """One benchmark of a suite with its run.

    Attributes:
        name: its name in tables.
        folder: the name of its folder inside that of the suite.
        items: how many items were measured.
        weight: in the mean over benchmarks.
        measure: its main measure, if the suite gives it one of its own.
        path: where it was read.
        run: None if no system could be measured on it.
        failures: systems that failed on it, with the reason.
    """

    name: str
    folder: str
    items: int
    weight: float = 1.0
    measure: str | None = None
    split: str | None = None
    path: str = ""
    description: str | None = None
    licence: str | None = None
    homepage: str | None = None
    scale: str | None = None
    run: Run | None = None
    failures: Mapping[str, str]

    @property
    def source_column(self) -> int | None:
        """The position of the mean of the main measure over the sources among the measures of the run."""
        if self.run is None:
            return None
        main = self.run.measures[0]
        columns = [
            column for column, measure in enumerate(self.run.measures)
            if type(measure) is MeanOverSources and measure.part == main
        ]  # fmt: skip
        return columns[0] if columns else None

    def record(self) -> dict[str, Any]:
        """Everything but the run, ready for JSON."""
        names = ("name", "folder", "items", "weight", "measure", "split", "path", "description", "licence", "homepage")
        return {name: getattr(self, name) for name in (*names, "scale")} | {"failures": dict(self.failures)}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SuiteRun(Shown, Tabular):
    """Systems measured on several benchmarks.

    ``suite["levenshtein", "STS12"]`` is the main figure of a system on a benchmark.

    Attributes:
        name: of the suite.
        benchmarks: in the order of the suite.
        systems: identities, in the order in which they were named.
        labels: the names that tables show, in the same order; the identities if nobody gave names.
        measures: the measures that were asked for, the main one first; a benchmark can have another main one.
        level: of the intervals; None if nothing was resampled.
        notes: what a reader must know, such as texts that two benchmarks share.
        created: in ISO 8601.
        versions: of Python and the packages that were used.
        against: the identity of the system that others are compared with; None if there is none.
        margin: what counts as equivalent, in units of the mean; None if nothing does.
        folder: where it is saved; None if it is not.
        labels: what tables call the systems.
        command: the words of the command line that made it; empty if several did, or Python.

    >>> import similitude as sim
    >>> found = sim.run_suite(["sample:opinions", "sample:conditions"], ["levenshtein", "jaccard"], resamples=0)
    >>> round(found["levenshtein", "sample:opinions"], 2)
    0.26
    """

    name: str
    benchmarks: tuple[MeasuredBenchmark, ...]
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    level: float | None
    notes: tuple[str, ...]
    seed: int
    created: str
    versions: Mapping[str, str]
    description: str | None = None
    language: str | None = None
    licence: str | None = None
    against: str | None = None
    margin: float | None = None
    folder: Path | None = None
    labels: tuple[str, ...] = ()
    command: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.labels:
            object.__setattr__(self, "labels", self.systems)

    def __getitem__(self, key: tuple[str, str]) -> MeasuredFigure:
        """The main figure of a system on a benchmark, with its interval.

        Raises:
            UnknownKeyError: there is no such system or benchmark; the message suggests the nearest.
            ArgumentError: the key is something else.
        """
        if not (isinstance(key, tuple) and len(key) == 2):
            what = f"a suite is asked for suite[system, benchmark], both of them names, not for {key!r}"
            raise ArgumentError(what, remedy=f"systems: {', '.join(self.labels)}")
        system, names = key[0], [each.name for each in self.benchmarks]
        spellings = self.labels if system in self.labels else self.systems
        if system not in spellings:
            raise UnknownKeyError("system in this suite", str(system), self.labels)
        if key[1] not in names:
            raise UnknownKeyError("benchmark in this suite", str(key[1]), names)
        where = names.index(key[1]), spellings.index(system)
        low, high = float(self.main.ends.low[where]), float(self.main.ends.high[where])
        reason = _why_missing(self.benchmarks[where[0]], self.systems[where[1]], 0)
        return MeasuredFigure(self.main.values[where], low=low, high=high, level=self.level or 0.95, reason=reason)

    def __repr__(self) -> str:
        counts = f"{counted(len(self.systems), 'system')} on {counted(len(self.benchmarks), 'benchmark')}"
        return f"<SuiteRun '{self.name}': {counts}\n {self.conclusion.sentence}>"

    def to_dict(self) -> dict[str, Any]:
        """The record of the suite, ready for JSON."""
        return self.record()

    def report(self, path: str | Path) -> Path:
        """Write the suite to a file; its ending decides: a page (.html), tables (.md, .tex), figures (.csv, .json).

        Returns:
            The path. A file of the same name is replaced.

        Raises:
            ArgumentError: the ending is unknown, or the file cannot be written.
        """
        # Reports lie above runs, so they are imported by name, when they are asked for.
        written: Path = import_module("similitude.report.report_file").write_report(self, path)
        return written

    def __str__(self) -> str:
        names = [each.name for each in self.benchmarks]
        first, widths = max(map(len, self.labels)), [max(6, len(name)) for name in names]
        lines = [" " * first + "".join(f"  {name:>{width}}" for name, width in zip(names, widths, strict=True))]
        for row in self.order:
            cells = zip(self.main.values[:, row].tolist(), widths, strict=True)
            shown = (f"  {_short(value):>{width}}" for value, width in cells)
            lines.append(f"{self.labels[row]:{first}}{''.join(shown)}    {_short(self.mean.values[row])}")
        lines[0] += "    mean"
        title = f"{self.name}: {len(names)} benchmarks, {self.mean.measure}"
        return "\n".join([self.conclusion.sentence, title, *lines])

    def grid(self, column: int) -> FigureGrid:
        """The figures on one of the measures."""
        return FigureGrid.of([each.run for each in self.benchmarks], [column] * len(self.benchmarks), self.systems)

    @cached_property
    def main(self) -> FigureGrid:
        """The main figures."""
        return self.grid(0)

    @cached_property
    def mean(self) -> Average:
        """The mean of the main figures over benchmarks, each counted by its weight."""
        return self.mean_of(0)

    @cached_property
    def by_pairs(self) -> Average:
        """The mean over all sources of all benchmarks, weighted by their numbers of pairs."""
        columns = [each.source_column or 0 for each in self.benchmarks]
        grid = FigureGrid.of([each.run for each in self.benchmarks], columns, self.systems)
        items = np.array([each.items for each in self.benchmarks], dtype=np.float64)
        return average_of("by pairs", grid, items, self._scales)

    @cached_property
    def ranks(self) -> RankAverages:
        """Borda counts and mean ranks on the main figures."""
        return rank_averages(self.main)

    @cached_property
    def decision(self) -> Decision | None:
        """The systems among the best on the mean, and how others compare with the baseline; None if nothing was tested.

        Power is that of more items in all benchmarks, in the proportions that they have.
        """
        values = self._contending
        known = np.isfinite(values) & np.isfinite(np.diag(self.mean.covariance))
        if self.level is None or self.mean.undefined_because is not None or not known.any():
            return None
        runs = [each.run for each in self.benchmarks if each.run is not None]
        evidence = Evidence.of_covariance(
            values,
            self.mean.covariance,
            float(np.median(self.mean.freedoms[known])),
            level=self.level,
            units=sum(0 if run.confidence is None else run.confidence.units for run in runs),
            higher_is_better=self.mean.higher_is_better,
        )
        baseline = None if self.against is None else self.systems.index(self.against)
        return decision_on(evidence, baseline=baseline, margin=self.margin)

    @cached_property
    def conclusion(self) -> Conclusion:
        """The conclusion in one sentence, drawn from the mean."""
        decision, by = self.decision, f"mean {self.mean.measure} over {counted(len(self.benchmarks), 'benchmark')}"
        return Conclusion(
            sentence=self._sentence(by),
            by=by,
            may_be_best=() if decision is None else tuple(self.labels[row] for row in decision.may_be_best),
            more_units=None if decision is None else decision.more_units,
        )

    def _sentence(self, by: str) -> str:
        if self.mean.undefined_because is not None:
            return f"there is no mean over the benchmarks: {self.mean.undefined_because}"
        standing = Standing(
            names=self.labels,
            values=self._contending.tolist(),
            by=by,
            higher_is_better=self.mean.higher_is_better,
        )
        marked = [name for name, is_never in zip(self.labels, self.never_best, strict=True) if is_never]
        if not standing.known and marked:
            return f"no system can be called best: too many answers were replaced ({', '.join(marked)})"
        if not standing.known:
            return "no system has a figure on every benchmark, so there are no averages"
        if len(standing.known) == 1:
            said = standing.of_one(self.mean.intervals[standing.known[0]])
        else:
            said = standing.untested() if self.decision is None else standing.decided(self.decision)
        if marked and self.against is None:
            said += f"; not called best, since too many answers were replaced: {', '.join(marked)}"
        lacking = int(np.isnan(self.mean.values).sum())
        return f"{said}; {lacking} of {len(self.systems)} systems lack figures" if lacking else said

    @cached_property
    def never_best(self) -> tuple[bool, ...]:
        """Whether so many answers of each system were replaced, on any benchmark, that it is not called best."""
        runs = [each.run for each in self.benchmarks if each.run is not None]
        marked = {
            record.identity
            for run in runs
            for record, is_never in zip(run.systems, run.never_best, strict=False)
            if is_never
        }
        return tuple(name in marked for name in self.systems)

    @property
    def _contending(self) -> Array:
        """The means; nan for systems that are not called best, unless systems are compared with a baseline."""
        return self.mean.values if self.against else np.where(self.never_best, np.nan, self.mean.values)

    @property
    def order(self) -> list[int]:
        """Positions of the systems: by the mean, or by mean rank where it is undefined; incomplete ones last."""
        if self.mean.undefined_because is None:
            return self.mean.order
        ranks = self.ranks.mean_rank
        return sorted(range(len(self.systems)), key=lambda row: (np.isnan(ranks[row]), ranks[row]))

    def mean_of(self, column: int) -> Average:
        """The mean of the figures on one of the measures over benchmarks, each counted by its weight."""
        weights = np.array([each.weight for each in self.benchmarks])
        grid = self.main if column == 0 else self.grid(column)
        return average_of("mean", grid, weights, self._scales)

    def missing(self, system: str, column: int = 0) -> dict[str, str]:
        """The benchmarks on which a system has no figure, with the reason."""
        found = {}
        for each in self.benchmarks:
            reason = _why_missing(each, system, column)
            if reason is not None:
                found[each.name] = reason
        return found

    def sources(self, column: str = "source") -> Iterator[tuple[MeasuredBenchmark, Breakdown]]:
        """The figures on the parts of each benchmark whose items differ in this column.

        Raises:
            ArgumentError: no benchmark has such a column.
        """
        runs = [(each, each.run) for each in self.benchmarks if each.run is not None]
        check_columns([run.benchmark for _, run in runs], [column] if runs else [])
        for each, run in runs:
            if can_divide(run.benchmark, column):
                (found,) = breakdown(run, [column])
                if len(found.parts) + len(found.too_small) > 1:
                    yield each, found

    def rows(self) -> Iterator[dict[str, Any]]:
        """All figures in long form: benchmarks first, then the averages, whose benchmark is None."""
        for each in self.benchmarks:
            yield from self._benchmark_rows(each)
        averages = [self.mean_of(column) for column in range(len(self.measures))]
        for average in [*averages, self.by_pairs]:
            for row, system in enumerate(self.systems):
                interval = average.intervals[row]
                value = finite_or_none(float(average.values[row]))
                yield self._row(None, system, average.measure, value, average.name) | {
                    "undefined_because": average.undefined_because or _incomplete(self.missing(system)),
                    "low": finite_or_none(interval.low),
                    "high": finite_or_none(interval.high),
                }
        for name in ("borda", "borda_rank", "mean_rank"):
            for system, value in zip(self.systems, getattr(self.ranks, name).tolist(), strict=True):
                reason = _incomplete(self.missing(system))
                found = self._row(None, system, self.mean.measure, finite_or_none(value), name.replace("_", " "))
                yield found | {"undefined_because": reason, "low": None, "high": None}

    def record(self) -> dict[str, Any]:
        """Everything but the texts, the predictions and the confidence of single runs, ready for JSON."""
        return {
            "conclusion": self.conclusion.record(),
            "name": self.name,
            "description": self.description,
            "language": self.language,
            "licence": self.licence,
            "systems": list(self.systems),
            "labels": list(self.labels),
            "measures": list(self.measures),
            "level": self.level,
            "against": self.against,
            "margin": self.margin,
            "decision": None if self.decision is None else self.decision.record(self.systems),
            "averages": [average.record(self.systems) for average in self._averages()],
            "ranks": [
                {"system": system, "borda": borda, "borda_rank": rank, "mean_rank": mean}
                for system, borda, rank, mean in zip(
                    self.systems,
                    *([finite_or_none(value) for value in column.tolist()] for column in self._rank_columns()),
                    strict=True,
                )
            ],
            "missing": {system: missing for system in self.systems if (missing := self.missing(system))},
            "benchmarks": [each.record() for each in self.benchmarks],
            "figures": [row for each in self.benchmarks for row in self._benchmark_rows(each)],
            "notes": list(self.notes),
            "seed": self.seed,
            "created": self.created,
            "versions": dict(self.versions),
            "command": list(self.command),
        }

    def _rank_columns(self) -> tuple[np.ndarray, ...]:
        return self.ranks.borda, self.ranks.borda_rank, self.ranks.mean_rank

    def _averages(self) -> Iterator[Average]:
        yield self.mean
        yield self.by_pairs
        yield from (self.mean_of(column) for column in range(1, len(self.measures)))

    def _benchmark_rows(self, each: MeasuredBenchmark) -> Iterator[dict[str, Any]]:
        if each.run is not None:
            for row in each.run.rows():
                yield self._row(each.name, row["system"], row["measure"], row["value"]) | {
                    name: row.get(name) for name in ("undefined_because", "low", "high")
                }
        for system, reason in each.failures.items():
            nothing: dict[str, Any] = {"undefined_because": reason, "low": None, "high": None}
            yield self._row(each.name, system, each.measure or self.measures[0], None) | nothing

    def _row(
        self, benchmark: str | None, system: str, measure: str, value: float | None, average: str | None = None
    ) -> dict[str, Any]:
        return {
            "suite": self.name,
            "benchmark": benchmark,
            "average": average,
            "system": system,
            "name": dict(zip(self.systems, self.labels, strict=True)).get(system, system),
            "measure": measure,
            "value": value,
        }

    @property
    def _scales(self) -> list[str | None]:
        return [each.scale for each in self.benchmarks]


def renamed_suite(suite: SuiteRun, names: Sequence[str]) -> SuiteRun:
    """A suite with other names: one for each system, in the order of the suite, or ``NAME=SYSTEM`` for some.

    Raises:
        ArgumentError: the names do not fit the systems, or are not distinct.
    """
    if not names:
        return suite
    labels = other_labels(list(zip(suite.systems, suite.labels, strict=True)), names)
    known = dict(zip(suite.systems, labels, strict=True))
    benchmarks = (replace(each, run=each.run and with_labels(each.run, known)) for each in suite.benchmarks)
    return replace(suite, labels=tuple(labels), benchmarks=tuple(benchmarks))


def has_test_sets(sizes: Mapping[str | None, int]) -> bool:
    """Whether sources, given with their numbers of items, are test sets of their own and not labels of single items."""
    return len(sizes) > 1 and min(sizes.values()) >= LEAST_ITEMS


def _why_missing(each: MeasuredBenchmark, system: str, column: int) -> str | None:
    if system in each.failures:
        return each.failures[system]
    if each.run is None:
        return "not measured"
    for record, figures in zip(each.run.systems, each.run.figures, strict=True):
        if record.identity == system:
            figure = figures[column]
            return figure.reason or "undefined" if math.isnan(figure.value) else None
    return "not measured"


def _incomplete(missing: Mapping[str, str]) -> str | None:
    return f"no figure on {', '.join(missing)}" if missing else None


def _short(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"
