"""``similitude evaluate``: run systems on data and measure them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.progress import progress_bar

if TYPE_CHECKING:
    from similitude.data.benchmark import Benchmark

__all__ = ["evaluate"]


def evaluate(
    data: options.Data,
    system: Annotated[
        list[str] | None,
        typer.Option("--system", "-s", help="A system, as in char-ngram-cosine(n=3); repeat for more."),
    ] = None,
    measure: options.Measures = None,
    split: Annotated[str | None, typer.Option("--split", help="Measure this split only.")] = None,
    by: options.By = None,
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
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what language models would be asked, and the cost; ask nothing.")
    ] = False,
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
    from similitude.data.addresses import open_benchmark
    from similitude.evaluate.rescaling import Calibration
    from similitude.evaluate.significance import Method, Test
    from similitude.models.cache import usual_answers, usual_cache
    from similitude.report import comparison_table
    from similitude.report.terminal import terminal_parts
    from similitude.study import default_folder, run
    from similitude.study.breakdown import breakdown, breakdown_rows, check_columns, save_breakdown
    from similitude.systems import DEFAULT_SYSTEM

    reading = options.reading_options(format, column, scale, encoding, on_error)
    benchmark = open_benchmark(data, **reading)
    check_columns(benchmark, by or ())
    if dry_run:
        _show_estimates(benchmark.select(split=split, with_gold=True), system or [], no_cache=no_cache, json=json)
        return
    folder = out or default_folder(benchmark, split)
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
            answers=None if no_cache else usual_answers(lambda text: print_notes([text], quiet=quiet)),
            listener=listener,
        )
    parts = breakdown(finished, by or ())
    save_breakdown(finished, parts)
    if json:
        told = {"by": [row for found in parts for row in breakdown_rows(finished, found)]} if by else {}
        print_json(finished.record() | told)
        return
    print_notes(benchmark.provenance.notes, quiet=quiet)
    results.print(comparison_table(finished))
    for found in parts:
        results.print(terminal_parts(finished, found))
    results.print(f"saved in {folder}", style="dim", markup=False, highlight=False)


def _show_estimates(measured: Benchmark, systems: list[str], *, no_cache: bool, json: bool) -> None:
    from similitude.cli.judge import show_estimates
    from similitude.models.cache import usual_answers
    from similitude.study.prompt_grid.estimates import estimate_systems
    from similitude.systems import make_system

    answers = None if no_cache else usual_answers()
    show_estimates(estimate_systems([make_system(name) for name in systems], measured.items, answers), json=json)
