"""The page of a suite: the conclusion on top, averages with intervals, the heat table, and each benchmark."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator

from similitude.drawing import Figure, Panel, Whisker, interval_plot
from similitude.report.notation import SIMULATED, capitalised, figure_text, interval_text
from similitude.report.page.figures import interval_figure
from similitude.report.page.provenance import as_typed, columns_named, objects_named
from similitude.report.page.sheet import (
    Block,
    Code,
    Downloads,
    Facts,
    Fold,
    Heading,
    Option,
    Options,
    Points,
    Section,
    Sheet,
    csv_text,
)
from similitude.report.suite.tables import (
    averages_table,
    heat_table,
    missing_lines,
    other_means_table,
    simulated_names,
    source_parts,
)
from similitude.report.tables import Table, TableCell, TableColumn
from similitude.study.suite import MeasuredBenchmark, SuiteRun

__all__ = ["suite_sheet"]


def suite_sheet(suite: SuiteRun) -> Sheet:
    """The suite as a page."""
    items = sum(each.items for each in suite.benchmarks)
    about = f"{len(suite.benchmarks)} benchmarks, {items:,} items, {len(suite.systems)} systems"
    simulated = simulated_names(suite)
    return Sheet(
        kind="suite",
        name=suite.name,
        title=f"{suite.name}: similarity systems on {len(suite.benchmarks)} benchmarks",
        about=f"{about}; {suite.description}" if suite.description else about,
        summary=f"Measured by {suite.mean.measure}, on {suite.created.partition('T')[0]}.",
        simulated=f"{SIMULATED}: {', '.join(simulated)}" if simulated else "",
        lead=(capitalised(suite.conclusion.sentence, suite.labels),),
        sections=tuple(_sections(suite)),
    )


def _sections(suite: SuiteRun) -> Iterator[Section]:
    yield Section(name="means", title="Averages", blocks=tuple(_averages(suite)))
    yield Section(name="grid", title="Systems against benchmarks", tables=(heat_table(suite),))
    options = tuple(
        Option(each.name, (interval_figure(each.run),)) for each in suite.benchmarks if each.run is not None
    )
    yield Section(name="single", title="One benchmark at a time", blocks=(Options("benchmark", options),))
    sources = tuple(_sources(suite))
    if sources:
        words = "Figures on the sources of a benchmark; they rest on fewer items and are less certain."
        yield Section(name="sources", title="Sources", words=(words,), blocks=sources)
    notes = (*missing_lines(suite), *suite.notes)
    if notes:
        yield Section(name="notes", title="What to know", blocks=(Points(notes),))
    files = Downloads((("figures.csv", csv_text(suite.rows())),))
    words = "All figures with their intervals, and the averages."
    yield Section(name="data", title="Raw data", blocks=(words, files))
    yield Section(name="benchmarks", title="Benchmarks", blocks=(benchmarks_table(suite), *_provenance(suite)))


def _averages(suite: SuiteRun) -> Iterator[Block]:
    yield averages_table(suite)
    figure = _interval_figure(suite)
    if figure is not None:
        yield figure
    other = other_means_table(suite)
    if other is not None:
        yield other


def _interval_figure(suite: SuiteRun) -> Figure | None:
    """The mean of every system with its interval; None without means."""
    known = [row for row in suite.order if not math.isnan(suite.mean.values[row])]
    if not known:
        return None
    whiskers = [
        Whisker(
            name=suite.labels[row],
            value=float(suite.mean.values[row]),
            low=suite.mean.intervals[row].low,
            high=suite.mean.intervals[row].high,
            words=f"{figure_text(float(suite.mean.values[row]))} {interval_text(suite.mean.intervals[row])}".strip(),
        )
        for row in known
    ]
    label = f"mean {suite.mean.measure} over {len(suite.benchmarks)} benchmarks"
    level = "" if suite.level is None else f" with its {100 * suite.level:g} % interval"
    caption = f"The {label}{level}, items resampled within each benchmark."
    return Figure((Panel("", "", interval_plot(label, whiskers)),), caption)


def _sources(suite: SuiteRun) -> Iterator[Block]:
    for name, found in source_parts(suite):
        if found.tables:
            yield Fold(summary=name, blocks=(*found.tables[:1], *([found.left_aside] if found.left_aside else [])))


def benchmarks_table(suite: SuiteRun) -> Table:
    """What each benchmark is: its size, scale, main measure, weight, licence and origin."""
    heads = ("benchmark", "items", "split", "scale", "measure", "weight", "licence", "where from", "description")
    columns = tuple(
        TableColumn(head=head, is_number=head in ("items", "weight"), is_header=head == "benchmark") for head in heads
    )
    return Table(
        name="benchmarks-table",
        caption="The benchmarks of the suite.",
        columns=columns,
        rows=tuple(_benchmark_row(each) for each in suite.benchmarks),
    )


def _benchmark_row(each: MeasuredBenchmark) -> tuple[TableCell, ...]:
    measure = str(each.run.measures[0]) if each.run is not None else each.measure or ""
    texts = (each.split, each.scale, measure)
    ends = (each.licence, each.homepage or each.path, each.description)
    return (
        TableCell(text=each.name),
        TableCell(text=f"{each.items:,}", value=each.items),
        *(TableCell(text=text or "") for text in texts),
        TableCell(text=f"{each.weight:g}", value=each.weight),
        *(TableCell(text=text or "") for text in ends),
    )


def _provenance(suite: SuiteRun) -> Iterator[Block]:
    facts = [("language", suite.language), ("licence", suite.licence), ("run", suite.created)]
    facts += [("seed", f"{suite.seed}"), ("versions", ", ".join(f"{name} {at}" for name, at in suite.versions.items()))]
    for each in suite.benchmarks:
        if each.run is not None:
            facts.append((f"fingerprint of {each.name}", each.run.data.fingerprint))
    yield Facts(tuple((name, value) for name, value in facts if value))
    yield Heading("To make this run again")
    readings = [reading for each in suite.benchmarks if each.run for reading in each.run.data.readings]
    if suite.command:
        yield Code(as_typed(suite.command))
    else:
        yield objects_named(suite.systems, readings) or Code(_command(suite))


def _command(suite: SuiteRun) -> str:
    paths = [each.path or each.name for each in suite.benchmarks]
    words = ["similitude", "evaluate", *paths]
    words += [word for system in suite.systems for word in ("-s", system)]
    if suite.labels != suite.systems:
        words += [word for label in suite.labels for word in ("--name", label)]
    words += [word for measure in suite.measures for word in ("-m", measure)]
    readings = (reading for each in suite.benchmarks if each.run for reading in each.run.data.readings)
    words += [word for option in columns_named(readings) for word in option]
    words += ["--seed", f"{suite.seed}"]
    if suite.folder is not None:
        words += ["--folder", str(suite.folder)]
    return shlex.join(words)
