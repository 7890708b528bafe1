"""``similitude reliability``: how far annotators agree, and how many judgements are enough."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import print_warnings, show_with_page
from similitude.cli.table_file import check_table_file, write_table_file
from similitude.errors import ArgumentError
from similitude.gold.reliability.rater_plan import RaterTargets
from similitude.gold.reliability.split_half import Halving

__all__ = ["reliability"]


def reliability(
    data: options.JudgementFiles,
    /,
    *,
    which: options.Judged = options.JudgementOptions(),
    by: options.By = None,
    gold_answers: Annotated[
        Path | None, parameters.file("Correct answers to some questions: question,value in CSV.")
    ] = None,
    expert: Annotated[
        Path | None, parameters.file("An expert's verdict per item, high or low: item,verdict in CSV.")
    ] = None,
    weights: Annotated[
        Literal["identity", "linear", "quadratic", "ordinal"] | None,
        Parameter(
            group=parameters.FIGURES,
            help="How far different labels agree. They need an order; by default quadratic for numbers.",
        ),
    ] = None,
    effective_components: Annotated[
        int | Literal["bic"] | None,
        Parameter(
            group=parameters.FIGURES,
            metavar="K",
            help="Count each item's effective components in a mixture of K Gaussians (USTS).",
        ),
    ] = None,
    item_agreement: Annotated[
        Path | None,
        parameters.file("Write the agreement on each item: .csv, .jsonl or .parquet.", group=parameters.OUTPUT),
    ] = None,
    halving: Annotated[Halving, parameters.flat(parameters.FIGURES, without=["without"])] = Halving(),
    without: Annotated[
        list[str] | None,
        Parameter(
            group=parameters.FIGURES,
            metavar="ITEM,...",
            help="Items that split-half reliability does not correlate, such as placeholders; their answers count.",
        ),
    ] = None,
    seed: options.Seed = 0,
    targets: Annotated[RaterTargets, parameters.flat(parameters.TARGETS)] = RaterTargets(),
    reliability: Annotated[
        float,
        parameters.number(
            "Reliability of best-worst scores, at least.", least=0.01, most=0.999, group=parameters.TARGETS
        ),
    ] = 0.9,
    page: options.Page = None,
    intervals: options.JudgementIntervals = options.JudgementIntervalOptions(),
    input: options.Input = options.InputOptions(),
    items_input: options.ItemsInput = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Report how far judgements can be trusted, and how many raters suffice.

    Figures are agreement, split-half reliability, annotators, groups and the ceiling for systems.

    Example: similitude reliability sample:dialogues --by language,turns --page reliability.html
    """
    from similitude.gold.reliability.assessment import assess
    from similitude.report.reliability import reliability_view
    from similitude.report.reliability_page import reliability_sheet

    if item_agreement is not None:
        check_table_file(item_agreement)
    judgements = input.judgements(data, which, items_input)
    print_warnings(judgements.provenance.warnings)
    with output.progress(judgements.name) as listener:
        found = assess(
            judgements,
            by=options.columns_in(by),
            gold_answers=gold_answers,
            expert=expert,
            targets=targets,
            reliability=reliability,
            weights=weights,
            components=effective_components,
            resamples=intervals.resamples,
            halving=replace(halving, without=options.columns_in(without)),
            level=intervals.level,
            seed=seed,
            listener=listener,
        )
    if item_agreement is not None:
        if found.per_item is None:
            raise ArgumentError("there is no agreement on single items to write", remedy="leave out --item-agreement")
        write_table_file(found.per_item, item_agreement)
    show_with_page(found, reliability_view, reliability_sheet, page=page, json=output.json)
