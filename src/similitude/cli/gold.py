"""``similitude gold``: from judgements to a benchmark, with a card that says how it was made."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from similitude.cli import options
from similitude.cli.console import print_json, results
from similitude.cli.judgements import deliver_page, opened
from similitude.cli.progress import progress_bar
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.data.judgements import Judgements
    from similitude.gold.aggregation import Aggregated, Aggregation
    from similitude.gold.reliability.agreement import Agreement

__all__ = ["gold"]


def gold(
    data: options.JudgementFiles,
    items: options.ItemsOption = None,
    kind: options.KindOption = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            "-m",
            help="counting, plackett-luce; mean, median, trimmed-mean, gaussian, mixture, annotator-aware.",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the benchmark: .jsonl, .parquet or .csv.")
    ] = None,
    card: Annotated[
        Path | None, typer.Option("--card", metavar="FILE.md", help="Write the dataset card; beside --out otherwise.")
    ] = None,
    page: options.Page = None,
    resamples: Annotated[int, typer.Option("--resamples", min=0, help="For the intervals on the card.")] = 1000,
    level: options.Level = 0.95,
    seed: Annotated[int, typer.Option("--seed", help="Seeds methods that draw, and resampling.")] = 0,
    quiet: options.Quiet = False,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    encoding: options.Encoding = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Make gold from judgements: one score an item, how sure it is, every judgement kept.

    With the texts of the items (in DATA, or by --items) the result is a benchmark; without them, a table of scores.

    Example: similitude gold answers.csv --items pairs.csv --method plackett-luce --out gold.jsonl
    """
    import numpy as np

    from similitude.gold.aggregation import make_aggregation
    from similitude.gold.reliability import agreement_figures
    from similitude.report.gold import gold_sheet, gold_view

    judgements = opened(data, items, kind, options.reading_options(format, column, scale, encoding, on_error))
    chosen = make_aggregation(method, kind=judgements.kind)
    made = chosen.aggregate(judgements, np.random.default_rng(seed))
    figures: list[Agreement] = []
    if page is not None or card is not None or (out is not None and judgements.items is not None):
        with progress_bar(judgements.name, quiet=quiet) as listener:
            figures = agreement_figures(
                judgements, resamples=resamples, level=level, rng=np.random.default_rng(seed), listener=listener
            )
    if page is not None:
        deliver_page(page, gold_sheet(judgements, made, figures, level))
    written = [page] if page is not None else []
    if out is not None or card is not None:
        if judgements.items is None:
            written += _write_scores(made, out, card)
        else:
            written += _write_benchmark(judgements, made, figures, out, card, level)
    if json:
        print_json(_record(made, chosen, [str(path) for path in written]))
        return
    results.print(gold_view(judgements, made))
    for path in written:
        results.print(str(path), markup=False, highlight=False, soft_wrap=True)


def _write_benchmark(
    judgements: Judgements,
    made: Aggregated,
    figures: list[Agreement],
    out: Path | None,
    card: Path | None,
    level: float,
) -> list[Path]:
    """The benchmark and its card; the paths written."""
    from similitude.data.writing.benchmark import write, write_atomically
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
    """A table of scores, where nobody knows the texts.

    Raises:
        ArgumentError: a card was asked for, or the suffix is not known.
    """
    from similitude.data.writing.benchmark import write_atomically

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
