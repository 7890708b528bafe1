"""``similitude gold``: aggregate judgements into a benchmark with a dataset card."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import print_json, print_path, results, write_page
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.data.judgements import Judgements
    from similitude.gold.aggregation import Aggregated, Aggregation
    from similitude.gold.reliability.agreement import Agreement

__all__ = ["gold"]


def gold(
    data: options.JudgementFiles,
    /,
    *,
    which: options.Judged = options.JudgementOptions(),
    method: Annotated[
        str | None,
        Parameter(help="counting, plackett-luce; mean, median, trimmed-mean, gaussian, mixture, annotator-aware."),
    ] = None,
    out: Annotated[Path | None, parameters.file("Write the benchmark: .jsonl, .parquet or .csv.")] = None,
    card: Annotated[
        Path | None, parameters.file("Write the dataset card. By default next to --out.", "FILE.md")
    ] = None,
    seed: options.Seed = 0,
    page: options.Page = None,
    intervals: options.JudgementIntervals = options.JudgementIntervalOptions(),
    input: options.Input = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Compute gold scores and their uncertainty from judgements.

    Every judgement is kept. With the texts of the items (in DATA, or by --items) the result is a benchmark; without
    them, a table of scores.

    Example: similitude gold sample:dialogues --method plackett-luce --out gold.jsonl
    """
    import numpy as np

    from similitude.gold.aggregation import make_aggregation
    from similitude.gold.reliability import Resampling, agreement_figures
    from similitude.report.gold import gold_sheet, gold_view

    judgements, level = input.judgements(data, which), intervals.level
    chosen = make_aggregation(method, kind=judgements.kind)
    made = chosen.aggregate(judgements, np.random.default_rng(seed))
    figures: list[Agreement] = []
    if page is not None or card is not None or (out is not None and judgements.items is not None):
        with output.progress(judgements.name) as listener:
            figures = agreement_figures(
                judgements,
                resampling=Resampling(resamples=intervals.resamples, level=level, rng=np.random.default_rng(seed)),
                listener=listener,
            )
    if page is not None:
        write_page(page, gold_sheet(judgements, made, figures, level))
    written = [page] if page is not None else []
    if out is not None or card is not None:
        if judgements.items is None:
            written += _write_scores(made, out, card)
        else:
            written += _write_benchmark(judgements, made, figures, out, card, level)
    if output.json:
        print_json(_record(made, chosen, [str(path) for path in written]))
        return
    results.print(gold_view(judgements, made))
    for path in written:
        print_path(path)


def _write_benchmark(
    judgements: Judgements,
    made: Aggregated,
    figures: list[Agreement],
    out: Path | None,
    card: Path | None,
    level: float,
) -> list[Path]:
    """Write the benchmark and its card, and return their paths."""
    from similitude.data.writing.atomic import write_atomically
    from similitude.data.writing.benchmark import write
    from similitude.gold.aggregation.benchmark import benchmark_of
    from similitude.report.dataset_card import dataset_card

    benchmark = benchmark_of(judgements, made)
    written = [] if out is None else [write(benchmark, out)]
    target = card or (out.with_suffix(".card.md") if out is not None else None)
    if target is not None:
        command = shlex.join(["similitude", *sys.argv[1:]])
        text = dataset_card(benchmark, judgements, figures, level=level, command=command)
        write_atomically(target, lambda draft: draft.write_text(text, encoding="utf-8"))
        written.append(target)
    return written


def _write_scores(made: Aggregated, out: Path | None, card: Path | None) -> list[Path]:
    """Write a table of scores for items whose texts are unknown.

    Raises:
        ArgumentError: a card was asked for, or the suffix is not known.
    """
    from similitude.data.writing.atomic import write_atomically

    if card is not None or out is None:
        raise ArgumentError("a card describes a benchmark, and the texts are not known", remedy="give --items")
    flat = made.frame.select(name for name, dtype in made.frame.schema.items() if not dtype.is_nested())
    savers: dict[str, Callable[[Path], Any]] = {
        ".csv": flat.write_csv,
        ".jsonl": made.frame.write_ndjson,
        ".parquet": made.frame.write_parquet,
    }
    if out.suffix.lower() not in savers:
        raise ArgumentError(f"cannot write '{out.name}'", remedy=f"end it in {', '.join(savers)}")
    write_atomically(out, savers[out.suffix.lower()])
    return [out]


def _record(made: Aggregated, chosen: Aggregation, written: list[str]) -> dict[str, Any]:
    from similitude.gold.reliability.assessment import rows_of

    return {
        "method": str(chosen),
        "how": made.how,
        "scale": str(made.scale),
        "notes": list(made.notes),
        "items": rows_of(made.frame),
        "annotators": rows_of(made.annotators),
        "written": written,
    }
