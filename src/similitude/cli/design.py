"""``similitude design best-worst|rating``: plan the questions for annotators, with guarantees."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import print_json, print_notes, results, write_page
from similitude.collect.design import BatchMix, TupleRequest
from similitude.data.counted_work import uncounted_work

if TYPE_CHECKING:
    from similitude.collect.design import Design, Subjects

__all__ = ["best_worst", "rating"]

Judged = Annotated[
    str, Parameter(metavar="DATA", help="What is judged: a benchmark, as for 'evaluate', or a .txt file of ids.")
]
PerQuestion = Annotated[int, parameters.number("Annotators who answer each question.", least=1)]


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """Where to write a plan, and how to estimate its cost.

    Attributes:
        out: write the plan as JSON lines, one question per line.
        page: write a page with figures.
        seconds_per_question: the time a question takes, from a pilot, to estimate time and pay.
        pay_per_hour: what an annotator earns per hour.
    """

    out: Annotated[Path | None, Parameter(metavar="FILE")] = None
    page: Annotated[Path | None, Parameter(metavar="FILE.html")] = None
    seconds_per_question: Annotated[float | None, Parameter(metavar="SECONDS")] = None
    pay_per_hour: Annotated[float | None, Parameter(metavar="PAY")] = None
    json: options.Json = False

    def deliver(self, design: Design, subjects: Subjects) -> None:
        """Write the plan if a file is named, and print its guarantees."""
        from similitude.cli.progress import progress_bar
        from similitude.collect.design import summarise, write_design
        from similitude.report.design import design_sheet, design_summary

        with progress_bar(subjects.name) as listener:
            uncounted_work(listener, f"checking the plan of {design.frame.height:,} questions")
            summary = summarise(design, seconds_per_question=self.seconds_per_question, pay_per_hour=self.pay_per_hour)
            if self.out is not None:
                uncounted_work(listener, f"writing {design.frame.height:,} questions")
                write_design(design, self.out)
        if self.page is not None:
            write_page(self.page, design_sheet(summary, subjects.name))
        if self.json:
            file = None if self.out is None else str(self.out)
            print_json({"data": subjects.name, **summary.record(), "file": file})
            return
        print_notes(subjects.notes)
        results.print(design_summary(summary, subjects.name))
        written = (
            f"plan written to {self.out}" if self.out is not None else "nothing written; --out FILE writes the plan"
        )
        results.print(written, markup=False, highlight=False, soft_wrap=True)


def best_worst(
    data: Judged,
    /,
    *,
    tuples: Annotated[TupleRequest, parameters.flat(parameters.COMMON)] = TupleRequest(),
    by_group: Annotated[bool, Parameter(help="Make tuples within one group (dialogue) only.")] = False,
    page_strata: Annotated[
        str | None,
        Parameter(metavar="COLUMN", help="Put one question of each value of turns, language, ... on a page."),
    ] = None,
    uneven: Annotated[bool, Parameter(help="Allow pages that lack a stratum.")] = False,
    batch: Annotated[int | None, Parameter(metavar="N", help="Make batches of N questions instead of pages.")] = None,
    mix: Annotated[BatchMix, parameters.flat(parameters.COMMON, without=["size", "gold_share"])] = BatchMix(),
    per_question: PerQuestion = 5,
    large: Annotated[bool, Parameter(help="Make the plan even if it takes minutes or gigabytes.")] = False,
    seed: options.Seed = 0,
    plan: Annotated[PlanOptions, parameters.flat(parameters.OUTPUT)] = PlanOptions(),
    input: options.Input = options.InputOptions(),
) -> None:
    """Plan best-worst questions: balanced tuples, on pages or in batches.

    Example: similitude design best-worst sample:dialogues --size 3 --by-group --page-strata turns --out plan.jsonl
    """
    from similitude.cli.progress import progress_bar
    from similitude.collect.design import plan_best_worst, read_subjects

    sized = None if batch is None else replace(mix, size=batch)
    subjects = read_subjects(data, **input.arguments())
    with progress_bar(subjects.name) as listener:
        design = plan_best_worst(
            subjects,
            tuples,
            by_group=by_group,
            page_strata=page_strata,
            uneven=uneven,
            mix=sized,
            per_question=per_question,
            seed=seed,
            large=large,
            listener=listener,
        )
    plan.deliver(design, subjects)


def rating(
    data: Judged,
    /,
    *,
    mix: Annotated[BatchMix, parameters.flat(parameters.COMMON, size="batch")] = BatchMix(),
    gold: Annotated[
        str | None, Parameter(metavar="DATA", help="Items whose answer is known, none of them in DATA.")
    ] = None,
    verify: Annotated[
        bool, Parameter(help="Ask first whether the item's condition applies, then for the rating.")
    ] = False,
    together: Annotated[bool, Parameter(help="Allow items of one group in the same batch.")] = False,
    per_question: PerQuestion = 5,
    seed: options.Seed = 0,
    plan: Annotated[PlanOptions, parameters.flat(parameters.OUTPUT)] = PlanOptions(),
    input: options.Input = options.InputOptions(),
) -> None:
    """Plan ratings or verifications: one question per item, in batches with gold and repeats.

    Example: similitude design rating sample:opinions --batch 20 --repeat-share 0.05 --out plan.jsonl
    """
    from similitude.cli.progress import progress_bar
    from similitude.collect.design import plan_ratings, read_subjects

    subjects = read_subjects(data, **input.arguments())
    with progress_bar(subjects.name) as listener:
        design = plan_ratings(
            subjects,
            mix,
            gold=() if gold is None else read_subjects(gold, encoding=input.encoding).ids,
            task="verification" if verify else "rating",
            apart=not together,
            per_question=per_question,
            seed=seed,
            listener=listener,
        )
    plan.deliver(design, subjects)
