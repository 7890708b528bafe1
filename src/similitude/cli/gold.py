"""``similitude gold``: aggregate judgements into a benchmark with a dataset card."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import print_json, print_path, print_warnings, results, write_page
from similitude.cli.table_file import check_table_file, write_table_file
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.data.judgements import Judgements
    from similitude.data.protocols import Listener
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
        Parameter(
            help="For best-worst answers counting (the default), plackett-luce or annotator-plackett-luce; for ratings "
            "gaussian (the default), mean, median, trimmed-mean, mixture or annotator-aware; for categories majority "
            "(the default) or dawid-skene."
        ),
    ] = None,
    keep_rejected: Annotated[
        bool, Parameter(help="Keep items to which the question does not apply according to most.")
    ] = False,
    adjudicated: Annotated[
        Literal["ignore", "prefer"],
        Parameter(help="Leaders' decisions: ignore them, or prefer them to people's answers. Both count them."),
    ] = "ignore",
    out: Annotated[Path | None, parameters.file("Write the benchmark: .jsonl, .parquet or .csv.")] = None,
    card: Annotated[
        Path | None, parameters.file("Write the dataset card. By default next to --out.", "FILE.md")
    ] = None,
    seed: options.Seed = 0,
    page: options.Page = None,
    intervals: options.JudgementIntervals = options.JudgementIntervalOptions(),
    input: options.Input = options.InputOptions(),
    items_input: options.ItemsInput = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Compute gold scores and their uncertainty from judgements.

    Every judgement that counts is kept. With the texts of the items (in DATA, or by --items) the result is a benchmark;
    without them, and for categories without an order, a table.

    Example: similitude gold sample:dialogues --method plackett-luce --out gold.jsonl
    """
    import numpy as np

    from similitude.data.counted_work import uncounted_work
    from similitude.gold.aggregation import aggregate_judgements, make_aggregation
    from similitude.gold.reliability.opposed_raters import opposed_raters_note
    from similitude.report.gold import gold_sheet, gold_view

    judgements = input.judgements(data, which, items_input)
    print_warnings(judgements.provenance.warnings)
    chosen = make_aggregation(method, kind=judgements.kind)
    _check_targets(judgements, out, card)
    has_figures = page is not None or (_is_benchmark(judgements) and (out is not None or card is not None))
    _check_intervals(intervals, has_figures=has_figures)
    with output.progress(judgements.name) as listener:
        uncounted_work(listener, f"fitting {chosen.name} to {len(judgements):,} answers")
        made = aggregate_judgements(
            judgements,
            chosen,
            rng=np.random.default_rng(seed),
            keep_rejected=keep_rejected,
            adjudicated=adjudicated,
        )
    against = opposed_raters_note(judgements)
    made = made if against is None else replace(made, notes=(*made.notes, against))
    figures: list[Agreement] = []
    if has_figures:
        with output.progress(judgements.name) as listener:
            figures = _figures(judgements, made, intervals, seed, listener)
    if page is not None:
        write_page(page, gold_sheet(judgements, made, figures, intervals.level))
    written = [page] if page is not None else []
    if _is_benchmark(judgements):
        written += _write_benchmark(judgements, made, figures, out, card, intervals.level)
    elif out is not None:
        written.append(_write_table(judgements, made, out))
    if output.json:
        print_json(_record(judgements, made, chosen, adjudicated, [str(path) for path in written]))
        return
    results.print(gold_view(judgements, made))
    for path in written:
        print_path(path)


def _is_benchmark(judgements: Judgements) -> bool:
    """Whether gold is a benchmark: the texts are known, and there are scores."""
    return judgements.items is not None and judgements.kind != "category"


def _check_targets(judgements: Judgements, out: Path | None, card: Path | None) -> None:
    """Refuse files that cannot be written, before any work is done.

    Raises:
        ArgumentError: a card was asked for without a benchmark, or the suffix is not known.
    """
    if _is_benchmark(judgements):
        return
    if card is not None and judgements.kind == "category":
        what, remedy = "a card describes a benchmark, and these categories have no scores", "--categories LOW,...,HIGH"
        raise ArgumentError(what, remedy=f"if they have an order, give it: {remedy}")
    if card is not None:
        raise ArgumentError("a card describes a benchmark, and the texts are not known", remedy="give --items")
    if out is not None:
        check_table_file(out)


