"""``similitude evaluate``: run systems on one benchmark or several, and measure them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from similitude.cli import options, parameters
from similitude.cli.console import print_json, print_notes, print_warnings, results
from similitude.cli.engine_options import EngineOptions, Engines
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.data.benchmark import Benchmark
    from similitude.study.suite import Suite

__all__ = ["evaluate"]

SUITE_MARKS = ("suite:", ".toml")


def evaluate(
    data: Annotated[
        list[str],
        parameters.data(
            "A file or folder of text pairs, -, hf:NAME, sample:NAME; several of them; SUITE.toml or suite:NAME."
        ),
    ],
    /,
    *,
    system: Annotated[
        list[str] | None,
        parameters.systems("A system, as in char-ngram-cosine(n=3) or my_file.py:MySystem; repeatable."),
    ] = None,
    name: options.Names = None,
    measure: options.Measures = None,
    by: options.By = None,
    calibration: options.Calibration = options.CalibrationOptions(),
    run: options.Run = options.RunOptions(),
    dry_run: options.DryRun = False,
    suite: options.Suite = options.SuiteOptions(),
    engines: Engines = EngineOptions(),
    confidence: options.Confidence = options.ConfidenceOptions(),
    input: options.Input = options.InputOptions(),
    ceiling: options.Ceiling = options.CeilingOptions(),
    output: options.Output = options.OutputOptions(),
) -> int:
    """Run systems on DATA, measure them against gold, and save every prediction.

    Several DATA, or a suite, are measured one by one and averaged; the folder keeps what it holds of earlier calls. The
    exit code is 1 if a system failed on one of them.

    Example: similitude evaluate sample:opinions -s levenshtein -s tfidf-cosine -m pearson -m ndcg@10
    """
    columns = options.columns_in(by)
    how = {"names": name or (), **calibration.arguments(), "on_error": input.on_error}
    if _is_suite(data, run):
        _refuse_judgements(ceiling)
        from similitude.study.breakdown import check_columns

        opened = suite.open(data, input, run.split)
        benchmarks = [entry.measured for entry in opened.entries]
        if dry_run:
            _show_estimates(benchmarks, system or [], run, json=output.json)
            return 0
        check_columns(benchmarks, columns)
        return _evaluate_suite(opened, system, measure, columns, how, run, suite, engines, confidence, output)
    suite.refuse()
    benchmark = input.benchmark(data[0])
    if dry_run:
        _show_estimates([benchmark.select(split=run.split, with_gold=True)], system or [], run, json=output.json)
        return 0
    _evaluate_one(benchmark, system, measure, columns, how, run, engines, confidence, ceiling, output)
    return 0


def _evaluate_one(
    benchmark: Benchmark,
    system: Sequence[str] | None,
    measure: Sequence[str] | None,
    columns: Sequence[str],
    how: dict[str, Any],
    run: options.RunOptions,
    engines: EngineOptions,
    confidence: options.ConfidenceOptions,
    ceiling: options.CeilingOptions,
    output: options.OutputOptions,
) -> None:
    from similitude.report.comparison import comparison_table
    from similitude.report.terminal import terminal_parts
    from similitude.study import run as run_systems
    from similitude.study.breakdown import breakdown, breakdown_rows, check_columns, save_breakdown
    from similitude.systems import DEFAULT_SYSTEM

    check_columns([benchmark], columns)
    with engines.open(threads=None) as engine, output.progress(benchmark.name) as listener:
        finished = run_systems(
            benchmark,
            system or [DEFAULT_SYSTEM],
            measure or [],
            listener=listener,
            engine=engine,
            judgements=ceiling.open(benchmark),
            **how,
            **confidence.arguments(),
            **run.arguments(benchmark, quiet=output.quiet),
        )
    parts = breakdown(finished, columns)
    save_breakdown(finished, parts)
    if output.json:
        told = {"by": [row for found in parts for row in breakdown_rows(finished, found)]} if columns else {}
        print_json(finished.record() | told)
        return
    print_notes(benchmark.provenance.notes, quiet=output.quiet)
    results.print(comparison_table(finished))
    for found in parts:
        results.print(terminal_parts(finished, found))
    results.print(f"saved in {run.folder_for(benchmark)}", style="dim", markup=False, highlight=False)


def _evaluate_suite(
    opened: Suite,
    system: Sequence[str] | None,
    measure: Sequence[str] | None,
    columns: Sequence[str],
    how: dict[str, Any],
    run: options.RunOptions,
    suite: options.SuiteOptions,
    engines: EngineOptions,
    confidence: options.ConfidenceOptions,
    output: options.OutputOptions,
) -> int:
    from similitude.report.suite import suite_view
    from similitude.study.breakdown import breakdown_rows
    from similitude.study.suite import default_suite_folder, run_suite
    from similitude.systems import DEFAULT_SYSTEM

    folder = run.folder or default_suite_folder(opened)
    kept = run.arguments(opened.entries[0].benchmark, quiet=output.quiet) | {"out": folder}
    del kept["split"]
    with engines.open(threads=None) as engine, output.progress(opened.name or "suite") as listener:
        finished = run_suite(
            opened,
            system or [DEFAULT_SYSTEM],
            measure or (),
            join=not suite.no_join,
            listener=listener,
            engine=engine,
            **how,
            **confidence.arguments(),
            **kept,
        )
    failed = any(each.failures for each in finished.benchmarks)
    if output.json:
        told = [row for name in columns for each, found in finished.sources(name) if each.run is not None
                for row in breakdown_rows(each.run, found)]  # fmt: skip
        print_json(finished.record() | ({"by": told} if columns else {}))
        return int(failed)
    for entry in opened.entries:
        print_warnings(f"{entry.name}: {warning}" for warning in entry.benchmark.provenance.warnings)
        print_notes((f"{entry.name}: {note}" for note in entry.benchmark.provenance.notes), quiet=output.quiet)
    results.print(suite_view(finished, columns))
    results.print(f"saved in {folder}", style="dim", markup=False, highlight=False)
    return int(failed)


def _is_suite(data: Sequence[str], run: options.RunOptions) -> bool:
    """Whether several benchmarks are named, or a suite, or one benchmark that joins a suite in the folder."""
    names = [name for name in data if name.startswith(SUITE_MARKS[0]) or name.endswith(SUITE_MARKS[1])]
    if names and len(data) > 1:
        what = f"'{names[0]}' is a suite, and stands beside other data"
        raise ArgumentError(what, remedy="name one suite alone, or data without suites; a suite can list all of them")
    return len(data) > 1 or bool(names) or (run.folder is not None and (run.folder / "suite.json").is_file())


def _refuse_judgements(ceiling: options.CeilingOptions) -> None:
    if ceiling != options.CeilingOptions():
        raise ArgumentError(
            "--judgements belong to one benchmark, not to several",
            remedy="evaluate this benchmark alone, or keep the judgements in its file",
        )


def _show_estimates(
    measured: Sequence[Benchmark], systems: Sequence[str], cached: options.CacheOptions, *, json: bool
) -> None:
    from similitude.cli.prompt import show_estimates
    from similitude.study.prompt_grid.estimates import estimate_systems
    from similitude.systems import make_system

    made, answers = [make_system(name) for name in systems], cached.answers()
    found = [
        estimate._replace(name=f"{estimate.name} on {each.name}") if len(measured) > 1 else estimate
        for each in measured
        for estimate in estimate_systems(made, each.items, answers)
    ]
    show_estimates(found, json=json)
