"""``similitude measure``: figures for predictions that were made elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from similitude.cli import options
from similitude.cli.console import show

if TYPE_CHECKING:
    from similitude.data.benchmark import Benchmark
    from similitude.data.scale import Scale
    from similitude.systems.recorded import Recorded

__all__ = ["measure"]


def measure(
    gold: Annotated[str, Parameter(metavar="GOLD", help="The data with gold, as for 'evaluate'.")],
    predictions: Annotated[
        list[str],
        Parameter(
            metavar="PREDICTIONS...",
            help="One file per system: one number per line, or a table with id, score and perhaps sigma.",
        ),
    ],
    /,
    *,
    measure: options.Measures = None,
    range: Annotated[
        str | None,
        Parameter(metavar="LOW..HIGH", help="The range of the predictions, if it is not the gold scale: 0..1."),
    ] = None,
    split: options.Split = None,
    confidence: options.Confidence = options.ConfidenceOptions(),
    input: options.Input = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Measure predictions that were made elsewhere against GOLD.

    Example: similitude measure pairs.csv my-system.csv other-system.txt -m spearman
    """
    from similitude.data.scale import Scale
    from similitude.report import comparison_table
    from similitude.study import run

    benchmark = input.benchmark(gold)
    declared = benchmark.scale if range is None else Scale.parse(range)
    systems = [_recorded(path, benchmark, split, declared) for path in predictions]
    with output.progress(benchmark.name) as listener:
        finished = run(
            benchmark,
            systems,
            measure or [],
            split=split,
            on_error=input.on_error,
            listener=listener,
            **confidence.arguments(),
        )
    show(finished, comparison_table, json=output.json, quiet=output.quiet, notes=benchmark.provenance.notes)


def _recorded(path: str, benchmark: Benchmark, split: str | None, declared: Scale | None) -> Recorded:
    """Predictions for the split, from a file that covers the split alone or all of the data."""
    from similitude.errors import SimilitudeError
    from similitude.systems.recorded import read_recorded

    if split is None:
        return read_recorded(path, benchmark.items, range=declared)
    try:
        return read_recorded(path, benchmark.items, range=declared)
    except SimilitudeError:
        return read_recorded(path, benchmark.select(split=split).items, range=declared)
