"""``similitude task``: let systems do one task."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from similitude.cli import options, parameters
from similitude.cli.catalogue.listed_names import listed
from similitude.cli.console import print_json, print_notes, results, show_with_page
from similitude.errors import ArgumentError

if TYPE_CHECKING:
    from similitude.evaluate.tasks.outcome import Task

__all__ = ["task"]


def task(
    kind: Annotated[
        str | None,
        Parameter(metavar="TASK", help="A kind of task, such as deduplication, or sample:related, or KIND:FILE."),
    ] = None,
    data: Annotated[str | None, Parameter(metavar="DATA", help="The task's file or folder, or sample:NAME.")] = None,
    /,
    *,
    system: Annotated[list[str] | None, parameters.systems("A system; repeatable.")] = None,
    name: options.Names = None,
    list_: Annotated[bool, Parameter(name="--list", help="List the kinds of tasks and the data they need.")] = False,
    classes: Annotated[
        str | None, Parameter(metavar="A,B,...", help="The classes of labelled pairs, least similar first.")
    ] = None,
    calibrate: Annotated[
        Literal["auto", "none", "linear", "isotonic", "quantile"],
        Parameter(help="auto: learn on other folds where a system says yes; none: in the middle of its range."),
    ] = "auto",
    folder: Annotated[Path | None, Parameter(metavar="DIR", help="Keep predictions and results here.")] = None,
    fresh: options.Fresh = False,
    seed: options.Seed = 0,
    intervals: options.JudgementIntervals = options.JudgementIntervalOptions(),
    reading: options.TaskInput = options.TableOptions(),
    page: options.Page = None,
    cached: options.Cache = options.CacheOptions(),
    output: options.Output = options.OutputOptions(),
) -> None:
    """Let systems do one task that uses similarity, such as deduplication, and compare how well they do it.

    Where a task is about yes and no, the threshold of each system is learned on other folds, and the one to deploy is
    printed with its interval.

    Example: similitude task deduplication sample:deduplication -s word-ngram-jaccard -s levenshtein
    """
    if list_:
        _show_kinds(json=output.json)
        return
    from similitude.report.task import task_sheet, task_view
    from similitude.study.task_run import run_task

    opened = _opened(kind, data, classes, reading.table_arguments())
    with output.progress(opened.name) as listener:
        found = run_task(
            opened,
            system or [],
            names=name or (),
            out=folder,
            fresh=fresh,
            resamples=intervals.resamples,
            level=intervals.level,
            seed=seed,
            calibrate=calibrate,
            cache=cached.vectors(quiet=output.quiet),
            answers=cached.answers(quiet=output.quiet),
            listener=listener,
        )
    show_with_page(found, task_view, task_sheet, page=page, json=output.json)


def _opened(kind: str | None, data: str | None, classes: str | None, reading: dict[str, Any]) -> Task:
    """The task; with one argument, that names it and its kind is recognised.

    Raises:
        ArgumentError: no task is named, or only its kind.
        InputError: a file is missing or invalid.
    """
    from similitude.evaluate.tasks.reading import TASK_KINDS, open_task

    if kind is None:
        remedy = "name a kind and its data; 'similitude task --list' shows the kinds"
        raise ArgumentError("no task is named", remedy=remedy)
    if data is None and kind in TASK_KINDS.names():
        raise ArgumentError(f"task '{kind}' has no data", remedy=f"name a file or folder, or sample:{kind}")
    if reading.pop("header") is False:
        raise ArgumentError("a task's table needs a header", remedy="add a first row with the names of the columns")
    given = None if classes is None else [name.strip() for name in classes.split(",")]
    if data is None:
        return open_task(kind, classes=given, **reading)
    return open_task(data, kind=TASK_KINDS.maker(kind)().name, classes=given, **reading)


def _show_kinds(*, json: bool) -> None:
    from similitude.report.listings import tasks_table

    found = listed("tasks")
    print_notes(found.broken)
    if json:
        print_json([{"kind": each["name"], "task": each["task"], "data": each["data"]} for each in found.records])
        return
    results.print(tasks_table(found.records))
    results.print("The sample has one of each kind: similitude task deduplication sample:deduplication", style="dim")
