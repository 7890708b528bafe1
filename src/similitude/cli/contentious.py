"""``similitude contentious``: rank pairs by expected disagreement, to find those that deserve more raters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import results, show
from similitude.data.plural import counted

__all__ = ["contentious"]


def contentious(
    data: options.Data,
    /,
    *,
    system: Annotated[
        str,
        Parameter(
            name=["--system", "-s"], metavar="SYSTEM", help="A system that predicts disagreement: uncertain(FOLDER)."
        ),
    ],
    out: Annotated[
        Path, Parameter(metavar="FILE.csv|FILE.jsonl", help="Write the ranked pairs, for [second_round] items.")
    ],
    top: Annotated[int | None, parameters.number("Keep the N most contentious pairs.", least=1, metavar="N")] = None,
    above: Annotated[
        float | None, parameters.number("Keep pairs whose expected sigma is larger.", least=0, metavar="SIGMA")
    ] = None,
    split: options.Split = None,
    seed: options.Seed = 0,
    cached: options.Cache = options.CacheOptions(),
    input: options.Input = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Rank pairs by how far people are expected to disagree.

    Give the contentious ones to more raters.

    Example: similitude contentious pool.csv --system 'uncertain(my-model)' --top 200 --out contentious.csv
    """
    from similitude.report.disagreement_ranking import expectation_view
    from similitude.study.disagreement_ranking import expect_disagreement, write_expectation

    benchmark = input.benchmark(data)
    with output.progress(benchmark.name) as listener:
        expected = expect_disagreement(
            benchmark.select(split=split),
            system,
            top=top,
            above=above,
            seed=seed,
            cache=cached.vectors(quiet=output.quiet),
            answers=cached.answers(quiet=output.quiet),
            listener=listener,
        )
    target = write_expectation(expected, out)
    notes = (*benchmark.provenance.notes, *expected.notes)
    show(expected, expectation_view, json=output.json, quiet=output.quiet, notes=notes)
    if not output.json:
        told = f"{counted(expected.table.height, 'pair')} written to {target}"
        results.print(told, style="dim", markup=False, highlight=False)
