"""``similitude contentious``: which pairs are worth asking more people about."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.progress import progress_bar

__all__ = ["contentious"]


def contentious(
    data: options.Data,
    system: Annotated[
        str, typer.Option("--system", "-s", help="A system that says how far people would differ: uncertain(FOLDER).")
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE.csv|FILE.jsonl", help="The ranked pairs, for [second_round] items.")
    ],
    top: Annotated[int | None, typer.Option("--top", min=1, help="Keep so many of the most contentious.")] = None,
    above: Annotated[
        float | None, typer.Option("--above", min=0, metavar="SIGMA", help="Keep those with a larger expected sigma.")
    ] = None,
    split: Annotated[str | None, typer.Option("--split", help="Rank this split only.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seeds the order in which the system sees items.")] = 0,
    no_cache: options.NoCache = False,
    quiet: options.Quiet = False,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    encoding: options.Encoding = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Rank pairs by how far people are expected to differ over them, so that the contentious ones get more raters.

    Example: similitude contentious pool.csv --system 'uncertain(my-model)' --top 200 --out contentious.csv
    """
    from similitude.data.addresses import open_benchmark
    from similitude.models.cache import usual_answers, usual_cache
    from similitude.report.disagreement_ranking import expectation_view
    from similitude.study.disagreement_ranking import expect_disagreement, write_expectation

    benchmark = open_benchmark(data, **options.reading_options(format, column, scale, encoding, on_error))
    with progress_bar(benchmark.name, quiet=quiet) as listener:
        expected = expect_disagreement(
            benchmark.select(split=split),
            system,
            top=top,
            above=above,
            seed=seed,
            cache=None if no_cache else usual_cache(),
            answers=None if no_cache else usual_answers(lambda text: print_notes([text], quiet=quiet)),
            listener=listener,
        )
    target = write_expectation(expected, out)
    if json:
        print_json(expected.record())
        return
    print_notes((*benchmark.provenance.notes, *expected.notes), quiet=quiet)
    results.print(expectation_view(expected))
    results.print(f"{expected.table.height:,} pairs written to {target}", style="dim", markup=False, highlight=False)
