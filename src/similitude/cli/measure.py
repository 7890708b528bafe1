"""``similitude measure``: figures for predictions that were made elsewhere."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, print_warnings, results

if TYPE_CHECKING:
    from similitude.data.benchmark import Benchmark
    from similitude.data.provenance import FileReading
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
    name: options.Names = None,
    measure: options.Measures = None,
    range: Annotated[
        str | None,
        Parameter(metavar="LOW..HIGH", help="The range of the predictions, if it is not the gold scale: 0..1."),
    ] = None,
    split: options.Split = None,
    calibration: options.Calibration = options.CalibrationOptions(),
    confidence: options.Confidence = options.ConfidenceOptions(),
    input: options.Input = options.InputOptions(),
    ceiling: options.Ceiling = options.CeilingOptions(),
    reading: options.PredictionsInput = options.TableOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Measure predictions that were made elsewhere against GOLD.

    Predictions come in any kind of file: text with any separator, JSON, Parquet, a workbook, a NumPy array. A table
    with the ids of GOLD is matched by id, any other by row. --predictions-column score=NAME names a column of theirs;
    with id= they are matched by row. Lines above the table say how each file was understood.

    Example: similitude measure pairs.csv my-system.csv other-system.txt -m spearman
    """
    from similitude.data.scale import Scale
    from similitude.report.comparison import comparison_table
    from similitude.study import run

    benchmark = input.benchmark(gold)
    declared = benchmark.scale if range is None else Scale.parse(range)
    systems = [_recorded(path, benchmark, split, declared, reading) for path in predictions]
    print_warnings([text for system in systems for text in _warnings(system, benchmark)])
    with output.progress(benchmark.name) as listener:
        finished = run(
            benchmark,
            systems,
            measure or [],
            names=name or (),
            split=split,
            on_error=input.on_error,
            listener=listener,
            judgements=ceiling.open(benchmark),
            **calibration.arguments(),
            **confidence.arguments(),
        )
    if output.json:
        print_json(finished.record() | {"reading": _record(benchmark, systems)})
        return
    print_notes(benchmark.provenance.notes, quiet=output.quiet)
    results.print(finished.conclusion.sentence, style="bold", markup=False, highlight=False)
    for line in [] if output.quiet else _understood(benchmark, systems):
        results.print(line, style="dim", markup=False, highlight=False, soft_wrap=True)
    results.print(comparison_table(finished, with_conclusion=False))


def _recorded(
    path: str, benchmark: Benchmark, split: str | None, declared: Scale | None, reading: options.TableOptions
) -> Recorded:
    """Predictions from a file that covers all of the data, the split alone, or only its items with gold.

    Raises:
        SimilitudeError: the file covers none of them; the message is about the split, else about all of the data.
    """
    from similitude.data.reading.predictions import open_predictions
    from similitude.errors import SimilitudeError
    from similitude.systems.recorded import recorded_system

    table = open_predictions(path, **reading.table_arguments())
    whole = benchmark if split is None else benchmark.select(split=split)
    covered = [benchmark, *([] if split is None else [whole]), whole.select(with_gold=True)]
    refusals: list[SimilitudeError] = []
    for each in covered:
        try:
            return recorded_system(table, each.items, range=declared, gold=each.gold.scores)
        except SimilitudeError as error:
            refusals.append(error)
    raise refusals[0 if split is None else 1]


def _warnings(system: Recorded, benchmark: Benchmark) -> list[str]:
    """What is likely to be wrong with predictions, as far as it shows before they are measured."""
    known = benchmark.frame.select("id", "score").with_columns(position=system.positions_of(benchmark.frame["id"]))
    known = known.drop_nulls()
    scores = system.predictions.scores[known["position"].to_numpy()]
    same = len(known) > 2 and bool((scores == known["score"].to_numpy()).all())
    copied = ["the predictions are the gold scores themselves"] if same else []
    return [f"{system.file}: {text}" for text in (*system.provenance.warnings, *copied)]


def _record(benchmark: Benchmark, systems: list[Recorded]) -> dict[str, Any]:
    return {
        "gold": [asdict(each) for each in benchmark.provenance.readings],
        "predictions": [
            {
                **asdict(each),
                "notes": list(system.provenance.notes),
                "warnings": _warnings(system, benchmark),
            }
            for system in systems
            for each in system.provenance.readings
        ],
    }


def _understood(benchmark: Benchmark, systems: list[Recorded]) -> list[str]:
    """One line for each file: what was understood of it."""
    from similitude.report.reading_lines import scale_line

    shown = scale_line(benchmark.scale)
    gold = [_line(each) for each in benchmark.provenance.readings] or [f"{benchmark.name}, {len(benchmark):,} items"]
    lines = [f"gold: {line}; scale {shown}" for line in gold]
    return lines + [f"predictions: {_line(each)}" for system in systems for each in system.provenance.readings]


def _line(reading: FileReading) -> str:
    from similitude.report.reading_lines import reading_lines

    return "; ".join(value if name == "file" else f"{name} {value}" for name, value in reading_lines(reading))
