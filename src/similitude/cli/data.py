"""``similitude data ...``: show, check and convert benchmarks; list formats, recipes and suites."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.catalogue.declared import declared
from similitude.cli.catalogue.listed_names import listed
from similitude.cli.console import print_json, print_notes, results

__all__ = ["check", "convert", "formats", "recipes", "show", "suites"]


def show(
    data: options.SeveralData,
    /,
    *,
    rows: Annotated[int, parameters.number("How many rows to show.", least=0)] = 3,
    noun: Annotated[
        Literal["benchmark", "judgements"] | None,
        Parameter(name="--as", help="Read DATA as a benchmark or as judgements. By default as what it looks like."),
    ] = None,
    which: options.Judged = options.JudgementOptions(),
    input: options.Input = options.InputOptions(),
    json: options.Json = False,
) -> None:
    """Show what was understood of DATA: columns, rows, missing codes, scale, people; and the first rows.

    Example: similitude data show sample:conditions --rows 5
    """
    from similitude.data.reading.spool import local_files
    from similitude.report.description import benchmark_description, judgements_description
    from similitude.study.record import BenchmarkRecord, judgements_record

    with local_files(data) as local:
        files = list(map(str, local))
        if noun == "judgements" or (noun is None and _holds_judgements(files[0], input)):
            judgements = input.judgements(files, which)
            print_json(judgements_record(judgements)) if json else results.print(
                judgements_description(judgements, rows)
            )
            return
        benchmark = input.benchmark(files)
        print_json(asdict(BenchmarkRecord.of(benchmark, None))) if json else results.print(
            benchmark_description(benchmark, rows)
        )


def _holds_judgements(file: str, input: options.InputOptions) -> bool:
    """Whether a file looks like judgements and not like a benchmark."""
    from similitude.data.addresses import SAMPLE_PREFIX
    from similitude.data.reading.judgements.recognition import looks_like_judgements

    return not file.startswith(SAMPLE_PREFIX) and looks_like_judgements(input.source(file), input.format)


def convert(
    data: options.SeveralData,
    /,
    *,
    out: Annotated[Path, Parameter(metavar="FILE|DIR", help="Where to write: .jsonl, .parquet, .csv, or a folder.")],
    out_format: Annotated[
        Literal["jsonl", "parquet", "csv", "huggingface"] | None,
        Parameter(help="The format to write, if the suffix does not say it."),
    ] = None,
    input: options.Input = options.InputOptions(),
) -> None:
    """Write DATA in another format, with scale, licence, raw ratings and judgements.

    Example: similitude data convert sample:opinions --out opinions.jsonl
    """
    from similitude.data.writing.benchmark import write

    benchmark = input.benchmark(data)
    written = write(benchmark, out, format=out_format)
    results.print(f"{benchmark!r} written to {written}", markup=False, highlight=False, emoji=False)
    for skipped in benchmark.provenance.skipped:
        results.print(f"left out: {skipped.where}: {skipped.why}", style="dim", markup=False, highlight=False)


def check(
    data: options.SeveralData,
    /,
    *,
    only: Annotated[list[str] | None, Parameter(metavar="CHECK", help="Run this check only; repeatable.")] = None,
    input: Annotated[
        options.InputOptions, parameters.flat(parameters.INPUT, without=["on_error"])
    ] = options.InputOptions(),
    json: options.Json = False,
) -> int:
    """Look for problems that could distort figures on DATA. The exit code is 1 if there is an error.

    Finds duplicates, conflicting scores, leaks across splits, blank or identical texts, scores off the scale, bad
    encoding, and gold that can be read off the row order.

    Example: similitude data check sample:dialogues
    """
    from similitude.cli.progress import progress_bar
    from similitude.inspect.checks import check as check_benchmark
    from similitude.report.description import findings_list

    benchmark = replace(input, on_error="skip").benchmark(data)
    with progress_bar(benchmark.name) as listener:
        report = check_benchmark(benchmark, only, listener=listener)
    if json:
        print_json(report.record())
    else:
        results.print(findings_list(report))
    return 1 if report.worst == "error" else 0


def formats(*, json: options.Json = False) -> None:
    """List the formats that can be read.

    Example: similitude data formats --json
    """
    from similitude.report.listings import formats_table

    found = listed("formats")
    print_notes(found.broken)
    if json:
        print_json(found.records)
        return
    results.print(formats_table(found.records))


def recipes(
    name: Annotated[
        str | None, Parameter(metavar="RECIPE", help="Print the TOML of this recipe, to copy and adapt.")
    ] = None,
    /,
    *,
    json: options.Json = False,
) -> None:
    """List the recipes for layouts of others, or print one of them.

    Example: similitude data recipes semrel2024
    """
    if name is None and not json:
        from similitude.report.listings import recipes_table

        results.print(recipes_table(declared("recipes")))
        return
    from similitude.data.reading.recipes import recipe_text, shipped_recipes

    if name is not None:
        results.print(recipe_text(name), markup=False, highlight=False, soft_wrap=True, end="")
        return
    print_json([recipe.model_dump(mode="json", exclude_defaults=True) for recipe in shipped_recipes()])


def suites(
    name: Annotated[
        str | None, Parameter(metavar="SUITE", help="Print the TOML of this suite, to copy and adapt.")
    ] = None,
    /,
    *,
    json: options.Json = False,
) -> None:
    """List the suites of benchmarks for 'evaluate suite:NAME', or print one of them.

    Example: similitude data suites german
    """
    if name is None and not json:
        from similitude.report.listings import suites_table

        results.print(suites_table(declared("suites")))
        return
    from similitude.study.suite import shipped_suites, suite_text

    if name is not None:
        results.print(suite_text(name), markup=False, highlight=False, soft_wrap=True, end="")
        return
    print_json([plan.model_dump(mode="json", exclude_defaults=True) for plan in shipped_suites().values()])
