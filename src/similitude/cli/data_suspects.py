"""``similitude data suspects``: which labels are probably wrong, and how probably."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import print_path, results, show, write_page

__all__ = ["suspects"]


def suspects(
    data: options.Data,
    /,
    *,
    system: Annotated[
        list[str] | None,
        Parameter(
            name=["--system", "-s"],
            metavar="SYSTEM",
            help="Forecast labels by the scores of this system; repeatable. By default by built-in features.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        Parameter(metavar="FOLDER|NAME", help="Train this model on the other folds and forecast labels by its scores."),
    ] = None,
    epochs: Annotated[
        int | None, parameters.number("Epochs of each such training. By default 3.", least=1, metavar="N")
    ] = None,
    folds: Annotated[int, parameters.number("Forecasts are fitted on the other folds.", least=2, metavar="N")] = 5,
    probability: Annotated[
        float | None, Parameter(metavar="P", help="Suspects are wrong with at least this probability. By default 0.5.")
    ] = None,
    top: Annotated[int | None, parameters.number("Take the N most probable suspects.", least=1, metavar="N")] = None,
    out: Annotated[
        Path | None,
        Parameter(
            group=parameters.OUTPUT,
            metavar="FILE",
            help="Write every label with its probability, for 'train --suspects': .csv, .jsonl or .parquet.",
        ),
    ] = None,
    ask: Annotated[
        Path | None,
        Parameter(
            group=parameters.OUTPUT,
            metavar="FILE.csv|FILE.jsonl",
            help="Write the suspects as items without labels, to ask people again.",
        ),
    ] = None,
    page: options.Page = None,
    split: options.Split = None,
    seed: options.Seed = 0,
    device: options.Device = None,
    cached: options.Cache = options.CacheOptions(),
    input: options.Input = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Find the labels of DATA that are probably wrong, with the probability that each one is.

    A label is compared with forecasts that never saw it, with the label of the same pair elsewhere or under another
    condition, and with the spread of its ratings.

    Example: similitude data suspects csts.csv --model all-MiniLM-L6-v2 --out suspects.csv --ask ask.csv
    """
    from similitude.report.suspects import next_steps, suspects_view
    from similitude.report.suspects_page import suspects_sheet
    from similitude.study.suspects import find_suspects, write_questions, write_suspects
    from similitude.study.suspects.suspect_files import ASK_SUFFIXES, SUFFIXES, check_suffix

    for path, suffixes in ((out, SUFFIXES), (ask, ASK_SUFFIXES)):
        if path is not None:
            check_suffix(path, suffixes)
    benchmark = input.benchmark(data)
    with output.progress(benchmark.name) as listener:
        found = find_suspects(
            benchmark,
            system or (),
            model=model,
            epochs=epochs,
            folds=folds,
            probability=probability,
            top=top,
            split=split,
            seed=seed,
            device=device,
            cache=cached.vectors(quiet=output.quiet),
            answers=cached.answers(quiet=output.quiet),
            listener=listener,
        )
    written = [] if out is None else [write_suspects(found, out)]
    if page is not None:
        write_page(page, suspects_sheet(found))
        written.append(page)
    show(found, suspects_view, json=output.json, quiet=output.quiet, notes=(*benchmark.provenance.notes, *found.notes))
    _print_paths(written, output)
    if ask is not None:  # last: if nothing is to be asked, all else has been told and written
        _print_paths([write_questions(found, benchmark, ask)], output)
    if not output.json:
        for step in next_steps(data, out, ask):
            results.print(step, style="dim", markup=False, highlight=False, soft_wrap=True)


def _print_paths(paths: Sequence[Path], output: options.OutputOptions) -> None:
    for path in () if output.json else paths:
        print_path(path)