def _check_intervals(intervals: options.JudgementIntervalOptions, *, has_figures: bool) -> None:
    """Refuse to take how intervals are drawn where none are.

    Raises:
        ArgumentError: no page and no card is written.
    """
    usual = options.JudgementIntervalOptions()
    if not has_figures and (intervals.level != usual.level or intervals.resamples not in (0, usual.resamples)):
        what = "--resamples and --level are about the intervals on a page or a card, and neither is written"
        raise ArgumentError(what, remedy="give --page, or --card with the texts of the items, or leave them out")


def _figures(
    judgements: Judgements,
    made: Aggregated,
    intervals: options.JudgementIntervalOptions,
    seed: int,
    listener: Listener,
) -> list[Agreement]:
    """Agreement on the judgements that gold is made of; whether items apply is judged on all of them."""
    from similitude.gold.aggregation.benchmark import scored_judgements
    from similitude.gold.reliability.agreement_figures import agreement_figures
    from similitude.gold.reliability.applies_figures import applies_figures
    from similitude.gold.reliability.bootstrap import Resampling

    drawn = Resampling(resamples=intervals.resamples, level=intervals.level, seed=seed)
    kept = scored_judgements(judgements, made)
    figures = agreement_figures(kept, resampling=drawn, listener=listener)
    if kept is judgements:
        return figures
    of_applies = {figure.name: figure for figure in applies_figures(judgements, drawn)}
    return [of_applies.get(figure.name, figure) for figure in figures]


def _write_benchmark(
    judgements: Judgements,
    made: Aggregated,
    figures: list[Agreement],
    out: Path | None,
    card: Path | None,
    level: float,
) -> list[Path]:
    """Write the benchmark and its card, where they are asked for, and return their paths."""
    from similitude.data.writing.atomic import write_atomically
    from similitude.data.writing.benchmark import write
    from similitude.gold.aggregation.benchmark import benchmark_of
    from similitude.report.dataset_card import dataset_card

    target = card or (out.with_suffix(".card.md") if out is not None else None)
    if target is None:
        return []
    benchmark = benchmark_of(judgements, made)
    written = [] if out is None else [write(benchmark, out)]
    command = shlex.join(["similitude", *sys.argv[1:]])
    text = dataset_card(benchmark, judgements, figures, level=level, command=command)
    write_atomically(target, lambda draft: draft.write_text(text, encoding="utf-8"))
    return [*written, target]


def _write_table(judgements: Judgements, made: Aggregated, out: Path) -> Path:
    """Write a table of scores or labels, with the texts of the items where they are known."""
    frame = made.frame
    if judgements.items is not None:
        texts = judgements.items.select("id", "left", "right", "condition")
        known = [name for name in texts.columns if texts[name].null_count() < texts.height]
        frame = frame.join(texts.select(known), on="id", how="left", maintain_order="left")
    return write_table_file(frame, out)


def _record(
    judgements: Judgements, made: Aggregated, chosen: Aggregation, adjudicated: str, written: list[str]
) -> dict[str, Any]:
    from similitude.gold.reliability.assessment import reading_record, rows_of

    return {
        "method": str(chosen),
        "how": made.how,
        "scale": None if made.scale is None else str(made.scale),
        "categories": list(made.categories) or None,
        "notes": list(made.notes),
        "items": rows_of(made.frame),
        "annotators": rows_of(made.annotators),
        "rejected": rows_of(made.rejected),
        "decisions": {
            "adjudicated": adjudicated,
            "found": 0 if judgements.adjudicated is None else judgements.adjudicated.height,
            "settled": _settled(judgements, made),
        },
        "superseded": 0 if judgements.superseded is None else judgements.superseded.height,
        "reading": reading_record(judgements.provenance),
        "written": written,
    }


def _settled(judgements: Judgements, made: Aggregated) -> int:
    """How many questions leaders' decisions settle: decided scores are marked, and of tuples all are settled."""
    if judgements.adjudicated is None or "adjudicated" not in made.frame.columns:
        return 0
    return judgements.adjudicated.height if judgements.kind == "best-worst" else int(made.frame["adjudicated"].sum())
