"""``similitude evaluate``: run systems on data and measure them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, get_args

import typer

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.progress import progress_bar

__all__ = ["evaluate"]


def evaluate(
    data: options.Data,
    system: Annotated[
        list[str] | None,
        typer.Option("--system", "-s", help="A system, as in char-ngram-cosine(n=3); repeat for more."),
    ] = None,
    measure: options.Measures = None,
    split: Annotated[str | None, typer.Option("--split", help="Measure this split only.")] = None,
    calibrate: Annotated[
        str | None,
        typer.Option(
            "--calibrate",
            metavar="linear|isotonic",
            help="Fit each system's mapping to the gold scale on another split.",
        ),
    ] = None,
    calibrate_on: Annotated[str | None, typer.Option("--calibrate-on", help="The split to fit on.")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="The folder of the run; by default one under runs/ named after the data."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Compute again what the folder already holds.")] = False,
    no_cache: options.NoCache = False,
    seed: Annotated[int, typer.Option("--seed", help="Seeds the order in which systems see items.")] = 0,
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
    """Run systems on DATA, measure them against gold, and save every prediction.

    Example: similitude evaluate pairs.csv -s levenshtein -s use-multilingual -m pearson -m ndcg@10
    """
    from similitude.data.opening import open_benchmark
    from similitude.evaluate.onto_scale import Calibration
    from similitude.evaluate.significance import Method, Test
    from similitude.report import comparison_table
    from similitude.study import run, usual_folder
    from similitude.study.cache import usual_cache
    from similitude.systems import DEFAULT_SYSTEM

    reading = options.reading_options(format, column, scale, encoding, on_error)
    benchmark = open_benchmark(data, **reading)
    folder = out or usual_folder(benchmark, split)
    with progress_bar(benchmark.name, quiet=quiet) as listener:
        finished = run(
            benchmark,
            system or [DEFAULT_SYSTEM],
            measure or [],
            split=split,
            calibrate=None if calibrate is None else options.choose("calibration", calibrate, get_args(Calibration)),
            calibrate_on=calibrate_on,
            on_error=on_error.value,
            resamples=resamples,
            level=level,
            interval=options.choose("kind of interval", interval, get_args(Method)),
            test=options.choose("test", test, get_args(Test)),
            seed=seed,
            out=folder,
            fresh=fresh,
            cache=None if no_cache else usual_cache(),
            listener=listener,
        )
    if json:
        print_json(finished.record())
        return
    print_notes(benchmark.provenance.notes, quiet=quiet)
    results.print(comparison_table(finished))
    results.print(f"saved in {folder}", style="dim", markup=False, highlight=False)
