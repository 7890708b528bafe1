"""``similitude measure``: figures for predictions that were made elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, get_args

import typer

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.progress import progress_bar

if TYPE_CHECKING:
    from similitude.data.benchmark import Benchmark
    from similitude.data.scale import Scale
    from similitude.systems.recorded import Recorded

__all__ = ["measure"]


def measure(
    gold: Annotated[str, typer.Argument(metavar="GOLD", help="The data with gold, as for 'evaluate'.")],
    predictions: Annotated[
        list[str],
        typer.Argument(
            metavar="PREDICTIONS...",
            help="A file a system: one number a line, or a table with id and score (and sigma).",
        ),
    ],
    measure: options.Measures = None,
    range: Annotated[
        str | None,
        typer.Option(
            "--range", metavar="LOW..HIGH", help="The range of the predictions, if it is not the gold scale: 0..1."
        ),
    ] = None,
    split: Annotated[str | None, typer.Option("--split", help="Measure this split only.")] = None,
    resamples: options.Resamples = None,
    level: options.Level = 0.95,
    interval: options.IntervalMethod = "bca",
    test: options.PairedTest = "bootstrap",
    quiet: options.Quiet = False,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    encoding: options.Encoding = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Measure predictions that were made elsewhere against GOLD."""
    from similitude.data.addresses import open_benchmark
    from similitude.data.scale import Scale
    from similitude.evaluate.significance import Method, Test
    from similitude.report import comparison_table
    from similitude.study import run

    reading = options.reading_options(format, column, scale, encoding, on_error)
    benchmark = open_benchmark(gold, **reading)
    declared = benchmark.scale if range is None else Scale.parse(range)
    systems = [_recorded(path, benchmark, split, declared) for path in predictions]
    with progress_bar(benchmark.name, quiet=quiet) as listener:
        finished = run(
            benchmark,
            systems,
            measure or [],
            split=split,
            on_error=on_error.value,
            resamples=resamples,
            level=level,
            interval=options.choose("kind of interval", interval, get_args(Method)),
            test=options.choose("test", test, get_args(Test)),
            listener=listener,
        )
    if json:
        print_json(finished.record())
        return
    print_notes(benchmark.provenance.notes, quiet=quiet)
    results.print(comparison_table(finished))


def _recorded(path: str, benchmark: Benchmark, split: str | None, declared: Scale | None) -> Recorded:
    """What a file predicts for the split, whether it was made for the split alone or for the whole of the data."""
    from similitude.errors import SimilitudeError
    from similitude.systems.recorded import read_recorded

    if split is None:
        return read_recorded(path, benchmark.items, range=declared)
    try:
        return read_recorded(path, benchmark.items, range=declared)
    except SimilitudeError:
        return read_recorded(path, benchmark.select(split=split).items, range=declared)
