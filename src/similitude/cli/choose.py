"""``similitude choose``: rank systems for a task by the measure that fits it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.console import errors, results, show
from similitude.cli.questions import answer_to, refuse_silence
from similitude.evaluate.tasks.requirements import Cardinality, Information, Interest

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
    /,
    *,
    system: Annotated[list[str] | None, parameters.systems("A system to choose among; name two or more.")] = None,
    name: options.Names = None,
    cardinality: Annotated[Cardinality | None, Parameter(help="One text with one other, or with many.")] = None,
    interest: Annotated[Interest | None, Parameter(help="Which results are used.")] = None,
    information: Annotated[Information | None, Parameter(help="What of a result is used.")] = None,
    k: Annotated[int | None, parameters.number("How many results, with --interest k-best.", least=1)] = None,
    threshold: Annotated[float | None, Parameter(help="The border on a graded gold scale, if there is one.")] = None,
    dissimilar: Annotated[bool, Parameter(help="Look for the least similar texts, as summarisation does.")] = False,
    criterion: Annotated[
        str | None,
        Parameter(
            metavar="MEASURE",
            help="With two labels: by what the threshold is best, as mcc.",
        ),
    ] = None,
    measure: options.Measures = None,
    calibration: options.Calibration = options.CalibrationOptions(),
    run: options.Run = options.RunOptions(),
    intervals: options.Decisions = options.DecisionOptions(),
    input: options.Input = options.InputOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Choose a system for your task, by the measure that fits it.

    The command asks for what is not said of the task. Scores are calibrated, or with two labels thresholds learned, on
    other folds; what to deploy is printed. Queries need --column group=NAME.

    Example: similitude choose sample:opinions -s levenshtein -s tfidf-cosine --cardinality 1:1 --interest all
    --information value
    """
    from similitude.evaluate.tasks import Requirements
    from similitude.report.comparison import choice_view
    from similitude.study import choose as choose_system

    said = {"cardinality": cardinality, "interest": interest, "information": information}
    answers = _answers(said)
    asked = {name: value for name, value in answers.items() if said[name] is None}
    if asked and answers["interest"] == "k-best" and k is None:
        k = _asked_k()
        asked |= {} if k is None else {"k": str(k)}
    requirements = Requirements(**answers, k=k, threshold=threshold, dissimilar=dissimilar, criterion=criterion)
    benchmark = input.benchmark(data)
    with output.progress(benchmark.name) as listener:
        choice = choose_system(
            benchmark,
            system or [],
            requirements,
            measures=measure or (),
            names=name or (),
            on_error=input.on_error,
            listener=listener,
            **calibration.arguments(),
            **intervals.arguments(),
            **run.arguments(
                benchmark,
                quiet=output.quiet,
                task=requirements,
                asked=[word for name, value in asked.items() for word in (f"--{name}", value)],
            ),
        )
    show(choice, choice_view, json=output.json, quiet=output.quiet, notes=benchmark.provenance.notes)
    folder = run.folder_for(benchmark, requirements)
    if not output.json:
        results.print(f"saved in {folder}; 'similitude report {folder}' makes the page", style="dim", markup=False)


def _answers(given: Mapping[str, str | None]) -> dict[str, Any]:
    """Requirements from the options; the user is asked for those that are missing.

    Raises:
        ArgumentError: something is missing and nobody is there to ask.
    """
    missing = [name for name, value in given.items() if value is None]
    if not missing:
        return dict(given)
    flags = ", ".join(f"--{name} {'|'.join(QUESTIONS[name][1])}" for name in missing)
    refuse_silence("what the task needs was not said", f"give {flags}")
    return {name: value or _ask(*QUESTIONS[name]) for name, value in given.items()}


def _ask(question: str, choices: dict[str, str]) -> str:
    errors.print(question, style="bold")
    for number, words in enumerate(choices.values(), start=1):
        errors.print(f"  {number}  {words}", highlight=False, markup=False)
    while True:
        answer = answer_to("> ")
        if answer.isdigit() and 1 <= int(answer) <= len(choices):
            return list(choices)[int(answer) - 1]
        if answer in choices:
            return answer
        errors.print(f"a number from 1 to {len(choices)}", style="yellow")


def _asked_k() -> int | None:
    answer = answer_to("How many of the best do you use? [10] > ")
    return int(answer) if answer.isdigit() and int(answer) > 0 else None
