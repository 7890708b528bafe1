"""The tables of a suite: averages, systems against benchmarks, and systems against the sources of a benchmark."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from similitude.report.notation import SIMULATED, figure_text, interval_text
from similitude.report.tables import BrokenDown, Table, TableCell, TableColumn, breakdown_tables
from similitude.report.tables.table import Notes, shade
from similitude.study.suite import Average, SuiteRun

__all__ = ["averages_table", "heat_table", "missing_lines", "other_means_table", "simulated_names", "source_parts"]

MEAN = "mean over benchmarks, each with the same weight: MTEB's mean over tasks"
WEIGHTED = "mean over benchmarks, with the weights of the suite"
BY_PAIRS = "mean over all sources of all benchmarks, weighted by their numbers of pairs: SemEval's mean"
BORDA = "Borda count: over all benchmarks, the systems below this one; ties count one half, as on MTEB's leaderboard"
AMONG_BEST = "the best on the mean, and the systems that are not significantly worse"
MEAN_RANK = "mean of the ranks on the benchmarks; 1 is best"


def averages_table(suite: SuiteRun) -> Table:
    """Every average of every system, best on the mean first; a system that lacks a figure has dashes and a note."""
    notes = Notes()
    rows = tuple(tuple(_average_cells(suite, row, place, notes)) for place, row in enumerate(suite.order, 1))
    arrow = "↑" if suite.mean.higher_is_better else "↓"
    return Table(
        name="averages",
        caption=_caption(suite, _averages_words(suite)),
        columns=(
            TableColumn(head="rank", meaning="place on the mean"),
            TableColumn(head="system", is_number=False, is_header=True),
            TableColumn(head=f"mean\u00a0{arrow}", meaning=_mean_words(suite)),
            TableColumn(head=f"by\u00a0pairs\u00a0{arrow}", meaning=BY_PAIRS),
            TableColumn(head="Borda", meaning=BORDA),
            TableColumn(head="mean rank", meaning=MEAN_RANK),
            *([TableColumn(head="among best", is_number=False, meaning=AMONG_BEST)] if suite.decision else []),
        ),
        rows=rows,
        notes=(*notes.all(), *_undefined(suite)),
        is_sortable=True,
        is_filter=True,
    )


def heat_table(suite: SuiteRun) -> Table:
    """Systems against benchmarks on the main measure; a deeper shade is better within a column."""
    notes, grid = Notes(), suite.main
    heads = (
        TableColumn(head=each.name, meaning=f"{grid.measures[place]}, {each.items:,} items")
        for place, each in enumerate(suite.benchmarks)
    )
    rows = tuple(
        (
            TableCell(text=suite.labels[row], is_code=True),
            _plain_cell(float(suite.mean.values[row])),
            *(_heat_cell(suite, place, row, notes) for place in range(len(suite.benchmarks))),
        )
        for row in suite.order
    )
    return Table(
        name="heat",
        caption=_caption(
            suite,
            f"{suite.mean.measure} of each system on each benchmark. A deeper shade is better within its column, and "
            "the best of each column is bold.",
        ),
        columns=(
            TableColumn(head="system", is_number=False, is_header=True),
            TableColumn(head="mean", meaning=_mean_words(suite)),
            *heads,
        ),
        rows=rows,
        notes=notes.all(),
        is_sortable=True,
    )


def other_means_table(suite: SuiteRun) -> Table | None:
    """The means on the other measures; None if there are none."""
    if len(suite.measures) < 2:
        return None
    means = [suite.mean_of(column) for column in range(1, len(suite.measures))]
    rows = tuple(
        (TableCell(text=suite.labels[row], is_code=True), *(_average_cell(suite, mean, row) for mean in means))
        for row in suite.order
    )
    heads = [TableColumn(head=f"{mean.measure}\u00a0{'↑' if mean.higher_is_better else '↓'}") for mean in means]
    return Table(
        name="other-means",
        caption=_caption(suite, "Mean over benchmarks on the other measures."),
        columns=(TableColumn(head="system", is_number=False, is_header=True), *heads),
        rows=rows,
        notes=tuple(f"{mean.measure}: {mean.undefined_because}" for mean in means if mean.undefined_because),
        is_sortable=True,
    )


def source_parts(suite: SuiteRun, column: str = "source") -> Iterator[tuple[str, BrokenDown]]:
    """The tables of each benchmark whose items differ in a column: systems against its parts, one per measure."""
    for each, found in suite.sources(column):
        assert each.run is not None  # what `sources` yields
        yield each.name, breakdown_tables(each.run, [found], name=each.folder)[0]


def missing_lines(suite: SuiteRun) -> Iterator[str]:
    """Which systems lack figures, where and why."""
    for system, label in zip(suite.systems, suite.labels, strict=True):
        for benchmark, reason in suite.missing(system).items():
            yield f"{label} has no figure on {benchmark}: {reason}"


def simulated_names(suite: SuiteRun) -> list[str]:
    """The benchmarks whose judgements are simulated."""
    return [each.name for each in suite.benchmarks if each.run is not None and each.run.data.is_simulated]


def _average_cells(suite: SuiteRun, row: int, place: int, notes: Notes) -> Iterator[TableCell]:
    missing = suite.missing(suite.systems[row])
    words = "; ".join(f"no figure on {name}: {reason}" for name, reason in missing.items())
    note = notes.number(f"no average, because it would rest on fewer benchmarks: {words}") if missing else 0
    if suite.never_best[row]:
        note = notes.number("too many of its answers were replaced on a benchmark: never called best")
    yield TableCell(text="–" if missing else f"{place}", value=math.nan if missing else place)
    yield TableCell(text=suite.labels[row], is_code=True, note=note)
    yield _average_cell(suite, suite.mean, row)
    yield _average_cell(suite, suite.by_pairs, row)
    borda, rank = float(suite.ranks.borda[row]), float(suite.ranks.mean_rank[row])
    yield TableCell(text="–" if math.isnan(borda) else f"{borda:g}", value=borda)
    yield TableCell(text="–" if math.isnan(rank) else f"{rank:.1f}", value=rank)
    if suite.decision is not None:
        yield TableCell(text="yes" if row in suite.decision.may_be_best else "")


def _average_cell(suite: SuiteRun, average: Average, row: int) -> TableCell:
    value = float(average.values[row])
    best = next((place for place in average.order if not suite.never_best[place]), None)
    return TableCell(
        text=figure_text(value),
        value=value,
        interval=interval_text(average.intervals[row]),
        is_best=best is not None and not suite.never_best[row] and value == float(average.values[best]),
    )


def _plain_cell(value: float) -> TableCell:
    return TableCell(text=figure_text(value), value=value)


def _heat_cell(suite: SuiteRun, place: int, row: int, notes: Notes) -> TableCell:
    value = float(suite.main.values[place, row])
    if math.isnan(value):
        name = suite.benchmarks[place].name
        return notes.dash(f"{suite.labels[row]} on {name}: {suite.missing(suite.systems[row]).get(name)}")
    merits: Sequence[float] = suite.main.merits[place].tolist()
    merit = merits[row]
    known = [one for one in merits if not math.isnan(one)]
    contending = (one for one, is_never in zip(merits, suite.never_best, strict=True) if not is_never)
    top = max((one for one in contending if not math.isnan(one)), default=math.nan)
    is_best = merit == top and not suite.never_best[row]
    return TableCell(text=figure_text(value), value=value, is_best=is_best, shade=shade(merit, known))


def _caption(suite: SuiteRun, words: str) -> str:
    names = simulated_names(suite)
    return f"{words} {SIMULATED}: {', '.join(names)}." if names else words


def _mean_words(suite: SuiteRun) -> str:
    return MEAN if len({each.weight for each in suite.benchmarks}) == 1 else WEIGHTED


def _averages_words(suite: SuiteRun) -> str:
    items = sum(each.items for each in suite.benchmarks)
    level = "" if suite.level is None else (
        f" In brackets the {100 * suite.level:g} % interval; items are resampled within each benchmark."
    )  # fmt: skip
    return (
        f"Systems on the {len(suite.benchmarks)} benchmarks of {suite.name} ({items:,} items), {suite.mean.measure}. "
        f"mean: {_mean_words(suite)}. by pairs: {BY_PAIRS}. {BORDA}. Mean rank: {MEAN_RANK}.{level}"
    )


def _undefined(suite: SuiteRun) -> Iterator[str]:
    for average in (suite.mean, suite.by_pairs):
        if average.undefined_because:
            yield f"{average.name}: undefined, because {average.undefined_because}"
