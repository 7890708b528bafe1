"""``similitude data show|convert|check``: look at a benchmark, write it anew, look for what is wrong with it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.data_stats import stats

__all__ = ["app"]

app = typer.Typer(help="Look at benchmarks, convert them, and check them.", no_args_is_help=True)


@app.command("show")
def show(
    data: options.SeveralData,
    rows: Annotated[int, typer.Option("--rows", help="How many rows to show.", min=0)] = 3,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    encoding: options.Encoding = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Show what DATA is: format, scale, gold, splits, first rows."""
    from similitude.data.addresses import open_benchmark
    from similitude.report import benchmark_description
    from similitude.study.record import BenchmarkRecord

    reading = options.reading_options(format, column, scale, encoding, on_error)
    benchmark = open_benchmark(options.data_paths(data), **reading)
    if json:
        print_json(asdict(BenchmarkRecord.of(benchmark, None)))
        return
    results.print(benchmark_description(benchmark, rows))


@app.command("convert")
def convert(
    data: options.SeveralData,
    target: Annotated[Path, typer.Option("--to", help="Where to write: .jsonl, .parquet, .csv, or a folder.")],
    to_format: Annotated[
        str | None,
        typer.Option(
            "--to-format",
            metavar="jsonl|parquet|csv|huggingface",
            help="The format to write, where the suffix does not say.",
        ),
    ] = None,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    encoding: options.Encoding = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
) -> None:
    """Write DATA in another format; scale, licence, raw ratings and judgements come along."""
    from similitude.data.addresses import open_benchmark
    from similitude.data.writing.benchmark import write

    reading = options.reading_options(format, column, scale, encoding, on_error)
    benchmark = open_benchmark(options.data_paths(data), **reading)
    written = write(benchmark, target, format=to_format)
    results.print(f"{benchmark!r} written to {written}", markup=False, highlight=False)
    for skipped in benchmark.provenance.skipped:
        results.print(f"left out: {skipped.where}: {skipped.why}", style="dim", markup=False, highlight=False)


@app.command("check")
def check(
    data: options.SeveralData,
    only: Annotated[list[str] | None, typer.Option("--only", help="Run this check only; repeat for more.")] = None,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    encoding: options.Encoding = "utf-8",
    json: options.Json = False,
) -> None:
    """Look for what could make figures on DATA wrong. Exit code 1 where an error was found.

    Finds duplicates, conflicting scores, leaks across splits, blank or identical texts, scores off the scale, bad
    encoding, and gold that can be read off row order.
    """
    from similitude.data.addresses import open_benchmark
    from similitude.inspect.checks import check as check_benchmark
    from similitude.report import findings_list

    reading = options.reading_options(format, column, scale, encoding, options.SkipOrStop.SKIP)
    report = check_benchmark(open_benchmark(options.data_paths(data), **reading), only)
    if json:
        print_json(report.record())
    else:
        results.print(findings_list(report))
    raise typer.Exit(1 if report.worst == "error" else 0)


@app.command("formats")
def formats(json: options.Json = False) -> None:
    """List the formats that can be read."""
    from similitude.data.reading import FORMATS, describe_formats
    from similitude.report import formats_table
    from similitude.report.listings import Listed

    listed = [Listed(*line) for line in describe_formats()]
    print_notes(map(str, FORMATS.listed().broken))
    if json:
        print_json([line._asdict() for line in listed])
        return
    results.print(formats_table(listed))


app.command("stats")(stats)
