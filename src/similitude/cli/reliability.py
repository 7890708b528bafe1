"""``similitude reliability``: would other people have said the same, and how many are enough."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from similitude.cli import options
from similitude.cli.console import print_json, results
from similitude.cli.judgements import deliver_page, gold_answers_from, opened, verdicts_from
from similitude.cli.progress import progress_bar

__all__ = ["reliability"]


def reliability(
    data: options.JudgementFiles,
    items: options.ItemsOption = None,
    kind: options.KindOption = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by", metavar="COLUMNS", help="Agreement by source, domain, language, turns, ...: source,turns."
        ),
    ] = None,
    gold_answers: Annotated[
        Path | None,
        typer.Option("--gold-answers", metavar="FILE", help="Right answers to some questions: question,value in CSV."),
    ] = None,
    expert: Annotated[
        Path | None,
        typer.Option("--expert", metavar="FILE", help="An expert's high or low by item: item,verdict in CSV."),
    ] = None,
    mean_error: Annotated[
        float | None,
        typer.Option("--mean-error", help="Planned: standard error of a mean, as a fraction of the scale."),
    ] = None,
    sigma_error: Annotated[
        float | None, typer.Option("--sigma-error", help="Planned: error of a standard deviation, same unit.")
    ] = None,
    correlation: Annotated[
        float | None, typer.Option("--correlation", help="Planned: correlation of the means with the truth.")
    ] = None,
    target: Annotated[
        float, typer.Option("--reliability", min=0.01, max=0.999, help="Planned: reliability of best-worst scores.")
    ] = 0.9,
    resamples: Annotated[int, typer.Option("--resamples", min=0, help="For intervals; 0: none.")] = 1000,
    repeats: Annotated[int, typer.Option("--repeats", min=1, help="Random halvings for split-half reliability.")] = 100,
    level: options.Level = 0.95,
    seed: Annotated[int, typer.Option("--seed", help="Seeds resampling and halvings.")] = 0,
    page: options.Page = None,
    quiet: options.Quiet = False,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    encoding: options.Encoding = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Say how far judgements can be trusted: agreement, split halves, annotators, and how many are enough.

    DATA is a file of judgements or a benchmark that keeps them.

    Example: similitude reliability sample:dialogues --by language,turns --page reliability.html
    """
    from similitude.gold.reliability.assessment import assess
    from similitude.gold.reliability.rater_plan import RaterTargets
    from similitude.report.reliability import reliability_sheet, reliability_view

    judgements = opened(data, items, kind, options.reading_options(format, column, scale, encoding, on_error))
    given = {"mean_error": mean_error, "sigma_error": sigma_error, "correlation": correlation}
    targets = RaterTargets(**{name: value for name, value in given.items() if value is not None})
    with progress_bar(judgements.name, quiet=quiet) as listener:
        found = assess(
            judgements,
            by=tuple(part.strip() for part in by.split(",")) if by else (),
            gold_answers=None if gold_answers is None else gold_answers_from(gold_answers, judgements.kind),
            expert=None if expert is None else verdicts_from(expert),
            targets=targets,
            reliability=target,
            resamples=resamples,
            repeats=repeats,
            level=level,
            seed=seed,
            listener=listener,
        )
    if page is not None:
        deliver_page(page, reliability_sheet(found))
    if json:
        print_json(found.record())
        return
    results.print(reliability_view(found))
    if page is not None:
        results.print(str(page), markup=False, highlight=False, soft_wrap=True)
