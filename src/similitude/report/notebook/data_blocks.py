"""What a notebook shows of data: benchmarks, judgements, designs, assessments and findings of checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from similitude.collect.design import Design, summarise
from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.data.plural import counted
from similitude.gold.reliability.assessment import Assessment
from similitude.inspect.checks import Report
from similitude.report.description import answer_facts, first_answers, first_items, gold_facts
from similitude.report.design import design_sheet
from similitude.report.notation import DASH
from similitude.report.page.sheet import Aside, Block, Facts, Fold, Heading, Lead, Points, Sheet, Simulated
from similitude.report.reading_lines import reading_lines, scale_line
from similitude.report.reliability import simulated_words
from similitude.report.reliability_page import reliability_sheet
from similitude.report.tables import Table, TableCell, TableColumn

__all__ = ["assessment_blocks", "benchmark_blocks", "check_blocks", "design_blocks", "judgements_blocks"]

ROWS = 5
"""How many items or answers are shown."""
LONGEST = 280
"""Longer texts are cut."""
TEXTS = ("left", "right", "context", "condition")
"""The columns that hold texts."""
SHORT, LONG = 12, 40
"""Tables with more rows are folded, and cut."""
MOST_SKIPPED, MOST_FILES = 3, 8
"""How many rows that were left out are named, and how many files."""


def benchmark_blocks(benchmark: Benchmark) -> Iterator[Block]:
    """What it holds, and the first rows."""
    yield Lead(f"{benchmark.name}: {len(benchmark):,} items")
    if benchmark.is_simulated:
        yield Simulated(f"SIMULATED judgements: {benchmark.provenance.judged_by}")
    yield Facts((("scale", scale_line(benchmark.scale)), *gold_facts(benchmark)))
    yield _rows(first_items(benchmark, ROWS), len(benchmark), "items")
    yield from _origin(benchmark)


def judgements_blocks(judgements: Judgements) -> Iterator[Block]:
    """Counts, how the files were understood, and the first answers."""
    counts = f"{len(judgements):,} {judgements.kind} answers about {len(judgements.judged):,} items"
    yield Lead(f"{judgements.name}: {counts}")
    words = simulated_words(judgements)
    if words:
        yield Simulated(words)
    scale = () if judgements.scale is None else (("scale", scale_line(judgements.scale)),)
    yield Facts((*scale, *answer_facts(judgements)))
    yield _rows(first_answers(judgements, ROWS), len(judgements), "answers")
    yield from _origin(judgements)


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
    batches = f" in {counted(design.batches, 'batch')}" if design.batches else ""
    yield Lead(f"{len(design):,} {design.task} questions{batches}, seed {design.seed}")
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
            yield from map(_cut_table, tables)


def _cut_table(table: Table) -> Block:
    """The table; a long one is folded, and a very long one is cut as well."""
    rows = len(table.rows)
    if rows <= SHORT:
        return table
    words = f" The first {LONG} of {rows:,} rows." if rows > LONG else ""
    shown = replace(table, rows=table.rows[:LONG], caption=f"{table.caption}{words}")
    return Fold(summary=f"{rows:,} rows", blocks=(shown,))


def _origin(data: Benchmark | Judgements) -> Iterator[Block]:
    """What is likely to be wrong, what was left out, and folded how the files were understood."""
    origin = data.provenance
    lines = [f"WARNING: {warning}" for warning in origin.warnings]
    lines += [f"left out: {one.where}: {one.why}" for one in origin.skipped[:MOST_SKIPPED]]
    lines += [f"left out: {len(origin.skipped) - MOST_SKIPPED:,} more"] if len(origin.skipped) > MOST_SKIPPED else []
    if lines:
        yield Points(tuple(lines))
    read = tuple(line for reading in origin.readings[:MOST_FILES] for line in reading_lines(reading))
    more = (("file", f"and {len(origin.readings) - MOST_FILES:,} more"),) if len(origin.readings) > MOST_FILES else ()
    if read:
        yield Fold(summary="how the files were read", blocks=(Facts(read + more),))


def _rows(head: pl.DataFrame, total: int, noun: str) -> Table:
    """Rows as they are, with long texts cut."""
    columns = tuple(
        TableColumn(head=name, is_number=dtype.is_numeric(), is_text=name in TEXTS, is_header=name == "id")
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
