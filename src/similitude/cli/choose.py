"""``similitude choose``: which system for my task, ranked by the measure that fits it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from similitude.cli import options
from similitude.cli.console import errors, print_json, print_notes, results
from similitude.cli.progress import progress_bar
from similitude.errors import ArgumentError

__all__ = ["choose"]

QUESTIONS = {
    "cardinality": (
        "Do you compare one text with one other, or with many?",
        {"1:1": "with one other (grading an answer, is this a copy?)", "1:n": "with many (search, related articles)"},
    ),
    "interest": (
        "Which of the results do you use?",
        {
            "all": "all of them (clustering, summarisation)",
            "k-best": "the best few (the top ten of a search, the nearest question in an FAQ)",
            "threshold": "those above a border (plagiarism prefilter, alerts)",
        },
    ),
    "information": (
        "What of a result do you use?",
        {
            "value": "the score itself (shown to people, added up)",
            "rank": "only which comes before which",
            "classification": "a class: alike or not, copy or light or heavy revision (deduplication, text reuse)",
        },
    ),
}


def choose(
    data: options.Data,
    system: Annotated[
        list[str] | None, typer.Option("--system", "-s", help="A system to choose among; name two or more.")
    ] = None,
    cardinality: Annotated[
        str | None, typer.Option("--cardinality", metavar="1:1|1:n", help="One text with one other, or with many.")
    ] = None,
    interest: Annotated[
        str | None, typer.Option("--interest", metavar="all|k-best|threshold", help="Which results are used.")
    ] = None,
    information: Annotated[
        str | None, typer.Option("--information", metavar="value|rank|classification", help="What of them is used.")
    ] = None,
    k: Annotated[int | None, typer.Option("--k", min=1, help="How many results, with --interest k-best.")] = None,
    threshold: Annotated[
        float | None, typer.Option("--threshold", help="The border on the gold scale, where there is one.")
    ] = None,
    dissimilar: Annotated[
        bool, typer.Option("--dissimilar", help="The task looks for what is least alike, as summarisation does.")
    ] = False,
    measure: options.Measures = None,
    split: Annotated[str | None, typer.Option("--split", help="Measure this split only.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="The folder of the run.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Compute again what the folder already holds.")] = False,
    no_cache: options.NoCache = False,
    seed: Annotated[int, typer.Option("--seed", help="Seeds the order of items and the resampling.")] = 0,
    resamples: options.Resamples = None,
    level: options.Level = 0.95,
    quiet: options.Quiet = False,
    format: options.Format = None,
    column: options.Columns = None,
    scale: options.ScaleOption = None,
    encoding: options.Encoding = "utf-8",
    on_error: options.OnError = options.SkipOrStop.STOP,
    json: options.Json = False,
) -> None:
    """Choose a system for your task: ranked by the measure that fits it, beside what Pearson would have said.

    Without --cardinality, --interest and --information three plain questions are asked.

    Example: similitude choose pairs.csv -s use-multilingual -s tfidf-cosine --cardinality 1:n --interest k-best --k 10
    --information rank
    """
    from similitude.data.addresses import open_benchmark
    from similitude.evaluate.tasks import Requirements
    from similitude.models.cache import usual_answers, usual_cache
    from similitude.report.choice import choice_view
    from similitude.study import choose as choose_system
    from similitude.study import default_folder

    answers = _answers({"cardinality": cardinality, "interest": interest, "information": information})
    k = _asked_k(k) if answers.pop("asked", False) and answers["interest"] == "k-best" else k
    requirements = Requirements(**answers, k=k, threshold=threshold, dissimilar=dissimilar)
    benchmark = open_benchmark(data, **options.reading_options(format, column, scale, encoding, on_error))
    folder = out or default_folder(benchmark, split)
    with progress_bar(benchmark.name, quiet=quiet) as listener:
        choice = choose_system(
            benchmark,
            system or [],
            requirements,
            measures=measure or (),
            split=split,
            on_error=on_error.value,
            resamples=resamples,
            level=level,
            seed=seed,
            out=folder,
            fresh=fresh,
            cache=None if no_cache else usual_cache(),
            answers=None if no_cache else usual_answers(lambda text: print_notes([text], quiet=quiet)),
            listener=listener,
        )
    if json:
        print_json(choice.record())
        return
    print_notes(benchmark.provenance.notes, quiet=quiet)
    results.print(choice_view(choice))
    results.print(f"saved in {folder}; 'similitude report {folder}' makes the page", style="dim", markup=False)


def _answers(given: dict[str, str | None]) -> dict[str, Any]:
    """What the flags say, and what is asked where they say nothing.

    Raises:
        ArgumentError: something is missing and nobody is there to ask.
    """
    missing = [name for name, value in given.items() if value is None]
    if not missing:
        return dict(given)
    if not sys.stdin.isatty():
        flags = ", ".join(f"--{name} {'|'.join(QUESTIONS[name][1])}" for name in missing)
        raise ArgumentError("what the task needs was not said", remedy=f"give {flags}")
    return {name: value or _ask(*QUESTIONS[name]) for name, value in given.items()} | {"asked": True}


def _ask(question: str, choices: dict[str, str]) -> str:
    errors.print(question, style="bold")
    for number, words in enumerate(choices.values(), start=1):
        errors.print(f"  {number}  {words}", highlight=False, markup=False)
    while True:
        answer = errors.input("> ").strip()
        if answer.isdigit() and 1 <= int(answer) <= len(choices):
            return list(choices)[int(answer) - 1]
        if answer in choices:
            return answer
        errors.print(f"a number from 1 to {len(choices)}", style="yellow")


def _asked_k(k: int | None) -> int | None:
    if k is not None:
        return k
    answer = errors.input("How many of the best do you use? [10] > ").strip()
    return int(answer) if answer.isdigit() and int(answer) > 0 else None
