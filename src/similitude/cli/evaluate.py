"""``similitude evaluate``: run systems on data and measure them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from similitude.cli import options, parameters
from similitude.cli.console import print_json, print_notes, results

if TYPE_CHECKING:
    from similitude.data.benchmark import Benchmark

__all__ = ["evaluate"]


def evaluate(
    data: options.Data,
    /,
    *,
    system: Annotated[
        list[str] | None,
        parameters.systems("A system, as in char-ngram-cosine(n=3) or my_file.py:MySystem; repeatable."),
    ] = None,
    measure: options.Measures = None,
    by: options.By = None,
    calibration: options.Calibration = options.CalibrationOptions(),
    run: options.Run = options.RunOptions(),
    dry_run: options.DryRun = False,
    confidence: options.Confidence = options.ConfidenceOptions(),
    input: options.Input = options.InputOptions(),
    ceiling: options.Ceiling = options.CeilingOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Run systems on DATA, measure them against gold, and save every prediction.

    Example: similitude evaluate sample:opinions -s levenshtein -s tfidf-cosine -m pearson -m ndcg@10
    """
    from similitude.report import comparison_table
    from similitude.report.terminal import terminal_parts
    from similitude.study import run as run_systems
    from similitude.study.breakdown import breakdown, breakdown_rows, check_columns, save_breakdown
    from similitude.systems import DEFAULT_SYSTEM

    columns, benchmark = options.columns_in(by), input.benchmark(data)
    check_columns(benchmark, columns)
    if dry_run:
        _show_estimates(benchmark.select(split=run.split, with_gold=True), system or [], run, json=output.json)
        return
    with output.progress(benchmark.name) as listener:
        finished = run_systems(
            benchmark,
            system or [DEFAULT_SYSTEM],
            measure or [],
            on_error=input.on_error,
            listener=listener,
            judgements=ceiling.open(benchmark),
            **calibration.arguments(),
            **confidence.arguments(),
            **run.arguments(benchmark, quiet=output.quiet),
        )
    parts = breakdown(finished, columns)
    save_breakdown(finished, parts)
    if output.json:
        told = {"by": [row for found in parts for row in breakdown_rows(finished, found)]} if by else {}
        print_json(finished.record() | told)
        return
    print_notes(benchmark.provenance.notes, quiet=output.quiet)
    results.print(comparison_table(finished))
    for found in parts:
        results.print(terminal_parts(finished, found))
    results.print(f"saved in {run.folder_for(benchmark)}", style="dim", markup=False, highlight=False)


def _show_estimates(measured: Benchmark, systems: Sequence[str], cached: options.CacheOptions, *, json: bool) -> None:
    from similitude.cli.prompt import show_estimates
    from similitude.study.prompt_grid.estimates import estimate_systems
    from similitude.systems import make_system

    made = [make_system(name) for name in systems]
    show_estimates(estimate_systems(made, measured.items, cached.answers()), json=json)
