"""A suite for the terminal: the conclusion, the averages, and systems against benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from similitude.report.fitting_table import FittingTable
from similitude.report.notation import SIMULATED
from similitude.report.suite.heat import Heat
from similitude.report.suite.tables import averages_table, missing_lines, other_means_table, simulated_names
from similitude.report.tables import TableCell
from similitude.report.terminal import terminal_table
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
    return FittingTable(tuple(_averages_table(suite, intervals=intervals) for intervals in ((2, 3), (2,), ())))


def _averages_table(suite: SuiteRun, *, intervals: Sequence[int]) -> Table:
    """The averages, with the intervals of these columns."""
    source = averages_table(suite)
    table = Table(header_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for column in source.columns:
        head = column.head if column.is_header else column.head.replace(" ", "\n")
        table.add_column(head, justify="right" if column.is_number else "left", no_wrap=column.is_number)
    for row in source.rows:
        table.add_row(*(_cell(cell, with_interval=place in intervals) for place, cell in enumerate(row)))
    return table


def _cell(cell: TableCell, *, with_interval: bool) -> Text:
    text = Text(cell.text, style="bold green" if cell.is_best else "")
    return text.append(f" {cell.interval}", "dim") if with_interval and cell.interval else text


def _heat(suite: SuiteRun) -> Heat:
    order = suite.order
    return Heat(
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
            heads = [f"{part.name or 'not stated'} ({part.items:,})" for part in found.parts]
            merits = [[sign * value for value in row] for row in values]
            yield Heat([names[row] for row in rows], heads, values, merits)


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
