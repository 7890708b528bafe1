"""``similitude design best-worst|rating``: plan which questions are asked, with guarantees that are counted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from similitude.cli import options
from similitude.cli.console import print_json, print_notes, results
from similitude.cli.judgements import deliver_page

if TYPE_CHECKING:
    from similitude.collect.design import Design, Subjects

__all__ = ["app"]

app = typer.Typer(help="Plan which questions annotators are asked.", no_args_is_help=True)

Judged = Annotated[
    str, typer.Argument(metavar="DATA", help="What is judged: a benchmark, as for 'evaluate', or a .txt file of ids.")
]
PerQuestion = Annotated[int, typer.Option("--per-question", min=1, help="Annotators who answer each question.")]
Seconds = Annotated[
    float | None, typer.Option("--seconds-per-question", help="From a pilot, say; to estimate time and pay.")
]
Pay = Annotated[float | None, typer.Option("--pay-per-hour", help="What an annotator earns in an hour.")]
Seed = Annotated[int, typer.Option("--seed", help="Everything random follows from it.")]
Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Where to write the plan: JSON lines, one a question.")
]
RepeatShare = Annotated[
    float, typer.Option("--repeat-share", help="Share of a batch that repeats one of its questions: 0.05.")
]
RepeatDistance = Annotated[
    int, typer.Option("--repeat-distance", min=1, help="Places between a repeat and its original.")
]


@app.command("best-worst")
def best_worst(
    data: Judged,
    size: Annotated[int, typer.Option("--size", help="Items in a tuple.")] = 4,
    factor: Annotated[float | None, typer.Option("--factor", help="Tuples an item; 2 if nothing else is said.")] = None,
    tuples: Annotated[
        int | None, typer.Option("--tuples", help="Or: how many tuples; with --by-group, of each group.")
    ] = None,
    per_item: Annotated[
        int | None, typer.Option("--per-item", help="Or: in how many tuples every item should be at least.")
    ] = None,
    by_group: Annotated[
        bool, typer.Option("--by-group", help="Make tuples of items of one group (dialogue) only.")
    ] = False,
    page_strata: Annotated[
        str | None,
        typer.Option("--page-strata", metavar="COLUMN", help="Pages with one question of each: turns, language, ..."),
    ] = None,
    uneven: Annotated[
        bool, typer.Option("--uneven", help="Allow pages without some stratum where their numbers differ.")
    ] = False,
    batch: Annotated[int | None, typer.Option("--batch", help="Or: batches of so many questions.")] = None,
    repeat_share: RepeatShare = 0.0,
    repeat_distance: RepeatDistance = 5,
    per_question: PerQuestion = 5,
    seconds_per_question: Seconds = None,
    pay_per_hour: Pay = None,
    out: Out = None,
    page: options.Page = None,
    seed: Seed = 0,
    format: options.Format = None,
    column: options.Columns = None,
    encoding: options.Encoding = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Plan best-worst questions: tuples with guarantees, on pages or in batches.

    Example: similitude design best-worst sample:dialogues --size 3 --by-group --page-strata turns --out plan.jsonl
    """
    from similitude.collect.design import BatchMix, TupleRequest, plan_best_worst, read_subjects

    request = TupleRequest(size=size, tuples=tuples, per_item=per_item, factor=factor)
    mix = None
    if batch is not None:
        mix = BatchMix(size=batch, repeat_share=repeat_share, repeat_distance=repeat_distance)
    subjects = read_subjects(data, **options.reading_options(format, column, None, encoding, on_error))
    design = plan_best_worst(
        subjects,
        request,
        by_group=by_group,
        page_strata=page_strata,
        uneven=uneven,
        mix=mix,
        per_question=per_question,
        seed=seed,
    )
    _deliver(design, subjects, out, seconds_per_question, pay_per_hour, page, json=json)


@app.command("rating")
def rating(
    data: Judged,
    batch: Annotated[int, typer.Option("--batch", help="Questions in a batch, gold and repeats included.")] = 20,
    gold: Annotated[
        str | None, typer.Option("--gold", metavar="DATA", help="Items whose answer is known, none of them in DATA.")
    ] = None,
    gold_share: Annotated[float, typer.Option("--gold-share", help="Share of a batch that is gold: 0.1.")] = 0.0,
    repeat_share: RepeatShare = 0.0,
    repeat_distance: RepeatDistance = 5,
    verify: Annotated[
        bool, typer.Option("--verify", help="Ask whether the item's condition applies, then for the rating.")
    ] = False,
    together: Annotated[
        bool, typer.Option("--together", help="Let items of one group stand in the same batch.")
    ] = False,
    per_question: PerQuestion = 5,
    seconds_per_question: Seconds = None,
    pay_per_hour: Pay = None,
    out: Out = None,
    page: options.Page = None,
    seed: Seed = 0,
    format: options.Format = None,
    column: options.Columns = None,
    encoding: options.Encoding = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Plan ratings or verifications: one question an item, in batches, gold and repeats mixed in.

    Example: similitude design rating sample:opinions --batch 20 --repeat-share 0.05 --out plan.jsonl
    """
    from similitude.collect.design import BatchMix, plan_ratings, read_subjects

    mix = BatchMix(size=batch, gold_share=gold_share, repeat_share=repeat_share, repeat_distance=repeat_distance)
    subjects = read_subjects(data, **options.reading_options(format, column, None, encoding, on_error))
    design = plan_ratings(
        subjects,
        mix,
        gold=() if gold is None else read_subjects(gold, encoding=encoding).ids,
        task="verification" if verify else "rating",
        apart=not together,
        per_question=per_question,
        seed=seed,
    )
    _deliver(design, subjects, out, seconds_per_question, pay_per_hour, page, json=json)


def _deliver(
    design: Design,
    subjects: Subjects,
    out: Path | None,
    seconds: float | None,
    pay: float | None,
    page: Path | None,
    *,
    json: bool,
) -> None:
    """Write the plan, if a file is named, and show what holds of it."""
    from similitude.collect.design import summarise, write_design
    from similitude.report.design import design_sheet, design_summary

    summary = summarise(design, seconds_per_question=seconds, pay_per_hour=pay)
    if out is not None:
        write_design(design, out)
    if page is not None:
        deliver_page(page, design_sheet(summary, subjects.name))
    if json:
        print_json({"data": subjects.name, **summary.record(), "file": None if out is None else str(out)})
        return
    print_notes(subjects.notes)
    results.print(design_summary(summary, subjects.name))
    written = f"plan written to {out}" if out is not None else "nothing written; --out FILE writes the plan"
    results.print(written, markup=False, highlight=False, soft_wrap=True)
