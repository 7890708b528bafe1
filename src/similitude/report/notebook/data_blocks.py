"""What a notebook shows of data: benchmarks, judgements, designs, assessments and findings of checks."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from similitude.collect.design import Design, summarise
from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.gold.reliability.assessment import Assessment
from similitude.inspect.checks import Report
from similitude.report.description import first_answers, first_items, gold_facts, judgements_facts
from similitude.report.design import design_sheet
from similitude.report.notation import DASH
from similitude.report.page.sheet import Aside, Block, Facts, Fold, Heading, Lead, Points, Sheet, Simulated
from similitude.report.reading_lines import scale_line
from similitude.report.reliability import simulated_words
from similitude.report.reliability_page import reliability_sheet
from similitude.report.tables import Table, TableCell, TableColumn

__all__ = ["assessment_blocks", "benchmark_blocks", "check_blocks", "design_blocks", "judgements_blocks"]

ROWS = 5
"""How many items or answers are shown."""
LONGEST = 280
"""Longer texts are cut."""


def benchmark_blocks(benchmark: Benchmark) -> Iterator[Block]:
    """What it holds, and the first rows."""
    yield Lead(f"{benchmark.name}: {len(benchmark):,} items")
    if benchmark.is_simulated:
        yield Simulated(f"SIMULATED judgements: {benchmark.provenance.judged_by}")
    yield Facts((("scale", scale_line(benchmark.scale)), *gold_facts(benchmark)))
    yield _rows(first_items(benchmark, ROWS), len(benchmark), "items")
    yield from _warnings(benchmark)


def judgements_blocks(judgements: Judgements) -> Iterator[Block]:
    """Counts, how the files were understood, and the first answers."""
    counts = f"{len(judgements):,} {judgements.kind} answers about {len(judgements.judged):,} items"
    yield Lead(f"{judgements.name}: {counts}")
    words = simulated_words(judgements)
    if words:
        yield Simulated(words)
    yield Facts(tuple(judgements_facts(judgements)))
    yield _rows(first_answers(judgements, ROWS), len(judgements), "answers")


def assessment_blocks(found: Assessment) -> Iterator[Block]:
    """The main figures, and the tables of the page."""
    sheet = reliability_sheet(found)
    yield Lead(f"{sheet.name}: {sheet.summary}")
    yield Aside(sheet.about)
    yield from sheet.warnings
    yield from _tables(sheet)
    if found.notes:
        yield Points(found.notes)


def design_blocks(design: Design) -> Iterator[Block]:
    """The guarantees of tuples and batches, and the effort."""
    sheet = design_sheet(summarise(design), "")
    yield Lead(f"{len(design):,} {design.task} questions in {design.batches:,} batches, seed {design.seed}")
    for section in sheet.sections:
        yield Heading(section.title)
        yield Points(section.words)


def check_blocks(report: Report) -> Iterator[Block]:
    """Every finding with examples and remedy, worst first."""
    counts = ", ".join(f"{count} {severity}{'' if count == 1 else 's'}" for severity, count in report.counts.items())
    yield Lead(f"{report.benchmark}: {report.items:,} items, {len(report.checks)} checks: {counts}")
    for finding in report.findings:
        examples = (Points(finding.examples),) if finding.examples else ()
        summary = f"{finding.severity}: {finding.message}"
        yield Fold(
            summary=summary, blocks=(*examples, f"Remedy: {finding.remedy}."), is_open=finding.severity == "error"
        )


def _tables(sheet: Sheet) -> Iterator[Block]:
    for section in sheet.sections:
        tables = [block for block in section.content if isinstance(block, Table)]
        if tables:
            yield Heading(section.title)
            yield from tables


def _warnings(benchmark: Benchmark) -> Iterator[Block]:
    lines = [f"WARNING: {warning}" for warning in benchmark.provenance.warnings]
    skipped = benchmark.provenance.skipped
    lines += [f"left out: {skipped[0].where}: {skipped[0].why}"] if skipped else []
    lines += [f"left out: {len(skipped) - 1:,} more rows"] if len(skipped) > 1 else []
    if lines:
        yield Points(tuple(lines))


def _rows(head: pl.DataFrame, total: int, noun: str) -> Table:
    """Rows as they are, with long texts cut."""
    columns = tuple(
        TableColumn(head=name, is_number=dtype.is_numeric(), is_text=not dtype.is_numeric(), is_header=name == "id")
        for name, dtype in head.schema.items()
    )
    shown = f"The first {head.height} of {total:,} {noun}." if head.height < total else f"All {total} {noun}."
    return Table(
        name="rows",
        caption=shown,
        columns=columns,
        rows=tuple(tuple(_cell(value) for value in row) for row in head.iter_rows()),
    )


def _cell(value: object) -> TableCell:
    if value is None:
        return TableCell(text=DASH)
    if isinstance(value, float):
        return TableCell(text=f"{value:.3g}", value=value)
    text = "\n".join(map(str, value)) if isinstance(value, list) else str(value)
    return TableCell(text=text if len(text) <= LONGEST else f"{text[:LONGEST].rstrip()} … ({len(text):,} characters)")
