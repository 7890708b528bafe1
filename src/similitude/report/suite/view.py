"""A suite for the terminal: the conclusion, the averages, and systems against benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from similitude.report.fitted_table import FirstFitting, FittedTable
from similitude.report.notation import SIMULATED
from similitude.report.suite.heat import shaded_table
from similitude.report.suite.tables import averages_table, missing_lines, other_means_table, simulated_names
from similitude.report.tables.breakdown import too_small
from similitude.report.terminal import fitted_table, terminal_table
from similitude.study.suite import SuiteRun

__all__ = ["suite_view"]


def suite_view(suite: SuiteRun, by: Sequence[str] = ()) -> RenderableType:
    """The conclusion, the averages, the heat table, parts of the benchmarks by these columns, and notes."""
    items = sum(each.items for each in suite.benchmarks)
    title = f"{suite.name}: {len(suite.benchmarks)} benchmarks, {items:,} items, {suite.mean.measure}"
    parts: list[RenderableType] = [Text(suite.conclusion.sentence, style="bold"), Text(title)]
    simulated = simulated_names(suite)
    if simulated:
        parts.append(Text(f"{SIMULATED}: {', '.join(simulated)}", style="bold yellow"))
    other = other_means_table(suite)
    further = [] if other is None else [terminal_table(other)]
    return Group(*parts, _averages(suite), _heat(suite), *further, *_parts(suite, by), *_notes(suite))


def _averages(suite: SuiteRun) -> RenderableType:
    """The averages, with as many of the two intervals as there is room for."""
    table = averages_table(suite)
    kinds = ((" ", (2, 3)), ("\n", (2, 3)), ("\n", (2,)), (" ", ()))
    return FirstFitting(tuple(fitted_table(table, between=between, intervals=shown) for between, shown in kinds))


def _heat(suite: SuiteRun) -> FittedTable:
    order = suite.order
    return shaded_table(
        [suite.labels[row] for row in order],
        [each.name for each in suite.benchmarks],
        suite.main.values.T[order].tolist(),
        suite.main.merits.T[order].tolist(),
    )


def _parts(suite: SuiteRun, by: Sequence[str]) -> Iterator[RenderableType]:
    for column in by:
        for each, found in suite.sources(column):
            assert each.run is not None  # what `sources` yields
            sign = 1 if each.run.measures[0].higher_is_better else -1
            names = [record.identity for record in each.run.systems]
            rows = [names.index(suite.systems[row]) for row in suite.order if suite.systems[row] in names]
            values = [[part.figures[row][0].value for part in found.parts] for row in rows]
            yield Text(f"{each.name} by {column}, {each.run.measures[0]}", style="bold")
            if found.too_small:
                yield Text(too_small(found.too_small), style="dim")
            if not found.parts:
                continue
            heads = [f"{part.name or 'not stated'} ({part.items:,})" for part in found.parts]
            merits = [[sign * value for value in row] for row in values]
            yield shaded_table([names[row] for row in rows], heads, values, merits)


def _notes(suite: SuiteRun) -> Iterator[Text]:
    level = "" if suite.level is None else f", {100 * suite.level:g} % intervals, items resampled within benchmarks"
    told = [
        f"mean: of benchmarks with equal weights (as MTEB){level}; by pairs: of all sources, weighted by pairs (as "
        "SemEval); Borda and mean rank: of systems with all figures",
    ]
    if len({each.weight for each in suite.benchmarks}) > 1:
        weights = ", ".join(f"{each.name} {each.weight:g}" for each in suite.benchmarks)
        told[0] = told[0].replace("with equal weights (as MTEB)", f"with weights ({weights})")
    undefined = [
        f"{average.name}: undefined, because {average.undefined_because}"
        for average in (suite.mean, suite.by_pairs)
        if average.undefined_because
    ]
    for note in (*told, *undefined, *missing_lines(suite), *suite.notes):
        yield Text(note, style="dim")
