"""A benchmark for the terminal: what it holds, and what the checks found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from similitude.data.benchmark import Benchmark
from similitude.data.judgements import Judgements
from similitude.inspect.checks import Finding, Report
from similitude.report.fitted_table import FittedColumn, FittedTable, Holds
from similitude.report.reading_lines import reading_lines, scale_line

__all__ = [
    "answer_facts",
    "benchmark_description",
    "benchmark_facts",
    "findings_list",
    "first_answers",
    "first_items",
    "gold_facts",
    "judgements_description",
    "judgements_facts",
]

MOST_FILES = 8
MOST_SKIPPED = 5

_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def benchmark_description(benchmark: Benchmark, rows: int = 3) -> RenderableType:
    """How the files were understood, size, scale, gold, splits, notes of the reader, and the first rows."""
    facts = _facts_table(benchmark_facts(benchmark))
    return Group(Text(repr(benchmark), style="bold"), facts, _rows_table(first_items(benchmark, rows)))


def judgements_description(judgements: Judgements, rows: int = 3) -> RenderableType:
    """How the files were understood, people, scale or categories, notes of the reader, and the first answers."""
    facts = _facts_table(judgements_facts(judgements))
    return Group(Text(repr(judgements), style="bold"), facts, _rows_table(first_answers(judgements, rows)))


def benchmark_facts(benchmark: Benchmark) -> Iterator[tuple[str, str]]:
    """How the files were understood, size, scale, gold, splits and notes of the reader, as names with values."""
    yield from _understood(benchmark)
    yield "fingerprint", benchmark.fingerprint[:16]
    yield from gold_facts(benchmark)


def judgements_facts(judgements: Judgements) -> Iterator[tuple[str, str]]:
    """How the files were understood, people, scale or categories, and notes of the reader, as names with values."""
    yield from _understood(judgements)
    yield from answer_facts(judgements)


def first_items(benchmark: Benchmark, rows: int) -> pl.DataFrame:
    """The first items with gold, without empty columns."""
    names = ("id", "left", "right", "context", "condition", "score", "sigma")
    return _with_values(benchmark.frame.select(names).head(rows))


def first_answers(judgements: Judgements, rows: int) -> pl.DataFrame:
    """The first answers, without empty columns."""
    return _with_values(judgements.frame.head(rows))


def _with_values(head: pl.DataFrame) -> pl.DataFrame:
    return head.select([name for name in head.columns if head[name].null_count() < head.height])


def answer_facts(judgements: Judgements) -> Iterator[tuple[str, str]]:
    """People, categories, answers that do not count, licence, and notes of the reader."""
    people = len(judgements.annotators)
    yield "people", f"{people:,} annotators" if people else "not named"
    if judgements.categories:
        yield "categories", ", ".join(judgements.categories)
    if judgements.superseded is not None and judgements.superseded.height:
        yield "superseded", f"{judgements.superseded.height:,} earlier answers are kept and do not count"
    yield "licence", judgements.licence or "not stated"
    yield from (("note", note) for note in judgements.provenance.notes)


def _facts_table(facts: Iterable[tuple[str, str]]) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 1))
    table.add_column(style="bold", no_wrap=True)
    for name, value in facts:
        table.add_row(name, Text(value))
    return table


def _understood(data: Benchmark | Judgements) -> Iterator[tuple[str, str]]:
    """What was understood of each file; of many files, the first few."""
    source = data.provenance
    for reading in source.readings[:MOST_FILES]:
        yield from reading_lines(reading)
    if len(source.readings) > MOST_FILES:
        yield "file", f"and {len(source.readings) - MOST_FILES:,} more, all in --json"
    if not source.readings:
        yield "read from", f"{', '.join(source.files) or '-'} as {source.format or '-'}"
    if data.scale is not None or isinstance(data, Benchmark):
        yield "scale", scale_line(data.scale)
    for skipped in source.skipped[:MOST_SKIPPED]:
        yield "left out", f"{skipped.where}: {skipped.why}"
    if len(source.skipped) > MOST_SKIPPED:
        yield "left out", f"and {len(source.skipped) - MOST_SKIPPED:,} more rows"
    for warning in source.warnings:
        yield "WARNING", warning


def gold_facts(benchmark: Benchmark) -> Iterator[tuple[str, str]]:
    """Licence, who judged, what gold is, counts, and notes of the reader."""
    source = benchmark.provenance
    yield "licence", benchmark.licence or "not stated"
    if source.judged_by:
        yield "judged by", source.judged_by
    if source.aggregation:
        yield "gold is", source.aggregation
    yield from _counts(benchmark)
    for note in source.notes:
        yield "note", note


def _counts(benchmark: Benchmark) -> Iterator[tuple[str, str]]:
    scores = benchmark.frame["score"].drop_nulls().to_numpy()
    hidden = len(benchmark) - len(scores)
    if len(scores):
        spread = f"{scores.min():g} to {scores.max():g}, mean {scores.mean():.3f}"
        yield "scores", f"{len(scores):,} from {spread}" + (f"; {hidden:,} hidden" if hidden else "")
    else:
        yield "scores", "none: all hidden"
    raters = benchmark.frame["ratings"].list.len().drop_nulls().to_numpy()
    if len(raters):
        yield "ratings", f"{raters.sum():,} kept, {raters.min()} to {raters.max()} per item"
    if benchmark.judgements is not None:
        yield "judgements", f"{benchmark.judgements.height:,} best-worst"
    for column in ("split", "language", "domain"):
        counts = benchmark.frame[column].drop_nulls().value_counts(sort=True)
        if counts.height:
            yield column, ", ".join(f"{name} {count:,}" for name, count in counts.head(8).iter_rows())


def _rows_table(rows: pl.DataFrame) -> FittedTable:
    """The rows; the first column names them."""
    holds: list[Holds] = ["number" if kind.is_numeric() else "text" for kind in rows.dtypes]
    holds[:1] = ["name"]
    columns = [FittedColumn(head=name, holds=kind) for name, kind in zip(rows.columns, holds, strict=False)]
    return FittedTable(columns=tuple(columns), rows=tuple(tuple(map(_cell, row)) for row in rows.iter_rows()))


def _cell(value: object) -> Text:
    if value is None:
        return Text("-", style="dim")
    if isinstance(value, pl.Series | list):
        return Text("\n".join(f"- {turn}" for turn in value))
    return Text(f"{value:.3g}" if isinstance(value, float) else str(value))


def findings_list(report: Report) -> RenderableType:
    """Every finding with examples and remedy, then the counts by severity."""
    found = [line for finding in report.findings for line in _lines(finding)]
    counts = ", ".join(f"{count} {severity}{'' if count == 1 else 's'}" for severity, count in report.counts.items())
    total = Text(f"{report.benchmark}: {report.items:,} items, {len(report.checks)} checks: {counts}", style="bold")
    return Group(*found, total)


def _lines(finding: Finding) -> list[Text]:
    head = Text.from_markup(f"[{_STYLES[finding.severity]}]{finding.severity}[/] [dim]{escape(finding.code)}[/] ")
    lines = [head.append(finding.message)]
    lines += [Text(f"    {example}", style="dim") for example in finding.examples]
    return [*lines, Text(f"    remedy: {finding.remedy}")]
